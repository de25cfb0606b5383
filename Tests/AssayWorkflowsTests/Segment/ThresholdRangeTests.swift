import Testing

import AssayWorkflows

@Suite struct ThresholdRangeTests {
  @Test("Each value is the number that its spelling means, to the bit")
  func exact() throws {
    let range = try ThresholdRange("threshold=0.1..0.9:0.05")
    // 0.1 + 4 · 0.05 would be 0.30000000000000004.
    #expect(
      range.values == [
        0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85,
        0.9,
      ])
  }

  @Test("Name and step may be left out; the last is there where the steps meet it")
  func short() throws {
    #expect(try ThresholdRange("0.4..0.6").values == [0.4, 0.45, 0.5, 0.55, 0.6])
    #expect(try ThresholdRange("threshold=0..1:0.3").values == [0, 0.3, 0.6, 0.9])
    #expect(try ThresholdRange(".5...5").values == [0.5])
    #expect(try ThresholdRange("0.5..0.50:1").values == [0.5])
    #expect(try ThresholdRange("0.123456789..0.123456789:1").values == [0.123456789])
  }

  @Test(
    "Invalid ranges are rejected",
    arguments: [
      "", "threshold", "0.5", "0.9..0.1", "0.1..1.1", "-0.1..0.5", "0.1..0.9:0", "0.1..0.9:-1",
      "a..b", "0.1..0.9:x", "0.1..0.9:0.1:0.1", "1e-3..0.5", "..", "0.1..0.9:", "0.1..nan",
      "99999999999999999999..1",
    ])
  func refused(_ text: String) {
    #expect(throws: SweepError.notARange(text)) { try ThresholdRange(text) }
  }

  @Test("Another setting and too many thresholds are refused")
  func limits() {
    #expect(throws: SweepError.unknownSetting("open")) { try ThresholdRange("open=1..3:1") }
    #expect(throws: SweepError.tooMany(10001, limit: 1001)) { try ThresholdRange("0..1:0.0001") }
  }
}
