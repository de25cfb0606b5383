import AssayMetrics

/// The share of wrong answers against the share of samples answered, for two ways to abstain.
struct RiskCoverageChart: Chart {
  /// One way to choose which samples are answered.
  struct Series: Sendable {
    /// The label next to the line.
    let label: String
    let curve: RiskCoverageCurve
    let dash: Dash
  }

  let name: String
  let title: String
  let summary: String
  let series: [Series]

  func figure(width: Double) -> Figure {
    let left = 44.0
    let right = width - 16
    let top = 34.0
    let bottom = top + min(300, (right - left) * 0.66)
    let x = LinearScale(0...1, start: left, end: right)
    // The first few samples alone swing between 0 and 1; the axis is scaled to the rest.
    let steady = series.flatMap { line in
      line.curve.points.filter { line.curve.coverage(of: $0) >= 0.02 }.map(\.risk)
    }
    let y = LinearScale(upTo: max(steady.max() ?? 1, 0.01), ticks: 5, start: bottom, end: top)
    var figure = Figure(width: width, height: bottom + 42)
    let ticks = y.ticks(5)
    Axis(
      title: "risk: share of answered samples that are wrong", ticks: ticks,
      decimals: Axis.decimals(for: ticks)
    ).drawLeft(y, from: left, to: right, on: &figure)
    for line in series {
      let points = line.curve.thinned(to: max(2, Int(width / 2))).map {
        Point(x: x(line.curve.coverage(of: $0)), y: y(min($0.risk, y.domain.upperBound)))
      }
      let isSolid = line.dash == .solid
      figure.marks.append(
        .line(points, ink: isSolid ? .accent : .text, lineWidth: isSolid ? 2 : 1.5, dash: line.dash)
      )
    }
    drawLabels(on: &figure, x: x, y: y)
    if let end = series.first?.curve.points.last {
      figure.marks.append(
        .dot(x: x(1), y: y(end.risk), radius: 3.5, fill: .accent))
      figure.marks.append(
        .text(
          Label(
            text: "all answered: " + NumberText.fixed(end.risk), x: right - 2, y: y(end.risk) - 10,
            size: 11, ink: .plain(.text), anchor: .end)))
    }
    Axis(title: "coverage: share of samples answered", ticks: x.ticks(5), decimals: 1)
      .drawBelow(x, y: bottom, on: &figure)
    return figure
  }

  /// Places each label where the lines are furthest apart, the upper line's above it and
  /// the lower's below it.
  private func drawLabels(on figure: inout Figure, x: LinearScale, y: LinearScale) {
    guard let first = series.first else { return }
    let second = series.dropFirst().first
    // Below a line that runs along the axis, a label would overlap the ticks.
    let floor = y(y.domain.lowerBound) - 4
    let roomy = [0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75].filter { place in
      series.prefix(2).allSatisfy { y($0.risk(at: place) ?? 0) + 18 <= floor }
    }
    let near = roomy.filter { $0 <= 0.6 }
    let place =
      (near.isEmpty ? roomy : near).max {
        gap(first, second, at: $0).magnitude < gap(first, second, at: $1).magnitude
      } ?? 0.5
    let firstIsAbove = gap(first, second, at: place) >= 0
    for (index, line) in series.prefix(2).enumerated() {
      guard let risk = line.risk(at: place) else { continue }
      let isUpper = (index == 0) == firstIsAbove
      // Without room both labels are above the lines, in the order of the lines.
      let isAbove = isUpper || roomy.isEmpty
      let rise: Double = isUpper && roomy.isEmpty ? -24 : -8
      figure.marks.append(
        .text(
          Label(
            text: line.label, x: x(place) + (isAbove ? -8 : 8), y: y(risk) + (isAbove ? rise : 18),
            size: 12, ink: .plain(line.dash == .solid ? .accent : .text),
            anchor: isAbove ? .end : .start, isBold: line.dash == .solid)))
    }
  }

  private func gap(_ first: Series, _ second: Series?, at coverage: Double) -> Double {
    (first.risk(at: coverage) ?? 0) - (second?.risk(at: coverage) ?? 0)
  }
}

extension RiskCoverageChart.Series {
  /// Returns the risk if this share of the samples is answered.
  fileprivate func risk(at coverage: Double) -> Double? {
    curve.accuracy(atCoverage: coverage).map { 1 - $0 }
  }
}
