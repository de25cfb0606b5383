import AssayCore
import AssayStore
import Testing

@testable import AssayWorkflows

@Suite("The counts by the imported truth, when only touched samples were judged by it")
struct UncorrectedTalliesTests {
  private func sample(_ id: Int64) -> SampleRecord {
    SampleRecord(id: id, key: "\(id)", sourceID: .integer(id))
  }

  @Test("Untouched samples count the same by both truths, touched ones as they were judged")
  func places() {
    // 2 is corrected, 3 got its first label, 4 is left out.
    let side = UncorrectedTallies(
      [1, 2, 3, 5].map(sample), [2, 4].map(sample), touched: [2, 3, 4])
    #expect(side.shared == [0, 1, 3])
    #expect(side.places == [.evaluated(0), .before(0), .evaluated(3)])
    #expect(side.wholePlaces == [.evaluated(0), .before(0), .before(1), .evaluated(3)])
    #expect(side.gained == 1)
  }
}
