package import AssayCore

/// The scores that follow from a confusion matrix alone.
///
/// All are fractions in 0...1 except kappa and MCC (−1...1), and `nil` where undefined: everything of
/// no samples; precision of a class that was never predicted; recall of one without truth; F1 of one
/// with neither. Names ending in `Defined` are means over the classes that are defined; the plain macro
/// and weighted means count undefined as 0, as scikit-learn's `zero_division=0` does.
/// Source: scikit-learn 1.9.1, `sklearn/metrics/_classification.py`.
package struct ConfusionScores: Sendable, Equatable {
  package private(set) var accuracy: Double?
  /// The accuracy of always answering the commonest class.
  package private(set) var baselineAccuracy: Double?
  /// The commonest class of the truth, the lowest ordinal of several.
  package private(set) var baselineClass: Int?
  /// The mean recall over the classes present in the truth.
  package private(set) var balancedAccuracy: Double?
  package private(set) var macroPrecision: Double?
  package private(set) var macroPrecisionDefined: Double?
  package private(set) var macroRecall: Double?
  package private(set) var macroF1: Double?
  package private(set) var macroF1Defined: Double?
  package private(set) var weightedPrecision: Double?
  package private(set) var weightedRecall: Double?
  package private(set) var weightedF1: Double?
  /// Cohen's kappa; `nil` where truth and prediction are one and the same class throughout.
  package private(set) var kappa: Double?
  /// Matthews correlation; 0 where truth or prediction is constant.
  package private(set) var mcc: Double?
  /// One value a class.
  package private(set) var precision: [Double?]
  package private(set) var recall: [Double?]
  package private(set) var f1: [Double?]

  package init(_ totals: ClassTotals) {
    precision = zip(totals.hits, totals.predicted).map(Self.ratio)
    recall = zip(totals.hits, totals.truth).map(Self.ratio)
    // 2tp + fp + fn = truth + predicted.
    f1 = totals.hits.indices.map {
      Self.ratio(2 * totals.hits[$0], totals.truth[$0] + totals.predicted[$0])
    }
    let samples = totals.truth.reduce(0, +)
    guard samples > 0, let commonest = totals.truth.max() else { return }
    let hits = totals.hits.reduce(0, +)
    accuracy = Self.ratio(hits, samples)
    baselineAccuracy = Self.ratio(commonest, samples)
    baselineClass = totals.truth.firstIndex(of: commonest)
    balancedAccuracy = recall.compacted().mean()
    macroPrecision = Self.withZeros(precision).mean()
    macroPrecisionDefined = precision.compacted().mean()
    macroRecall = Self.withZeros(recall).mean()
    macroF1 = Self.withZeros(f1).mean()
    macroF1Defined = f1.compacted().mean()
    weightedPrecision = Self.weightedMean(precision, totals.truth, samples)
    weightedRecall = Self.weightedMean(recall, totals.truth, samples)
    weightedF1 = Self.weightedMean(f1, totals.truth, samples)

    let (n, right) = (Double(samples), Double(hits))
    let chance = zip(totals.truth, totals.predicted).map { Double($0) * Double($1) }
      .compensatedSum()
    let truthSquares = totals.truth.map { Double($0) * Double($0) }.compensatedSum()
    let predictedSquares = totals.predicted.map { Double($0) * Double($0) }.compensatedSum()
    let disagreementByChance = n - chance / n
    kappa = disagreementByChance > 0 ? 1 - (n - right) / disagreementByChance : nil
    let spread = (n * n - predictedSquares) * (n * n - truthSquares)
    mcc = spread > 0 ? (right * n - chance) / spread.squareRoot() : 0
  }

  /// The value under a key of ``MetricKind``; `nil` for keys that do not follow from a confusion
  /// matrix or have one value a class.
  package func value(_ kind: MetricKind) -> Double? {
    switch kind {
    case .accuracy: accuracy
    case .baselineAccuracy: baselineAccuracy
    case .balancedAccuracy: balancedAccuracy
    case .macroPrecision: macroPrecision
    case .macroPrecisionDefined: macroPrecisionDefined
    case .macroRecall: macroRecall
    case .macroF1: macroF1
    case .macroF1Defined: macroF1Defined
    case .weightedPrecision: weightedPrecision
    case .weightedRecall: weightedRecall
    case .weightedF1: weightedF1
    case .kappa: kappa
    case .mcc: mcc
    default: nil
    }
  }

  /// The per-class values that a mean over the defined classes is made of; `nil` for other keys.
  package func parts(of kind: MetricKind) -> [Double?]? {
    switch kind {
    case .balancedAccuracy, .recall: recall
    case .macroPrecisionDefined, .precision: precision
    case .macroF1Defined, .f1: f1
    default: nil
    }
  }

  /// The one-number keys that follow from a confusion matrix and are no plain rate.
  package static let kinds: [MetricKind] = [
    .balancedAccuracy, .macroPrecision, .macroPrecisionDefined, .macroRecall, .macroF1,
    .macroF1Defined, .weightedPrecision, .weightedRecall, .weightedF1, .kappa, .mcc,
  ]

  private static func ratio(_ part: Int, _ whole: Int) -> Double? {
    whole == 0 ? nil : Double(part) / Double(whole)
  }

  private static func withZeros(_ values: [Double?]) -> [Double] { values.map { $0 ?? 0 } }

  private static func weightedMean(_ values: [Double?], _ weights: [Int], _ total: Int) -> Double {
    zip(values, weights).map { ($0 ?? 0) * Double($1) }.compensatedSum() / Double(total)
  }
}

extension Sequence<Double?> {
  /// The values that are defined.
  func compacted() -> [Double] { compactMap(\.self) }
}
