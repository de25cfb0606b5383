import AssayMetrics
import Testing

@testable import AssayReports

@Suite struct ObjectChartTests {
  private func labels(_ figure: Figure) -> [Label] {
    figure.marks.compactMap { mark in
      if case .text(let label) = mark { label } else { nil }
    }
  }

  @Test("Bars of errors start at zero and are as long as their costs", arguments: [328.0, 720])
  func bars(width: Double) {
    let chart = ErrorBars(
      name: "e", title: "", summary: "", axis: "AP50 lost",
      bars: [
        .init(name: "missed objects", cost: Score(0.2), count: 1_200),
        .init(name: "duplicates", cost: Score(0.05), count: 7),
        .init(name: "both wrong", cost: .undefined, count: 0),
      ])
    let figure = chart.figure(width: width)
    let bars = figure.marks.compactMap { mark -> (x: Double, width: Double)? in
      if case .rectangle(let x, _, let width, _, _, _) = mark { (x, width) } else { nil }
    }
    #expect(bars.count == 2)
    #expect(bars[0].x == bars[1].x)
    #expect((bars[0].width / bars[1].width - 4).magnitude < 1e-9)
    let texts = labels(figure).map(\.text)
    #expect(texts.contains("0.200") && texts.contains("1,200") && texts.contains("–"))
    for label in labels(figure) where label.anchor == .start {
      #expect(label.x + TextWidth.of(label.text, size: label.size) <= width + 1, "\(label.text)")
    }
  }

  @Test("Each line of precision and recall is named with its AP, inside the chart")
  func lines() {
    let chart = PrecisionRecallChart(
      name: "pr", title: "", summary: "",
      lines: [
        PrecisionRecallLine(iou: 0.5, precision: [1, 1, 0.5, 0, 0]),
        PrecisionRecallLine(iou: 0.75, precision: [0.5, 0, 0, 0, 0]),
      ])
    for width in [328.0, 720] {
      let figure = chart.figure(width: width)
      let named = labels(figure).filter { $0.text.hasPrefix("IoU") }
      #expect(named.map(\.text) == ["IoU 0.5: AP 0.500", "IoU 0.75: AP 0.100"])
      for label in named { #expect(label.y > 30 && label.y < figure.height - 40) }
    }
  }

  @Test("Classes have a small chart each, with a dot where the score in use puts them")
  func panels() {
    let line = PrecisionRecallLine(iou: 0.5, precision: [1, 1, 0.5, 0, 0])
    let chart = PrecisionRecallPanels(
      name: "pr", title: "", summary: "",
      panels: (0..<5).map {
        .init(name: "class \($0)", truths: $0, lines: [line], working: $0 < 2 ? (0.5, 0.5) : nil)
      })
    let figure = chart.figure(width: 720)
    let dots = figure.marks.count { if case .dot = $0 { true } else { false } }
    #expect(dots == 2)
    #expect(labels(figure).map(\.text).contains("class 4"))
    // Five in rows of four, on a phone in rows of two: two and three rows.
    #expect(chart.figure(width: 328).height > chart.figure(width: 720).height)
  }
}
