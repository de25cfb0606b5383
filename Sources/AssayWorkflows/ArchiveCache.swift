import AssayCore
import AssayFormats
import Foundation
import Synchronization

/// The archives that this process has listed. Listing an archive of a million files takes seconds,
/// and its images are read one at a time.
enum ArchiveCache {
  /// The identity and state of a file.
  private struct Key: Hashable {
    var device: dev_t
    var number: ino_t
    var size: Int
    var modified: Int
    var nanoseconds: Int
    /// The path of an archive in the file; empty for the file.
    var inner = ""

    init(_ status: stat) {
      (device, number) = (status.st_dev, status.st_ino)
      size = Int(status.st_size)
      (modified, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    }
  }

  private static let held = Mutex(RecentArchives<Key>())

  /// The files with embedded images whose rows are known, the one that was used last at the end.
  private static let tables = Mutex<[(key: Key, root: String, file: any EmbeddedImageFile)]>([])

  /// The maximum number of files with embedded images that are kept.
  private static let tableLimit = 256

  /// The file with embedded images at a path; `nil` if there is none. A file that changed or moved is read
  /// again.
  ///
  /// - Throws: any error of that kind of file; ``SourceError``.
  static func embeddedImages<File: EmbeddedImageFile>(
    _ tree: DirectoryTree, _ path: String
  ) throws -> File? {
    var status = stat()
    let full = tree.root + "/" + (tree.spelling(of: path) ?? path)
    guard stat(full, &status) == 0 else { throw SourceError.missing(path: full) }
    guard status.st_mode & S_IFMT == S_IFREG, !path.split(separator: "/").contains("..") else {
      return nil
    }
    return try table(Key(status), tree.root, path) {
      try File(tree, SourceFile(path: path, status))
    }
  }

  /// The file with embedded images at a path in an archive; `nil` if there is none.
  ///
  /// - Parameters:
  ///   - archive: the archive that is the file of `tree`.
  ///   - path: the path in the archive.
  /// - Throws: any error of that kind of file; `ArchiveError`; ``SourceError``.
  static func embeddedImages<File: EmbeddedImageFile>(
    in archive: ArchiveTree, of tree: DirectoryTree, _ path: String
  ) throws -> File? {
    guard let file = archive.file(path) else { return nil }
    let root = tree.root + "/" + tree.name
    return try table(try key(of: root), root, path) { try File(archive, file) }
  }

  private static func table<File: EmbeddedImageFile>(
    _ key: Key, _ root: String, _ path: String, _ open: () throws -> File
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

  private static func key(of path: String) throws -> Key {
    var status = stat()
    guard stat(path, &status) == 0 else { throw SourceError.missing(path: path) }
    return Key(status)
  }

  /// The shard at a path in an archive; `nil` if there is no tar file.
  ///
  /// - Parameters:
  ///   - archive: the archive that is the file of `tree`.
  ///   - path: the path in the archive.
  /// - Throws: `ArchiveError`; ``SourceError``; ``Interrupted``.
  static func shard(
    in archive: ArchiveTree, of tree: DirectoryTree, _ path: String
  ) throws -> ArchiveTree? {
    guard let file = archive.file(path) else { return nil }
    var key = try key(of: tree.root + "/" + tree.name)
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
  static func archive(_ tree: DirectoryTree, _ path: String) throws -> ArchiveTree? {
    var status = stat()
    let full = tree.root + "/" + (tree.spelling(of: path) ?? path)
    guard stat(full, &status) == 0 else { throw SourceError.missing(path: full) }
    guard status.st_mode & S_IFMT == S_IFREG, !path.split(separator: "/").contains("..") else {
      return nil
    }
    let key = Key(status)
    return try held.withLock { held in
      if let archive = held.find(key) { return archive }
      guard let kind = try ArchiveKind.detect(tree, path) else { return nil }
      let archive = try ArchiveTree(kind, tree, SourceFile(path: path, status)) {
        try Interruption.check("nothing was read yet")
      }
      held.add(archive, key)
      return archive
    }
  }
}
