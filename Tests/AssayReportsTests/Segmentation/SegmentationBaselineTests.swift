import AssayMetrics
import Testing

import AssayReports

@Suite struct SegmentationBaselineTests {
  @Test("With one class it is the mean share of true pixels")
  func binary() throws {
    // 20, 20 and 0 of 100 pixels.
    let baseline = try #require(SegmentationBaseline(SmallMaskReport.tally()))
    #expect((baseline.value - 0.4 / 3).magnitude < 1e-15)
    #expect(baseline.name == "person")
  }

  @Test("With several it is the majority class's share over the classes that occur")
  func several() throws {
    let labels = try SegmentationLabels(
      names: ["background", "a", "b", "never"], hasBackground: true)
    var tally = SegmentationTally(labels: labels)
    // Ground truth: 4 pixels of background, 3 of a, 1 of b. All “a”: 3/8, and 0 for b.
    try tally.add(
      SegmentedSample(
        confusion: [4, 0, 0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0], boundary: [], void: 0))
    let baseline = try #require(SegmentationBaseline(tally))
    #expect(baseline.name == "a")
    #expect(baseline.value == 3.0 / 8 / 2)
  }

  @Test("There is no baseline without evaluated pixels")
  func none() throws {
    #expect(
      SegmentationBaseline(SegmentationTally(labels: SegmentationLabels(foreground: "a"))) == nil)
  }
}
