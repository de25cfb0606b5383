import AssayCore
import AssayTestSupport
import Testing

@testable import AssayWorkflows

@Suite("Outliers by features")
struct OutlierTests {
  /// Vectors in memory, divided by their lengths.
  private struct Vectors: Sendable {
    var rows: [[Float]]

    init(_ rows: [[Double]]) {
      self.rows = rows.map { row in
        let length = row.reduce(0) { $0 + $1 * $1 }.squareRoot()
        return row.map { Float(length > 0 ? $0 / length : 0) }
      }
    }

    func search() -> NeighborSearch {
      NeighborSearch(count: rows.count, dimension: rows.first?.count ?? 1) { index, target in
        for (place, value) in rows[index].enumerated() { target[place] = value }
      }
    }

    /// The neighbors of a vector by sorting all distances.
    func neighbors(of index: Int, among references: [Int]) -> [(distance: Double, index: Int)] {
      var all: [(distance: Double, index: Int)] = []
      for other in references where other != index {
        var product = 0.0
        for (x, y) in zip(rows[index], rows[other]) { product += Double(x) * Double(y) }
        all.append((1 - product, other))
      }
      return Array(all.sorted { $0.distance < $1.distance }.prefix(NeighborSearch.neighbors))
    }
  }

  private struct Golden: Decodable {
    var vectors: [[Double]]
    var distances: [Double]
  }

  @Test("The mean distance to the neighbors is cleanlab's")
  func golden() throws {
    let golden = try GoldenJSON.decode("outliers/outliers.json", as: Golden.self)
    let found = try Vectors(golden.vectors).search().run(workers: 2) { _ in }
    #expect(found.count == golden.distances.count)
    for (own, expected) in zip(found, golden.distances) {
      #expect(abs(own.distance - expected) < 1e-6)
      #expect(own.indices.count == 10)
    }
    let scale = RobustScale(found.map(\.distance), least: 1e-3)
    let outliers = found.indices.filter { scale.z(found[$0].distance) >= OutlierRule.leastZ }
    #expect(!outliers.isEmpty && outliers.allSatisfy { $0 >= 50 })
  }

  @Test("Neighbors are those of a full comparison, for any number of workers and any dimension")
  func full() throws {
    for dimension in [2, 15, 16, 37] {
      var random = SplitMix64(seed: UInt64(dimension))
      let vectors = Vectors(
        (0..<150).map { _ in
          (0..<dimension).map { _ in Double.random(in: -1...1, using: &random) }
        })
      let search = vectors.search()
      let found = try search.run(workers: 1) { _ in }
      #expect(try search.run(workers: 3) { _ in } == found)
      for index in found.indices {
        let expected = vectors.neighbors(of: index, among: search.references)
        let mean = expected.reduce(0) { $0 + $1.distance } / 10
        #expect(abs(found[index].distance - mean) < 1e-5)
        #expect(!found[index].indices.contains(Int32(index)))
      }
    }
  }

  @Test("Many vectors are compared with a seeded sample, whose size has a bound")
  func sampled() {
    func search(_ count: Int, _ dimension: Int) -> NeighborSearch {
      NeighborSearch(count: count, dimension: dimension) { _, _ in }
    }
    let large = search(100_000, 64)
    #expect(large.isSampled && large.references.count == NeighborSearch.referenceLimit)
    #expect(large.references == search(100_000, 64).references)
    #expect(Set(large.references).count == large.references.count)
    let wide = search(100_000, 65_536)
    #expect(wide.references.count * 65_536 <= NeighborSearch.valueLimit)
    #expect(!search(300, 64).isSampled)
  }

  @Test("A vector without length has the distance 1 to all, and copies have 0")
  func zero() throws {
    let rows = (0..<12).map { _ in [3.0, 4.0] } + [[0, 0]]
    let found = try Vectors(rows).search().run(workers: 1) { _ in }
    #expect(found[12].distance == 1)
    #expect(found[0].distance < 1e-6)
  }

  @Test("The spread is the scaled median absolute deviation, and at least the given one")
  func scale() {
    let scale = RobustScale([1, 2, 3, 4, 100], least: 0.001)
    #expect(scale.median == 3 && abs(scale.deviation - 1.4826) < 1e-12)
    #expect(abs(scale.value(ofZ: 5) - (3 + 5 * 1.4826)) < 1e-12)
    #expect(RobustScale([2, 2, 2, 2], least: 0.001).deviation == 0.001)
  }
}
