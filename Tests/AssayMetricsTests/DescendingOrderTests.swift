import AssayCore
import Testing

@testable import AssayMetrics

@Suite struct DescendingOrderTests {
  @Test(
    "Largest first, equal keys in their given order, on both sides of the radix threshold",
    arguments: [0, 1, 2, 1023, 1024, 5000])
  func order(_ count: Int) {
    var random = SplitMix64(seed: 5)
    // A small number of distinct values creates ties; tiny and large ones cover every digit.
    let values = [0, 1, 0.5, 1e-300, 1e300, .leastNonzeroMagnitude, 0.1, 0.1.nextUp]
    let keys = (0..<count).map { _ in values[Int(random.next() % 8)] }
    let expected = keys.indices.sorted {
      keys[$0] == keys[$1] ? $0 < $1 : keys[$0] > keys[$1]
    }
    #expect(DescendingOrder.of(keys).map(Int.init) == expected)
  }

  @Test("A stretch of equal keys keeps its order")
  func constant() {
    #expect(
      DescendingOrder.of(Array(repeating: 0.25, count: 2000)) == (0..<2000).map { UInt32($0) })
  }
}
