/// Two counts per class as horizontal bars from zero: ground truth solid, prediction lighter with
/// an outline, so that they also differ without color.
struct GroupedBars: Chart {
  let name: String
  let title: String
  let summary: String
  let classes: [String]
  /// The number of times each class is the ground truth.
  let truth: [Int]
  /// The number of times each class was predicted.
  let predicted: [Int]

  func figure(width: Double) -> Figure {
    let isNarrow = width < 480
    let size = 12.0
    let bar = classes.count > 24 ? 8.0 : 13.0
    let group = 2 * bar + (classes.count > 24 ? 7 : 12)
    let names = classes.map { TextWidth.fitted($0, to: isNarrow ? 84 : 150, size: size) }
    let left = (names.map { TextWidth.of($0, size: size) }.max() ?? 0) + 10
    let right = 12 + TextWidth.of("ground truth 00,000", size: 11)
    let bottom = 8 + group * Double(classes.count)
    let largest = Double(max(truth.max() ?? 0, predicted.max() ?? 0))
    let ticks = isNarrow ? 3 : 5
    let scale = LinearScale(upTo: largest, ticks: ticks, start: left, end: width - right)
    var figure = Figure(width: width, height: bottom + 42)
    figure.marks.append(
      .line([Point(x: left, y: 4), Point(x: left, y: bottom)], ink: .muted))
    // The longest bars carry the words, so that they are easy to see.
    let named = truth.indices.max { truth[$0] + predicted[$0] < truth[$1] + predicted[$1] }
    for index in classes.indices {
      let y = 8 + group * Double(index)
      figure.marks.append(
        .text(
          Label(text: names[index], x: left - 10, y: y + bar + 4, size: size, anchor: .end)))
      let top = scale(Double(truth[index])) - left
      figure.marks.append(
        .rectangle(x: left, y: y, width: top, height: bar - 1, fill: .truth))
      let under = scale(Double(predicted[index])) - left
      figure.marks.append(
        .rectangle(
          x: left, y: y + bar, width: under, height: bar - 1, fill: .prediction, opacity: 0.3))
      figure.marks.append(
        .outline(
          x: left + 0.5, y: y + bar + 0.5, width: max(under - 1, 0), height: bar - 2,
          ink: .prediction))
      let rows = [
        ("ground truth ", truth[index], top, Ink.truth, 0.0),
        ("predicted ", predicted[index], under, .prediction, bar),
      ]
      for (word, count, length, ink, offset) in rows {
        let text = (index == named ? word : "") + NumberText.count(count)
        figure.marks.append(
          .text(
            Label(
              text: text, x: left + length + 6, y: y + offset + bar - 3, size: min(11, bar + 1),
              ink: .plain(index == named ? ink : .muted), isBold: index == named)))
      }
    }
    let axis = Axis(title: "samples", ticks: scale.ticks(ticks), decimals: 0)
    axis.drawBelow(scale, y: bottom, on: &figure)
    return figure
  }
}
