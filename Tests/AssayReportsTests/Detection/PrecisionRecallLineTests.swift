import Testing

@testable import AssayReports

@Suite struct PrecisionRecallLineTests {
  @Test("A line's mean is its AP; it ends where recall is not reached")
  func line() {
    let line = PrecisionRecallLine(iou: 0.5, precision: [1, 1, 1, 0.5, 0])
    // 3.5 / 5.
    #expect(line.ap == 0.7)
    #expect(line.points.map(\.recall) == [0, 0.5, 0.75, 0.75])
    #expect(line.points.map(\.precision) == [1, 1, 0.5, 0])
    #expect(PrecisionRecallLine(iou: 0.5, precision: [0, 0]).points.isEmpty)
    #expect(PrecisionRecallLine(iou: 0.5, precision: []).ap == nil)
  }

  @Test("The mean of lines is taken recall by recall; of none there is none")
  func mean() {
    let lines = [[1.0, 0.5, 0], [0.5, 0.5, 0.5]].map {
      PrecisionRecallLine(iou: 0.5, precision: $0)
    }
    #expect(PrecisionRecallLine.mean(lines)?.precision == [0.75, 0.5, 0.25])
    #expect(PrecisionRecallLine.mean([]) == nil)
  }
}
