import NIOPosix
import Synchronization

/// Threads for work that blocks (SQLite, decoding), so that the event loops and Swift's own threads never
/// wait for a disk. What waits for a thread is bounded too.
final class BlockingPool: Sendable {
  private let threads: NIOThreadPool
  private let limit: Int
  private let inside = Mutex(0)

  /// - Parameter limit: the most pieces of work that run or wait.
  init(threads: Int, limit: Int) {
    self.threads = NIOThreadPool(numberOfThreads: threads)
    self.limit = limit
    self.threads.start()
  }

  /// Does a piece of work on one of the threads.
  ///
  /// - Throws: ``Refusal/busy`` where too much waits already; what `work` throws.
  func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    let isIn = inside.withLock { count in
      guard count < limit else { return false }
      count += 1
      return true
    }
    guard isIn else { throw Refusal.busy }
    defer { inside.withLock { $0 -= 1 } }
    return try await threads.runIfActive(work)
  }

  /// Lets what runs come to its end, and ends the threads.
  func stop() async { try? await threads.shutdownGracefully() }
}
