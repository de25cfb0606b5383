package import AssayCore
import Synchronization

/// A folder or file whose Parquet files are shown as folders of images: `train.parquet/image/000017.jpg`.
/// Thread-safe.
package final class ParquetTree: SourceTree {
  private let tree: any SourceTree
  private let openFile: (@Sendable (String) throws -> ParquetFile?)?
  private let listsRows: Bool
  private let opened = Mutex<[String: ParquetFile]>([:])

  /// - Parameters:
  ///   - tree: the folder or file.
  ///   - listsRows: whether ``files()`` lists the images; those who know the rows need no list.
  ///   - open: opens the Parquet file at a path, `nil` if there is none; by default, each is opened once.
  package init(
    _ tree: any SourceTree, listsRows: Bool = true,
    open: (@Sendable (String) throws -> ParquetFile?)? = nil
  ) {
    self.listsRows = listsRows
    self.tree = tree
    openFile = open
  }

  package var name: String { tree.name }
  package var isSingleFile: Bool { false }
  package func issues() throws -> [Issue] { try tree.issues() }

  /// The files; the rows of a Parquet file that have images are listed without suffix, instead of it.
  package func files() throws -> [SourceFile] {
    guard listsRows else { return try tree.files() }
    var files: [SourceFile] = []
    for file in try tree.files() {
      guard ParquetFile.isNamed(file.path), let table = try self.file(file.path) else {
        files.append(file)
        continue
      }
      guard table.footer.rows <= ParquetLimits.rows else {
        throw FormatError.tooManyRows(file.path, limit: ParquetLimits.rows)
      }
      for column in ParquetImageColumn.all(of: table) {
        for row in 0..<table.footer.rows {
          files.append(
            SourceFile(
              path: ParquetPlace.path(table, column.name, row), size: file.size,
              modified: file.modified))
        }
      }
    }
    return files.sorted { SortedFiles.precedes($0.path, $1.path) }
  }

  /// The Parquet file at a path; `nil` if there is none.
  ///
  /// - Throws: ``ParquetError``; any error that the tree throws.
  func file(_ path: String) throws -> ParquetFile? {
    if let openFile { return try openFile(path) }
    if let file = opened.withLock({ $0[path] }) { return file }
    guard let file = try tree.files().first(where: { $0.path == path }) else { return nil }
    let table = try ParquetFile(tree, file)
    opened.withLock { $0[path] = table }
    return table
  }

  package func read(
    _ path: String, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws -> Int {
    guard let place = ParquetPlace(path), let file = try file(place.file) else {
      return try tree.read(path, at: offset, into: buffer)
    }
    guard let column = ParquetImageColumn(file, place.column) else {
      throw ParquetError(
        file: place.file, problem: ParquetProblem("it has no column of images “\(place.column)”"))
    }
    let count = try ParquetPages.withBytes(file, leaf: column.bytes, row: place.row) {
      bytes -> Int? in
      guard let bytes else { return nil }
      let part = bytes.dropFirst(max(0, offset)).prefix(buffer.count)
      part.withUnsafeBytes { buffer.copyMemory(from: $0) }
      return part.count
    }
    guard let count else {
      throw ParquetError(
        file: place.file,
        problem: ParquetProblem("row \(place.row) of \(place.column) has no bytes"))
    }
    return count
  }
}
