package import AssayCore
import Synchronization

/// A folder whose tar files, also compressed ones, are shown as folders: `train-0000.tar/000001.jpg`.
/// Thread-safe.
///
/// A compressed shard is unpacked in memory when it is opened. Few of them are kept, so that memory does
/// not grow with their number: they are read one after the other.
package final class ShardTree: SourceTree {
  private let tree: any SourceTree
  private let openShard: (@Sendable (String) throws -> ArchiveTree?)?
  private let state = Mutex(State())
  /// Held while a shard is opened, so that no two threads unpack one at the same time.
  private let opening = Mutex(())

  private let check: @Sendable () throws -> Void

  private struct State: ~Copyable {
    var listing: (files: [SourceFile], issues: [Issue])?
    /// The shards that were opened without ``openShard``: tar files, and compressed ones, of which only
    /// some are kept.
    var shards: [String: ArchiveTree] = [:]
    var packed = RecentArchives<String>()
  }

  /// - Parameters:
  ///   - tree: the folder, or an archive that contains shards.
  ///   - check: called again and again while a compressed shard is unpacked; an error that it throws
  ///     ends that.
  ///   - open: opens the shard at a path, `nil` if there is none; by default, shards are listed when they
  ///     are needed.
  package init(
    _ tree: any SourceTree, check: @escaping @Sendable () throws -> Void = {},
    open: (@Sendable (String) throws -> ArchiveTree?)? = nil
  ) {
    self.tree = tree
    self.check = check
    openShard = open
  }

  package var name: String { tree.name }
  package var isSingleFile: Bool { false }

  package func files() throws -> [SourceFile] { try listing().files }
  package func issues() throws -> [Issue] { try listing().issues }

  /// The ends of the names of tar files, compressed or not.
  private static let suffixes = [".tar", ".tar.gz", ".tgz"]

  /// Returns whether a file is called like a tar file, compressed or not.
  package static func isShard(_ path: some StringProtocol) -> Bool { stem(path) != nil }

  /// The name of a tar file without `.tar`, `.tar.gz` or `.tgz`; `nil` for any other file.
  static func stem(_ path: some StringProtocol) -> String? {
    let path = String(path)
    guard let suffix = suffixes.first(where: { path.hasSuffix(ignoringCase: $0) }) else {
      return nil
    }
    return String(path.dropLast(suffix.count))
  }

  private func listing() throws -> (files: [SourceFile], issues: [Issue]) {
    if let listing = state.withLock({ $0.listing }) { return listing }
    var files: [SourceFile] = []
    var issues = try tree.issues()
    for file in try tree.files() {
      guard Self.isShard(file.path), let shard = try shard(file.path) else {
        files.append(file)
        continue
      }
      files += try shard.files().map { member in
        var member = member
        member.path = file.path + "/" + member.path
        return member
      }
      issues += try shard.issues().map { issue in
        var issue = issue
        let isWhole = issue.location.file == shard.name
        issue.location.file = isWhole ? file.path : file.path + "/" + issue.location.file
        return issue
      }
    }
    files.sort { SortedFiles.precedes($0.path, $1.path) }
    let listing = (files, issues)
    state.withLock { $0.listing = listing }
    return listing
  }

  private func shard(_ path: String) throws -> ArchiveTree? {
    if let openShard { return try openShard(path) }
    if let shard = kept(path) { return shard }
    return try opening.withLock { _ in
      if let shard = kept(path) { return shard }
      let files = SortedFiles(try tree.files())
      guard let index = files.index(of: path), let kind = try ArchiveKind.detect(tree, path),
        kind.isTar
      else { return nil }
      let shard = try ArchiveTree(kind, tree, files.files[index], check: check)
      state.withLock { state in
        if kind == .gzippedTar {
          state.packed.add(shard, path)
        } else {
          state.shards[path] = shard
        }
      }
      return shard
    }
  }

  private func kept(_ path: String) -> ArchiveTree? {
    state.withLock { $0.shards[path] ?? $0.packed.find(path) }
  }

  /// The beginning of a shard: all of a tar file, and the first 8 MiB of what a compressed one unpacks to;
  /// `nil` if the file is neither.
  ///
  /// - Throws: ``ArchiveError``; any error that the tree throws.
  static func beginning(of shard: SourceFile, in tree: any SourceTree) throws -> ArchiveTree? {
    switch try ArchiveKind.detect(tree, shard.path) {
    case .tar: return try ArchiveTree(.tar, tree, shard)
    case .gzippedTar:
      var stream = try ByteStream(tree, shard)
      let beginning = ShardBeginning(name: shard.path, bytes: try stream.read(upTo: 8 << 20))
      guard !beginning.bytes.isEmpty else { return nil }
      return try ArchiveTree(.tar, beginning, beginning.files()[0])
    case .zip, .packed, nil: return nil
    }
  }

  package func read(
    _ path: String, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws -> Int {
    var end = path.startIndex
    while let slash = path[end...].firstIndex(of: "/") {
      let file = String(path[..<slash])
      end = path.index(after: slash)
      guard Self.isShard(file), let shard = try shard(file) else { continue }
      return try shard.read(String(path[end...]), at: offset, into: buffer)
    }
    return try tree.read(path, at: offset, into: buffer)
  }
}

/// The first bytes of an unpacked shard.
private struct ShardBeginning: SourceTree {
  let name: String
  let bytes: [UInt8]

  var isSingleFile: Bool { true }

  func files() -> [SourceFile] { [SourceFile(path: name, size: bytes.count, modified: 0)] }

  func read(_ path: String, at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard offset >= 0, offset < bytes.count else { return 0 }
    let count = min(buffer.count, bytes.count - offset)
    buffer.copyBytes(from: bytes[offset..<(offset + count)])
    return count
  }
}
