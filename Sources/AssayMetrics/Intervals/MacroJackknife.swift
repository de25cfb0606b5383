import AssayCore

/// The intervals of means over classes that follow from counts, of one run or of the differences between two:
/// a sample of each cell of the confusion matrix is left out in turn.
struct MacroJackknife: Sendable {
  /// The keys it has an interval for.
  static let kinds: [MetricKind] = [
    .balancedAccuracy, .macroRecall, .macroPrecision, .macroPrecisionDefined, .macroF1,
    .macroF1Defined,
  ]

  let intervals: [MetricKind: Interval]
  let missing: [MetricKind: MissingInterval]

  /// - Parameter cells: of one run or of two.
  /// - Complexity: O(cells + classes).
  init(_ cells: ConfusionBootstrap) {
    let runs = cells.cells.first?.predicted.count ?? 0
    let sides = (0..<runs).map { run in
      var totals = ClassTotals(classCount: cells.classCount)
      for cell in cells.cells {
        totals.add(truth: cell.truth, predicted: cell.predicted[run], count: cell.count)
      }
      return MacroSums(totals)
    }
    var missing: [MetricKind: MissingInterval] = [:]
    for kind in Self.kinds {
      missing[kind] =
        sides.lazy.compactMap { ClassSupport.missing(ofMean: $0.support(kind)) }.first
    }
    self.missing = missing
    func difference(_ values: [[Double]]) -> [Double] {
      values.count == 2 ? zip(values[0], values[1]).map { $1 - $0 } : values.last ?? []
    }
    let values = difference(sides.map(\.means))
    var leftOut = Array(repeating: [Double](), count: Self.kinds.count)
    for cell in cells.cells {
      let row = difference(
        zip(sides, cell.predicted).map { $0.means(withoutTruth: cell.truth, predicted: $1) })
      for (place, value) in row.enumerated() { leftOut[place].append(value) }
    }
    let counts = cells.cells.map(\.count)
    var intervals: [MetricKind: Interval] = [:]
    for (place, kind) in Self.kinds.enumerated() where missing[kind] == nil {
      guard place < values.count, values[place].isFinite else { continue }
      intervals[kind] = JackknifeInterval.of(
        values[place], leavingOut: leftOut[place], counts: counts, isDifference: runs == 2)
    }
    self.intervals = intervals
  }
}

/// The sums over classes of recall, precision and F1, from which a sample can be taken away.
private struct MacroSums: Sendable {
  private let totals: ClassTotals
  private let recall: Parts
  private let precision: Parts
  private let f1: Parts

  /// One score of all classes.
  private struct Parts: Sendable {
    var values: [Double?]
    var sum: Double
    var defined: Int

    init(_ values: [Double?]) {
      self.values = values
      sum = values.compacted().reduce(0, +)
      defined = values.count { $0 != nil }
    }

    /// The mean over the defined classes and the mean with 0 for the others, with some classes' values
    /// replaced.
    func means(_ replaced: [(category: Int, value: Double?)]) -> (defined: Double, all: Double) {
      var (sum, defined) = (sum, defined)
      for (category, value) in replaced {
        if let old = values[category] {
          sum -= old
          defined -= 1
        }
        if let value {
          sum += value
          defined += 1
        }
      }
      return (sum / Double(defined), sum / Double(values.count))
    }
  }

  init(_ totals: ClassTotals) {
    self.totals = totals
    let scores = ConfusionScores(totals)
    recall = Parts(scores.recall)
    precision = Parts(scores.precision)
    f1 = Parts(scores.f1)
  }

  /// In the order of ``MacroJackknife/kinds``.
  var means: [Double] { row(recall.means([]), precision.means([]), f1.means([])) }

  /// The same without one sample of a cell.
  func means(withoutTruth truth: Int, predicted: Int) -> [Double] {
    let hit = truth == predicted ? 1 : 0
    let f1s = (truth == predicted ? [truth] : [truth, predicted]).map { category in
      (
        category,
        Self.ratio(
          2 * (totals.hits[category] - hit),
          totals.truth[category] + totals.predicted[category] - 1 - hit)
      )
    }
    return row(
      recall.means([
        (truth, Self.ratio(totals.hits[truth] - hit, totals.truth[truth] - 1))
      ]),
      precision.means([
        (predicted, Self.ratio(totals.hits[predicted] - hit, totals.predicted[predicted] - 1))
      ]), self.f1.means(f1s))
  }

  private func row(
    _ recall: (defined: Double, all: Double), _ precision: (defined: Double, all: Double),
    _ f1: (defined: Double, all: Double)
  ) -> [Double] {
    [recall.defined, recall.all, precision.defined, precision.all, f1.defined, f1.all]
  }

  /// The positives of the classes that a mean depends on: samples of the class, for precision predictions of
  /// it.
  func support(_ kind: MetricKind) -> [Int?] {
    totals.truth.indices.map { category in
      let (truth, predicted) = (totals.truth[category], totals.predicted[category])
      switch kind {
      case .balancedAccuracy, .macroRecall: return truth > 0 ? truth : nil
      case .macroPrecision, .macroPrecisionDefined: return truth + predicted > 0 ? predicted : nil
      default: return truth + predicted > 0 ? truth : nil
      }
    }
  }

  private static func ratio(_ part: Int, _ whole: Int) -> Double? {
    whole == 0 ? nil : Double(part) / Double(whole)
  }
}
