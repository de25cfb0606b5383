import AssayCore

/// VIA's tables (CSV), read as JSON lists with one element per image.
///
/// A region keeps its line, for issues. Fields that are JSON stay texts, so that a broken one concerns
/// its region alone.
enum VIATables {
  /// The maximum size of a table.
  static let limit = 256 << 20

  /// The tables of a source, by their headers.
  static func tables(in tree: any SourceTree) throws -> [SourceFile] {
    let named = try tree.files().filter { file in
      tree.isSingleFile || file.path.hasSuffix(ignoringCase: ".csv")
    }
    return named.prefix(1000).filter { file in
      var head = [UInt8](repeating: 0, count: 4096)
      guard let count = try? SourceContent.readHead(tree, file.path, into: &head) else {
        return false
      }
      return Columns(header: Array(head[..<count].prefix { $0 != 0x0A })) != nil
    }
  }

  /// The places of the columns.
  private struct Columns {
    var file: Int
    var shape: Int
    var attributes: Int
    var fileAttributes: Int?
    var count: Int

    /// - Parameter header: the first line; VIA 1 begins it with `#`.
    init?(header: [UInt8]) {
      var line = header
      if line.starts(with: TableHead.byteOrderMark) { line.removeFirst(3) }
      if line.first == UInt8(ascii: "#") { line.removeFirst() }
      if line.last == 0x0D { line.removeLast() }
      let names = CSVFields.texts(of: line)
      guard let file = names.firstIndex(of: "filename"),
        let shape = names.firstIndex(of: "region_shape_attributes"),
        let attributes = names.firstIndex(of: "region_attributes")
      else { return nil }
      self.file = file
      self.shape = shape
      self.attributes = attributes
      fileAttributes = names.firstIndex(of: "file_attributes")
      count = names.count
    }
  }

  /// The source with its tables as JSON.
  ///
  /// - Throws: ``FormatError`` if a table is too large; any error that the tree throws.
  static func asLists(_ tree: any SourceTree) throws -> ReplacedTextTree {
    var texts: [String: [UInt8]] = [:]
    for file in try tables(in: tree) {
      guard file.size <= limit else {
        throw FormatError.mismatch(
          name: tree.name, format: .via,
          reason: "\(file.path) is larger than \(limit >> 20) MiB, the limit of a VIA table")
      }
      texts[file.path] = list(try tree.readAll(file.path, limit: limit))
    }
    return ReplacedTextTree(tree, texts)
  }

  /// The names of the first images.
  static func someImageNames(_ tree: any SourceTree, _ file: SourceFile) throws -> [String] {
    var head = [UInt8](repeating: 0, count: 1 << 16)
    let count = try SourceContent.readHead(tree, file.path, into: &head)
    guard let end = head[..<count].lastIndex(of: 0x0A),
      let value = try? JSONValue(parsing: list(Array(head[..<end])), JSONReading())
    else { return [] }
    return (value.elements ?? []).prefix(8).compactMap { $0.member("filename")?.text }
  }

  private static func list(_ bytes: [UInt8]) -> [UInt8] {
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    guard let first = lines.first, let columns = Columns(header: Array(first)) else {
      return Array("[]".utf8)
    }
    var places: [String: Int] = [:]
    var images: [(name: String, attributes: String?, regions: [JSONValue])] = []
    for (number, slice) in lines.enumerated().dropFirst() {
      var line = Array(slice)
      if line.last == 0x0D { line.removeLast() }
      guard line.contains(where: { !CSVFields.isBlank($0) }), line.first != UInt8(ascii: "#") else {
        continue
      }
      let fields = CSVFields.texts(of: line)
      let name = columns.file < fields.count ? fields[columns.file] : ""
      let place = places[name] ?? images.count
      if place == images.count {
        places[name] = place
        images.append(
          (name, columns.fileAttributes.flatMap { $0 < fields.count ? fields[$0] : nil }, []))
      }
      guard fields.count == columns.count else {
        images[place].regions.append([
          "line": .integer(Int64(number + 1)),
          "problem": .string("expected \(columns.count) fields, found \(fields.count)"),
        ])
        continue
      }
      let shape = fields[columns.shape]
      // An image without regions is a row with an empty shape.
      guard !shape.isEmpty, !shape.filter({ $0 != " " }).elementsEqual("{}") else { continue }
      images[place].regions.append([
        "line": .integer(Int64(number + 1)), "shape_attributes": .string(shape),
        "region_attributes": .string(fields[columns.attributes]),
      ])
    }
    let elements = images.map { image -> JSONValue in
      var members: [JSONValue.Member] = [.init("filename", .string(image.name))]
      if let text = image.attributes, !text.isEmpty {
        members.append(.init("file_attributes", .string(text)))
      }
      return .object(members + [.init("regions", .array(image.regions))])
    }
    return Array(JSONValue.array(elements).text().utf8)
  }
}
