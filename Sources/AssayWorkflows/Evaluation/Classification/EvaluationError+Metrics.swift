import AssayCore
import AssayMetrics

extension EvaluationError {
  /// Runs a metrics computation, and adds the names of the sample and the class to its errors.
  static func naming(
    classes: [String], sample: (Int) -> String, _ body: () throws(MetricError) -> Void
  ) throws {
    do throws(MetricError) { try body() } catch {
      throw EvaluationError(error, classes: classes, sample: sample) ?? error
    }
  }

  /// The same error with the names of the sample and the class; `nil` for an error that refers to
  /// neither.
  init?(_ error: MetricError, classes: [String], sample: (Int) -> String) {
    switch error {
    case .notAProbability(let index, let category, let value):
      self = .notAProbability(sample: sample(index), category: classes[category], value: value)
    case .scoreOutOfRange(let index, let category, let value):
      self = .scoreOutOfRange(sample: sample(index), category: classes[category], value: value)
    case .noProbabilityMass(let index): self = .noProbabilityMass(sample: sample(index))
    case .notNormalized(let index, let sum, let largest):
      self = .notNormalized(sample: sample(index), sum: sum, largest: largest)
    default: return nil
    }
  }
}
