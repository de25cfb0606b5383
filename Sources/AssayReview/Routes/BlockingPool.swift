import NIOPosix
import Synchronization

/// Threads for blocking work (SQLite, decoding), so that the event loops and
/// Swift's own threads never wait for a disk. The waiting work is bounded too, and
/// clients take turns (``RoundRobinQueue``).
final class BlockingPool: Sendable {
  /// Does the work if the pool still runs, and resumes the caller.
  private typealias Job = @Sendable (_ isActive: Bool) -> Void

  private struct Inside {
    var waiting = RoundRobinQueue<Job>()
    /// The number of queued and running work items.
    var count = 0
  }

  private let threads: NIOThreadPool
  private let limit: Int
  private let inside = Mutex(Inside())

  /// - Parameter limit: the maximum number of work items that run or wait.
  init(threads: Int, limit: Int) {
    self.threads = NIOThreadPool(numberOfThreads: threads)
    self.limit = limit
    self.threads.start()
  }

  // Work that waits or runs holds the pool.
  deinit { threads.shutdownGracefully { _ in } }

  /// The number of work items that wait for a thread.
  var waiting: Int { inside.withLock(\.waiting.count) }

  /// Runs a work item on one of the threads, in the client's turn.
  ///
  /// - Parameter client: the client whose turn is used; `nil` for all clients that
  ///   are not signed in.
  /// - Throws: ``RequestRefusal/busy`` if too much work waits already; errors of `work`;
  ///   `CancellationError` if the pool has stopped.
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
      // One call per work item; it runs the item that is next at that time.
      threads.submit { [self] state in
        guard let job = inside.withLock({ $0.waiting.next() }) else { return }
        job(state == .active)
        inside.withLock { $0.count -= 1 }
      }
    }
  }

  /// Waits for running work, and ends the threads.
  func stop() async { try? await threads.shutdownGracefully() }
}
