/// One count per class as horizontal bars from zero.
struct ClassBars: Chart {
  let name: String
  let title: String
  let summary: String
  /// The unit of the counts, shown on the axis: `images`.
  let axis: String
  let classes: [String]
  /// One count per class.
  let counts: [Int]

  func figure(width: Double) -> Figure {
    let isNarrow = width < 480
    let size = 12.0
    let row = classes.count > 24 ? 16.0 : 22.0
    let names = classes.map { TextWidth.fitted($0, to: isNarrow ? 84 : 150, size: size) }
    let left = (names.map { TextWidth.of($0, size: size) }.max() ?? 0) + 10
    let right = 12 + TextWidth.of("00,000,000", size: 11)
    let bottom = 8 + row * Double(classes.count)
    let ticks = isNarrow ? 3 : 5
    let scale = LinearScale(
      upTo: max(Double(counts.max() ?? 0), 1), ticks: ticks, start: left, end: width - right)
    var figure = Figure(width: width, height: bottom + 42)
    figure.marks.append(.line([Point(x: left, y: 4), Point(x: left, y: bottom)], ink: .muted))
    for (index, count) in counts.enumerated() {
      let y = 8 + row * Double(index)
      figure.marks.append(
        .text(
          Label(text: names[index], x: left - 10, y: y + row / 2 + 4, size: size, anchor: .end)))
      let length = scale(Double(count)) - left
      figure.marks.append(
        .rectangle(x: left, y: y + 2, width: length, height: row - 5, fill: .prediction))
      figure.marks.append(
        .text(
          Label(
            text: NumberText.count(count), x: left + length + 6, y: y + row / 2 + 3.5, size: 11,
            ink: .plain(.muted))))
    }
    let whole = scale.ticks(ticks).filter { $0 == $0.rounded() }
    Axis(title: axis, ticks: whole, decimals: 0).drawBelow(scale, y: bottom, on: &figure)
    return figure
  }
}
