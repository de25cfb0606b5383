import Glibc

/// A file being written: it has an unpredictable temporary name and gets its final name once it is complete.
///
/// The temporary file is created with `O_EXCL`, so an existing file or link is never written to. The draft is
/// locked while its process lives; a draft left by a killed process is removed by the next process that writes
/// to the folder.
package final class FileDraft {
  private let folder: OpenFolder
  private let name: String
  private let draftName: String
  private let descriptor: Int32
  private var isPlaced = false

  /// The final path.
  package var path: String { folder.path + "/" + name }

  /// - Throws: ``FileFailure``, also if the name is that of a database: a catalog or a ledger of
  ///   corrections is never replaced by another file.
  init(of name: String, in folder: OpenFolder) throws(FileFailure) {
    self.folder = folder
    self.name = name
    guard !FileDraft.isKept(name, in: folder) else {
      throw FileFailure(
        path: folder.path + "/" + name,
        reason: "it is a database or belongs to a ledger, and is never overwritten; "
          + "choose another name")
    }
    while true {
      let draftName = DraftName.make(.file)
      let descriptor = openat(
        folder.descriptor, draftName, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
      guard descriptor >= 0 else {
        if errno == EEXIST { continue }
        throw FileFailure(path: folder.path + "/" + name, code: errno)
      }
      // Between the two calls, another process can mistake it for one that a killed process left.
      _ = flock(descriptor, LOCK_EX | LOCK_NB)
      var facts = stat()
      if fstat(descriptor, &facts) == 0, facts.st_nlink == 0 {
        close(descriptor)
        continue
      }
      self.draftName = draftName
      self.descriptor = descriptor
      break
    }
  }

  /// Returns whether a file is an SQLite database, or belongs to a ledger. A plan of a run, which can be made
  /// again from the catalog, is not kept.
  private static func isKept(_ name: String, in folder: OpenFolder) -> Bool {
    if name.hasSuffix(".ledger.secret") || name.hasSuffix(".ledger.server") { return true }
    let descriptor = openat(
      folder.descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    let mark = Array("SQLite format 3\0".utf8)
    var head = [UInt8](repeating: 0, count: 72)
    guard read(descriptor, &head, head.count) >= mark.count, head.starts(with: mark) else {
      return false
    }
    // `application_id`.
    return Array(head[68...]) != planMark
  }

  /// The bytes of a plan's `application_id`.
  package static let planMark = Array("aspl".utf8)

  deinit {
    if !isPlaced { unlinkat(folder.descriptor, draftName, 0) }
    close(descriptor)
  }

  /// Appends bytes.
  ///
  /// - Throws: ``FileFailure``.
  package func append(_ bytes: [UInt8]) throws(FileFailure) {
    try DescriptorWriter.write(bytes, to: descriptor, path: path)
  }

  /// Renames the draft to its final name.
  ///
  /// - Parameters:
  ///   - replacing: `true` to replace an existing file; a link is replaced, not followed.
  ///   - synchronizing: `true` to wait until the file and its name are on disk.
  /// - Throws: ``FileFailure``, with the code `EEXIST` if the name is taken and `replacing` is
  ///   `false`.
  package func finish(
    replacing: Bool = true, synchronizing: Bool = false
  ) throws(FileFailure) {
    if synchronizing, fsync(descriptor) != 0 { throw FileFailure(path: path, code: errno) }
    let place = folder.descriptor
    if replacing {
      guard renameat(place, draftName, place, name) == 0 else {
        throw FileFailure(path: path, code: errno)
      }
      isPlaced = true
    } else if linkat(place, draftName, place, name, 0) != 0 {
      // Some file systems do not support hard links.
      let code = errno
      guard [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(code), try !folder.has(name),
        renameat(place, draftName, place, name) == 0
      else { throw FileFailure(path: path, code: code) }
      isPlaced = true
    }
    if synchronizing { try folder.synchronize() }
  }
}

/// The hidden names of drafts.
package enum DraftName {
  package enum Kind: String, Sendable {
    case file = "part"
    /// A folder in which a backup is created.
    case backup = "backup"
  }

  /// An unpredictable name with 64 random bits.
  package static func make(_ kind: Kind) -> String {
    let number = String(UInt64.random(in: 0 ... .max), radix: 16)
    return ".assay-" + String(repeating: "0", count: 16 - number.count) + number + "."
      + kind.rawValue
  }

  /// Returns whether a name has the form that ``make(_:)`` creates.
  package static func isOne(_ name: String, of kind: Kind) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].isEmpty, parts[2] == kind.rawValue else { return false }
    let word = parts[1]
    return word.hasPrefix("assay-") && word.utf8.count == 22
      && word.utf8.dropFirst(6).allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
  }
}

extension OpenFolder {
  /// Removes the file drafts that killed processes left in this folder.
  package func removeAbandonedDrafts() {
    for name in (try? names()) ?? [] where DraftName.isOne(name, of: .file) {
      let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      guard file >= 0 else { continue }
      defer { close(file) }
      var facts = stat()
      if fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG,
        flock(file, LOCK_EX | LOCK_NB) == 0
      {
        unlinkat(descriptor, name, 0)
      }
    }
  }
}
