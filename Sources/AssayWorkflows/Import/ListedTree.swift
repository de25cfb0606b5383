import AssayCore
import Synchronization

/// A source tree that is listed only once, regardless of how many importers use it.
final class ListedTree: SourceTree {
  let tree: DirectoryTree
  private let listing = Mutex<(files: [SourceFile], issues: [Issue])?>(nil)

  init(_ tree: DirectoryTree) { self.tree = tree }

  var name: String { tree.name }
  var isSingleFile: Bool { tree.isSingleFile }
  /// The folder, or the file for a single file, as stored in the catalog.
  var root: String { tree.isSingleFile ? tree.root + "/" + tree.name : tree.root }

  func files() throws -> [SourceFile] { try listed().files }

  func issues() throws -> [Issue] { try listed().issues }

  private func listed() throws -> (files: [SourceFile], issues: [Issue]) {
    try listing.withLock { listing in
      if let listing { return listing }
      let found = try tree.listing()
      listing = found
      return found
    }
  }

  func read(
    _ path: String, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws -> Int {
    try tree.read(path, at: offset, into: buffer)
  }
}
