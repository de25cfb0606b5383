import AssayMetrics

/// The headline number on a line from 0 to 1: its interval, and the baseline that it must beat.
struct AnswerStrip: Chart {
  let name: String
  let title: String
  let summary: String
  let score: Score
  /// The name of the number: `accuracy`.
  let label: String
  /// The baseline with its label; `nil` if there is none.
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
      // The baseline's line leaves a gap for the score's label if the two would overlap.
      let pieces =
        words(within: figure.width, scale).contains(x)
        ? [(16.0, middle - 26), (middle - 10, middle + 7)] : [(16.0, middle + 7)]
      for (top, bottom) in pieces {
        figure.marks.append(
          .line([Point(x: x, y: top), Point(x: x, y: bottom)], ink: .muted, lineWidth: 2))
      }
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
      drawLabel(words(of: value), at: value, y: middle - 14, ink: .accent, scale, on: &figure)
    }
    Axis(title: "", ticks: scale.ticks(5), decimals: 1).drawBelow(
      scale, y: middle + 10, on: &figure)
    return figure
  }

  private func words(of value: Double) -> String { label + " " + NumberText.fixed(value) }

  /// Returns the horizontal range of the score's label; without a score, a
  /// range outside the figure.
  private func words(within width: Double, _ scale: LinearScale) -> ClosedRange<Double> {
    guard let value = score.value else { return -1...(-1) }
    let (x, half) = place(words(of: value), at: value, ink: .accent, scale, within: width)
    return (x - half)...(x + half)
  }

  /// Returns a label's center, over its value but moved to stay inside the figure,
  /// and half its width.
  private func place(
    _ text: String, at value: Double, ink: Ink, _ scale: LinearScale, within width: Double
  ) -> (x: Double, half: Double) {
    // Bold text is about an eighth wider.
    let half = TextWidth.of(text, size: 12) * (ink == .accent ? 1.125 : 1) / 2 + 4
    return (min(max(scale(value), half), width - half), half)
  }

  /// Draws a label at its position.
  private func drawLabel(
    _ text: String, at value: Double, y: Double, ink: Ink, _ scale: LinearScale,
    on figure: inout Figure
  ) {
    let (x, _) = place(text, at: value, ink: ink, scale, within: figure.width)
    figure.marks.append(
      .text(
        Label(
          text: text, x: x, y: y, size: 12, ink: .plain(ink), anchor: .middle,
          isBold: ink == .accent)
      ))
  }
}
