import Synchronization

/// Counts the saves since the start.
final class SaveCounter: Sendable {
  private let counts = Mutex((saved: 0, conflicts: 0))

  func count(_ reply: SaveReply) {
    guard !reply.isRepeat else { return }
    counts.withLock { counts in
      counts.saved += 1
      if reply.isConflict { counts.conflicts += 1 }
    }
  }

  var now: (saved: Int, conflicts: Int) { counts.withLock { $0 } }
}
