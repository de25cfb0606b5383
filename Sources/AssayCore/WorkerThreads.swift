import Foundation
import Synchronization

/// A group of system threads that run one body.
///
/// If the system does not start some of the threads, the others do the work, so results must not
/// depend on their number. Dispatch, in contrast, waits forever for a thread that was not started.
package final class WorkerThreads: Sendable {
  private let threads: Mutex<[pthread_t]>

  /// Starts threads, as many as the system allows.
  ///
  /// - Parameters:
  ///   - count: the requested number, at least 1.
  ///   - body: runs on each thread; its argument is the thread's number in `0..<count`.
  /// - Throws: ``ThreadShortage`` if not a single thread can be started.
  package init(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) throws(ThreadShortage) {
    var started: [pthread_t] = []
    var refusal: Int32 = 0
    for number in 0..<max(1, count) {
      let work = Unmanaged.passRetained(Work { body(number) })
      var thread = pthread_t()
      refusal = pthread_create(
        &thread, nil,
        { context in
          guard let context else { return nil }
          Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
          return nil
        }, work.toOpaque())
      guard refusal == 0 else {
        work.release()
        break
      }
      started.append(thread)
    }
    guard !started.isEmpty else {
      throw ThreadShortage(started: 0, needed: 1, reason: String(cString: strerror(refusal)))
    }
    threads = Mutex(started)
  }

  /// Waits until all threads have ended.
  package func join() {
    let started = threads.withLock { threads in
      defer { threads = [] }
      return threads
    }
    for thread in started { pthread_join(thread, nil) }
  }

  /// Runs pieces of work in parallel, about one per core, and waits for all of them.
  ///
  /// - Throws: ``ThreadShortage``.
  package static func perform(
    _ count: Int, _ body: @escaping @Sendable (Int) -> Void
  ) throws(ThreadShortage) {
    let counter = Counter()
    let cores = ProcessInfo.processInfo.activeProcessorCount
    try WorkerThreads(min(count, cores)) { _ in
      while let piece = counter.next(below: count) { body(piece) }
    }.join()
  }

  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  private final class Counter: Sendable {
    private let value = Atomic<Int>(0)

    func next(below count: Int) -> Int? {
      let number = value.add(1, ordering: .relaxed).oldValue
      return number < count ? number : nil
    }
  }
}

/// An error: too few threads can be started.
package struct ThreadShortage: Error, Hashable, CustomStringConvertible {
  package var started: Int
  package var needed: Int
  /// The system's message.
  package var reason: String

  package init(started: Int, needed: Int, reason: String) {
    self.started = started
    self.needed = needed
    self.reason = reason
  }

  package var description: String {
    "only \(started) of \(needed) required threads can be started (\(reason)). The limit on"
      + " processes (ulimit -u) or on the tasks of the control group (pids.max) is reached: raise it, or"
      + " end other programs"
  }
}
