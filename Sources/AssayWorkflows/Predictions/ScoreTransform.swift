import AssayCore
import AssayFormats
import AssayMetrics
import Foundation

/// The function that makes probabilities from logits. The raw value is the spelling after `--logits`.
package enum LogitActivation: String, CaseIterable, Sendable {
  /// exp(xᵢ) / Σ exp(xⱼ): the classes exclude each other.
  case softmax
  /// 1 / (1 + exp(−x)): each class on its own.
  case sigmoid

  /// The probabilities of a row of finite logits, in 64 bits.
  ///
  /// Source: SciPy's `softmax` (the largest logit is subtracted first) and `expit`.
  func probabilities(_ logits: [Double]) -> [Double] {
    switch self {
    case .softmax:
      let largest = logits.max() ?? 0
      let powers = logits.map { exp($0 - largest) }
      let sum = ProbabilityRow.sum(powers)
      return powers.map { $0 / sum }
    case .sigmoid:
      return logits.map { logit in
        guard logit < 0 else { return 1 / (1 + exp(-logit)) }
        let power = exp(logit)
        return power / (1 + power)
      }
    }
  }
}

/// The checks of a row of imported scores, and the computation of the probabilities to store.
struct ScoreTransform {
  let classes: [String]
  let isIndependent: Bool
  let normalizes: Bool
  let logits: LogitActivation?
  let header: ScoreHeader
  /// The dataset's classes.
  let known: [String]
  let dataset: String
  /// False once a row was read that cannot be probabilities already.
  private(set) var looksLikeProbabilities = true

  init(
    classes: [String], isIndependent: Bool, normalizes: Bool, logits: LogitActivation?,
    header: ScoreHeader, known: [String], dataset: String
  ) {
    self.classes = classes
    self.isIndependent = isIndependent
    self.normalizes = normalizes
    self.logits = logits
    self.header = header
    self.known = known
    self.dataset = dataset
  }

  /// True if scores are computed with before they are rounded to 32 bits.
  var computes: Bool { normalizes || logits != nil }

  /// The probabilities of a row, in 64 bits.
  ///
  /// - Throws: ``PredictionsError`` for a row that is neither probabilities nor stated logits.
  mutating func probabilities(_ row: ScoreRow) throws(PredictionsError) -> [Double] {
    var scores = row.scores
    if let logits {
      if looksLikeProbabilities {
        let isUnit = scores.allSatisfy { (0...1).contains($0) }
        looksLikeProbabilities =
          isUnit
          && (logits == .sigmoid
            || ProbabilityRow.sumsToOne(scores, sum: ProbabilityRow.sum(scores)))
      }
      scores = logits.probabilities(scores)
    }
    if isIndependent {
      try checkIndependent(scores, row.number)
      return scores
    }
    if let problem = problem(scores, row.number) {
      if case .onlyZeros = problem { throw problem }
      throw header.problem(row.scores).map {
        PredictionsError.badHeader(row: row.number, problem: $0)
      } ?? problem
    }
    guard normalizes else { return scores }
    let sum = ProbabilityRow.sum(scores)
    return scores.map { $0 / sum }
  }

  private func checkIndependent(
    _ row: [Double], _ number: Int
  ) throws(PredictionsError) {
    guard let place = row.firstIndex(where: { !(0...1).contains($0) }) else { return }
    let name = classes[place]
    throw .scoreOutOfRange(
      row: number, className: name, value: Float(row[place]),
      dataset: known.isEmpty || known.contains(name) ? nil : dataset)
  }

  /// The reason why a row is rejected, apart from problems with the header.
  private func problem(_ row: [Double], _ number: Int) -> PredictionsError? {
    if let place = row.firstIndex(where: { $0 < 0 }) {
      return .notProbability(row: number, className: classes[place], value: Float(row[place]))
    }
    let sum = ProbabilityRow.sum(row)
    if sum <= 0 { return .onlyZeros(row: number) }
    return normalizes && sum.isFinite || ProbabilityRow.sumsToOne(row, sum: sum)
      ? nil : .notNormalized(row: number, sum: sum, largest: row.max() ?? 0)
  }
}
