import AssayCore

/// Why a run was not judged.
package enum EvaluationError: Error, Hashable {
  case nothingInCommon(truth: [String], scores: [String])
  case duplicateClass(String)
  /// Samples whose true class has no score, by class.
  case missingClasses([MissingCategory], scores: [String])
  /// Nothing is left to be judged; what there is, and why it does not count.
  case nothingToJudge(String, reasons: [String])
  /// A dataset without labels.
  case noLabels(dataset: String)
  /// `--by` with something that samples have not.
  case unknownSlice(String, known: [String])
  /// Two runs that share no sample.
  case nothingShared(String, String)
  /// Two runs of different datasets.
  case otherDataset(String, dataset: String, String, otherDataset: String)
  /// Two evaluations that hold different truths for a sample.
  case otherTruth(String, String, key: String)
  /// The same, where one goes by corrections that the other does not go by; each with its last entry of the
  /// ledger, `nil` for the imported truth.
  case otherCorrections(String, Int64?, String, Int64?, key: String)
  /// `--corrected` with an evaluation that has kept another truth.
  case keptTruth(String, Int64?)
  /// An evaluation whose stored settings cannot be read.
  case damagedSettings(run: String, name: String, problem: String)
  /// A file that is no result of `assay evaluate --json`.
  case noEvaluationFile(String, reason: String)
  /// Files whose rows have no common key, and differ in number.
  case rowCounts(truth: Int, scores: Int)
  /// Samples of a truth file that have no scores, by example.
  case samplesWithoutScores([String], total: Int)
  /// A score that is negative or not finite.
  case notAProbability(sample: String, category: String, value: Double)
  /// Scores that sum to 0 or beyond what a number holds.
  case noProbabilityMass(sample: String)
  /// Scores whose sum is not 1 within rounding, with the largest of them.
  case notNormalized(sample: String, sum: Double, largest: Double)
  /// Scores that are no probabilities because of what the header says.
  case badHeader(sample: String, problem: String)
}

extension EvaluationError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .nothingInCommon(let truth, let scores):
      """
      the truth and the scores have no class in common
        truth:  \(Self.list(truth))
        scores: \(Self.list(scores))
      classes join by name; map them in the model's manifest (classes: {happiness: happy}) or \
      rename the columns
      """
    case .duplicateClass(let name):
      "class “\(name)” is named twice; every class needs a name of its own"
    case .missingClasses(let missing, let scores):
      """
      no scores for \(Self.list(missing.map { "\(Self.suggest($0, scores)) (\($0.samples) samples)" }))
        scores: \(Self.list(scores))
      map the names, or give --ignore-missing to leave these samples out
      """
    case .nothingToJudge(let what, let reasons):
      "\(what) leaves nothing to judge: \(reasons.joined(separator: "; "))"
    case .noLabels(let dataset):
      "\(dataset) has no labels, so there is no ground truth to evaluate against; `assay report RUN` "
        + "shows a run's predictions"
    case .unknownSlice(let name, let known):
      "--by \(name): samples have no such thing"
        + (NearMiss.suggestion(for: name, among: known).map { "; did you mean \($0)?" } ?? ";")
        + " there are \(known.joined(separator: ", "))"
    case .nothingShared(let first, let second):
      "\(first) and \(second) share no sample that both have judged; compare runs over one view"
    case .otherDataset(let first, let dataset, let second, let otherDataset):
      "\(first) is about \(dataset) and \(second) about \(otherDataset); only runs of one dataset pair"
    case .otherTruth(let first, let second, let key):
      """
      \(first) and \(second) were judged by different truths (sample \(key)); evaluate both again
      """
    case .otherCorrections(let first, let one, let second, let other, let key):
      """
      \(first) was judged by the \(Self.truth(one)) and \(second) by the \(Self.truth(other)) \
      (sample \(key)); name both as plain runs, with --corrected for the corrected truth or without for the \
      imported one
      """
    case .keptTruth(let name, let sequence):
      """
      \(name) has kept the \(Self.truth(sequence)); --corrected judges a run anew: name it without \
      @\(name.split(separator: "@").last ?? "")
      """
    case .damagedSettings(let run, let name, let problem):
      """
      the stored settings of \(run)@\(name) are damaged: \(problem); evaluate the run again with the same \
      options to replace them (assay evaluate \(run) --as \(name))
      """
    case .noEvaluationFile(let path, let reason):
      "\(path) is no result of `assay evaluate --json`: \(reason)"
    case .rowCounts(let truth, let scores):
      """
      the truth has \(truth) rows and the scores \(scores), and not both have a column sample to \
      pair them by; add one to each
      """
    case .samplesWithoutScores(let examples, let total):
      """
      \(total) samples of the truth have no scores: \(Self.list(examples))\
      \(total > examples.count ? ", …" : ""); give --ignore-missing to leave them out
      """
    case .notAProbability(let sample, let category, let value):
      """
      sample \(sample): the score \(value) of \(category) is no probability; these look like logits: \
      apply softmax first (activation: softmax in the model's manifest)
      """
    case .noProbabilityMass(let sample):
      "sample \(sample): its scores sum to 0 or to infinity, so none is the largest"
    case .notNormalized(let sample, let sum, let largest):
      "sample \(sample): \(ScoreRows.problem(sum: sum, largest: largest))"
        + " (a run's evaluation is then kept as RUN@normalized)"
    case .badHeader(let sample, let problem): "sample \(sample): \(problem)"
    }
  }

  private static func truth(_ sequence: Int64?) -> String {
    sequence.map { "truth as corrected up to entry \($0)" } ?? "imported truth"
  }

  private static func suggest(_ missing: MissingCategory, _ classes: [String]) -> String {
    let near = NearMiss.suggestion(for: missing.name, among: classes)
    return "“\(missing.name)”" + (near.map { " (is it “\($0)”?)" } ?? "")
  }

  private static func list(_ names: [String]) -> String {
    names.prefix(20).joined(separator: ", ")
      + (names.count > 20 ? " and \(names.count - 20) more" : "")
  }
}
