import AssayStore

/// The ground truths with which two runs are compared.
package struct ComparedTruths {
  private let first: (name: String, sequence: Int64?)
  private let second: (name: String, sequence: Int64?)

  /// - Parameters:
  ///   - first: a run that is evaluated now, or a stored evaluation with its own ground truth.
  ///   - second: the same for the second run.
  ///   - catalog: the catalog in which the runs are evaluated.
  init(_ first: RunReference, _ second: RunReference, in catalog: Catalog) throws {
    let now = catalog.truth.truth == nil ? nil : try catalog.truthSequence()
    func side(_ reference: RunReference) -> (name: String, sequence: Int64?) {
      (reference.name, reference.evaluation.map { $0.ledgerSequence } ?? now)
    }
    self.first = side(first)
    self.second = side(second)
  }

  /// True if one run uses corrections that the other does not use.
  var differ: Bool { first.sequence != second.sequence }

  /// The error for two different ground truths of one sample.
  func error(key: String) -> EvaluationError {
    differ
      ? .otherCorrections(first.name, first.sequence, second.name, second.sequence, key: key)
      : .otherTruth(first.name, second.name, key: key)
  }

  /// Notes on the differences for the reader.
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
