package import AssayCore

/// The elements of a COCO file's lists, one after another, as Python reads them.
///
/// This is the slowest of the readers, for files whose fields have other types than COCO's.
/// `.json.gz` is decompressed in memory.
package struct COCOElements {
  private let tree: any SourceTree
  private let file: SourceFile
  private let outline: JSONOutline

  /// - Parameter tree: a single file that another reader has read.
  /// - Throws: ``FormatError``, ``COCOFileError``; any error that the tree throws.
  package init(_ tree: any SourceTree) throws {
    (self.tree, file) = try COCOFileStart.opened(tree)
    outline = try JSONOutline(self.tree, file.path, takesList: true)
  }

  /// The results at the beginning of a file, as many as a piece of 64 KiB holds whole.
  ///
  /// - Throws: ``FormatError``, ``COCOFileError``; any error that the tree throws.
  static func beginning(of tree: any SourceTree) throws -> [PythonValue] {
    let (tree, file) = try COCOFileStart.opened(tree)
    let head = try COCOFileStart.head(tree, file, 1 << 16)
    let outline = try JSONOutline(head: head, takesList: true)
    guard let batch = (outline[""] ?? outline["annotations"])?.batches.first else { return [] }
    var reader = PythonReader(head[batch.bytes])
    var elements: [PythonValue] = []
    while let element = reader.element() { elements.append(element) }
    return elements
  }

  /// Calls `body` with the elements of a list and their indices until it returns `false`.
  ///
  /// - Parameter list: the name of the object's member; empty if the file is a list.
  /// - Throws: ``FormatError``; any error that the tree or `body` throws.
  package func forEach(
    of list: String, _ body: (Int, PythonValue) throws -> Bool
  ) throws {
    for batch in outline[list]?.batches ?? [] {
      let bytes = try [UInt8](unsafeUninitializedCapacity: batch.bytes.count) { buffer, count in
        count = try tree.read(
          file.path, at: batch.bytes.lowerBound, into: UnsafeMutableRawBufferPointer(buffer))
      }
      guard bytes.count == batch.bytes.count else {
        throw FormatError.badJSON(
          file.path, offset: batch.bytes.lowerBound + bytes.count,
          problem: "the file became shorter while it was read")
      }
      var reader = PythonReader(bytes[...])
      var place = batch.first
      while let element = reader.element() {
        guard try body(place, element) else { return }
        place += 1
      }
    }
  }
}
