import AssayCore

/// A JSON file of a Datumaro dataset: one subset.
struct DatumaroFile: Sendable {
  var file: SourceFile

  /// The number of bytes that are read from the beginning of a file to recognize it.
  private static let headBytes = 1 << 16
  /// The maximum number of JSON files that are looked at.
  private static let fileLimit = 256
  /// The maximum size of the member 'categories' in bytes.
  private static let categoriesLimit = 64 << 20

  /// The subset, which is the split: the name of the file.
  var split: String { String(SortedFiles.stem(of: file.path)) }

  /// The files of a source.
  ///
  /// - Throws: any error that the tree throws.
  static func all(in tree: any SourceTree) throws -> [DatumaroFile] {
    try tree.files().lazy.filter { $0.path.hasSuffix(ignoringCase: ".json") }.prefix(fileLimit)
      .filter { try isDatumaro($0, in: tree) }.map(DatumaroFile.init)
  }

  /// Returns whether a file is an object with Datumaro's version, or with a list of items and an
  /// object of categories (in COCO's JSON, categories are a list).
  static func isDatumaro(_ file: SourceFile, in tree: any SourceTree) throws -> Bool {
    var head = [UInt8](repeating: 0, count: headBytes)
    head.removeLast(head.count - (try SourceContent.readHead(tree, file.path, into: &head)))
    let outline = try JSONOutline(head: head)
    let (items, categories) = (outline["items"], outline["categories"])
    if items?.isArray == true, categories?.kind == UInt8(ascii: "{") { return true }
    return outline["dm_format_version"] != nil && (items != nil || categories != nil)
  }

  /// The folders that may contain the images, most likely first.
  var imageFolders: [String] {
    let here = SortedFiles.folder(of: file.path)
    let isBelow = here.split(separator: "/").last?.lowercased() == "annotations"
    let root = isBelow ? SortedFiles.folder(of: String(here)) : here
    let images = SortedFiles.join(root, "images")
    return [
      SortedFiles.join(images, split), images, SortedFiles.join(root, split), String(root),
      String(here),
    ]
  }

  /// The elements of the list of items, and the value of 'categories'.
  ///
  /// - Throws: ``FormatError/badJSON(_:offset:problem:)``, ``FormatError/mismatch(name:format:reason:)``;
  ///   any error that the tree throws.
  func read(_ tree: any SourceTree) throws -> (items: [JSONOutline.Batch], categories: JSONValue) {
    let outline = try JSONOutline(tree, file.path, batchBytes: 1)
    guard let items = outline["items"], items.isArray else {
      throw refusal("'items' is missing or no list", tree)
    }
    guard let member = outline["categories"] else { return (items.batches, [:]) }
    guard member.bytes.count <= Self.categoriesLimit else {
      throw refusal("'categories' has more than \(Self.categoriesLimit >> 20) MiB", tree)
    }
    let bytes = try Self.bytes(tree, file.path, member.bytes)
    do {
      return (items.batches, try JSONValue(parsing: String(decoding: bytes, as: UTF8.self)))
    } catch {
      throw FormatError.badJSON(
        file.path, offset: member.bytes.lowerBound + error.offset, problem: error.message)
    }
  }

  private func refusal(_ problem: String, _ tree: any SourceTree) -> FormatError {
    .mismatch(name: tree.name, format: .datumaro, reason: "\(file.path): \(problem)")
  }

  /// A part of a file's bytes; fewer if the file has become shorter.
  static func bytes(_ tree: any SourceTree, _ path: String, _ range: Range<Int>) throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
      while count < range.count {
        let part = try tree.read(
          path, at: range.lowerBound + count,
          into: UnsafeMutableRawBufferPointer(
            rebasing: UnsafeMutableRawBufferPointer(buffer)[count...]))
        guard part > 0 else { return }
        count += part
      }
    }
  }
}
