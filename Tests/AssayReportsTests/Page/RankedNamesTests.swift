import Testing

@testable import AssayReports

@Suite("Names of the highest and lowest values")
struct RankedNamesTests {
  @Test(
    "Ties are named, not the first of them alone",
    arguments: [
      ([("a", 0.5)], "AP is 0.500 for a."),
      ([("a", 0.5), ("b", 0.5)], "AP is 0.500 for all 2 classes that occur."),
      ([("a", 0.5), ("b", 0.25)], "AP is highest for a (0.500) and lowest for b (0.250)."),
      (
        [("a", 0), ("b", 1), ("c", 0), ("d", 1), ("e", 0)],
        "AP is highest for b and d (1.000) and lowest for a and 2 more (0.000)."
      ),
    ] as [([(String, Double)], String)])
  func sentence(values: [(String, Double)], says: String) throws {
    let ranked = try #require(RankedNames(values.map { (name: $0.0, value: $0.1) }))
    #expect(ranked.sentence(of: values.count) == says)
    #expect(RankedNames([]) == nil)
  }
}
