import AssayCore

/// The intervals of means over classes that follow from counts, of one run or of the differences between two:
/// a sample of each cell of the confusion matrix is left out in turn.
struct MacroJackknife: Sendable {
  /// A mean over classes, with what it is the mean of.
  private struct Mean: Sendable {
    var kind: MetricKind
    var ratio: ClassRatio
    /// True if classes without a value count as 0; else they are left out.
    var hasZeros: Bool
  }

  private static let means = ConfusionScores.kinds.compactMap { kind -> Mean? in
    switch ConfusionScores.formula(of: kind) {
    case .mean(let ratio): Mean(kind: kind, ratio: ratio, hasZeros: false)
    case .meanWithZeros(let ratio): Mean(kind: kind, ratio: ratio, hasZeros: true)
    case .weightedMean, .other, nil: nil
    }
  }

  /// The keys it has an interval for.
  static let kinds = means.map(\.kind)

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
    for mean in Self.means {
      missing[mean.kind] =
        sides.lazy.compactMap { ClassSupport.missing(ofMean: $0.positives(mean.ratio)) }.first
    }
    self.missing = missing
    func row(_ means: [ClassRatio: MacroSums.Means]) -> [Double] {
      Self.means.map { mean in
        let means = means[mean.ratio]
        return (mean.hasZeros ? means?.all : means?.defined) ?? .nan
      }
    }
    func difference(_ values: [[Double]]) -> [Double] {
      values.count == 2 ? zip(values[0], values[1]).map { $1 - $0 } : values.last ?? []
    }
    let values = difference(sides.map { row($0.means) })
    var leftOut = Array(repeating: [Double](), count: Self.means.count)
    for cell in cells.cells {
      let values = difference(
        zip(sides, cell.predicted).map {
          row($0.means(withoutTruth: cell.truth, predicted: $1))
        })
      for (place, value) in values.enumerated() { leftOut[place].append(value) }
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

/// The sums over classes of each ``ClassRatio``, from which a sample can be taken away.
private struct MacroSums: Sendable {
  /// The mean over the defined classes, and the mean with 0 for the others.
  typealias Means = (defined: Double, all: Double)

  private let totals: ClassTotals
  private let parts: [ClassRatio: Parts]

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

    /// The means with some classes' values replaced.
    func means(_ replaced: [(category: Int, value: Double?)]) -> Means {
      var (sum, defined) = (sum, defined)
      for (category, value) in replaced where value != values[category] {
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
    parts = Dictionary(
      uniqueKeysWithValues: ClassRatio.allCases.map { ($0, Parts(scores.values($0))) })
  }

  var means: [ClassRatio: Means] { parts.mapValues { $0.means([]) } }

  /// The same without one sample of a cell.
  func means(withoutTruth truth: Int, predicted: Int) -> [ClassRatio: Means] {
    let changed = truth == predicted ? [truth] : [truth, predicted]
    return Dictionary(
      uniqueKeysWithValues: parts.map { ratio, parts in
        let values = changed.map { category in
          (
            category: category,
            value: ratio.value(
              hits: totals.hits[category] - (truth == predicted ? 1 : 0),
              truth: totals.truth[category] - (category == truth ? 1 : 0),
              predicted: totals.predicted[category] - (category == predicted ? 1 : 0))
          )
        }
        return (ratio, parts.means(values))
      })
  }

  /// The positives of the classes that a mean depends on.
  func positives(_ ratio: ClassRatio) -> [Int?] {
    totals.truth.indices.map {
      ratio.positives(truth: totals.truth[$0], predicted: totals.predicted[$0])
    }
  }
}
