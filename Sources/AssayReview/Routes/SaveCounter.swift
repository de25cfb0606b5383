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

  /// Counts entries that cannot be in conflict.
  func count(saved entries: Int) {
    counts.withLock { $0.saved += entries }
  }

  var now: (saved: Int, conflicts: Int) { counts.withLock { $0 } }
}
