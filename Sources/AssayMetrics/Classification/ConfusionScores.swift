package import AssayCore

/// The scores that are computed from the counts of each class, of a confusion matrix or of sets of
/// classes.
///
/// All are fractions in 0...1 except kappa and MCC (−1...1), and `nil` if undefined: all scores
/// without samples, and the scores of a class according to ``ClassRatio``. Source: scikit-learn
/// 1.9.1, `sklearn/metrics/_classification.py`.
package struct ConfusionScores: Sendable, Equatable {
  private let totals: ClassTotals
  /// The number of samples.
  private let samples: Int

  /// The scores for samples with one class each.
  package init(_ totals: ClassTotals) {
    self.init(totals, samples: totals.truth.reduce(0, +))
  }

  /// The scores for samples with any number of classes each.
  init(_ totals: ClassTotals, samples: Int) {
    self.totals = totals
    self.samples = samples
  }

  /// The formula of a score in terms of the class totals.
  enum Formula {
    /// The mean over the classes that have a value.
    case mean(ClassRatio)
    /// The mean over all classes; one without a value counts as 0, as with scikit-learn's `zero_division=0`.
    case meanWithZeros(ClassRatio)
    /// The same, each class weighted by its number of samples.
    case weightedMean(ClassRatio)
    /// The score of the summed counts of all classes.
    case pooled(ClassRatio)
    case other(@Sendable (ConfusionScores) -> Double?)
  }

  /// The formula of a metric with one value; `nil` if it cannot be computed from a confusion
  /// matrix, or is a simple rate over the samples.
  static func formula(of kind: MetricKind) -> Formula? {
    switch kind {
    case .balancedAccuracy: .mean(.recall)
    case .macroPrecision: .meanWithZeros(.precision)
    case .macroPrecisionDefined: .mean(.precision)
    case .macroRecall: .meanWithZeros(.recall)
    case .macroRecallDefined: .mean(.recall)
    case .macroF1: .meanWithZeros(.f1)
    case .macroF1Defined: .mean(.f1)
    case .macroJaccard: .meanWithZeros(.jaccard)
    case .weightedPrecision: .weightedMean(.precision)
    case .weightedRecall: .weightedMean(.recall)
    case .weightedF1: .weightedMean(.f1)
    case .microPrecision: .pooled(.precision)
    case .microRecall: .pooled(.recall)
    case .microF1: .pooled(.f1)
    case .kappa: .other(\.kappa)
    case .mcc: .other(\.mcc)
    default: nil
    }
  }

  /// The classification metrics with one value that have a formula.
  package static let kinds = kinds(of: .classification)

  /// The metrics of a task with one value that have a formula.
  static func kinds(of task: ModelTask) -> [MetricKind] {
    MetricKind.kinds(of: task).filter { formula(of: $0) != nil }
  }

  /// The value of a metric that has a formula; `nil` for other metrics.
  package func value(_ kind: MetricKind) -> Double? {
    guard samples > 0, let formula = Self.formula(of: kind) else { return nil }
    return switch formula {
    case .mean(let ratio): values(ratio).compacted().mean()
    case .meanWithZeros(let ratio): values(ratio).map { $0 ?? 0 }.mean()
    case .weightedMean(let ratio):
      zip(values(ratio), totals.truth).map { ($0 ?? 0) * Double($1) }.compensatedSum()
        / Double(samples)
    case .pooled(let ratio):
      ratio.value(
        hits: totals.hits.reduce(0, +), truth: totals.truth.reduce(0, +),
        predicted: totals.predicted.reduce(0, +))
    case .other(let value): value(self)
    }
  }

  /// The values of the classes that have one, for a mean over these classes; `nil` for other
  /// metrics.
  package func parts(of kind: MetricKind) -> [Double?]? {
    guard case .mean(let ratio)? = Self.formula(of: kind) else { return nil }
    return values(ratio)
  }

  /// The score of each class.
  package func values(_ ratio: ClassRatio) -> [Double?] {
    totals.hits.indices.map { value(ratio, of: $0) }
  }

  /// The score of one class.
  package func value(_ ratio: ClassRatio, of category: Int) -> Double? {
    ratio.value(
      hits: totals.hits[category], truth: totals.truth[category],
      predicted: totals.predicted[category])
  }

  /// The share of samples whose class is predicted.
  package var accuracy: Double? {
    samples > 0 ? Double(totals.hits.reduce(0, +)) / Double(samples) : nil
  }

  /// The most frequent class of the ground truth, the lowest ordinal in case of ties.
  package var baselineClass: Int? {
    guard samples > 0, let most = totals.truth.max() else { return nil }
    return totals.truth.firstIndex(of: most)
  }

  /// The accuracy of always predicting the most frequent class.
  package var baselineAccuracy: Double? {
    baselineClass.map { Double(totals.truth[$0]) / Double(samples) }
  }

  /// Cohen's kappa; `nil` if ground truth and prediction are the same single class for all samples.
  private var kappa: Double? {
    let (n, right) = (Double(samples), Double(totals.hits.reduce(0, +)))
    let disagreementByChance = n - chance / n
    return disagreementByChance > 0 ? 1 - (n - right) / disagreementByChance : nil
  }

  /// Matthews correlation; 0 if ground truth or prediction is constant.
  private var mcc: Double? {
    let (n, right) = (Double(samples), Double(totals.hits.reduce(0, +)))
    func squares(_ counts: [Int]) -> Double {
      counts.map { Double($0) * Double($0) }.compensatedSum()
    }
    let spread = (n * n - squares(totals.predicted)) * (n * n - squares(totals.truth))
    return spread > 0 ? (right * n - chance) / spread.squareRoot() : 0
  }

  /// n times the expected number of samples that agree by chance.
  private var chance: Double {
    zip(totals.truth, totals.predicted).map { Double($0) * Double($1) }.compensatedSum()
  }
}

