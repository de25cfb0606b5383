import AssayMetrics

/// One dot per class with its interval as a line, for several scores side by side.
struct IntervalDots: Chart {
  /// One score of every class.
  struct Panel: Sendable {
    let title: String
    let values: [Score]
  }

  let name: String
  let title: String
  let summary: String
  let classes: [String]
  let panels: [Panel]

  func figure(width: Double) -> Figure {
    let isNarrow = width < 480
    let size = 12.0
    let row = classes.count > 24 ? 16.0 : 22.0
    let names = classes.map { TextWidth.fitted($0, to: isNarrow ? 104 : 130, size: size) }
    let left = (names.map { TextWidth.of($0, size: size) }.max() ?? 0) + 12
    // On a phone the panels are stacked vertically, with the names repeated.
    let perRow = isNarrow ? 1 : max(panels.count, 1)
    let gap = perRow == 2 ? 46.0 : 30
    let panelWidth = (width - left - 18 - gap * Double(perRow - 1)) / Double(perRow)
    let panelHeight = 30 + row * Double(classes.count) + 40
    let rows = (panels.count + perRow - 1) / perRow
    var figure = Figure(width: width, height: panelHeight * Double(rows))
    for (index, panel) in panels.enumerated() {
      let x = left + Double(index % perRow) * (panelWidth + gap)
      let y = Double(index / perRow) * panelHeight
      draw(
        panel, names: index % perRow == 0 ? names : nil, on: &figure, x: x, y: y,
        width: panelWidth, row: row)
    }
    return figure
  }

  private func draw(
    _ panel: Panel, names: [String]?, on figure: inout Figure, x: Double, y: Double, width: Double,
    row: Double
  ) {
    let scale = LinearScale(0...1, start: x, end: x + width)
    figure.marks.append(
      .text(Label(text: panel.title, x: x, y: y + 14, size: 12, isBold: true)))
    let bottom = y + 30 + row * Double(panel.values.count)
    for (index, score) in panel.values.enumerated() {
      let middle = y + 30 + (Double(index) + 0.5) * row
      figure.marks.append(
        .line([Point(x: x, y: middle), Point(x: x + width, y: middle)], ink: .line))
      if let names {
        figure.marks.append(
          .text(Label(text: names[index], x: x - 12, y: middle + 4, size: 12, anchor: .end)))
      }
      guard let value = score.value else {
        figure.marks.append(
          .text(
            Label(
              text: NumberText.undefined, x: x + 2, y: middle + 4, size: 12, ink: .plain(.muted))))
        continue
      }
      if let interval = score.interval {
        figure.marks.append(
          .line(
            [Point(x: scale(interval.low), y: middle), Point(x: scale(interval.high), y: middle)],
            ink: .accent,
            lineWidth: 2))
      }
      figure.marks.append(.dot(x: scale(value), y: middle, radius: 4, fill: .accent))
    }
    let ticks = scale.ticks(width < 240 ? 2 : 4)
    Axis(title: "", ticks: ticks, decimals: Axis.decimals(for: ticks))
      .drawBelow(scale, y: bottom, on: &figure)
  }
}
