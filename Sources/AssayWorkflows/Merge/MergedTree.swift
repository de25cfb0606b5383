import AssayCore
import AssayStore
import Synchronization

/// The images of a merged dataset: the trees of its sources, each below its name. Thread-safe.
///
/// A tree is opened at its first use, so that a source that moved does not hide the others.
final class MergedTree: SourceTree {
  let name: String
  var isSingleFile: Bool { false }
  private let sources: [DatasetRecord]
  private let opened = Mutex<[String: any SourceTree]>([:])

  init(_ dataset: DatasetRecord, sources: [DatasetRecord]) {
    name = dataset.name
    self.sources = sources
  }

  /// The tree that a location is in, and the location there.
  ///
  /// - Throws: ``SourceError``; `ArchiveError`.
  func place(of location: String) throws -> (tree: any SourceTree, location: String) {
    let found = sources.first { location.hasPrefix($0.name + "/") }
    guard let found else { throw SourceError.missing(path: location) }
    return (try tree(of: found), String(location.dropFirst(found.name.count + 1)))
  }

  private func tree(of source: DatasetRecord) throws -> any SourceTree {
    if let tree = opened.withLock({ $0[source.name] }) { return tree }
    let tree = try DatasetRoot.tree(of: source)
    opened.withLock { $0[source.name] = tree }
    return tree
  }

  /// The files of the sources that can be listed; only if none can, the error of the first.
  func files() throws -> [SourceFile] {
    let lists = sources.map { source in
      Result {
        try tree(of: source).files().map { file in
          var file = file
          file.path = source.name + "/" + file.path
          return file
        }
      }
    }
    let found = lists.compactMap { try? $0.get() }
    if found.isEmpty, let first = lists.first { return try first.get() }
    return found.flatMap(\.self).sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
  }

  func read(
    _ path: String, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws -> Int {
    let (tree, location) = try place(of: path)
    return try tree.read(location, at: offset, into: buffer)
  }
}

extension SourceTree {
  /// The absolute path of an image's file on disk, without links; `nil` if it is in an archive or not
  /// below its root.
  func filePath(of location: String) -> String? {
    if let merged = self as? MergedTree {
      guard let (tree, inner) = try? merged.place(of: location) else { return nil }
      return tree.filePath(of: inner)
    }
    return (self as? DirectoryTree)?.resolved(location)
  }
}
