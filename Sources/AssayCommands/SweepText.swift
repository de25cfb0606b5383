import AssayMetrics
import AssayWorkflows

/// A sweep of the threshold as a small table with bars.
struct SweepText {
  private let sweep: ThresholdSweep

  init(_ sweep: ThresholdSweep) { self.sweep = sweep }

  /// The most rows; of longer sweeps rows at equal steps, and the best.
  private static let rows = 25
  /// Columns of the longest bar, which is a score of 1.
  private static let bar = 20

  func text(in terminal: Terminal) -> String {
    var table = TextTable([
      ("threshold", .left), ("mean_iou", .right), ("mean_dice", .right), ("", .left),
    ])
    for point in shown {
      table.add([
        "\(point.threshold)", Fixed.text(point.meanIoU.value), Fixed.text(point.meanDice.value),
        Self.bar(point.meanIoU.value) + (point == sweep.best ? " best" : ""),
      ])
    }
    return table.text(in: terminal) + "\n" + verdict
  }

  private var shown: [ThresholdSweep.Point] {
    let points = sweep.points
    guard points.count > Self.rows else { return points }
    let step = (points.count + Self.rows - 2) / (Self.rows - 1)
    return points.indices.filter { $0 % step == 0 || points[$0] == sweep.best }
      .map { points[$0] }
  }

  private var verdict: String {
    guard let best = sweep.best else { return "no threshold has a defined mean_iou" }
    return "best threshold \(best.threshold): mean_iou \(Fixed.text(best.meanIoU.value)), "
      + "chosen on these samples"
  }

  private static func bar(_ value: Double?) -> String {
    String(repeating: "▇", count: value.map { Int(($0 * Double(bar)).rounded()) } ?? 0)
  }
}
