import AssayMetrics

/// IoU and Dice over one setting with their intervals as bands; the best value and the value
/// in use are marked.
struct SweepChart: Chart {
  let name: String
  let title: String
  let summary: String
  let curve: SweepCurve
  /// The names of the two lines: `mean IoU`, `mean Dice`.
  let lines: (iou: String, dice: String)

  func figure(width: Double) -> Figure {
    let left = 48.0
    let right = width - 16
    let top = 50.0
    let bottom = top + min(300, (right - left) * 0.6)
    let values = curve.places.map(\.value)
    let x = LinearScale(
      (values.min() ?? 0)...max(values.max() ?? 1, values.min() ?? 0), start: left + 8,
      end: right - 8)
    let y = vertical(start: bottom, end: top)
    var figure = Figure(width: width, height: bottom + 42)
    let ticks = y.ticks(5)
    Axis(title: "score", ticks: ticks, decimals: Axis.decimals(for: ticks))
      .drawLeft(y, from: left, to: right, on: &figure)
    drawCurrent(on: &figure, x: x, top: top, bottom: bottom)
    draw(curve.places.map { ($0.value, $0.dice) }, .solid, .text, on: &figure, x: x, y: y)
    draw(curve.places.map { ($0.value, $0.iou) }, .solid, .accent, on: &figure, x: x, y: y)
    drawNames(on: &figure, x: x, y: y)
    drawBest(on: &figure, x: x, y: y, bottom: bottom)
    let below = x.ticks(width < 480 ? 4 : 8)
    Axis(title: curve.setting, ticks: below, decimals: Axis.decimals(for: below))
      .drawBelow(x, y: bottom, on: &figure)
    return figure
  }

  /// Covers only the range that the curves use: differences between settings are small.
  private func vertical(start: Double, end: Double) -> LinearScale {
    let scores = curve.places.flatMap { [$0.iou, $0.dice] }
    let ends = scores.flatMap {
      [$0.value, $0.interval?.low, $0.interval?.high].compactMap(\.self)
    }
    guard let low = ends.min(), let high = ends.max() else {
      return LinearScale(0...1, start: start, end: end)
    }
    let step = TickStep.round(for: max(high - low, 0.02) / 5)
    let from = max(0, (low / step - 0.2).rounded(.down) * step)
    let to = min(1, (high / step + 0.2).rounded(.up) * step)
    return LinearScale(from...max(to, from + step), start: start, end: end)
  }

  private func draw(
    _ points: [(value: Double, score: Score)], _ dash: Dash, _ ink: Ink, on figure: inout Figure,
    x: LinearScale, y: LinearScale
  ) {
    // The line has a gap at undefined scores.
    for part in points.split(whereSeparator: { $0.score.value == nil }) {
      let intervals = part.compactMap { place in place.score.interval.map { (place.value, $0) } }
      if intervals.count == part.count {
        let lower = intervals.map { Point(x: x($0.0), y: y($0.1.low)) }
        let upper = intervals.map { Point(x: x($0.0), y: y($0.1.high)) }
        figure.marks.append(.area(lower + upper.reversed(), fill: ink, opacity: 0.1))
      }
      let line = part.compactMap { place in
        place.score.value.map { Point(x: x(place.value), y: y($0)) }
      }
      figure.marks.append(.line(line, ink: ink, lineWidth: 2, dash: dash))
      for point in line where line.count <= 40 {
        figure.marks.append(.dot(x: point.x, y: point.y, radius: 2.5, fill: ink))
      }
    }
  }

  private func drawCurrent(on figure: inout Figure, x: LinearScale, top: Double, bottom: Double) {
    guard let current = curve.current, x.domain.contains(current) else { return }
    figure.marks.append(
      .line(
        [Point(x: x(current), y: top - 8), Point(x: x(current), y: bottom)], ink: .muted,
        dash: .dashed))
    let text = "current: " + NumberText.short(current)
    let half = TextWidth.of(text, size: 12) / 2 + 2
    figure.marks.append(
      .text(
        Label(
          text: text, x: min(max(x(current), 48 + half), figure.width - half), y: top - 14,
          size: 12, ink: .plain(.muted), anchor: .middle)))
  }

  /// Draws each line's name near its left end, above the line.
  private func drawNames(on figure: inout Figure, x: LinearScale, y: LinearScale) {
    let middle = x.start + (x.end - x.start) * 0.2
    for (name, score, ink) in [
      (lines.iou, { (place: SweepCurve.Place) in place.iou }, Ink.accent),
      (lines.dice, { (place: SweepCurve.Place) in place.dice }, Ink.text),
    ] {
      let half = TextWidth.of(name, size: 12) * 1.125 / 2
      guard let edge = edges(of: score, near: middle, half, x: x, y: y)?.upper else { continue }
      figure.marks.append(
        .text(
          Label(
            text: name, x: max(middle, x.start + half), y: edge - 8, size: 12, ink: .plain(ink),
            anchor: .middle, isBold: true)))
    }
  }

  private func drawBest(on figure: inout Figure, x: LinearScale, y: LinearScale, bottom: Double) {
    guard let best = curve.best, let value = best.iou.value else { return }
    figure.marks.append(.dot(x: x(best.value), y: y(value), radius: 5, fill: .accent))
    let text =
      "best: \(NumberText.short(best.value)), \(lines.iou) \(NumberText.fixed(value)), "
      + "chosen on these samples"
    let short = "best: \(NumberText.short(best.value)) (on these samples)"
    let size = 11.0
    let shown = TextWidth.of(text, size: size) > figure.width - 64 ? short : text
    let half = TextWidth.of(shown, size: size) / 2 + 4
    let middle = min(max(x(best.value), 48 + half), figure.width - half)
    let under = edges(of: \.iou, near: middle, half, x: x, y: y)?.lower ?? y(value)
    figure.marks.append(
      .text(
        Label(
          text: shown, x: middle, y: min(max(under, y(value) + 6) + 16, bottom - 8), size: size,
          ink: .plain(.accent), anchor: .middle)))
  }

  /// Returns the highest and lowest positions of a line and its band below a text.
  private func edges(
    of score: (SweepCurve.Place) -> Score, near middle: Double, _ half: Double, x: LinearScale,
    y: LinearScale
  ) -> (upper: Double, lower: Double)? {
    let step = (x.end - x.start) / Double(max(curve.places.count - 1, 1))
    let near = curve.places.filter { (x($0.value) - middle).magnitude <= half + step }.map(score)
    let values = near.flatMap { [$0.value, $0.interval?.low].compactMap(\.self) }.map { y($0) }
    guard let lower = values.max(), let upper = near.compactMap(\.value).map({ y($0) }).min()
    else { return nil }
    return (upper, lower)
  }
}
