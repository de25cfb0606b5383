/// A confusion matrix: rows are the ground truth, columns the prediction; the strength of a cell is
/// its share of the row.
struct HeatMap: Chart {
  /// The unit of a cell's count, which determines its text: a number of samples fits into a cell, a
  /// number of pixels does not.
  enum Unit: Sendable {
    /// The cell shows the count.
    case samples
    /// The cell shows the count, of objects.
    case objects
    /// The cell shows the share of its row with two decimals.
    case pixels
  }

  let name: String
  let title: String
  let summary: String
  /// Class names, in row and column order.
  let classes: [String]
  /// The counts, ground truth by prediction; `classes.count` squared elements.
  let counts: [[Int]]
  /// The unit of the counts.
  var unit = Unit.samples
  /// Returns the anchor of a cell on the page; `nil` if it has none.
  let anchor: @Sendable (_ truth: Int, _ prediction: Int) -> String?

  func figure(width: Double) -> Figure {
    guard !classes.isEmpty else { return Figure(width: width, height: 0) }
    let isNarrow = width < 480
    let size = isNarrow ? 11.0 : 12.0
    let names = classes.map { TextWidth.fitted($0, to: isNarrow ? 72 : 130, size: size) }
    let nameWidth = names.map { TextWidth.of($0, size: size) }.max() ?? 0
    let totalWidth = isNarrow ? 0 : 52.0
    let left = size + 8 + nameWidth + 8
    let room = (width - left - totalWidth) / Double(classes.count)
    let cell = min(max(room, classes.count > 30 ? 14 : 25), 64)
    let areTurned = nameWidth > cell - 2
    let top = size + 10 + (areTurned ? nameWidth + 8 : size + 6)
    let side = cell * Double(classes.count)
    var figure = Figure(
      width: max(width, left + side + totalWidth), height: top + side + 56,
      keepsSize: left + side + totalWidth > width + 0.5)
    drawNames(names, on: &figure, left: left, top: top, cell: cell, size: size, areTurned)
    for truth in classes.indices {
      let total = counts[truth].reduce(0, +)
      for prediction in classes.indices {
        figure.marks.append(
          mark(
            truth, prediction, total: total, x: left + Double(prediction) * cell,
            y: top + Double(truth) * cell, cell: cell))
      }
      if totalWidth > 0 {
        figure.marks.append(
          .text(
            Label(
              text: unit == .pixels ? Self.rounded(total) : NumberText.count(total),
              x: left + side + totalWidth - 2,
              y: top + (Double(truth) + 0.5) * cell + 4, size: 11, ink: .plain(.muted),
              anchor: .end)))
      }
    }
    if totalWidth > 0 {
      figure.marks.append(
        .text(
          Label(
            text: unit == .pixels ? "pixels" : "n", x: left + side + totalWidth - 2, y: top - 7,
            size: 11, ink: .plain(.muted),
            anchor: .end)))
    }
    drawKey(on: &figure, x: left, y: top + side + 20)
    return figure
  }

  /// Returns the strength of the hue for a share: the share to the power of ¾, so that the
  /// mistakes, mostly small shares, are visible. It increases strictly from 0 to 1.
  static func strength(of share: Double) -> Double {
    let root = share.squareRoot()
    return root * root.squareRoot()
  }

  /// Returns a large count in thousands or millions: 12.3M.
  private static func rounded(_ count: Int) -> String {
    switch count {
    case ..<10_000: NumberText.count(count)
    case ..<1_000_000: NumberText.fixed(Double(count) / 1e3, 0) + "k"
    case ..<100_000_000: NumberText.fixed(Double(count) / 1e6, 1) + "M"
    default: NumberText.fixed(Double(count) / 1e6, 0) + "M"
    }
  }

  private func mark(
    _ truth: Int, _ prediction: Int, total: Int, x: Double, y: Double, cell: Double
  ) -> Mark {
    let count = counts[truth][prediction]
    let share = total == 0 ? 0 : Double(count) / Double(total)
    var marks: [Mark] = []
    if count > 0 {
      // A pixel of paper between the cells separates neighbors of equal color.
      marks.append(
        .rectangle(
          x: x, y: y, width: cell - 1, height: cell - 1, fill: .accent,
          opacity: Self.strength(of: share)))
    }
    let text =
      switch unit {
      case .samples, .objects: String(count)
      case .pixels: count == 0 ? "0" : String(NumberText.fixed(share, 2).drop { $0 == "0" })
      }
    let size = min(13, cell * 0.42, (cell - 4) / (TextWidth.of(text, size: 1)))
    if size >= 7 {
      let ink = count == 0 ? LabelInk.plain(.muted) : .over(strength: Self.strength(of: share))
      marks.append(
        .text(
          Label(
            text: text, x: x + (cell - 1) / 2, y: y + cell / 2 + size * 0.36, size: size, ink: ink,
            anchor: .middle, isBold: truth == prediction)))
    }
    guard count > 0 else { return .group(title: nil, marks) }
    let one =
      switch unit {
      case .samples: "sample"
      case .objects: ""
      case .pixels: "pixel"
      }
    let samples =
      one.isEmpty
      ? NumberText.count(count)
      : count == 1 ? "1 \(one)" : "\(NumberText.count(count)) \(one)s"
    let title =
      "\(classes[truth]) → \(classes[prediction]): \(samples), "
      + "\(NumberText.fixed(share, 3)) of all \(classes[truth])"
    guard let target = anchor(truth, prediction) else { return .group(title: title, marks) }
    return .link(to: target, title: title, marks)
  }

  private func drawNames(
    _ names: [String], on figure: inout Figure, left: Double, top: Double, cell: Double,
    size: Double, _ areTurned: Bool
  ) {
    let side = cell * Double(names.count)
    figure.marks += [
      .text(
        Label(
          text: "prediction", x: left + side / 2, y: size, size: size, ink: .plain(.muted),
          anchor: .middle)),
      .text(
        Label(
          text: "ground truth", x: size, y: top + side / 2, size: size, ink: .plain(.muted),
          anchor: .middle, isTurned: true)),
    ]
    for (index, name) in names.enumerated() {
      let middle = (Double(index) + 0.5) * cell
      figure.marks.append(
        .text(
          Label(text: name, x: left - 8, y: top + middle + 4, size: size, anchor: .end)))
      figure.marks.append(
        .text(
          areTurned
            ? Label(text: name, x: left + middle + 4, y: top - 6, size: size, isTurned: true)
            : Label(text: name, x: left + middle, y: top - 7, size: size, anchor: .middle)))
    }
  }

  private func drawKey(on figure: inout Figure, x: Double, y: Double) {
    let steps = 20
    let width = 6.0
    for step in 0..<steps {
      let share = (Double(step) + 0.5) / Double(steps)
      figure.marks.append(
        .rectangle(
          x: x + Double(step) * width, y: y, width: width, height: 8, fill: .accent,
          opacity: Self.strength(of: share)))
    }
    let end = Double(steps) * width
    for (value, place) in [("0", 0.0), ("0.5", end / 2), ("1", end)] {
      figure.marks.append(
        .text(
          Label(
            text: value, x: x + place, y: y + 21, size: 11, ink: .plain(.muted), anchor: .middle)))
    }
    figure.marks.append(
      .text(
        Label(
          text: "share of the row", x: x + end + 14, y: y + 8, size: 11, ink: .plain(.muted))))
  }
}
