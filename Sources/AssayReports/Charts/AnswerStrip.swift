import AssayMetrics

/// The headline number on a line from 0 to 1: its interval, and the baseline that it must beat.
struct AnswerStrip: Chart {
  let name: String
  let title: String
  let summary: String
  let score: Score
  /// What the number is called: `accuracy`.
  let label: String
  /// The baseline with its words; `nil` where there is none.
  let baseline: (value: Double, label: String)?

  func figure(width: Double) -> Figure {
    let middle = 52.0
    let scale = LinearScale(0...1, start: 12, end: width - 16)
    var figure = Figure(width: width, height: 88)
    figure.marks.append(
      .line(
        [Point(x: scale(0), y: middle), Point(x: scale(1), y: middle)], ink: .line, lineWidth: 2))
    if let baseline {
      let x = scale(baseline.value)
      figure.marks.append(
        .line([Point(x: x, y: 16), Point(x: x, y: middle + 7)], ink: .muted, lineWidth: 2))
      drawLabel(baseline.label, at: baseline.value, y: 11, ink: .muted, scale, on: &figure)
    }
    if let interval = score.interval {
      figure.marks.append(
        .rectangle(
          x: scale(interval.low), y: middle - 7,
          width: max(scale(interval.high) - scale(interval.low), 1), height: 14, fill: .accent,
          opacity: 0.28))
    }
    if let value = score.value {
      figure.marks.append(.dot(x: scale(value), y: middle, radius: 5, fill: .accent))
      drawLabel(
        label + " " + NumberText.fixed(value), at: value, y: middle - 14, ink: .accent, scale,
        on: &figure)
    }
    Axis(title: "", ticks: scale.ticks(5), decimals: 1).drawBelow(
      scale, y: middle + 10, on: &figure)
    return figure
  }

  /// Centres a label over its value, or moves it until it is inside the figure.
  private func drawLabel(
    _ text: String, at value: Double, y: Double, ink: Ink, _ scale: LinearScale,
    on figure: inout Figure
  ) {
    // Bold is about an eighth wider.
    let half = TextWidth.of(text, size: 12) * (ink == .accent ? 1.125 : 1) / 2 + 4
    let x = min(max(scale(value), half), figure.width - half)
    figure.marks.append(
      .text(
        Label(
          text: text, x: x, y: y, size: 12, ink: .plain(ink), anchor: .middle,
          isBold: ink == .accent)
      ))
  }
}
