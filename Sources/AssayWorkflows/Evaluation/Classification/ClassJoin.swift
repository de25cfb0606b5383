/// The mapping between the classes of the ground truth and those of the scores: by name, never by
/// index.
package struct ClassJoin: Sendable, Hashable {
  /// The counted classes: those of the ground truth in their order, then those that only the scores
  /// have.
  package let classes: [String]
  /// The index in ``classes`` for each column of scores.
  package let columns: [Int]
  /// The names that only one side has.
  package let onlyTruth: [String]
  package let onlyScores: [String]

  /// - Throws: ``EvaluationError/nothingInCommon(truth:scores:)``, ``EvaluationError/duplicateClass(_:)``.
  package init(truth: [String], scores: [String]) throws(EvaluationError) {
    for names in [truth, scores] {
      var seen: Set<String> = []
      if let twice = names.first(where: { !seen.insert($0).inserted }) {
        throw .duplicateClass(twice)
      }
    }
    let (inTruth, inScores) = (Set(truth), Set(scores))
    guard !inTruth.isDisjoint(with: inScores) else {
      throw .nothingInCommon(truth: truth, scores: scores)
    }
    onlyTruth = truth.filter { !inScores.contains($0) }
    onlyScores = scores.filter { !inTruth.contains($0) }
    classes = truth + onlyScores
    var ordinals: [String: Int] = [:]
    for (ordinal, name) in classes.enumerated() { ordinals[name] = ordinal }
    columns = scores.compactMap { ordinals[$0] }
  }

  /// True if every column of scores is already at the index of its class.
  package var isIdentity: Bool {
    columns.count == classes.count && columns.indices.elementsEqual(columns)
  }
}
