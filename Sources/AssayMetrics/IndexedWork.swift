import AssayCore

/// Independent work items, numbered from 0, distributed over threads.
enum IndexedWork {
  /// The results of `body` for `0..<count`, in that order regardless of the number of workers.
  static func map<Output: Sendable>(
    _ count: Int, workers: Int, _ body: @escaping @Sendable (Int) -> Output
  ) throws -> [Output] {
    if workers <= 1 || count <= 1 { return (0..<count).map(body) }
    var results: [Output] = []
    results.reserveCapacity(count)
    var next = 0
    try OrderedWorkers(workers: min(workers, count)).run(
      next: {
        defer { next += 1 }
        return next < count ? next : nil
      },
      transform: { _, index in body(index) },
      deliver: { results.append($0) })
    return results
  }
}
