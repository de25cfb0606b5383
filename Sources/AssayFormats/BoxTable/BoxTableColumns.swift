import AssayCore

/// The unit of the coordinates in a table of boxes. It is stated; only pixels follow from a CSV each of
/// whose first rows has a coordinate above 1.
package enum BoxCoordinates: String, CaseIterable, Sendable {
  case pixels
  /// Relative to the width and height of the image.
  case relative
}

/// The meaning of the columns in a table of boxes or of labels, as `--columns` states it:
/// `image=file,label=class,box=xmin:ymin:xmax:ymax`.
package struct BoxTableColumns: Hashable, Sendable {
  /// A column by its name in the header, or by its position.
  package enum Column: Hashable, Sendable {
    case named(String)
    /// From 1.
    case numbered(Int)
  }

  /// A box: left, top, and right and bottom or width and height; in four columns, or all in one.
  package struct BoxColumns: Hashable, Sendable {
    package var columns: [Column]
    /// True for width and height, false for right and bottom.
    package var isSized: Bool
  }

  package private(set) var image = Column.numbered(1)
  package private(set) var label: Column?
  package private(set) var box: BoxColumns?
  package private(set) var polygon: Column?
  /// The column of index masks in Parquet files.
  package private(set) var mask: Column?
  package private(set) var split: Column?
  package private(set) var score: Column?
  package private(set) var width: Column?
  package private(set) var height: Column?
  /// Columns that are kept as attributes.
  package private(set) var attributes: [Column] = []
  /// The byte between fields; `nil` for the one of the file's suffix.
  package private(set) var delimiter: UInt8?
  /// True if the first line names the columns; `nil` if that follows from ``Column/named(_:)``.
  package private(set) var header: Bool?
  /// The text, as typed.
  package let text: String

  /// The reason why a text does not describe columns.
  package struct Problem: Error, Hashable, CustomStringConvertible {
    package var description: String
  }

  private static let delimiters: [String: Character] = [
    "comma": ",", "semicolon": ";", "tab": "\t", "bar": "|", "space": " ",
  ]

  /// - Throws: ``Problem``.
  package init(parsing text: String) throws(Problem) {
    self.text = text
    var seen: Set<String> = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let sign = part.firstIndex(of: "=") else {
        throw Problem(description: "expected key=column, found “\(part)”")
      }
      let key = String(part[..<sign])
      let value = String(part[part.index(after: sign)...])
      guard !value.isEmpty else { throw Problem(description: "\(key)= names no column") }
      guard seen.insert(key).inserted else { throw Problem(description: "\(key)= is repeated") }
      try set(key, value)
    }
    guard seen.contains("image") else { throw Problem(description: "image= is missing") }
    guard !(seen.contains("box") && seen.contains("boxwh")) else {
      throw Problem(description: "box= and boxwh= exclude each other")
    }
    guard (width == nil) == (height == nil) else {
      throw Problem(description: "width= and height= need each other")
    }
  }

  private mutating func set(_ key: String, _ value: String) throws(Problem) {
    switch key {
    case "image": image = try Self.column(value)
    case "label": label = try Self.column(value)
    case "box", "boxwh":
      let columns = try Self.columns(value)
      guard columns.count == 4 || columns.count == 1 else {
        let form = key == "box" ? "xmin:ymin:xmax:ymax" : "x:y:width:height"
        throw Problem(
          description: "\(key)= needs four columns (\(key)=\(form)) or one that holds four numbers")
      }
      box = BoxColumns(columns: columns, isSized: key == "boxwh")
    case "polygon": polygon = try Self.column(value)
    case "mask": mask = try Self.column(value)
    case "split": split = try Self.column(value)
    case "score": score = try Self.column(value)
    case "width": width = try Self.column(value)
    case "height": height = try Self.column(value)
    case "attributes": attributes = try Self.columns(value)
    case "delimiter":
      guard let sign = Self.delimiters[value] ?? (value.count == 1 ? value.first : nil),
        let byte = sign.asciiValue, byte != UInt8(ascii: "\""), byte != 0x0A, byte != 0x0D
      else {
        throw Problem(
          description: "delimiter= takes comma, semicolon, tab, bar, space or one character")
      }
      delimiter = byte
    case "header":
      guard value == "yes" || value == "no" else {
        throw Problem(description: "header= takes yes or no")
      }
      header = value == "yes"
    default:
      let known = [
        "image", "label", "box", "boxwh", "polygon", "mask", "split", "score", "width", "height",
        "attributes", "delimiter", "header",
      ]
      let near = NearMiss.suggestion(for: key, among: known)
      throw Problem(
        description: "unknown key “\(key)”"
          + (near.map { "; did you mean “\($0)”?" } ?? "; keys: \(known.joined(separator: ", "))"))
    }
  }

  private static func column(_ text: String) throws(Problem) -> Column {
    guard let number = Int(text) else { return .named(text) }
    guard (1...100_000).contains(number) else {
      throw Problem(description: "columns are numbered from 1, and \(text) is no column")
    }
    return .numbered(number)
  }

  private static func columns(_ text: String) throws(Problem) -> [Column] {
    var columns: [Column] = []
    for part in text.split(separator: ":", omittingEmptySubsequences: false) {
      guard !part.isEmpty else { throw Problem(description: "“\(text)” names an empty column") }
      columns.append(try column(String(part)))
    }
    return columns
  }

  /// True if the columns hold coordinates, whose unit must be stated.
  package var haveCoordinates: Bool { box != nil || polygon != nil }

  /// The reason why the columns describe no table; `nil` if they do.
  var tableProblem: String? {
    if mask != nil { return "mask= is only for parquet" }
    return haveCoordinates || label != nil
      ? nil : "box=, boxwh=, polygon= or, for one label per image, label= is missing"
  }

  /// All columns.
  var all: [Column] {
    [image] + [label, polygon, split, score, width, height].compactMap(\.self)
      + (box?.columns ?? []) + attributes
  }

  /// True if the first line is a header: it is said so, or a column is named.
  var hasHeader: Bool {
    header
      ?? all.contains { column in
        if case .named = column { true } else { false }
      }
  }
}
