import AssayMetrics

/// The cost of each type of error as a horizontal bar from zero, with its interval as a line over
/// the end of the bar.
struct ErrorBars: Chart {
  /// One type of error.
  struct Bar: Sendable {
    let name: String
    let cost: Score
    /// The number of errors of the type.
    let count: Int
  }

  let name: String
  let title: String
  let summary: String
  /// The title of the axis: `AP50 lost`.
  let axis: String
  let bars: [Bar]

  func figure(width: Double) -> Figure {
    let isNarrow = width < 480
    let size = isNarrow ? 11.0 : 12.0
    let row = 28.0
    let names = bars.map { TextWidth.fitted($0.name, to: isNarrow ? 110 : 190, size: size) }
    let left = (names.map { TextWidth.of($0, size: size) }.max() ?? 0) + 10
    let counts = bars.map { NumberText.count($0.count) }
    let countWidth =
      max(counts.map { TextWidth.of($0, size: 11) }.max() ?? 0, TextWidth.of("count", size: 11))
    let right = 8 + countWidth
    let number = 8 + TextWidth.of("0.000", size: 12) * 1.125
    let ends = bars.flatMap { [$0.cost.value, $0.cost.interval?.high].compactMap(\.self) }
    let top = 20.0
    let bottom = top + row * Double(bars.count)
    // The number is to the right of the longest bar.
    let scale = LinearScale(
      0...max(ends.max() ?? 0, 0.001), start: left, end: width - right - number)
    var figure = Figure(width: width, height: bottom + 42)
    figure.marks.append(
      .text(
        Label(
          text: "count", x: width, y: top - 8, size: 11, ink: .plain(.muted), anchor: .end)))
    for (index, bar) in bars.enumerated() {
      let middle = top + (Double(index) + 0.5) * row
      figure.marks.append(
        .text(Label(text: names[index], x: left - 10, y: middle + 4, size: size, anchor: .end)))
      figure.marks.append(
        .text(
          Label(
            text: counts[index], x: width, y: middle + 4, size: 11, ink: .plain(.muted),
            anchor: .end)))
      draw(bar, on: &figure, scale: scale, middle: middle, isFirst: index == 0)
    }
    figure.marks.append(
      .line([Point(x: left, y: top - 4), Point(x: left, y: bottom + 2)], ink: .muted))
    let ticks = scale.ticks(isNarrow ? 3 : 5)
    Axis(title: axis, ticks: ticks, decimals: Axis.decimals(for: ticks))
      .drawBelow(scale, y: bottom, on: &figure)
    return figure
  }

  private func draw(
    _ bar: Bar, on figure: inout Figure, scale: LinearScale, middle: Double, isFirst: Bool
  ) {
    guard let value = bar.cost.value else {
      figure.marks.append(
        .text(
          Label(
            text: NumberText.undefined, x: scale.start + 6, y: middle + 4, size: 12,
            ink: .plain(.muted))))
      return
    }
    let end = scale(min(value, scale.domain.upperBound))
    figure.marks.append(
      .rectangle(
        x: scale.start, y: middle - 8, width: end - scale.start, height: 16, fill: .prediction,
        opacity: isFirst ? 1 : 0.7))
    var reach = end
    if let interval = bar.cost.interval {
      reach = max(end, scale(interval.high))
      figure.marks.append(
        .line(
          [Point(x: scale(interval.low), y: middle), Point(x: scale(interval.high), y: middle)],
          ink: .text, lineWidth: 1.5))
    }
    figure.marks.append(
      .text(
        Label(
          text: NumberText.fixed(value), x: reach + 6, y: middle + 4, size: 12, isBold: isFirst)))
  }
}
