/// An axis: its title with the unit, its ticks at round numbers.
struct Axis: Sendable {
  let title: String
  let ticks: [Double]
  /// The number of decimals of the tick labels.
  let decimals: Int

  /// Draws ticks, numbers and title under a plot whose lower edge is `y`.
  func drawBelow(_ scale: LinearScale, y: Double, on figure: inout Figure) {
    for tick in ticks {
      let x = scale(tick)
      figure.marks.append(.line([Point(x: x, y: y), Point(x: x, y: y + 4)], ink: .muted))
      figure.marks.append(
        .text(
          Label(
            text: NumberText.fixed(tick, decimals), x: x, y: y + 17, size: 11, ink: .plain(.muted),
            anchor: .middle)))
    }
    guard !title.isEmpty else { return }
    figure.marks.append(
      .text(
        Label(
          text: title, x: (scale.start + scale.end) / 2, y: y + 35, size: 12, ink: .plain(.muted),
          anchor: .middle)))
  }

  /// Draws faint lines across the plot and numbers to its left; the title is above, so
  /// that it is horizontal.
  func drawLeft(
    _ scale: LinearScale, from left: Double, to right: Double, on figure: inout Figure
  ) {
    for tick in ticks {
      let y = scale(tick)
      figure.marks.append(
        .line([Point(x: left, y: y), Point(x: right, y: y)], ink: .line))
      figure.marks.append(
        .text(
          Label(
            text: NumberText.fixed(tick, decimals), x: left - 8, y: y + 4, size: 11,
            ink: .plain(.muted), anchor: .end)))
    }
    figure.marks.append(
      .text(Label(text: title, x: 0, y: scale.end - 14, size: 12, ink: .plain(.muted))))
  }

  /// Returns the number of decimals that the ticks need, at most four.
  static func decimals(for ticks: [Double]) -> Int {
    (0...4).first { decimals in
      ticks.allSatisfy { tick in
        var unit = 1.0
        for _ in 0..<decimals { unit *= 10 }
        return ((tick * unit).rounded() - tick * unit).magnitude < 1e-6
      }
    } ?? 4
  }
}
