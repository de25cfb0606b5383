/// Precision over recall at some IoU thresholds; the area under each line is its AP.
struct PrecisionRecallChart: Chart {
  let name: String
  let title: String
  let summary: String
  /// The lines in ascending order of the IoU; the first one is the boldest.
  let lines: [PrecisionRecallLine]

  func figure(width: Double) -> Figure {
    let left = 40.0
    let right = width - 16
    let top = 34.0
    let bottom = top + min(300, (right - left) * 0.66)
    let x = LinearScale(0...1, start: left, end: right)
    let y = LinearScale(0...1, start: bottom, end: top)
    var figure = Figure(width: width, height: bottom + 42)
    Axis(title: "precision: share of detections that are correct", ticks: y.ticks(4), decimals: 2)
      .drawLeft(y, from: left, to: right, on: &figure)
    for (place, line) in lines.enumerated() {
      let points = line.points.map { Point(x: x($0.recall), y: y($0.precision)) }
      if place == 0, let first = points.first, let last = points.last {
        let corners = [Point(x: last.x, y: y(0)), Point(x: first.x, y: y(0))]
        figure.marks.append(.area(points + corners, fill: .accent, opacity: 0.08))
      }
      figure.marks.append(
        .line(
          points, ink: place == 0 ? .accent : .text, lineWidth: place == 0 ? 2 : 1.5,
          dash: Self.dash(place)))
    }
    drawLabels(on: &figure, x: x, y: y)
    Axis(title: "recall: share of objects that are found", ticks: x.ticks(5), decimals: 1)
      .drawBelow(x, y: bottom, on: &figure)
    return figure
  }

  static func dash(_ place: Int) -> Dash { place == 0 ? .solid : place == 1 ? .dashed : .dotted }

  /// Draws the first line's name above it, to the right of where it starts to fall, and the others'
  /// names below their lines, to the left. The lines never rise, so no name overlaps its own line.
  private func drawLabels(on figure: inout Figure, x: LinearScale, y: LinearScale) {
    for (place, line) in lines.enumerated() {
      guard let end = line.points.last else { continue }
      let text = "IoU \(NumberText.short(line.iou)): AP \(NumberText.fixed(line.ap))"
      let isFirst = place == 0
      let width = TextWidth.of(text, size: 12) + 8
      let recall = isFirst ? 0.12 : width / (x.end - x.start) + 0.02
      let index = Int((recall * Double(line.precision.count - 1)).rounded())
      let level = y(line.precision.indices.contains(index) ? line.precision[index] : 0)
      var label = Label(
        text: text, x: x(recall), y: isFirst ? level - 7 : level + 17, size: 12,
        ink: .plain(isFirst ? .accent : .text), anchor: isFirst ? .start : .end, isBold: isFirst)
      if isFirst, recall > end.recall {
        (label.x, label.y) = (x(end.recall) + 6, y(end.precision) - 7)
      } else if !isFirst, recall > end.recall || label.y > y.start - 6 {
        (label.x, label.y, label.anchor) = (x(end.recall) + 6, y.start - 7, .start)
      }
      label.y = max(label.y, y.end + 10)
      figure.marks.append(.text(label))
    }
  }
}
