import AssayCore

/// A file `metadata.jsonl`, `metadata.csv` or `metadata.parquet` beside images: one JSON object per
/// image. Rows of a CSV become objects of texts, rows of Parquet objects of their values.
struct HFMetadata: Sendable {
  /// A record: its bytes, its line, and the name of its image.
  struct Record: Sendable {
    var bytes: Range<Int>
    var line: Int
    var name: String
  }

  let path: String
  private var bytes: [UInt8] = []
  private(set) var records: [Record] = []
  private(set) var issues: [Issue] = []
  private var limit = IssueLimit()
  /// The columns of Parquet that cannot be read, with the line of the first of each.
  private var unread: [String: Int] = [:]

  /// The maximum size of a file: 256 MiB.
  static let byteLimit = 256 << 20
  /// The names of the fields with the class of the image.
  static let labelFields = ["label", "labels", "class", "category"]
  static let readFields = Set(
    labelFields + Captions.fields + ["file_name", "objects", "width", "height"])
  /// The fields that make a file metadata of this format.
  static let knownFields = labelFields + ["objects"] + Captions.fields

  /// The further fields of an image's record; `null` is none.
  static func further(_ value: JSONValue) -> [JSONValue.Member] {
    guard case .object(let members) = value else { return [] }
    return members.filter { !readFields.contains($0.name) && $0.value != .null }
  }

  /// Returns whether a file is called like metadata.
  static func isNamed(_ path: String) -> Bool {
    ["metadata.jsonl", "metadata.csv", "metadata.parquet"].contains(path.fileName)
  }

  /// The names of the fields of the first record of a file; `nil` if it has none with an image.
  static func fields(_ tree: any SourceTree, _ path: String) -> Set<String>? {
    if ParquetFile.isNamed(path) {
      let names = Set((try? ParquetMetadata(tree, path))?.names ?? [])
      return names.contains("file_name") ? names : nil
    }
    var head = [UInt8](repeating: 0, count: 1 << 16)
    guard let count = try? SourceContent.readHead(tree, path, into: &head) else { return nil }
    var start = head[..<count]
    if start.starts(with: TableHead.byteOrderMark) { start = start.dropFirst(3) }
    let line = Array(start.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") })
    let names: [String]
    if path.hasSuffix(".csv") {
      names = CSVFields.texts(of: line)
    } else {
      guard let text = String(validating: line, as: UTF8.self),
        case .object(let members)? = try? JSONValue(parsing: text)
      else { return nil }
      names = members.map(\.name)
    }
    return names.contains("file_name") ? Set(names) : nil
  }

  /// Reads a file.
  ///
  /// - Throws: ``FormatError`` for an invalid CSV; `SourceReadError` over ``byteLimit``; any error
  ///   that the tree throws.
  init(_ tree: any SourceTree, _ path: String) throws {
    self.path = path
    if ParquetFile.isNamed(path) {
      try readParquet(ParquetMetadata(tree, path))
      finish()
      return
    }
    let text = try tree.readAll(path, limit: Self.byteLimit)
    if path.hasSuffix(".csv") { try readCSV(text) } else { readLines(text) }
    finish()
  }

  private mutating func finish() {
    for (name, line) in unread.sorted(by: { ($0.value, $0.key) < ($1.value, $1.key) }) {
      note(
        .unsupportedField, .warning, line, "the field “\(name.prefix(60))” of \(path) is not kept")
    }
    issues += limit.remainder(in: path)
  }

  /// The object of a record.
  func value(of record: Record) -> JSONValue {
    let text = String(decoding: bytes[record.bytes], as: UTF8.self)
    return (try? JSONValue(parsing: text)) ?? .null
  }

  private mutating func note(
    _ kind: IssueKind, _ severity: Issue.Severity, _ line: Int, _ message: String
  ) {
    guard limit.admits(kind) else { return }
    issues.append(Issue(kind, severity, at: IssueLocation(file: path, line: line), message))
  }

  private mutating func readLines(_ text: [UInt8]) {
    bytes = text
    var start = text.starts(with: TableHead.byteOrderMark) ? 3 : 0
    var line = 0
    while start < bytes.count {
      line += 1
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      let range = start..<end
      start = end + 1
      guard !bytes[range].allSatisfy({ $0 <= 0x20 }) else { continue }
      guard let text = String(validating: bytes[range], as: UTF8.self) else {
        note(.badUTF8, .error, line, "bytes that are not UTF-8; the line is left out")
        continue
      }
      do throws(JSONError) {
        add(try JSONValue(parsing: text), range, line)
      } catch {
        note(.badField, .error, line, "broken JSON: \(error); the line is left out")
      }
    }
  }

  /// Reads rows of Parquet; a line is the number of a row.
  ///
  /// - Throws: ``ParquetError``, `SourceReadError` over ``byteLimit``; any error that the tree throws.
  private mutating func readParquet(_ table: ParquetMetadata) throws {
    for name in table.unread { unread[name] = 1 }
    try table.forEachRow { number, value in
      let start = bytes.count
      bytes += Array(value.text().utf8)
      guard bytes.count <= Self.byteLimit else {
        throw SourceReadError.tooLarge(path: path, limit: Self.byteLimit)
      }
      add(value, start..<bytes.count, number + 1)
    }
  }

  private mutating func add(_ value: JSONValue, _ range: Range<Int>, _ line: Int) {
    guard case .object(let members) = value else {
      note(.badField, .error, line, "expected a JSON object; the line is left out")
      return
    }
    guard let name = value["file_name"]?.text, !name.isEmpty else {
      note(.missingField, .error, line, "no file_name; the line is left out")
      return
    }
    records.append(Record(bytes: range, line: line, name: name))
  }

  private mutating func readCSV(_ text: [UInt8]) throws(FormatError) {
    var rows: [(line: Int, fields: [String])] = []
    try CSVRecords.reading(text, file: path) { (records) throws(FormatError) in
      var fields: [CSVRecords.Field] = []
      while try records.next(into: &fields) {
        var texts: [String] = []
        for field in fields { texts.append(try records.text(field)) }
        rows.append((records.recordLine, texts))
      }
    }
    guard let header = rows.first?.fields.map(LabelSeparator.trimmed) else { return }
    guard Set(header).count == header.count else {
      throw .table(path, line: 1, problem: "two columns have the same name")
    }
    for (line, fields) in rows.dropFirst() {
      guard fields.count == header.count else {
        note(
          .fieldCount, .error, line,
          "\(Counted.text(fields.count, "field", "fields")) where the header has \(header.count); the row is left out"
        )
        continue
      }
      var members: [JSONValue.Member] = []
      for (name, field) in zip(header, fields) where !field.isEmpty {
        // A CSV has no numbers and objects of its own.
        let isJSON = name == "objects" || name == "width" || name == "height"
        members.append(
          .init(name, isJSON ? (try? JSONValue(parsing: field)) ?? .string(field) : .string(field)))
      }
      let value = JSONValue.object(members)
      let start = bytes.count
      bytes += Array(value.text().utf8)
      add(value, start..<bytes.count, line)
    }
  }
}
