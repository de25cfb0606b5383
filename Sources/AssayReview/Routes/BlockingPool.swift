import NIOPosix
import Synchronization

/// Threads for work that blocks (SQLite, decoding), so that the event loops and Swift's own threads never
/// wait for a disk. What waits for a thread is bounded too, and clients take turns (``RoundRobinQueue``).
final class BlockingPool: Sendable {
  /// Does the work where the pool still runs, and tells whoever waits for it.
  private typealias Job = @Sendable (_ isActive: Bool) -> Void

  private struct Inside {
    var waiting = RoundRobinQueue<Job>()
    /// The queue and the running work.
    var count = 0
  }

  private let threads: NIOThreadPool
  private let limit: Int
  private let inside = Mutex(Inside())

  /// - Parameter limit: the most pieces of work that run or wait.
  init(threads: Int, limit: Int) {
    self.threads = NIOThreadPool(numberOfThreads: threads)
    self.limit = limit
    self.threads.start()
  }

  /// The number of work items that wait for a thread.
  var waiting: Int { inside.withLock(\.waiting.count) }

  /// Does a piece of work on one of the threads, in the client's turn.
  ///
  /// - Parameter client: whose turn it takes; `nil` for all who are not signed in together.
  /// - Throws: ``RequestRefusal/busy`` where too much waits already; what `work` throws; `CancellationError` where
  ///   the pool has stopped.
  func run<Value: Sendable>(
    for client: String?, _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      let isIn = inside.withLock { inside in
        guard inside.count < limit else { return false }
        inside.count += 1
        inside.waiting.append(of: client) { isActive in
          continuation.resume(
            with: Result {
              guard isActive else { throw CancellationError() }
              return try work()
            })
        }
        return true
      }
      guard isIn else { return continuation.resume(throwing: RequestRefusal.busy) }
      // One call for each piece of work, whichever is next then.
      threads.submit { [self] state in
        guard let job = inside.withLock({ $0.waiting.next() }) else { return }
        job(state == .active)
        inside.withLock { $0.count -= 1 }
      }
    }
  }

  /// Lets what runs come to its end, and ends the threads.
  func stop() async { try? await threads.shutdownGracefully() }
}
