import AssayCore
import AssayFormats
import Foundation
import Synchronization

/// A traversal of a folder that lists its files, including those behind links to targets below the
/// root, and the links that were not followed and the entries that are no files.
struct FolderListing {
  /// The identity of a folder, independent of the path to it.
  private struct Identity: Hashable, Sendable {
    var device: dev_t
    var number: ino_t

    init(_ status: stat) { (device, number) = (status.st_dev, status.st_ino) }
  }

  private let root: String
  private let followsLinks: Bool
  private var files: [SourceFile] = []
  private var issues: [Issue] = []
  private var unlisted = 0
  private var visited = 0
  /// The folders from the root to the current one.
  private var above: [Identity] = []
  /// The folders in the root, which are listed in parallel.
  private var inner: [(path: String, identity: Identity)] = []

  /// The maximum number of entries that are listed as issues.
  private static let issueLimit = 10_000

  /// - Parameters:
  ///   - root: the absolute path of the folder, without links.
  ///   - followsLinks: whether links that leave the root are followed.
  init(root: String, followsLinks: Bool) {
    self.root = root
    self.followsLinks = followsLinks
  }

  /// - Throws: ``SourceError``; `ThreadShortage`.
  mutating func run() throws -> (files: [SourceFile], issues: [Issue]) {
    var status = stat()
    guard stat(root, &status) == 0 else { throw SourceError.missing(path: root) }
    let identity = Identity(status)
    try list("", identity)
    try listInner(of: identity)
    files.composePaths()
    files.sort { SortedFiles.precedes($0.path, $1.path) }
    issues.sort { $0.location.file.utf8.lexicographicallyPrecedes($1.location.file.utf8) }
    if issues.count > Self.issueLimit {
      unlisted += issues.count - Self.issueLimit
      issues.removeLast(issues.count - Self.issueLimit)
    }
    if unlisted > 0 {
      issues.append(
        Issue(
          .outsideRoot, .error, at: IssueLocation(file: "."),
          "\(unlisted) more entries were counted and not listed"))
    }
    return (files, issues)
  }

  /// Lists the folders in the root, each by itself.
  private mutating func listInner(of identity: Identity) throws {
    guard !inner.isEmpty else { return }
    inner.sort { SortedFiles.precedes($0.path, $1.path) }
    let (folders, root, followsLinks) = (inner, root, followsLinks)
    let parts = Mutex([Result<FolderListing, any Error>?](repeating: nil, count: folders.count))
    try WorkerThreads.perform(folders.count) { place in
      var part = FolderListing(root: root, followsLinks: followsLinks)
      part.above = [identity]
      let result = Result {
        try part.list(folders[place].path, folders[place].identity)
        part.files.sort { SortedFiles.precedes($0.path, $1.path) }
        return part
      }
      parts.withLock { $0[place] = result }
    }
    for result in parts.withLock({ $0 }) {
      guard let part = try result?.get() else { continue }
      visited += part.visited
      unlisted += part.unlisted
      files += part.files
      issues += part.issues
    }
    guard visited <= DirectoryTree.fileLimit else {
      throw SourceError.tooManyFiles(path: root, limit: DirectoryTree.fileLimit)
    }
  }

  private mutating func list(_ folder: String, _ identity: Identity) throws {
    // A link to a parent folder would be followed forever.
    guard !above.contains(identity) else { return }
    guard above.count <= 64 else { throw SourceError.tooDeep(path: root + "/" + folder) }
    guard let directory = opendir(root + "/" + folder) else {
      throw SourceError.unreadable(path: root + "/" + folder)
    }
    above.append(identity)
    defer {
      closedir(directory)
      above.removeLast()
    }
    while let entry = readdir(directory) {
      try withUnsafePointer(to: &entry.pointee.d_name) {
        try $0.withMemoryRebound(to: CChar.self, capacity: 256) {
          try take($0, in: folder, dirfd(directory))
        }
      }
    }
  }

  /// Takes an entry of a folder.
  private mutating func take(
    _ name: UnsafePointer<CChar>, in folder: String, _ descriptor: Int32
  ) throws {
    if name[0] == CChar(bitPattern: UInt8(ascii: ".")) { return }
    guard let text = String(validatingCString: name) else {
      // The path cannot be stored as text, and leaving it out would go unnoticed.
      let path = (folder.isEmpty ? "" : folder + "/") + String(cString: name)
      throw SourceError.notUTF8(path: root + "/" + path)
    }
    let path = folder.isEmpty ? text : folder + "/" + text
    var status = stat()
    guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return }
    if status.st_mode & S_IFMT == S_IFLNK {
      guard mayFollow(path), fstatat(descriptor, name, &status, 0) == 0 else { return }
    }
    try take(path, status)
  }

  private mutating func take(_ path: String, _ status: stat) throws {
    let kind = status.st_mode & S_IFMT
    guard kind == S_IFDIR || kind == S_IFREG else {
      return note(
        .unsupportedFile, path, "\(Self.title(of: kind)), neither a file nor a folder; left out")
    }
    guard visited < DirectoryTree.fileLimit else {
      throw SourceError.tooManyFiles(path: root, limit: DirectoryTree.fileLimit)
    }
    visited += 1
    if kind == S_IFREG {
      files.append(SourceFile(path: path, status))
    } else if HiddenName.isFolder(path.split(separator: "/").last ?? "") {
      return
    } else if above.count == 1 {
      inner.append((path, Identity(status)))
    } else {
      try list(path, Identity(status))
    }
  }

  /// The kind of an entry that is neither a file nor a folder.
  private static func title(of kind: mode_t) -> String {
    switch kind {
    case S_IFIFO: "a named pipe"
    case S_IFSOCK: "a socket"
    default: "a device"
    }
  }

  /// Returns whether a link is followed; adds an issue if not.
  private mutating func mayFollow(_ path: String) -> Bool {
    guard let target = DirectoryTree.resolve(root + "/" + path) else {
      note(.brokenLink, path, "broken link; left out")
      return false
    }
    if followsLinks || target == root || DirectoryTree.isInside(target, root: root) { return true }
    note(
      .outsideRoot, path,
      "the link points outside the dataset's folder, to \(target); left out (--follow-links follows "
        + "such links)")
    return false
  }

  private mutating func note(_ kind: IssueKind, _ path: String, _ message: String) {
    guard issues.count < Self.issueLimit else {
      unlisted += 1
      return
    }
    issues.append(Issue(kind, .error, at: IssueLocation(file: path), message))
  }
}

extension SourceFile {
  init(path: String, _ status: stat) {
    self.init(
      path: path, size: Int(status.st_size),
      modified: status.st_mtim.nanoseconds)
  }
}

extension timespec {
  /// The time in nanoseconds since 1970; for years before 1678 and after 2262, the first and the last one that there is.
  var nanoseconds: Int64 {
    let (whole, isLarge) = Int64(tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isLarger) = whole.addingReportingOverflow(Int64(tv_nsec))
    return isLarge || isLarger ? (tv_sec < 0 ? .min : .max) : sum
  }
}
