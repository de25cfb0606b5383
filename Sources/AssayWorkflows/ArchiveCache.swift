import AssayCore
import AssayFormats
import Foundation
import Synchronization

/// The archives that this process has listed. Listing an archive of a million files takes seconds,
/// and its images are read one at a time.
enum ArchiveCache {
  private static let held = Mutex(RecentArchives<FileKey>())

  /// The files with embedded images whose rows are known, the one that was used last at the end.
  private static let tables = Mutex<[(key: FileKey, root: String, file: any EmbeddedImageFile)]>([])

  /// The maximum number of files with embedded images that are kept.
  private static let tableLimit = 256

  /// The file with embedded images at a path; `nil` if there is none. A file that changed or moved is read
  /// again.
  ///
  /// - Throws: any error of that kind of file; ``SourceError``.
  static func embeddedImages<File: EmbeddedImageFile>(
    _ tree: any KeyedTree, _ path: String
  ) throws -> File? {
    guard let (key, file) = try tree.keyed(path) else { return nil }
    return try table(key, tree.place, path) { try File(tree, file) }
  }

  /// The file with embedded images at a path in an archive; `nil` if there is none.
  ///
  /// - Parameters:
  ///   - archive: the archive that is the file of `tree`.
  ///   - path: the path in the archive.
  /// - Throws: any error of that kind of file; `ArchiveError`; ``SourceError``.
  static func embeddedImages<File: EmbeddedImageFile>(
    in archive: ArchiveTree, of tree: any KeyedTree, _ path: String
  ) throws -> File? {
    guard let file = archive.file(path) else { return nil }
    return try table(try key(of: tree), tree.place + "/" + tree.name, path) {
      try File(archive, file)
    }
  }

  private static func table<File: EmbeddedImageFile>(
    _ key: FileKey, _ root: String, _ path: String, _ open: () throws -> File
  ) throws -> File {
    try tables.withLock { tables in
      if let place = tables.lastIndex(where: {
        $0.key == key && $0.root == root && $0.file.path == path
      }) {
        if place < tables.count - 1 { tables.append(tables.remove(at: place)) }
        if let file = tables[tables.count - 1].file as? File { return file }
      }
      let file = try open()
      tables.append((key, root, file))
      if tables.count > tableLimit { tables.removeFirst() }
      return file
    }
  }

  /// The key of the file that a tree is.
  private static func key(of tree: any KeyedTree) throws -> FileKey {
    guard let (key, _) = try tree.keyed(tree.name) else {
      throw SourceError.missing(path: tree.place + "/" + tree.name)
    }
    return key
  }

  /// The shard at a path in an archive; `nil` if there is no tar file.
  ///
  /// - Parameters:
  ///   - archive: the archive that is the file of `tree`.
  ///   - path: the path in the archive.
  /// - Throws: `ArchiveError`; ``SourceError``; ``Interrupted``.
  static func shard(
    in archive: ArchiveTree, of tree: any KeyedTree, _ path: String
  ) throws -> ArchiveTree? {
    guard let file = archive.file(path) else { return nil }
    var key = try key(of: tree)
    key.inner = path
    return try held.withLock { held in
      if let shard = held.find(key) { return shard }
      guard let kind = try ArchiveKind.detect(archive, path), kind.isTar else { return nil }
      let shard = try ArchiveTree(kind, archive, file) {
        try Interruption.check("nothing was read yet")
      }
      held.add(shard, key)
      return shard
    }
  }

  /// The archive in a file; `nil` if the file is none. A file that changed is listed again.
  ///
  /// - Parameters:
  ///   - tree: the folder or file that contains it.
  ///   - path: its path in the tree.
  /// - Throws: `ArchiveError`, also for archives that must be unpacked; ``SourceError``;
  ///   ``Interrupted``.
  static func archive(_ tree: any KeyedTree, _ path: String) throws -> ArchiveTree? {
    guard let (key, file) = try tree.keyed(path) else { return nil }
    return try held.withLock { held in
      if let archive = held.find(key) { return archive }
      guard let kind = try ArchiveKind.detect(tree, path) else { return nil }
      let archive = try ArchiveTree(kind, tree, file) {
        try Interruption.check("nothing was read yet")
      }
      held.add(archive, key)
      return archive
    }
  }
}
