import AssayCore
import Foundation
import Synchronization

/// A folder on disk with the files that were fetched, up to a limit: those that were not read for the longest time go
/// first.
///
/// A file is called by the hash of its address, size and version, so a name on a server never becomes a name on the
/// disk, and another version is another file. Several processes can use the folder: files appear by rename, and the
/// number of bytes is kept under a lock.
package final class RemoteCache: Sendable {
  /// The absolute path.
  package let folder: String
  /// The maximum number of bytes of all files.
  package let limit: Int
  private let counter = Atomic<Int>(0)

  package static let folderVariable = "ASSAY_CACHE"
  package static let limitVariable = "ASSAY_CACHE_SIZE"
  package static let defaultLimit = 20 << 30

  package init(folder: String, limit: Int) {
    self.folder = folder
    self.limit = limit
  }

  /// The folder of the environment: `$ASSAY_CACHE`, else `assay` in `$XDG_CACHE_HOME` or `~/.cache`.
  ///
  /// - Throws: ``RemoteError/noCache(reason:)``; ``RemoteError/cache(path:reason:)``;
  ///   ``RemoteError/badSize(variable:text:allowed:)``.
  package convenience init(environment: [String: String]) throws(RemoteError) {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    let folder: String
    if let named = value(Self.folderVariable) {
      folder = named
    } else if let shared = value("XDG_CACHE_HOME"), shared.hasPrefix("/") {
      folder = shared + "/assay"
    } else if let home = value("HOME"), home.hasPrefix("/") {
      folder = home + "/.cache/assay"
    } else {
      throw .noCache(reason: "neither $XDG_CACHE_HOME nor $HOME is set")
    }
    guard !folder.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
      throw .cache(path: folder, reason: "its name has control characters")
    }
    var limit = Self.defaultLimit
    if let text = value(Self.limitVariable) {
      guard let bytes = ByteText.bytes(text) else {
        throw .badSize(variable: Self.limitVariable, text: text, allowed: "a size from 1M")
      }
      limit = bytes
    }
    self.init(folder: URL(fileURLWithPath: folder).path, limit: limit)
  }

  // MARK: Files

  /// The path of a file, there or not.
  func path(of identity: String) -> String { "\(folder)/files/\(identity.prefix(2))/\(identity)" }

  /// The hash that names a file.
  static func identity(_ address: RemoteAddress, _ entry: RemoteEntry) -> String {
    var hash = ContentHash()
    hash.update("\(address.text)\n\(entry.size)\n\(entry.stamp)\n")
    return hash.hexadecimal()
  }

  /// A descriptor of a file that is there, with its whole size; -1 if it is not.
  func open(_ identity: String, size: Int) -> Int32 {
    let path = path(of: identity)
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return -1 }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size == size
    else {
      close(descriptor)
      unlink(path)
      return -1
    }
    // The time tells what was used last; once a minute is enough.
    if time(nil) - status.st_mtim.tv_sec > 60 { futimens(descriptor, nil) }
    return descriptor
  }

  func contains(_ identity: String, size: Int) -> Bool {
    var status = stat()
    return stat(path(of: identity), &status) == 0 && status.st_size == size
  }

  /// Moves a fetched file to its place. Other files may be removed to keep the limit.
  func keep(_ temporary: String, as identity: String, size: Int) throws {
    let target = path(of: identity)
    try Self.make(target.parentOfPath)
    let path = "\(folder)/size"
    let file = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw failure(path) }
    defer { close(file) }
    while flock(file, LOCK_EX) != 0 { guard errno == EINTR else { throw failure(path) } }
    guard !contains(identity, size: size) else {
      // Another process was faster, and has counted it.
      unlink(temporary)
      return
    }
    guard rename(temporary, target) == 0 else { throw failure(target) }
    try count(size, in: file)
  }

  // MARK: Listings

  package func listing(_ hash: String, _ address: RemoteAddress) -> RemoteListing? {
    let path = "\(folder)/lists/\(hash)"
    guard let bytes = FileBytes.read(path, limit: 4 << 30), !bytes.isEmpty,
      let text = String(validating: bytes, as: UTF8.self),
      let listing = RemoteListing(text, address: address), listing.hash == hash
    else { return nil }
    utimensat(AT_FDCWD, path, nil, 0)
    return listing
  }

  package func keep(_ listing: RemoteListing) throws(RemoteError) {
    let temporary = temporaryFile(in: try temporaryFolder())
    try Self.make("\(folder)/lists")
    let bytes = Array(listing.text.utf8)
    guard FileManager.default.createFile(atPath: temporary, contents: Data(bytes)) else {
      throw failure(temporary)
    }
    guard rename(temporary, "\(folder)/lists/\(listing.hash)") == 0 else {
      throw failure(temporary)
    }
  }

  // MARK: Temporary files

  func temporaryFolder() throws(RemoteError) -> String {
    let path = "\(folder)/work"
    try Self.make(path)
    return path
  }

  /// A path that no other process uses.
  func temporaryFile(in folder: String) -> String {
    "\(folder)/\(getpid()).\(counter.add(1, ordering: .relaxed).newValue)"
  }

  /// The path of the beginning of a large file, which a later attempt continues.
  func partialFile(_ identity: String) throws(RemoteError) -> String {
    try temporaryFolder() + "/\(identity).part"
  }

  private static func make(_ path: String) throws(RemoteError) {
    if access(path, W_OK) == 0 { return }
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw .cache(path: path, reason: "it cannot be created")
    }
    guard access(path, W_OK) == 0 else { throw .cache(path: path, reason: "it cannot be written") }
  }

  private func failure(_ path: String) -> RemoteError {
    .cache(path: path, reason: String(cString: strerror(errno)))
  }

  // MARK: The limit

  /// The number and bytes of all files.
  package struct Usage: Equatable, Sendable {
    package var files = 0
    package var bytes = 0
  }

  private struct Found {
    var path: String
    var size: Int
    var time: timespec
  }

  /// The files that are there now.
  package func usage() -> Usage {
    let found = found()
    return Usage(files: found.count, bytes: found.reduce(0) { $0 + $1.size })
  }

  /// Returns whether a name is one that this cache gives; nothing else is counted or removed.
  private static func isHash(_ name: String) -> Bool {
    name.utf8.count == 64 && name.utf8.allSatisfy(\.isHexadecimal)
  }

  private static func isWork(_ name: String) -> Bool {
    if name.hasSuffix(".part") || name.hasSuffix(".part.headers") {
      return isHash(String(name.prefix(64)))
    }
    let parts = name.split(separator: ".")
    return parts.count >= 2 && parts.prefix(2).allSatisfy { Int($0) != nil }
      && (parts.count == 2 || parts.count == 3 && parts[2] == "headers")
  }

  private func found() -> [Found] {
    var found: [Found] = []
    for part in (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/files")) ?? [] {
      let inner = "\(folder)/files/\(part)"
      for name in (try? FileManager.default.contentsOfDirectory(atPath: inner)) ?? [] {
        var status = stat()
        guard Self.isHash(name), name.hasPrefix(part), lstat("\(inner)/\(name)", &status) == 0,
          status.st_mode & S_IFMT == S_IFREG
        else {
          continue
        }
        found.append(
          Found(path: "\(inner)/\(name)", size: Int(status.st_size), time: status.st_mtim))
      }
    }
    return found
  }

  /// Adds to the number of bytes, which all processes share, in its locked file; over the limit, removes files until
  /// nine tenths of it are left.
  private func count(_ bytes: Int, in file: Int32) throws {
    var text = [UInt8](repeating: 0, count: 32)
    let length = pread(file, &text, text.count, 0)
    let known = Int(String(decoding: text.prefix(max(0, length)), as: UTF8.self)).map { $0 + bytes }
    var total = known ?? usage().bytes
    if total > limit { total = evict() }
    let line = Array("\(total)".utf8)
    guard ftruncate(file, 0) == 0, pwrite(file, line, line.count, 0) == line.count else {
      throw failure("\(folder)/size")
    }
  }

  /// Removes the files that were not used for the longest time; returns the bytes that are left.
  private func evict() -> Int {
    removeOldWork()
    var found = found()
    var total = found.reduce(0) { $0 + $1.size }
    guard total > limit else { return total }
    found.sort { ($0.time.tv_sec, $0.time.tv_nsec) < ($1.time.tv_sec, $1.time.tv_nsec) }
    // The last file stays: it was fetched just now.
    for file in found.dropLast() where total > limit / 10 * 9 {
      if unlink(file.path) == 0 { total -= file.size }
    }
    return total
  }

  /// Removes temporary files of processes that were killed more than a day ago.
  private func removeOldWork() {
    let work = "\(folder)/work"
    for name in (try? FileManager.default.contentsOfDirectory(atPath: work)) ?? [] {
      var status = stat()
      let path = "\(work)/\(name)"
      guard Self.isWork(name), lstat(path, &status) == 0, time(nil) - status.st_mtim.tv_sec > 86_400
      else { continue }
      unlink(path)
    }
  }

  /// Removes all fetched files and lists.
  ///
  /// - Returns: what was removed.
  package func clear() -> Usage {
    var removed = Usage()
    for file in found() where unlink(file.path) == 0 {
      removed.files += 1
      removed.bytes += file.size
    }
    for inner in ["lists", "work"] {
      let path = "\(folder)/\(inner)"
      for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
      where Self.isHash(name) || Self.isWork(name) { unlink("\(path)/\(name)") }
    }
    unlink("\(folder)/size")
    return removed
  }
}

extension String {
  /// The path of the folder that contains a file.
  var parentOfPath: String {
    lastIndex(of: "/").map { String(self[..<$0]) } ?? "."
  }
}
