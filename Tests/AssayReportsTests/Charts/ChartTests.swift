import AssayCore
import AssayImaging
import AssayMetrics
import Foundation
import FoundationXML
import Testing

@testable import AssayReports

@Suite struct ChartTests {
  /// One of each kind, with names that would break markup.
  static func charts() throws -> [any Chart] {
    let classes = ["<b>", "a&b", "\"q\""]
    let scores = try SmallReport.scores(intervals: Bootstrap(draws: 50))
    let totals = scores.confusion.totals
    return [
      AnswerStrip(
        name: "answer", title: "t", summary: "<s>", score: scores[.accuracy],
        label: "accuracy", baseline: (0.5, "always “<b>”")),
      HeatMap(
        name: "confusion", title: "t", summary: "<s>", classes: classes,
        counts: scores.confusion.rows, anchor: { "cell-\($0)-\($1)" }),
      GroupedBars(
        name: "counts", title: "t", summary: "<s>", classes: classes, truth: totals.truth,
        predicted: totals.predicted),
      ReliabilityChart(
        name: "reliability", title: "t", summary: "<s>", bins: scores.calibration.bins),
      RiskCoverageChart(
        name: "risk", title: "t", summary: "<s>",
        series: [
          .init(label: "by confidence", curve: scores.riskByConfidence, dash: .solid),
          .init(label: "by margin", curve: scores.riskByMargin, dash: .dashed),
        ]),
      IntervalDots(
        name: "classes", title: "t", summary: "<s>", classes: classes,
        panels: [.init(title: "recall", values: scores.perClass(.recall))]),
      HeatMap(
        name: "pixels", title: "t", summary: "<s>", classes: classes,
        counts: [[12_345_678, 9, 0], [1, 250_000, 3], [0, 0, 0]], unit: .pixels,
        anchor: { _, _ in nil }),
      ScoreHistogram(
        name: "histogram", title: "t", summary: "<s>", axis: "<IoU>", values: [0, 0.02, 0.5, 1]),
      SweepChart(
        name: "sweep", title: "t", summary: "<s>", curve: sweep, lines: ("mean <IoU>", "mean Dice")),
      ScatterChart(
        name: "signs", title: "t", summary: "<s>", score: "IoU",
        panels: [
          .init(axis: "<unsure>", points: [Point(x: 0, y: 0), Point(x: 0.7, y: 1)]),
          .init(axis: "offset", points: (0..<4_000).map { Point(x: Double($0), y: 0.5) }),
        ]),
    ]
  }

  /// Three thresholds, the middle one undefined.
  static let sweep = SweepCurve(
    setting: "thres<hold",
    places: [(0.1, 0.5), (0.2, nil), (0.9, 0.8)].map { value, score in
      .init(
        value: value, iou: Score(score),
        dice: Score(
          score.map { 2 * $0 / (1 + $0) }, interval: Interval(low: 0.6, high: 1, method: .bootstrap)
        ))
    }, current: 0.2)

  @Test("Every chart is well-formed markup at every width", arguments: [240.0, 328, 720, 1_100])
  func wellFormed(width: Double) throws {
    for chart in try Self.charts() {
      let svg = chart.figure(width: width).svg(summary: chart.summary, style: "wide")
      let parser = XMLParser(data: Data(svg.utf8))
      #expect(parser.parse(), "\(chart.name): \(String(describing: parser.parserError))")
    }
  }

  @Test("Every mark lies inside its figure", arguments: [328.0, 720])
  func inside(width: Double) throws {
    for chart in try Self.charts() {
      let figure = chart.figure(width: width)
      for mark in figure.marks.flatMap(\.flattened) {
        guard case .text(let label) = mark else { continue }
        let length = TextWidth.of(label.text, size: label.size)
        let left =
          label.x - (label.anchor == .end ? length : label.anchor == .middle ? length / 2 : 0)
        if !label.isTurned {
          #expect(left >= -1, "\(chart.name): \(label.text)")
          #expect(left + length <= figure.width + 1, "\(chart.name): \(label.text)")
        }
        #expect(label.y >= 0 && label.y <= figure.height, "\(chart.name): \(label.text)")
      }
    }
  }

