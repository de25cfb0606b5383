import AssayCore

/// A task run in batches on several threads, and its measurements.
struct Batches<Output: Sendable> {
  var seconds: Double
  /// The output of each batch, in order.
  let outputs: [Output]

  /// Runs a batch for each range of `size` numbers below `count`.
  init(
    of count: Int, size: Int, workers: Int,
    _ body: @escaping @Sendable (Range<Int>) throws -> Output
  ) throws {
    var outputs: [Output] = []
    var start = 0
    let clock = ContinuousClock()
    let began = clock.now
    try OrderedWorkers(workers: workers).run(
      next: {
        defer { start += size }
        return start < count ? start..<min(count, start + size) : nil
      },
      transform: { _, range in try body(range) },
      deliver: { outputs.append($0) })
    let took = (clock.now - began).components
    seconds = Double(took.seconds) + Double(took.attoseconds) * 1e-18
    self.outputs = outputs
  }
}

/// The measurements of a task as a line of JSON.
func line(
  _ work: String, _ seconds: Double, _ items: Int, _ workers: Int, _ check: JSONValue
) -> String {
  JSONValue.object([
    .init("work", .string(work)), .init("seconds", .number(seconds)),
    .init("items", JSONValue(items)), .init("workers", JSONValue(workers)),
    .init("check", check),
  ]).text()
}
