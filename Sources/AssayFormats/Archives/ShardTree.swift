package import AssayCore
import Synchronization

/// A folder whose tar files are shown as folders: `train-0000.tar/000001.jpg`. Thread-safe.
package final class ShardTree: SourceTree {
  private let tree: any SourceTree
  private let openShard: (@Sendable (String) throws -> ArchiveTree?)?
  private let state = Mutex(State())

  private struct State: ~Copyable {
    var listing: (files: [SourceFile], issues: [Issue])?
    /// The shards that were opened without ``openShard``.
    var shards: [String: ArchiveTree] = [:]
  }

  /// - Parameters:
  ///   - tree: the folder.
  ///   - open: opens the tar file at a path, `nil` if there is none; by default, each is listed once.
  package init(
    _ tree: any SourceTree, open: (@Sendable (String) throws -> ArchiveTree?)? = nil
  ) {
    self.tree = tree
    openShard = open
  }

  package var name: String { tree.name }
  package var isSingleFile: Bool { false }

  package func files() throws -> [SourceFile] { try listing().files }
  package func issues() throws -> [Issue] { try listing().issues }

  /// Returns whether a file is called like a tar file.
  static func isShard(_ path: some StringProtocol) -> Bool {
    String(path).hasSuffix(ignoringCase: ".tar")
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
    if let shard = state.withLock({ $0.shards[path] }) { return shard }
    let files = SortedFiles(try tree.files())
    guard let index = files.index(of: path), try ArchiveKind.detect(tree, path) == .tar else {
      return nil
    }
    let shard = try ArchiveTree(.tar, tree, files.files[index])
    state.withLock { $0.shards[path] = shard }
    return shard
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
