/// Precision over recall of some classes, one small chart per class with the same axes.
struct PrecisionRecallPanels: Chart {
  /// One class.
  struct Panel: Sendable {
    let name: String
    /// The number of ground-truth objects of the class.
    let truths: Int
    let lines: [PrecisionRecallLine]
    /// The point at the working score; `nil` if it is undefined.
    let working: (recall: Double, precision: Double)?
  }

  let name: String
  let title: String
  let summary: String
  let panels: [Panel]

  func figure(width: Double) -> Figure {
    let perRow = width < 480 ? 2 : 4
    let left = 26.0
    let gap = 18.0
    let side = (width - left - 8 - gap * Double(perRow - 1)) / Double(perRow)
    let height = (side * 0.72).rounded()
    let row = height + 62
    let rows = (panels.count + perRow - 1) / perRow
    var figure = Figure(width: width, height: row * Double(rows) + 18)
    for (index, panel) in panels.enumerated() {
      let column = index % perRow
      let x = left + Double(column) * (side + gap)
      let top = Double(index / perRow) * row + 34
      draw(
        panel, on: &figure, x: LinearScale(0...1, start: x, end: x + side),
        y: LinearScale(0...1, start: top + height, end: top), isFirst: column == 0)
    }
    figure.marks.append(
      .text(
        Label(
          text: "precision over recall", x: left, y: row * Double(rows) + 10, size: 12,
          ink: .plain(.muted))))
    return figure
  }

  private func draw(
    _ panel: Panel, on figure: inout Figure, x: LinearScale, y: LinearScale, isFirst: Bool
  ) {
    let width = x.end - x.start
    let words = "AP50 " + NumberText.fixed(panel.lines.first?.ap)
    figure.marks += [
      .text(
        Label(
          text: TextWidth.fitted(panel.name, to: width / 1.125, size: 12), x: x.start,
          y: y.end - 20, size: 12, isBold: true)),
      .text(
        Label(
          text: words, x: x.start, y: y.end - 6, size: 11, ink: .plain(.accent))),
      .text(
        Label(
          text: "n " + NumberText.count(panel.truths), x: x.end, y: y.end - 6, size: 11,
          ink: .plain(.muted), anchor: .end)),
    ]
    for tick in [0, 0.5, 1] {
      figure.marks.append(
        .line(
          [Point(x: x.start, y: y(tick)), Point(x: x.end, y: y(tick))],
          ink: tick == 0 ? .muted : .line))
      if isFirst {
        figure.marks.append(
          .text(
            Label(
              text: NumberText.short(tick), x: x.start - 5, y: y(tick) + 4, size: 10,
              ink: .plain(.muted), anchor: .end)))
      }
      figure.marks.append(
        .text(
          Label(
            text: NumberText.short(tick), x: x(tick), y: y.start + 13, size: 10,
            ink: .plain(.muted), anchor: tick == 0 ? .start : tick == 1 ? .end : .middle)))
    }
    for (place, line) in panel.lines.enumerated() {
      let points = line.points.map { Point(x: x($0.recall), y: y($0.precision)) }
      if place == 0, let first = points.first, let last = points.last {
        let corners = [Point(x: last.x, y: y(0)), Point(x: first.x, y: y(0))]
        figure.marks.append(.area(points + corners, fill: .accent, opacity: 0.1))
      }
      figure.marks.append(
        .line(
          points, ink: place == 0 ? .accent : .text, lineWidth: place == 0 ? 1.75 : 1.25,
          dash: PrecisionRecallChart.dash(place)))
    }
    if let working = panel.working {
      figure.marks.append(
        .dot(x: x(working.recall), y: y(working.precision), radius: 3, fill: .text))
    }
  }
}
