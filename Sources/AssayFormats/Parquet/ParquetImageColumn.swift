import AssayCore
import AssayImaging

/// A column with encoded images: a structure of bytes and path, as Hugging Face writes it, or bytes
/// alone.
struct ParquetImageColumn: Hashable, Sendable {
  var name: String
  /// The leaf of the bytes.
  var bytes: Int
  /// The leaf of the names of files; `nil` if there is none.
  var path: Int?

  /// The number of rows that are looked at in a column of bytes alone.
  private static let looked = 16

  /// The column of a name; `nil` if it cannot hold images.
  init?(_ file: ParquetFile, _ name: String) {
    guard let node = file.schema.columns.first(where: { $0.name == name }), !name.contains("/"),
      !name.isEmpty, name != ".", name != ".."
    else { return nil }
    self.name = name
    func leaf(_ node: ParquetSchema.Node?, isBytes: Bool) -> Int? {
      guard case .leaf(let leaf)? = node?.content else { return nil }
      let found = file.schema.leaves[leaf]
      guard found.physical == .byteArray, found.maxRepetition == 0 else { return nil }
      return isBytes == (found.meaning == .plain) || !isBytes ? leaf : nil
    }
    if let bytes = leaf(node, isBytes: true) {
      (self.bytes, path) = (bytes, nil)
      return
    }
    let members = node.members
    guard members.count <= 2,
      let bytes = leaf(members.first { $0.name == "bytes" }, isBytes: true)
    else { return nil }
    self.bytes = bytes
    path = leaf(members.first { $0.name == "path" }, isBytes: false)
    // Without any name a writer can give the column another type, such as null.
    guard members.count == 1 || members.contains(where: { $0.name == "path" }) else { return nil }
  }

  /// The columns of a file that hold images: structures of bytes and path, and bytes that begin as image
  /// files do.
  static func all(of file: ParquetFile) -> [ParquetImageColumn] {
    let images = Set(HFFeatures(file).columns.filter { $0.value.isImage }.keys)
    return file.schema.columns.compactMap { node in
      guard let column = ParquetImageColumn(file, node.name) else { return nil }
      // An unreadable column counts, too, so that the error can state why it is unreadable.
      return images.contains(node.name) || column.hasImages(in: file) ? column : nil
    }
  }

  /// Returns whether the first bytes that are there begin as image files do, or cannot be read.
  private func hasImages(in file: ParquetFile) -> Bool {
    for row in 0..<min(Self.looked, file.footer.rows) {
      do {
        let isImage = try ParquetPages.withBytes(file, leaf: bytes, row: row) { bytes in
          bytes.map { EmbeddedImagePlace.suffix($0) != nil }
        }
        if let isImage { return isImage }
      } catch {
        return true
      }
    }
    return false
  }

  /// The path of an image, with the name that the file states, or the suffix of its kind.
  func location(_ file: ParquetFile, row: Int) -> String {
    let stated = path.flatMap { path in
      try? ParquetPages.withBytes(file, leaf: path, row: row) { bytes in
        bytes.flatMap { String(validating: $0, as: UTF8.self) }
      }
    }
    let start = try? ParquetPages.withBytes(file, leaf: bytes, row: row) {
      Array(($0 ?? []).prefix(ImageKind.detectedLength))
    }
    return EmbeddedImagePlace.path(file, name, row)
      + EmbeddedImagePlace.ending(stated ?? nil, start ?? [])
  }
}
