import AssayMetrics

/// Accuracy against confidence in bins of equal width, with the bins' intervals as a band
/// and their counts below.
struct ReliabilityChart: Chart {
  let name: String
  let title: String
  let summary: String
  let bins: [Calibration.Bin]
  /// The words for the counted unit, the measured quantity and the quantity on the horizontal axis.
  var words = (counted: "samples", measured: "accuracy", against: "confidence")

  func figure(width: Double) -> Figure {
    let left = 40.0
    let right = width - 14
    let top = 34.0
    let bottom = top + min(300, (right - left) * 0.72)
    let x = LinearScale(0...1, start: left, end: right)
    let y = LinearScale(0...1, start: bottom, end: top)
    let countTop = bottom + 34
    let countBottom = countTop + 56
    var figure = Figure(width: width, height: countBottom + 42)
    Axis(title: "\(words.measured) in the bin", ticks: y.ticks(4), decimals: 2)
      .drawLeft(y, from: left, to: right, on: &figure)
    figure.marks.append(
      .line(
        [Point(x: x(0), y: y(0)), Point(x: x(1), y: y(1))], ink: .muted, dash: .dashed))
    let isNarrow = width < 480
    figure.marks += [
      .text(
        Label(
          text: isNarrow ? "underconfident" : "underconfident: above the diagonal", x: left + 10,
          y: y(0.93), size: 11, ink: .plain(.muted))),
      .text(
        Label(
          text: isNarrow ? "overconfident" : "overconfident: below the diagonal", x: right - 4,
          y: y(0.05), size: 11, ink: .plain(.muted), anchor: .end)),
    ]
    var (lower, upper, points): ([Point], [Point], [Point]) = ([], [], [])
    for bin in bins {
      guard let confidence = bin.meanConfidence, let accuracy = bin.accuracy,
        let interval = WilsonInterval.of(bin.right, in: bin.count)
      else { continue }
      points.append(Point(x: x(confidence), y: y(accuracy)))
      lower.append(Point(x: x(confidence), y: y(interval.low)))
      upper.append(Point(x: x(confidence), y: y(interval.high)))
    }
    figure.marks.append(.area(lower + upper.reversed(), fill: .accent, opacity: 0.16))
    figure.marks.append(.line(points, ink: .accent, lineWidth: 2))
    for point in points {
      figure.marks.append(.dot(x: point.x, y: point.y, radius: 3, fill: .accent))
    }
    drawCounts(on: &figure, x: x, top: countTop, bottom: countBottom)
    return figure
  }

  private func drawCounts(
    on figure: inout Figure, x: LinearScale, top: Double, bottom: Double
  ) {
    let largest = bins.map(\.count).max() ?? 0
    let scale = LinearScale(0...Double(max(largest, 1)), start: bottom, end: top)
    figure.marks.append(
      .text(
        Label(text: words.counted, x: 0, y: top - 17, size: 12, ink: .plain(.muted))))
    for bin in bins where bin.count > 0 {
      let left = x(bin.low)
      let width = x(bin.high) - left
      figure.marks.append(
        .rectangle(
          x: left + 0.5, y: scale(Double(bin.count)), width: width - 1,
          height: bottom - scale(Double(bin.count)), fill: .muted, opacity: 0.45))
      let text = NumberText.count(bin.count)
      let size = min(11, (width - 2) / TextWidth.of(text, size: 1))
      if size >= 8 {
        figure.marks.append(
          .text(
            Label(
              text: text, x: left + width / 2, y: scale(Double(bin.count)) - 3, size: size,
              ink: .plain(.muted), anchor: .middle)))
      }
    }
    figure.marks.append(
      .line([Point(x: x.start, y: bottom), Point(x: x.end, y: bottom)], ink: .muted))
    Axis(title: words.against, ticks: x.ticks(5), decimals: 1)
      .drawBelow(x, y: bottom, on: &figure)
  }
}

extension Calibration.Bin {
  /// The number of correct samples in the bin.
  fileprivate var right: Int { Int(((accuracy ?? 0) * Double(count)).rounded()) }
}
