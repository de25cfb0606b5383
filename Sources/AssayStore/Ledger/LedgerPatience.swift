import Foundation
import GRDB
import Synchronization

/// How long a connection waits for another process that writes, asking again every few milliseconds:
/// SQLite's own waiting goes up to a tenth of a second between two questions, more than a save takes.
final class BusyTimeout: Sendable {
  private let limit: Duration
  private let started = Mutex<ContinuousClock.Instant?>(nil)

  init(seconds: Double) {
    limit = .seconds(max(0, seconds))
  }

  /// For GRDB: called with the number of questions so far, says whether to ask again.
  var callback: @Sendable (Int) -> Bool {
    { [self] tries in
      let now = ContinuousClock.now
      let began = started.withLock { started in
        if tries == 0 { started = now }
        return started ?? now
      }
      guard now - began < limit else { return false }
      // Not all that wait ask at the same moments.
      usleep(UInt32.random(in: 500...(tries < 10 ? 1_500 : 5_000)))
      return true
    }
  }
}
