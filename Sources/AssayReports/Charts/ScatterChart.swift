/// A score of each sample against another quantity of the sample, in several panels side by side.
struct ScatterChart: Chart {
  /// One quantity against the score.
  struct Panel: Sendable {
    /// The title of the horizontal axis.
    let axis: String
    let points: [Point]
  }

  let name: String
  let title: String
  let summary: String
  /// The title of the vertical axis: `IoU`.
  let score: String
  let panels: [Panel]

  /// The maximum number of dots per panel; larger sets are thinned evenly.
  static let dotLimit = 1_500

  func figure(width: Double) -> Figure {
    let isNarrow = width < 480
    let perRow = isNarrow ? 1 : max(panels.count, 1)
    let gap = 28.0
    let panelWidth = (width - 16 - gap * Double(perRow - 1)) / Double(perRow)
    let panelHeight = 34 + min(280, (panelWidth - 44) * 0.75) + 46
    let rows = (panels.count + perRow - 1) / perRow
    var figure = Figure(width: width, height: panelHeight * Double(rows))
    for (index, panel) in panels.enumerated() {
      draw(
        panel, on: &figure, x: Double(index % perRow) * (panelWidth + gap),
        y: Double(index / perRow) * panelHeight, width: panelWidth, height: panelHeight,
        isFirst: index % perRow == 0)
    }
    return figure
  }

  private func draw(
    _ panel: Panel, on figure: inout Figure, x left: Double, y top: Double, width: Double,
    height: Double, isFirst: Bool
  ) {
    let (from, to) = (left + 40, left + width)
    let (upper, lower) = (top + 34, top + height - 46)
    let x = LinearScale(
      upTo: max(panel.points.map(\.x).max() ?? 1, 1e-3), ticks: 4, start: from, end: to)
    let y = LinearScale(0...1, start: lower, end: upper)
    for tick in y.ticks(4) {
      figure.marks.append(
        .line([Point(x: from, y: y(tick)), Point(x: to, y: y(tick))], ink: .line))
      figure.marks.append(
        .text(
          Label(
            text: NumberText.fixed(tick, 2), x: from - 8, y: y(tick) + 4, size: 11,
            ink: .plain(.muted), anchor: .end)))
    }
    figure.marks.append(
      .text(Label(text: score, x: left, y: upper - 14, size: 12, ink: .plain(.muted))))
    // A small number of dots can be drawn larger.
    let radius = panel.points.count > 400 ? 1.75 : 2.5
    for point in Self.thinned(panel.points) {
      figure.marks.append(.dot(x: x(point.x), y: y(point.y), radius: radius, fill: .accent))
    }
    let ticks = x.ticks(4)
    Axis(title: panel.axis, ticks: ticks, decimals: Axis.decimals(for: ticks))
      .drawBelow(x, y: lower, on: &figure)
  }

  /// Returns every n-th point, so that at most ``dotLimit`` remain.
  private static func thinned(_ points: [Point]) -> [Point] {
    let step = (points.count + dotLimit - 1) / dotLimit
    guard step > 1 else { return points }
    return stride(from: 0, to: points.count, by: step).map { points[$0] }
  }
}
