import AssayCore
import AssayStore
import Foundation

/// The folder on the local disk in which a part is computed, removed when this value is deallocated.
///
/// It is locked while its process lives; folders that killed processes left are removed by the next
/// process that computes a part on the machine.
final class PartDraft {
  private static let prefix = "assay-part-"

  private let folder: String
  private let descriptor: Int32

  /// The path of the part's database.
  var path: String { folder + "/part.db" }

  /// Creates the folder below `$TMPDIR`, else `/tmp`; only its user can read it.
  ///
  /// - Throws: ``PartError/cannotWrite(path:reason:code:)``.
  init() throws(PartError) {
    let parent = ProcessInfo.processInfo.environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 }
    let place = parent ?? "/tmp"
    Self.removeAbandoned(in: place)
    var made = try Self.make(in: place)
    while made == nil { made = try Self.make(in: place) }
    (folder, descriptor) = made ?? (place, -1)
  }

  /// Creates and locks a folder; `nil` if another process took it for an abandoned one before it was
  /// locked.
  private static func make(in place: String) throws(PartError) -> (String, Int32)? {
    var template = Array((place + "/" + prefix + "XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else { throw failure(place) }
    let folder = template.withUnsafeBufferPointer {
      String(decoding: $0.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if descriptor < 0, errno == ENOENT { return nil }
    guard descriptor >= 0 else { throw failure(folder) }
    _ = flock(descriptor, LOCK_EX | LOCK_NB)
    var facts = stat()
    guard fstat(descriptor, &facts) == 0, facts.st_nlink > 0 else {
      close(descriptor)
      return nil
    }
    return (folder, descriptor)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: folder)
    close(descriptor)
  }

  private static func failure(_ path: String) -> PartError {
    .cannotWrite(
      path: path, reason: "\(String(cString: strerror(errno))); set TMPDIR to another folder",
      code: errno)
  }

  private static func removeAbandoned(in place: String) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
    where name.hasPrefix(prefix) {
      let path = place + "/" + name
      let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { continue }
      try? FileManager.default.removeItem(atPath: path)
    }
  }

  /// Copies the part into a folder under its name, completely or not at all, with the hash of its bytes.
  ///
  /// - Returns: whether the part was placed; false if another process placed one first.
  /// - Throws: ``PartError/cannotWrite(path:reason:code:)``.
  func place(as shard: Shard, in target: OpenFolder) throws(PartError) -> Bool {
    do throws(FileFailure) {
      if try target.has(shard.fileName) { return false }
      let draft = try target.draft(of: shard.fileName)
      try copy(to: draft, PartFile.seal)
      try draft.finish(replacing: false, synchronizing: true)
      return true
    } catch {
      // Another process was faster.
      if let isThere = try? target.has(shard.fileName), isThere { return false }
      throw .cannotWrite(path: error.path, reason: error.reason, code: error.code)
    }
  }

  /// Copies the database into the draft of a file, with the hash of its bytes.
  func copy(to draft: FileDraft, _ seal: FileSeal) throws(FileFailure) {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw FileFailure(path: path, code: errno) }
    defer { close(file) }
    // What the disk did not take would be read as something else.
    guard fsync(file) == 0 else { throw FileFailure(path: path, code: errno) }
    var hash = ContentHash()
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = buffer.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw FileFailure(path: path, code: errno) }
      if count == 0 { break }
      buffer.withUnsafeBytes { hash.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      try draft.append(Array(buffer[..<count]))
    }
    try draft.append(seal.trailer(hash))
  }
}
