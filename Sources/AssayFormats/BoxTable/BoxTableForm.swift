import AssayCore

/// The columns of one table of boxes by their places, and how its rows are split.
struct BoxTableForm: Sendable {
  let file: String
  let delimiter: UInt8
  let hasHeader: Bool
  /// The number of fields of a row.
  let count: Int
  let image: Int
  let label: Int?
  /// Four places, or one of a column with four numbers; `nil` if there are only polygons.
  let box: [Int]?
  let isSized: Bool
  let polygon: Int?
  let split: Int?
  let score: Int?
  let size: (width: Int, height: Int)?
  let attributes: [(place: Int, name: String)]
  let coordinates: BoxCoordinates
  /// The names of columns that are not read.
  let ignored: [String]

  /// True if each row is a label of its whole image.
  var isOfLabels: Bool { box == nil && polygon == nil }

  /// The byte between the fields of a file: a tab for `.tsv`, else a comma.
  static func delimiter(of file: String) -> UInt8 {
    file.hasSuffix(ignoringCase: ".tsv") ? 0x09 : CSVFields.comma
  }

  /// Finds the columns.
  ///
  /// - Parameter head: the beginning of the file.
  /// - Throws: ``FormatError/table(_:line:problem:)`` for a column that the file does not have.
  init(
    _ columns: BoxTableColumns, _ coordinates: BoxCoordinates, _ head: TableHead
  ) throws(FormatError) {
    file = head.file
    let delimiter = columns.delimiter ?? Self.delimiter(of: head.file)
    self.delimiter = delimiter
    let hasHeader = columns.hasHeader
    self.hasHeader = hasHeader
    let first = CSVFields.texts(of: head.lines[0], delimiter: delimiter)
    count = first.count
    func place(_ column: BoxTableColumns.Column) throws(FormatError) -> Int {
      switch column {
      case .numbered(let number):
        guard number <= first.count else {
          throw .table(
            head.file, line: 1,
            problem: "there is no column \(number), named by --columns; the first line has "
              + "\(first.count) \(first.count == 1 ? "field" : "fields")"
              + Self.hint(head, delimiter))
        }
        return number - 1
      case .named(let name):
        let places = first.indices.filter { first[$0] == name }
        guard let place = places.first else {
          let near = NearMiss.suggestion(for: name, among: first)
          throw .table(
            head.file, line: 1,
            problem: "no column is called “\(name)”, named by --columns"
              + (near.map { " (did you mean “\($0)”?)" } ?? "") + Self.hint(head, delimiter))
        }
        guard places.count == 1 else {
          throw .table(
            head.file, line: 1,
            problem: "two columns are called “\(name)”; give the number of the column")
        }
        return place
      }
    }
    func optional(_ column: BoxTableColumns.Column?) throws(FormatError) -> Int? {
      guard let column else { return nil }
      return try place(column)
    }
    image = try place(columns.image)
    label = try optional(columns.label)
    var box: [Int] = []
    for column in columns.box?.columns ?? [] { box.append(try place(column)) }
    self.box = box.isEmpty ? nil : box
    isSized = columns.box?.isSized ?? false
    polygon = try optional(columns.polygon)
    split = try optional(columns.split)
    score = try optional(columns.score)
    if let width = try optional(columns.width), let height = try optional(columns.height) {
      size = (width, height)
    } else {
      size = nil
    }
    var attributes: [(place: Int, name: String)] = []
    for column in columns.attributes {
      let place = try place(column)
      let name = hasHeader && !first[place].isEmpty ? first[place] : "column \(place + 1)"
      guard !attributes.contains(where: { $0.name == name }) else { continue }
      attributes.append((place, name))
    }
    self.attributes = attributes
    self.coordinates = coordinates
    let read = Set(
      box + attributes.map(\.place)
        + [image, label, polygon, split, score, size?.width, size?.height].compactMap(\.self))
    ignored =
      hasHeader
      ? first.indices.filter { !read.contains($0) }.map { first[$0] }
      : []
  }

  /// True if each of the first rows with an object has a coordinate above 1.01, which no relative one is,
  /// and there is such a row.
  func exceedsOne(_ head: TableHead) -> Bool {
    var isSeen = false
    for line in head.lines.dropFirst(hasHeader ? 1 : 0) {
      guard let row = line.withUnsafeBytes({ try? BoxTableRow($0, self) }) else { continue }
      guard ((row.box ?? []) + (row.polygon ?? [])).contains(where: { $0 > 1.01 }) else {
        return false
      }
      isSeen = true
    }
    return isSeen
  }

  /// The advice for a file whose fields another byte may separate.
  private static func hint(_ head: TableHead, _ delimiter: UInt8) -> String {
    guard CSVFields.texts(of: head.lines[0], delimiter: delimiter).count == 1 else { return "" }
    for (name, byte) in [("semicolon", 0x3B), ("tab", 0x09), ("comma", 0x2C), ("bar", 0x7C)]
    where CSVFields.texts(of: head.lines[0], delimiter: UInt8(byte)).count > 1 {
      return "; if \(name == "tab" ? "tabs separate" : "a \(name) separates") the fields, add "
        + "delimiter=\(name)"
    }
    return ""
  }
}
