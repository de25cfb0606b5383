import AssayCore

/// The jackknife intervals of scores computed from the counts of each class, means over classes and
/// pooled scores, for one run or for the differences between two: each sample is left out in turn.
struct MacroJackknife: Sendable {
  /// A score of the counts of all classes.
  private struct Mean: Sendable {
    enum Form: Sendable {
      /// The mean over the classes that have a value.
      case defined
      /// The mean over all classes; those without a value count as 0.
      case withZeros
      /// The score of the summed counts.
      case pooled
    }

    var kind: MetricKind
    var ratio: ClassRatio
    var form: Form

    init?(_ kind: MetricKind) {
      switch ConfusionScores.formula(of: kind) {
      case .mean(let ratio): (self.ratio, form) = (ratio, .defined)
      case .meanWithZeros(let ratio): (self.ratio, form) = (ratio, .withZeros)
      case .pooled(let ratio): (self.ratio, form) = (ratio, .pooled)
      case .weightedMean, .other, nil: return nil
      }
      self.kind = kind
    }
  }

  /// The ground truth and the prediction of a sample for one class.
  struct Outcome: Sendable {
    var category: Int
    var isTrue: Bool
    var isPredicted: Bool
  }

  /// The classification metrics that it has an interval for.
  static let kinds = kinds(of: .classification)

  /// The metrics of a task that it has an interval for.
  static func kinds(of task: ModelTask) -> [MetricKind] {
    ConfusionScores.kinds(of: task).compactMap { Mean($0)?.kind }
  }

  let intervals: [MetricKind: Interval]
  let missing: [MetricKind: MissingInterval]

  /// Computes the intervals for samples with one class each.
  ///
  /// - Parameter cells: the cells of one run or of two.
  /// - Complexity: O(cells + classes).
  init(_ cells: ConfusionBootstrap) {
    let runs = cells.cells.first?.predicted.count ?? 0
    let sides = (0..<runs).map { run in
      var totals = ClassTotals(classCount: cells.classCount)
      for cell in cells.cells {
        totals.add(truth: cell.truth, predicted: cell.predicted[run], count: cell.count)
      }
      return totals
    }
    self.init(.classification, sides, counts: cells.cells.map(\.count)) { place, run in
      let (truth, predicted) = (cells.cells[place].truth, cells.cells[place].predicted[run])
      return truth == predicted
        ? [Outcome(category: truth, isTrue: true, isPredicted: true)]
        : [
          Outcome(category: truth, isTrue: true, isPredicted: false),
          Outcome(category: predicted, isTrue: false, isPredicted: true),
        ]
    }
  }

