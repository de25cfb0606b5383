import AssayCore

/// The nearest neighbors of vectors of length 1 by cosine distance, among all of them or a seeded sample
/// of them.
///
/// The time is (vectors × references × dimension); the references are in memory.
struct NeighborSearch {
  /// The number of neighbors.
  static let neighbors = 10
  /// The maximum number of references, and of their values: 64 MiB.
  static let referenceLimit = 10_000
  static let valueLimit = 16 << 20
  private static let seed: UInt64 = 0
  /// The number of vectors that are compared together.
  private static let block = 64

  /// The neighbors of one vector.
  struct Neighbors: Hashable, Sendable {
    /// The mean cosine distance to them, 0...2.
    var distance: Double
    /// Their indices, the closest first.
    var indices: [Int32]
  }

  let count: Int
  let dimension: Int
  /// The indices of the vectors that all are compared with, ascending.
  let references: [Int]
  /// Reads the vector at an index; safe from several threads.
  let read: @Sendable (Int, UnsafeMutableBufferPointer<Float>) throws -> Void

  /// - Parameter read: reads the vector at an index into memory for `dimension` values.
  init(
    count: Int, dimension: Int,
    read: @escaping @Sendable (Int, UnsafeMutableBufferPointer<Float>) throws -> Void
  ) {
    (self.count, self.dimension, self.read) = (count, dimension, read)
    let limit = min(
      Self.referenceLimit, max(4 * Self.neighbors, Self.valueLimit / max(1, dimension)))
    references = Self.sample(count, limit)
  }

  /// True if the references are only a sample.
  var isSampled: Bool { references.count < count }

  /// `limit` of the numbers below `count`, ascending; the same at each call.
  private static func sample(_ count: Int, _ limit: Int) -> [Int] {
    guard count > limit else { return Array(0..<count) }
    var generator = SplitMix64(seed: seed)
    var chosen: Set<Int> = []
    while chosen.count < limit { chosen.insert(Int.random(in: 0..<count, using: &generator)) }
    return chosen.sorted()
  }

  /// The neighbors of all vectors, in their order; a vector is not its own neighbor.
  ///
  /// - Parameters:
  ///   - progress: receives the share that is done.
  /// - Throws: ``Interrupted``, the errors of ``read``.
  func run(workers: Int, progress: (Double) -> Void) throws -> [Neighbors] {
    var matrix = [Float](repeating: 0, count: references.count * dimension)
    try matrix.withUnsafeMutableBufferPointer { matrix in
      for (row, index) in references.enumerated() {
        try read(
          index,
          UnsafeMutableBufferPointer(
            rebasing: matrix[row * dimension..<(row + 1) * dimension]))
      }
    }
    let known = matrix
    var found: [Neighbors] = []
    found.reserveCapacity(count)
    var start = 0
    try OrderedWorkers(workers: workers, window: 4 * workers).run(
      next: { () -> Range<Int>? in
        try Interruption.check("nothing was stored")
        guard start < count else { return nil }
        defer { start = min(start + Self.block, count) }
        return start..<min(start + Self.block, count)
      },
      transform: { [self] _, range in try neighbors(of: range, among: known) },
      deliver: { part in
        found += part
        progress(Double(found.count) / Double(max(1, count)))
      })
    return found
  }

  private func neighbors(of range: Range<Int>, among matrix: [Float]) throws -> [Neighbors] {
    var queries = [Float](repeating: 0, count: range.count * dimension)
    try queries.withUnsafeMutableBufferPointer { queries in
      for (row, index) in range.enumerated() {
        try read(
          index,
          UnsafeMutableBufferPointer(
            rebasing: queries[row * dimension..<(row + 1) * dimension]))
      }
    }
    var nearest = range.map { _ in Nearest() }
    matrix.withUnsafeBufferPointer { matrix in
      queries.withUnsafeBufferPointer { queries in
        for (row, reference) in references.enumerated() {
          for (query, index) in range.enumerated() where index != reference {
            let product = Self.product(
              queries, query * dimension, matrix, row * dimension, dimension)
            nearest[query].add(1 - product, reference)
          }
        }
      }
    }
    return nearest.map(\.neighbors)
  }

  /// The closest references of one vector.
  private struct Nearest {
    private var distances: [Float] = []
    private var indices: [Int32] = []

    /// Adds a reference; of equal distances, the first one added stays.
    mutating func add(_ distance: Float, _ index: Int) {
      let limit = NeighborSearch.neighbors
      if distances.count == limit, let last = distances.last, distance >= last { return }
      var place = distances.count
      while place > 0, distances[place - 1] > distance { place -= 1 }
      distances.insert(distance, at: place)
      indices.insert(Int32(clamping: index), at: place)
      if distances.count > limit {
        distances.removeLast()
        indices.removeLast()
      }
    }

    var neighbors: Neighbors {
      let sum = distances.reduce(0.0) { $0 + Double(max(0, $1)) }
      return Neighbors(distance: sum / Double(max(1, distances.count)), indices: indices)
    }
  }

  private static func product(
    _ a: UnsafeBufferPointer<Float>, _ first: Int, _ b: UnsafeBufferPointer<Float>, _ second: Int,
    _ count: Int
  ) -> Float {
    guard let a = a.baseAddress, let b = b.baseAddress else { return 0 }
    let (x, y) = (UnsafeRawPointer(a + first), UnsafeRawPointer(b + second))
    var lanes = SIMD16<Float>(repeating: 0)
    var place = 0
    while place + 16 <= count {
      let offset = place * MemoryLayout<Float>.size
      lanes +=
        x.loadUnaligned(fromByteOffset: offset, as: SIMD16<Float>.self)
        * y.loadUnaligned(fromByteOffset: offset, as: SIMD16<Float>.self)
      place += 16
    }
    var sum = lanes.sum()
    while place < count {
      sum += a[first + place] * b[second + place]
      place += 1
    }
    return sum
  }
}
