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

    init(_ status: stat) {
      (device, number) = (status.st_dev, status.st_ino)
      size = Int(status.st_size)
      (modified, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    }
  }

  private struct Held {
    var key: Key
    var archive: ArchiveTree
    var files: Int
  }

  /// The archives, the one that was used last at the end.
  private static let held = Mutex<[Held]>([])

  /// The files with embedded images whose rows are known, the one that was used last at the end.
  private static let tables = Mutex<[(key: Key, root: String, file: any EmbeddedImageFile)]>([])

  /// The maximum number of archives, and of files in them, that are kept.
  private static let archiveLimit = 256
  private static let fileLimit = 6_000_000

  /// The file with embedded images at a path; `nil` if there is none. A file that changed or moved is read
  /// again.
  ///
  /// - Throws: any error of that kind of file; ``SourceError``.
  static func embeddedImages<File: EmbeddedImageFile>(
    _ tree: DirectoryTree, _ path: String
  ) throws -> File? {
    var status = stat()
    let full = tree.root + "/" + path
    guard stat(full, &status) == 0 else { throw SourceError.missing(path: full) }
    guard status.st_mode & S_IFMT == S_IFREG, !path.split(separator: "/").contains("..") else {
      return nil
    }
    let key = Key(status)
    return try tables.withLock { tables in
      if let place = tables.lastIndex(where: {
        $0.key == key && $0.root == tree.root && $0.file.path == path
      }) {
        if place < tables.count - 1 { tables.append(tables.remove(at: place)) }
        if let file = tables[tables.count - 1].file as? File { return file }
      }
      let file = try File(tree, SourceFile(path: path, status))
      tables.append((key, tree.root, file))
      if tables.count > archiveLimit { tables.removeFirst() }
      return file
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
    let full = tree.root + "/" + path
    guard stat(full, &status) == 0 else { throw SourceError.missing(path: full) }
    guard status.st_mode & S_IFMT == S_IFREG, !path.split(separator: "/").contains("..") else {
      return nil
    }
    let key = Key(status)
    return try held.withLock { held in
      if let place = held.lastIndex(where: { $0.key == key }) {
        if place < held.count - 1 { held.append(held.remove(at: place)) }
        return held[held.count - 1].archive
      }
      guard let kind = try ArchiveKind.detect(tree, path) else { return nil }
      let archive = try ArchiveTree(kind, tree, SourceFile(path: path, status)) {
        try Interruption.check("nothing was read yet")
      }
      held.append(Held(key: key, archive: archive, files: try archive.files().count))
      var files = held.reduce(0) { $0 + $1.files }
      while held.count > 1, held.count > archiveLimit || files > fileLimit {
        files -= held.removeFirst().files
      }
      return archive
    }
  }
}
