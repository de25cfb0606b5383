/// The distribution of a score in `0...1` over the samples: bars of equal width from zero, with the mean.
struct ScoreHistogram: Chart {
  let name: String
  let title: String
  let summary: String
  /// The name of the score, shown on the axis: `IoU of a sample`.
  let axis: String
  /// The defined values.
  let values: [Double]
  /// Counts and mean used instead of ``values`` if those are too many to keep in memory.
  var binned: (counts: [Int], mean: Double)?
  /// The unit of the counts, shown on the axis.
  var counted = "samples"

  /// The number of bars.
  static let bins = 20

  /// The number of values in each bar: half-open intervals [low, high), the last one closed.
  var counts: [Int] {
    if let binned { return binned.counts }
    var counts = Array(repeating: 0, count: Self.bins)
    for value in values {
      counts[Self.bin(of: value)] += 1
    }
    return counts
  }

  /// Returns the bar of a finite value; values outside 0...1 go to the nearest bar.
  static func bin(of value: Double) -> Int {
    min(Int(min(max(value, 0), 1) * Double(bins)), bins - 1)
  }

  func figure(width: Double) -> Figure {
    let counts = counts
    let left = 44.0
    let right = width - 16
    let top = 50.0
    let bottom = top + min(240, (right - left) * 0.5)
    let x = LinearScale(0...1, start: left, end: right)
    let largest = Double(counts.max() ?? 0)
    let y = LinearScale(upTo: max(largest, 1), ticks: 4, start: bottom, end: top)
    var figure = Figure(width: width, height: bottom + 42)
    let ticks = y.ticks(4).filter { $0 == $0.rounded() }
    Axis(title: counted, ticks: ticks, decimals: 0).drawLeft(
      y, from: left, to: right, on: &figure)
    for (index, count) in counts.enumerated() where count > 0 {
      let from = x(Double(index) / Double(Self.bins))
      let to = x(Double(index + 1) / Double(Self.bins))
      let upper = y(Double(count))
      figure.marks.append(
        .group(
          title: words(index, count),
          [
            .rectangle(
              x: from + 0.5, y: upper, width: to - from - 1, height: bottom - upper, fill: .accent,
              opacity: 0.75)
          ]))
    }
    figure.marks.append(
      .line([Point(x: left, y: bottom), Point(x: right, y: bottom)], ink: .muted))
    drawMean(on: &figure, x: x, top: top, bottom: bottom)
    Axis(title: axis, ticks: x.ticks(5), decimals: 1).drawBelow(x, y: bottom, on: &figure)
    return figure
  }

  private func drawMean(on figure: inout Figure, x: LinearScale, top: Double, bottom: Double) {
    guard binned != nil || !values.isEmpty else { return }
    let mean = binned?.mean ?? values.reduce(0, +) / Double(values.count)
    figure.marks.append(
      .line(
        [Point(x: x(mean), y: top - 8), Point(x: x(mean), y: bottom)], ink: .text, lineWidth: 1.5,
        dash: .dashed))
    let text = "mean " + NumberText.fixed(mean)
    let half = TextWidth.of(text, size: 12) * 1.125 / 2 + 2
    // To the right of the axis title, which is at the left.
    let middle = min(max(x(mean), 60 + half), figure.width - half)
    figure.marks.append(
      .text(
        Label(
          text: text, x: middle, y: top - 14, size: 12, anchor: .middle, isBold: true)))
  }

  private func words(_ index: Int, _ count: Int) -> String {
    let low = NumberText.fixed(Double(index) / Double(Self.bins), 2)
    let high = NumberText.fixed(Double(index + 1) / Double(Self.bins), 2)
    let noun = count == 1 ? String(counted.dropLast()) : counted
    return "\(low) to \(high): \(NumberText.count(count)) \(noun)"
  }
}
