import AssayMetrics
import Testing

@testable import AssayReports

@Suite struct MaskChartTests {
  private func texts(_ figure: Figure) -> [String] {
    figure.marks.compactMap { mark in
      if case .text(let label) = mark { label.text } else { nil }
    }
  }

  @Test("A value on the edge of two bars belongs to the upper one, 1 to the last")
  func bars() {
    let histogram = ScoreHistogram(
      name: "h", title: "", summary: "", axis: "IoU", values: [0, 0.049, 0.05, 0.95, 1])
    var wanted = Array(repeating: 0, count: 20)
    wanted[0] = 2
    wanted[1] = 1
    wanted[19] = 2
    #expect(histogram.counts == wanted)
    #expect(texts(histogram.figure(width: 720)).contains("mean 0.410"))
  }

  @Test("The best place is the first with the largest IoU, and is called chosen on these samples")
  func best() throws {
    let curve = SweepCurve(
      setting: "threshold",
      places: [(0.3, 0.5), (0.4, 0.8), (0.5, 0.8), (0.6, nil)].map { value, iou in
        .init(value: value, iou: Score(iou), dice: Score(iou))
      }, current: 0.5)
    #expect(curve.best?.value == 0.4)
    let chart = SweepChart(
      name: "s", title: "", summary: "", curve: curve, lines: ("mean IoU", "mean Dice"))
    let texts = texts(chart.figure(width: 720))
    #expect(texts.contains("best: 0.4, mean IoU 0.800, chosen on these samples"))
    #expect(texts.contains("current: 0.5"))
    #expect(texts.contains("threshold"))
  }

  @Test("A curve without a defined place has no best one")
  func undefined() {
    let curve = SweepCurve(
      setting: "threshold", places: [.init(value: 0.5, iou: .undefined, dice: .undefined)],
      current: nil)
    #expect(curve.best == nil)
  }

  @Test("Many dots are thinned evenly to the limit")
  func thinned() {
    let points = (0..<4_000).map { Point(x: Double($0), y: 0.5) }
    let chart = ScatterChart(
      name: "s", title: "", summary: "", score: "IoU", panels: [.init(axis: "x", points: points)])
    let dots = chart.figure(width: 720).marks.count { mark in
      if case .dot = mark { true } else { false }
    }
    // Every third of 4,000.
    #expect(dots == 1_334)
  }

  @Test("Cells of a matrix in pixels show shares, totals in thousands and millions")
  func pixels() {
    let map = HeatMap(
      name: "c", title: "", summary: "", classes: ["a", "b"],
      counts: [[9_000_000, 3_000_000], [500, 499_500]], unit: .pixels, anchor: { _, _ in nil })
    let figure = map.figure(width: 720)
    var found = texts(figure)
    for mark in figure.marks {
      if case .group(_, let marks) = mark {
        for case .text(let label) in marks { found.append(label.text) }
      }
    }
    for text in [".75", ".25", ".00", "1.00", "12.0M", "500k", "pixels"] {
      #expect(found.contains(text), "\(text)")
    }
  }
}