/// A score of one class that is computed from three counts of samples.
package enum ClassRatio: CaseIterable, Sendable {
  /// Undefined for a class that was never predicted.
  case precision
  /// Undefined for a class without samples.
  case recall
  /// Undefined for a class with neither samples nor predictions; 0 if only one of them is missing.
  case f1
  /// The Jaccard index tp / (tp + fp + fn); undefined in the same cases as F1.
  case jaccard

  /// The metric with one value per class.
  package var kind: MetricKind {
    switch self {
    case .precision: .precision
    case .recall: .recall
    case .f1: .f1
    case .jaccard: .jaccard
    }
  }

  /// The ratios that are not simple rates over samples.
  static let pooled = allCases.filter { $0 != .precision && $0 != .recall }

  /// The score of a class, in 0...1; `nil` if it is undefined.
  func value(hits: Int, truth: Int, predicted: Int) -> Double? {
    switch self {
    case .precision: Self.ratio(hits, predicted)
    case .recall: Self.ratio(hits, truth)
    // 2tp + fp + fn = truth + predicted.
    case .f1: Self.ratio(2 * hits, truth + predicted)
    case .jaccard: Self.ratio(hits, truth + predicted - hits)
    }
  }

  /// The number of positives that it depends on: samples of the class; for precision, predictions
  /// of the class. `nil` if the score is undefined because there are none.
  func positives(truth: Int, predicted: Int) -> Int? {
    switch self {
    case .recall: truth > 0 ? truth : nil
    case .precision: truth + predicted > 0 ? predicted : nil
    case .f1, .jaccard: truth + predicted > 0 ? truth : nil
    }
  }

  /// The unit of ``positives(truth:predicted:)``.
  var unit: MissingInterval.Unit { self == .precision ? .predictions : .positives }

  /// The interval of a class that has the same score in every draw (never confused, or always),
  /// derived from Wilson's interval of the rate tp / (tp + fp + fn), the Jaccard index *J*. `nil`
  /// for those of ``pooled`` that cannot be computed from *J*.
  func interval(hits: Int, truth: Int, predicted: Int) -> Interval? {
    guard var interval = WilsonInterval.of(hits, in: truth + predicted - hits) else { return nil }
    switch self {
    case .precision, .recall: return nil
    case .jaccard: return interval
    case .f1:
      // F1 = 2J / (1 + J) is increasing in J, so the bounds of J give those of F1.
      interval.low = 2 * interval.low / (1 + interval.low)
      interval.high = 2 * interval.high / (1 + interval.high)
      return interval
    }
  }

  private static func ratio(_ part: Int, _ whole: Int) -> Double? {
    whole == 0 ? nil : Double(part) / Double(whole)
  }
}

extension Sequence<Double?> {
  /// The values that are not `nil`.
  func compacted() -> [Double] { compactMap(\.self) }
}
