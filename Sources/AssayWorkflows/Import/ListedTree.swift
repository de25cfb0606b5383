import AssayCore
import Synchronization

/// A source tree that is listed only once, regardless of how many importers use it.
final class ListedTree: SourceTree {
  let source: DiskSource
  private let listing = Mutex<(files: [SourceFile], issues: [Issue])?>(nil)

  init(_ source: DiskSource) { self.source = source }

  var name: String { source.tree.name }
  var isSingleFile: Bool { source.tree.isSingleFile }
  /// The folder, or the file for a single file or an archive, as stored in the catalog.
  var root: String { source.root }

  func files() throws -> [SourceFile] { try listed().files }

  func issues() throws -> [Issue] { try listed().issues }

  private func listed() throws -> (files: [SourceFile], issues: [Issue]) {
    try listing.withLock { listing in
      if let listing { return listing }
      let found = try source.listing()
      listing = found
      return found
    }
  }

  func read(
    _ path: String, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws -> Int {
    try source.tree.read(path, at: offset, into: buffer)
  }
}