  /// Computes the intervals for samples with any number of classes each.
  ///
  /// - Parameters:
  ///   - sides: the counts by class of one run or of two.
  ///   - counts: the number of samples that each kind of sample represents.
  ///   - outcomes: the true and predicted classes of a kind of sample in a run.
  /// - Complexity: O(kinds of samples · their classes + classes).
  init(
    _ task: ModelTask, _ sides: [ClassTotals], counts: [Int],
    outcomes: (_ place: Int, _ run: Int) -> [Outcome]
  ) {
    let means = ConfusionScores.kinds(of: task).compactMap(Mean.init)
    let ratios = ClassRatio.allCases.filter { ratio in means.contains { $0.ratio == ratio } }
    let sums = sides.map { MacroSums($0, ratios) }
    let places = means.map { mean in ratios.firstIndex(of: mean.ratio) ?? 0 }
    func row(_ values: [MacroSums.Values]) -> [Double] {
      zip(means, places).map { mean, place in
        switch mean.form {
        case .defined: values[place].defined
        case .withZeros: values[place].all
        case .pooled: values[place].pooled
        }
      }
    }
    func difference(_ values: [[Double]]) -> [Double] {
      values.count == 2 ? zip(values[0], values[1]).map { $1 - $0 } : values.last ?? []
    }
    // The numbers of samples that have a class, and that are predicted to have one.
    var labeled = sides.map { _ in (truth: 0, predicted: 0) }
    let values = difference(sums.map { row($0.values(without: [])) })
    var leftOut = Array(repeating: [Double](), count: means.count)
    for (place, count) in counts.enumerated() {
      let rows = sums.indices.map { run in
        let outcomes = outcomes(place, run)
        if outcomes.contains(where: \.isTrue) { labeled[run].truth += count }
        if outcomes.contains(where: \.isPredicted) { labeled[run].predicted += count }
        return row(sums[run].values(without: outcomes))
      }
      for (mean, value) in difference(rows).enumerated() { leftOut[mean].append(value) }
    }
    var missing: [MetricKind: MissingInterval] = [:]
    var intervals: [MetricKind: Interval] = [:]
    for (place, mean) in means.enumerated() {
      missing[mean.kind] =
        sums.indices.lazy.compactMap { run in
          guard mean.form == .pooled else {
            return ClassSupport.missing(
              ofMean: sums[run].positives(mean.ratio), unit: mean.ratio.unit)
          }
          return mean.ratio.positives(
            truth: labeled[run].truth, predicted: labeled[run].predicted
          ).flatMap { ClassSupport.missing(ofSamples: $0, unit: mean.ratio.unit) }
        }.first
      guard missing[mean.kind] == nil, place < values.count, values[place].isFinite else {
        continue
      }
      intervals[mean.kind] = JackknifeInterval.of(
        values[place], leavingOut: leftOut[place], counts: counts,
        isDifference: sides.count == 2)
    }
    self.intervals = intervals
    self.missing = missing
  }
}

/// The sums over classes of each ``ClassRatio``, from which a sample can be subtracted.
private struct MacroSums: Sendable {
  /// The mean over the defined classes, the mean with 0 for the others, and the score of the sums of all counts;
  /// not finite if undefined.
  typealias Values = (defined: Double, all: Double, pooled: Double)

  private let totals: ClassTotals
  private let pooled: (hits: Int, truth: Int, predicted: Int)
  private let ratios: [ClassRatio]
  private let parts: [Parts]

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
  }

  init(_ totals: ClassTotals, _ ratios: [ClassRatio]) {
    self.totals = totals
    self.ratios = ratios
    pooled = (
      totals.hits.reduce(0, +), totals.truth.reduce(0, +), totals.predicted.reduce(0, +)
    )
    let scores = ConfusionScores(totals)
    parts = ratios.map { Parts(scores.values($0)) }
  }

  /// The values of each ratio without one sample, in the order of the ratios.
  func values(without sample: [MacroJackknife.Outcome]) -> [Values] {
    var left = pooled
    for outcome in sample {
      left.hits -= outcome.isTrue && outcome.isPredicted ? 1 : 0
      left.truth -= outcome.isTrue ? 1 : 0
      left.predicted -= outcome.isPredicted ? 1 : 0
    }
    return zip(ratios, parts).map { ratio, parts in
      var (sum, defined) = (parts.sum, parts.defined)
      for outcome in sample {
        let category = outcome.category
        let value = ratio.value(
          hits: totals.hits[category] - (outcome.isTrue && outcome.isPredicted ? 1 : 0),
          truth: totals.truth[category] - (outcome.isTrue ? 1 : 0),
          predicted: totals.predicted[category] - (outcome.isPredicted ? 1 : 0))
        guard value != parts.values[category] else { continue }
        if let old = parts.values[category] {
          sum -= old
          defined -= 1
        }
        if let value {
          sum += value
          defined += 1
        }
      }
      return (
        sum / Double(defined), sum / Double(parts.values.count),
        ratio.value(hits: left.hits, truth: left.truth, predicted: left.predicted) ?? .nan
      )
    }
  }

  /// The positives of the classes that a mean depends on.
  func positives(_ ratio: ClassRatio) -> [Int?] {
    totals.truth.indices.map {
      ratio.positives(truth: totals.truth[$0], predicted: totals.predicted[$0])
    }
  }
}
