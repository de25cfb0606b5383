import AssayCore

/// The score of each sample in two runs: the first run's across, the second run's up. Dots above the diagonal are
/// samples with a larger score in the second run.
struct PairedScatterChart: Chart {
  let name: String
  let title: String
  let summary: String
  /// The titles of the axes.
  let axes: (across: String, up: String)
  let scores: ComparisonReport.Scores

  /// The maximum number of samples that are drawn one by one; more are counted in squares.
  static let dotLimit = 500
  /// The number of squares of each axis.
  static let squares = 25

  func figure(width: Double) -> Figure {
    let side = min(width - 64, 420)
    let (left, upper) = (48.0, 30.0)
    let lower = upper + side
    var figure = Figure(width: width, height: lower + 46)
    let largest = scores.pairs.reduce(0) { max($0, $1.first, $1.second) }
    let x: LinearScale
    let y: LinearScale
    if scores.isShare {
      x = LinearScale(0...1, start: left, end: left + side)
      y = LinearScale(0...1, start: lower, end: upper)
    } else {
      x = LinearScale(upTo: max(largest, 1), ticks: 4, start: left, end: left + side)
      y = LinearScale(upTo: max(largest, 1), ticks: 4, start: lower, end: upper)
    }
    let ticks = x.ticks(4)
    Axis(title: axes.up, ticks: ticks, decimals: Axis.decimals(for: ticks))
      .drawLeft(y, from: left, to: left + side, on: &figure)
    figure.marks.append(
      .line(
        [Point(x: left, y: lower), Point(x: left + side, y: upper)], ink: .muted, dash: .dashed))
    draw(x, y, side: side, on: &figure)
    Axis(title: axes.across, ticks: ticks, decimals: Axis.decimals(for: ticks))
      .drawBelow(x, y: lower, on: &figure)
    return figure
  }

  private func draw(_ x: LinearScale, _ y: LinearScale, side: Double, on figure: inout Figure) {
    guard scores.pairs.count > Self.dotLimit || !scores.isShare else {
      for pair in scores.pairs {
        figure.marks.append(
          .dot(x: x(pair.first), y: y(pair.second), radius: 3, fill: ink(pair)))
      }
      return
    }
    // Whole numbers are counted one by one as long as each has room.
    let top = x.domain.upperBound
    let width =
      scores.isShare
      ? top / Double(Self.squares) : max(1, (top / Double(Self.squares)).rounded(.up))
    func place(_ value: Double) -> Int {
      let place = Int((value / width).rounded(.down))
      return scores.isShare ? min(max(place, 0), Self.squares - 1) : max(place, 0)
    }
    func middle(_ place: Int) -> Double {
      scores.isShare || width > 1 ? (Double(place) + 0.5) * width : Double(place)
    }
    var counts: [[Int]: [ComparisonReport.Scores.Change: Int]] = [:]
    for pair in scores.pairs {
      counts[[place(pair.first), place(pair.second)], default: [:]][
        scores.change(pair), default: 0] += 1
    }
    let most = counts.values.map { $0.values.reduce(0, +) }.max() ?? 1
    let room = side / max(top / width, 1) / 2
    for (square, changes) in counts.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      let count = changes.values.reduce(0, +)
      let main = ComparisonReport.Scores.Change.allCases.max {
        changes[$0, default: 0] < changes[$1, default: 0]
      }
      let radius = max(1.25, min(room, 14) * (Double(count) / Double(most)).squareRoot())
      figure.marks.append(
        .group(
          title: count == 1 ? "1 sample" : "\(NumberText.count(count)) samples",
          [
            .dot(
              x: x(middle(square[0])), y: y(middle(square[1])), radius: radius,
              fill: Self.ink(main ?? .same))
          ]))
    }
  }

  private func ink(_ pair: ComparisonReport.Scores.Pair) -> Ink { Self.ink(scores.change(pair)) }

  private static func ink(_ change: ComparisonReport.Scores.Change) -> Ink {
    switch change {
    case .worse: .prediction
    case .same: .muted
    case .better: .truth
    }
  }
}