  @Test("A chart's PNG is 1,280 pixels wide and the same every time")
  func png() throws {
    for chart in try Self.charts() {
      let png = try chart.png()
      #expect(png == (try chart.png()))
      let header = try ImageCodec.header(of: png)
      #expect(header.size.width == 1_280)
      #expect(header.size.height == 2 * Int(chart.figure(width: 608).height.rounded(.up) + 66))
    }
  }

  @Test("Ground truth and prediction differ without color: one bar is dark, the other pale")
  func grayBars() {
    func gray(_ color: RGB) -> Double {
      0.299 * Double(color.red) + 0.587 * Double(color.green) + 0.114 * Double(color.blue)
    }
    let pale = Ink.prediction.light.mixed(over: Ink.surface.light, opacity: 0.3)
    #expect(gray(pale) - gray(Ink.truth.light) > 100)
  }

  @Test("An undefined score is a dash, not a dot at zero")
  func undefinedDot() {
    let dots = IntervalDots(
      name: "c", title: "", summary: "", classes: ["a"],
      panels: [.init(title: "recall", values: [.undefined])])
    let marks = dots.figure(width: 720).marks
    #expect(
      !marks.contains { if case .dot = $0 { true } else { false } })
    #expect(dots.figure(width: 720).svg(summary: "", style: "").contains(">–</text>"))
  }

  @Test(
    "The baseline's line leaves out the score's words where they stand in its way",
    arguments: [(0.075, 2), (0.7, 1)])
  func baselineLine(value: Double, pieces: Int) {
    // At 328 points wide, 0.235 is at 83 with text of about ±60 around it; 0.075 at 34, 0.7 at 222.
    let strip = AnswerStrip(
      name: "a", title: "", summary: "", score: Score(0.235), label: "mean IoU",
      baseline: (value, "all pixels"))
    let upright = strip.figure(width: 328).marks.compactMap { mark -> [Point]? in
      guard case .line(let points, .muted, 2, _) = mark else { return nil }
      return points
    }
    #expect(upright.count == pieces)
    // The text's capitals reach up to 29, its bottom is at 38.
    #expect(pieces == 1 || upright.allSatisfy { $0[1].y < 29 || $0[0].y > 38 })
  }

  @Test("Signs and ampersands get the room that they need")
  func wideSigns() {
    // DejaVu Sans, in em: d .635 o .612 g .635, blank .318, < .838 b .635 > .838 & .780.
    #expect(TextWidth.of("dog <b>&", size: 1) >= 5.291)
  }

  @Test("Labels stand above lines that run along the axis, not on its ticks")
  func lowLines() throws {
    // Ten samples, all correct.
    var tally = try ClassificationTally(classCount: 2)
    for step in 0..<10 {
      let sure = 0.6 + Float(step) * 0.04
      try tally.add(truths: [0], scores: [sure, 1 - sure])
    }
    let scores = try ClassificationScores(tally)
    let chart = RiskCoverageChart(
      name: "risk", title: "t", summary: "s",
      series: [
        .init(label: "by confidence", curve: scores.riskByConfidence, dash: .solid),
        .init(label: "by margin", curve: scores.riskByMargin, dash: .dashed),
      ])
    let figure = chart.figure(width: 720)
    var heights: [Double] = []
    for case .text(let label) in figure.marks.flatMap(\.flattened)
    where label.text.hasPrefix("by ") { heights.append(label.y) }
    // The figure ends 42 below the axis.
    #expect(heights.count == 2)
    #expect(heights.allSatisfy { $0 < figure.height - 42 })
    #expect(abs((heights.first ?? 0) - (heights.last ?? 0)) >= 12)
  }
}

extension Mark {
  /// The mark itself, or the marks that it contains.
  var flattened: [Mark] {
    switch self {
    case .link(_, _, let marks), .group(_, let marks): marks.flatMap(\.flattened)
    default: [self]
    }
  }
}
