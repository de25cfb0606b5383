package import AssayCore
import Synchronization

/// A folder or file in which files with embedded images are shown as folders of images:
/// `train.parquet/image/000017.jpg`. Thread-safe.
package final class EmbeddedImageTree<File: EmbeddedImageFile>: SourceTree {
  private let tree: any SourceTree
  private let openFile: (@Sendable (String) throws -> File?)?
  private let listsRows: Bool
  private let opened = Mutex<[String: File]>([:])

  /// - Parameters:
  ///   - tree: the folder or file.
  ///   - listsRows: whether ``files()`` lists the images; those who know the rows need no list.
  ///   - open: opens the file at a path, `nil` if there is none; by default, each is opened once.
  package init(
    _ tree: any SourceTree, listsRows: Bool = true,
    open: (@Sendable (String) throws -> File?)? = nil
  ) {
    self.listsRows = listsRows
    self.tree = tree
    openFile = open
  }

  package var name: String { tree.name }
  package var isSingleFile: Bool { false }
  package func issues() throws -> [Issue] { try tree.issues() }

  /// The files; the rows of a file that have images are listed without suffix, instead of it.
  package func files() throws -> [SourceFile] {
    guard listsRows else { return try tree.files() }
    var files: [SourceFile] = []
    for file in try tree.files() {
      guard File.isNamed(file.path), let table = try self.file(file.path) else {
        files.append(file)
        continue
      }
      guard table.rows <= PixelTableMerge.rowLimit else {
        throw FormatError.tooManyRows(file.path, limit: PixelTableMerge.rowLimit)
      }
      for column in table.imageColumns {
        for row in 0..<table.rows {
          files.append(
            SourceFile(
              path: EmbeddedImagePlace.path(table, column, row), size: file.size,
              modified: file.modified))
        }
      }
    }
    return files.sorted { SortedFiles.precedes($0.path, $1.path) }
  }

  /// The opened file at a path; `nil` if there is none.
  ///
  /// - Throws: any error that the tree or the file throws.
  func file(_ path: String) throws -> File? {
    if let openFile { return try openFile(path) }
    if let file = opened.withLock({ $0[path] }) { return file }
    guard let file = try tree.files().first(where: { $0.path == path }) else { return nil }
    let table = try File(tree, file)
    opened.withLock { $0[path] = table }
    return table
  }

  package func read(
    _ path: String, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws -> Int {
    guard let place = EmbeddedImagePlace(path, isContainer: { File.isNamed($0) }),
      let file = try file(place.file)
    else { return try tree.read(path, at: offset, into: buffer) }
    return try file.readImage(place.column, row: place.row, at: max(0, offset), into: buffer)
  }
}

/// A folder or file whose Parquet files are shown as folders of images.
package typealias ParquetTree = EmbeddedImageTree<ParquetFile>
/// A folder or file whose TFRecord files are shown as folders of images.
package typealias TFRecordTree = EmbeddedImageTree<TFRecordFile>
