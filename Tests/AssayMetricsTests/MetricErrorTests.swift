import Testing

import AssayMetrics

@Suite struct MetricErrorTests {
  @Test("A message names the sample and what to do")
  func messages() {
    #expect(
      "\(MetricError.ordinalOutOfRange(sample: 4, ordinal: 9, classes: 7))"
        == "sample 4: class 9 does not exist, the classes are 0 to 6")
    #expect("\(MetricError.truthMismatch(sample: 2))".contains("evaluate both runs"))
  }
}
