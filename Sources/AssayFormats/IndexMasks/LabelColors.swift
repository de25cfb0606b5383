import AssayCore

/// The colors of classes in color masks. A class's number is its index in the list.
struct LabelColors: Hashable, Sendable {
  /// One class's color, `red << 16 | green << 8 | blue`.
  struct Entry: Hashable, Sendable {
    var color: UInt32
    var name: String
  }

  /// At most 255, in file order.
  private(set) var entries: [Entry] = []
  /// Issues for invalid lines.
  private(set) var issues: [Issue] = []
  /// True if the file has more classes than ``entries``.
  private(set) var isCut = false
  /// The indices of the colors, sorted by color.
  private let sorted: [(color: UInt32, place: UInt8)]

  /// The files that contain such lists.
  static let fileNames: Set<String> = [
    "label_colors.txt", "label_colours.txt", "labels_colors.txt", "class_dict.csv",
  ]

  init(_ entries: [Entry], issues: [Issue] = []) {
    self.entries = entries
    self.issues = issues
    sorted = entries.enumerated().map { ($1.color, UInt8(truncatingIfNeeded: $0)) }
      .sorted { $0.0 < $1.0 }
  }

  static func == (a: Self, b: Self) -> Bool { a.entries == b.entries && a.issues == b.issues }
  func hash(into hasher: inout Hasher) { hasher.combine(entries) }

  /// Reads a list: `R G B name` or `name R G B` per line, separated by blanks or commas; other
  /// lines are issues, except for the first, which can be a header, and comments after `#`.
  init(_ text: [UInt8], file: String) {
    var entries: [Entry] = []
    var issues: [Issue] = []
    var seen: Set<UInt32> = []
    var isCut = false
    func note(_ kind: IssueKind, _ line: Int, _ message: String) {
      guard issues.count < 1000 else { return }
      issues.append(Issue(kind, .warning, at: IssueLocation(file: file, line: line), message))
    }
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (number, bytes) in lines.prefix(100_000).enumerated() {
      let line = String(decoding: bytes, as: UTF8.self)
      let words = line.prefix { $0 != "#" }.split { $0 == "," || $0.isWhitespace }.map(String.init)
      guard !words.isEmpty else { continue }
      guard let entry = Self.entry(words) else {
        if number > 0 { note(.badField, number + 1, "expected a color and a name; skipped") }
        continue
      }
      guard seen.insert(entry.color).inserted else {
        note(.duplicateID, number + 1, "the color of \(entry.name) was listed before; skipped")
        continue
      }
      guard entries.count < 255 else {
        note(.badField, number + 1, "more than 255 classes; skipped")
        isCut = true
        continue
      }
      entries.append(entry)
    }
    self.init(entries, issues: issues)
    self.isCut = isCut
  }

  /// The list of a source; `nil` if none of its files is one.
  ///
  /// - Throws: any error that the tree throws.
  static func find(_ files: [SourceFile], in tree: any SourceTree) throws -> LabelColors? {
    guard let file = IndexMaskPlan.file(files, called: fileNames.sorted()) else { return nil }
    let colors = LabelColors(
      try tree.readAll(file.path, limit: ClassNames.byteLimit), file: file.path)
    return colors.entries.isEmpty ? nil : colors
  }

  /// The issues of a source with such a file from which ``find(_:in:)`` cannot read a list.
  static func complaints(_ files: [SourceFile]) -> [Issue] {
    guard let file = IndexMaskPlan.file(files, called: fileNames.sorted()) else { return [] }
    return [
      Issue(
        .badField, .warning, at: IssueLocation(file: file.path),
        "no line of it is a color and a name (R G B name), so it names no classes; check the file"
      )
    ]
  }

  /// The names by the classes' numbers.
  var names: [UInt16: String] {
    Dictionary(uniqueKeysWithValues: entries.enumerated().map { (UInt16($0), $1.name) })
  }

  private static func entry(_ words: [String]) -> Entry? {
    guard words.count >= 4 else { return nil }
    if let color = color(words[..<3]) {
      return Entry(color: color, name: words[3...].joined(separator: " "))
    }
    guard let color = color(words.suffix(3)) else { return nil }
    return Entry(color: color, name: words.dropLast(3).joined(separator: " "))
  }

  private static func color(_ words: ArraySlice<String>) -> UInt32? {
    var color: UInt32 = 0
    for word in words {
      guard let value = UInt8(word) else { return nil }
      color = color << 8 | UInt32(value)
    }
    return color
  }

  /// The index of every pixel's color, 255 if the list does not have it, and the number of those
  /// pixels.
  ///
  /// - Precondition: 3 channels.
  func places(of raster: Raster<UInt8>) -> (raster: Raster<UInt8>, unknown: Int) {
    precondition(raster.channels == 3)
    var places = Raster<UInt8>(repeating: 255, width: raster.width, height: raster.height)
    var unknown = 0
    raster.elements.withUnsafeBufferPointer { source in
      places.elements.withUnsafeMutableBufferPointer { target in
        // Neighboring pixels mostly share a color.
        var (last, place): (UInt32, UInt8?) = (.max, nil)
        for pixel in 0..<target.count {
          let color =
            UInt32(source[3 * pixel]) << 16 | UInt32(source[3 * pixel + 1]) << 8
            | UInt32(source[3 * pixel + 2])
          if color != last { (last, place) = (color, find(color)) }
          if let place { target[pixel] = place } else { unknown += 1 }
        }
      }
    }
    return (places, unknown)
  }

  private func find(_ color: UInt32) -> UInt8? {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle].color < color { low = middle + 1 } else { high = middle }
    }
    return low < sorted.count && sorted[low].color == color ? sorted[low].place : nil
  }
}
