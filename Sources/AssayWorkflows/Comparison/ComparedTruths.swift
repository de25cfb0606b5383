import AssayStore

/// By whose truths two runs are compared.
package struct ComparedTruths {
  private let first: (name: String, sequence: Int64?)
  private let second: (name: String, sequence: Int64?)

  /// - Parameters:
  ///   - first: a run that is judged now, or a stored evaluation with a truth of its own.
  ///   - second: the same.
  ///   - catalog: where the runs are judged.
  init(_ first: RunReference, _ second: RunReference, in catalog: Catalog) throws {
    let now = catalog.truth.truth == nil ? nil : try catalog.truthSequence()
    func side(_ reference: RunReference) -> (name: String, sequence: Int64?) {
      (reference.name, reference.evaluation.map { $0.ledgerSequence } ?? now)
    }
    self.first = side(first)
    self.second = side(second)
  }

  /// True if one of them uses corrections that the other does not use.
  var differ: Bool { first.sequence != second.sequence }

  /// The error for two truths of one sample.
  func error(key: String) -> EvaluationError {
    differ
      ? .otherCorrections(first.name, first.sequence, second.name, second.sequence, key: key)
      : .otherTruth(first.name, second.name, key: key)
  }

  /// Remarks for readers of the differences.
  var notes: [String] {
    guard differ else { return [] }
    func words(_ sequence: Int64?) -> String {
      sequence.map { "the ground truth corrected up to entry \($0)" } ?? "the imported ground truth"
    }
    return [
      "\(first.name) was evaluated against \(words(first.sequence)), \(second.name) against "
        + "\(words(second.sequence)); on the samples of both runs no difference between the two is known"
    ]
  }
}
