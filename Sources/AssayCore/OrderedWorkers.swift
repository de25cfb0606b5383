import DequeModule
import Dispatch
import Synchronization

/// A parallel map whose results are delivered in the order of their inputs.
///
/// The caller's thread produces inputs and receives results; `workers` threads transform. At most
/// `window` inputs are in progress or waiting for delivery, which bounds memory. The results do not
/// depend on the number of workers as long as `transform` depends only on its input.
package struct OrderedWorkers: Sendable {
  private let workers: Int
  private let window: Int

  /// - Parameters:
  ///   - workers: the number of threads, at least 1.
  ///   - window: the maximum number of inputs in progress, at least 1; by default twice the
  ///     workers.
  package init(workers: Int, window: Int? = nil) {
    self.workers = max(1, workers)
    self.window = max(1, window ?? 2 * max(1, workers))
  }

  /// Gets inputs until `next` returns `nil`, transforms them, and delivers every result in order.
  ///
  /// - Parameters:
  ///   - next: returns the next input; called on the caller's thread.
  ///   - transform: runs on a worker; its first argument is the worker's number in `0..<workers`,
  ///     never in use twice at the same time, so that each worker can own a scratch buffer or a
  ///     compiled model.
  ///   - deliver: receives a result; called on the caller's thread, in the order of the inputs.
  /// - Throws: the first error, in the order of the inputs, of any of the three. All threads have
  ///   ended by then; results after the error are dropped. ``ThreadShortage`` if no thread can be
  ///   started.
  package func run<Input: Sendable, Output: Sendable>(
    next: () throws -> Input?,
    transform: @escaping @Sendable (_ worker: Int, _ input: Input) throws -> Output,
    deliver: (Output) throws -> Void
  ) throws {
    let line = JobQueue<Input, Output>()
    let threads = try WorkerThreads(workers) { worker in
      while let job = line.take() {
        job.finish(Result { try transform(worker, job.input) })
      }
    }
    defer {
      line.close(workers: workers)
      threads.join()
    }
    var underWay: Deque<Job<Input, Output>> = []
    var drained = false
    while true {
      while !drained, underWay.count < window {
        guard let input = try next() else {
          drained = true
          break
        }
        let job = Job<Input, Output>(input)
        underWay.append(job)
        line.put(job)
      }
      guard let first = underWay.popFirst() else { return }
      try deliver(first.result().get())
    }
  }
}

/// One input and its future result.
private final class Job<Input: Sendable, Output: Sendable>: Sendable {
  let input: Input
  private let done = DispatchSemaphore(value: 0)
  private let outcome = Mutex<Result<Output, any Error>?>(nil)

  init(_ input: Input) { self.input = input }

  func finish(_ result: Result<Output, any Error>) {
    outcome.withLock { $0 = result }
    done.signal()
  }

  /// Waits for the result.
  func result() -> Result<Output, any Error> {
    done.wait()
    return outcome.withLock { $0 ?? .failure(CancellationError()) }
  }
}

/// The jobs waiting for a worker.
private final class JobQueue<Input: Sendable, Output: Sendable>: Sendable {
  private let waiting = Mutex<(jobs: Deque<Job<Input, Output>>, closed: Bool)>(([], false))
  private let available = DispatchSemaphore(value: 0)

  func put(_ job: Job<Input, Output>) {
    waiting.withLock { $0.jobs.append(job) }
    available.signal()
  }

  /// The next job; `nil` once the queue is closed.
  func take() -> Job<Input, Output>? {
    available.wait()
    return waiting.withLock { $0.closed ? nil : $0.jobs.popFirst() }
  }

  func close(workers: Int) {
    waiting.withLock {
      $0.closed = true
      $0.jobs.removeAll()
    }
    for _ in 0..<workers { available.signal() }
  }
}
