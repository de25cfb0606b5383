import AssayCore

/// Computes the results of a run on several threads, and stores them in the order of their inputs, some at a time.
struct OrderedStoring {
  let workers: Int
  let progress: any ProgressSink
  /// The work in words, for the progress.
  let title: String

  /// The number of results that are stored in one transaction.
  private static let chunk = 16

  /// - Parameters:
  ///   - make: the result of an input; several threads call it at the same time.
  ///   - store: stores results; the last time with what is left.
  /// - Throws: ``Interrupted``; the errors of `make` and `store`.
  func run<Input: Sendable, Output: Sendable>(
    _ inputs: [Input], make: @escaping @Sendable (Input) throws -> Output,
    store: ([Output]) throws -> Void
  ) throws {
    var (next, done) = (0, 0)
    var waiting: [Output] = []
    try OrderedWorkers(workers: workers).run(
      next: { () -> Input? in
        try Interruption.check("nothing was stored")
        defer { next += 1 }
        return next < inputs.count ? inputs[next] : nil
      },
      transform: { _, input in try make(input) },
      deliver: { (output: Output) in
        waiting.append(output)
        done += 1
        guard waiting.count == Self.chunk || done == inputs.count else { return }
        try store(waiting)
        waiting = []
        progress.report(Double(done) / Double(inputs.count), title)
      })
  }
}
