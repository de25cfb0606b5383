import AssayMetrics

extension EvaluationError {
  /// Does something with metrics, and names sample and class by what people call them where it fails.
  static func naming(
    classes: [String], sample: (Int) -> String, _ body: () throws(MetricError) -> Void
  ) throws {
    do throws(MetricError) { try body() } catch {
      switch error {
      case .notAProbability(let index, let category, let value):
        throw EvaluationError.notAProbability(
          sample: sample(index), category: classes[category], value: value)
      case .noProbabilityMass(let index):
        throw EvaluationError.noProbabilityMass(sample: sample(index))
      default: throw error
      }
    }
  }
}
