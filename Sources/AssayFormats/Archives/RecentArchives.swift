/// Archives that are kept after use, with limits on their number, files and memory. The ones that were
/// not used for the longest time are given up first.
package struct RecentArchives<Key: Equatable> {
  /// The one that was used last is at the end.
  private var held: [(key: Key, archive: ArchiveTree)] = []

  /// The maximum number of archives, and of files in them.
  private static var archiveLimit: Int { 256 }
  private static var fileLimit: Int { 6_000_000 }
  /// The number of archives that are kept whatever their size: reading on across the end of one needs
  /// the next one, too.
  private static var minimum: Int { 2 }

  /// The maximum number of bytes that the archives keep in memory.
  private let byteLimit: Int

  package init(byteLimit: Int = 256 << 20) { self.byteLimit = byteLimit }

  /// The archive with a key; `nil` if it is not kept.
  package mutating func find(_ key: Key) -> ArchiveTree? {
    guard let place = held.lastIndex(where: { $0.key == key }) else { return nil }
    if place < held.count - 1 { held.append(held.remove(at: place)) }
    return held[held.count - 1].archive
  }

  package mutating func add(_ archive: ArchiveTree, _ key: Key) {
    held.append((key, archive))
    var files = held.reduce(0) { $0 + $1.archive.fileCount }
    var bytes = held.reduce(0) { $0 + $1.archive.memory }
    while held.count > 1,
      held.count > Self.archiveLimit || files > Self.fileLimit
        || (bytes > byteLimit && held.count > Self.minimum)
    {
      let first = held.removeFirst().archive
      files -= first.fileCount
      bytes -= first.memory
    }
  }
}
