package import AssayCore

/// The reason why a run, or files, were not evaluated, or two runs not compared.
package enum EvaluationError: Error, Hashable {
  case nothingInCommon(truth: [String], scores: [String])
  case duplicateClass(String)
  /// Samples with a true class that has no score, by class; of label sets the class is left out, not the sample.
  case missingClasses([MissingCategory], scores: [String], ofSets: Bool = false)
  /// Nothing is left to be judged; what there is, and why it does not count.
  case nothingToJudge(String, reasons: [String])
  /// A dataset without ground truth for a task.
  case noGroundTruth(ModelTask, dataset: String)
  /// `--by` with something that samples have not.
  case unknownSlice(String, known: [String])
  /// An option about another task than the run's.
  case otherTask(option: String, run: String, task: ModelTask)
  /// Other counts of an evaluation whose counts are kept as they were.
  case kept(String, what: String, options: String)
  /// An evaluation over other classes than run and dataset have in common now.
  case otherClasses(String, ModelTask, kept: [String], now: [String])
  /// A stored region or map that cannot be read; the sample's key.
  case damaged(sample: String, reason: String)
  /// Stored matches that cannot be read.
  case unreadable(String, sample: String, reason: String)
  /// A run whose stored settings cannot be read.
  case runSettings(run: String)
  /// `--ignore` with a class that the dataset has not.
  case unknownIgnored(String, known: [String])
  /// `--ignore` leaves no class to evaluate.
  case allIgnored([String])
  /// A threshold for a run that takes the likeliest class.
  case noThreshold(run: String)
  /// Post-processing of a run without a background to give pixels to.
  case noBackground(run: String, options: String)
  /// Another threshold for a run without maps than its own.
  case noMaps(run: String, own: Double?)
  /// More IoU thresholds than matches are kept for.
  case tooManyThresholds(Int, limit: Int)
  /// Two runs of different tasks.
  case tasksDiffer(String, ModelTask, String, ModelTask)
  /// Two runs that have no evaluated class in common.
  case noSharedClass(String, [String], String, [String])
  /// Evaluations that were matched otherwise; what differs, as options with both values.
  case judgedOtherwise(String, String, [String])
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
  /// Two evaluations of label sets that are to be compared at two thresholds.
  case otherThreshold(String, Double, String, Double)
  /// A score that is negative or not finite.
  case notAProbability(sample: String, category: String, value: Double)
  /// A score of a set of labels that is not in 0...1.
  case scoreOutOfRange(sample: String, category: String, value: Double)
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
    case .missingClasses(let missing, let scores, let ofSets):
      """
      no scores for \(Self.list(missing.map { "\(Self.suggest($0, scores)) (\($0.samples) samples)" }))
        scores: \(Self.list(scores))
      map the names, or give --ignore-missing to leave these \(ofSets ? "classes" : "samples") out
      """
    case .nothingToJudge(let what, let reasons):
      "\(what) leaves nothing to judge: \(reasons.joined(separator: "; "))"
    case .noGroundTruth(let task, let dataset):
      "\(dataset) has no \(task.words.missing), so there is no ground truth to evaluate "
        + (task.words.evaluated.map { $0 + " " } ?? "")
        + "against; `assay report RUN` shows a run's predictions"
    case .unknownSlice(let name, let known):
      "--by \(name): samples have no such thing"
        + (NearMiss.suggestion(for: name, among: known).map { "; did you mean \($0)?" } ?? ";")
        + " there are \(known.joined(separator: ", "))"
    case .otherTask(let option, let run, let task):
      "--\(option) does not go with \(run), which gives \(task.words.output) (task \(task.rawValue))"
    case .kept(let name, let what, let options):
      "\(name) keeps its \(what) as they were judged; for \(options) evaluate the run itself"
    case .otherClasses(let name, let task, let kept, let now):
      """
      \(name) was judged by other classes than \(task.words.sharers) now; evaluate the run again
        then: \(Self.list(kept))
        now:  \(Self.list(now))
      """
    case .damaged(let sample, let reason):
      "sample \(sample): \(reason); import or predict it again"
    case .unreadable(let name, let sample, let reason):
      "\(name), sample \(sample): \(reason)"
    case .runSettings(let run):
      """
      the stored settings of the run “\(run)” are damaged; remove it (assay rm run \(run)) and import or \
      predict its detections again
      """
    case .unknownIgnored(let name, let known):
      "--ignore \(name): the dataset has no such class"
        + (NearMiss.suggestion(for: name, among: known).map { "; did you mean “\($0)”?" }
          ?? "; it has " + Self.list(known))
    case .allIgnored(let names):
      "--ignore leaves no class to judge; the model and the dataset share \(Self.list(names))"
    case .noThreshold(let run):
      "\(run) takes the likeliest class of each pixel; it has no --threshold"
    case .noBackground(let run, let options):
      """
      \(options): the model of \(run) has no class background that pixels could be given to or taken \
      from; its masks can be judged only as they are
      """
    case .noMaps(let run, let own):
      """
      \(run) was made with --no-maps, so only its masks at \
      \(own.map { "threshold \($0)" } ?? "its own threshold") are there; predict again without \
      --no-maps
      """
    case .tooManyThresholds(let count, let limit):
      "\(count) IoU thresholds are too many to be kept with a run; give at most \(limit)"
    case .tasksDiffer(let first, let task, let second, let other):
      "\(first) is about \(task.rawValue) and \(second) about \(other.rawValue); they do not pair"
    case .noSharedClass(let first, let classes, let second, let others):
      """
      \(first) and \(second) have no judged class in common
        \(first): \(Self.list(classes))
        \(second): \(Self.list(others))
      """
    case .judgedOtherwise(let first, let second, let differences):
      """
      \(first) and \(second) were not judged alike (\(differences.joined(separator: "; "))); compare \
      the runs themselves, or evaluate both alike
      """
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
    case .otherThreshold(let first, let threshold, let second, let other):
      """
      \(first) is evaluated at threshold \(threshold), \(second) at \(other); --threshold T compares both at \
      the same
      """
    case .notAProbability(let sample, let category, let value):
      """
      sample \(sample): the score \(value) of \(category) is no probability; these look like logits: \
      apply softmax first (activation: softmax in the model's manifest)
      """
    case .scoreOutOfRange(let sample, let category, let value):
      "sample \(sample): the score \(value) of \(category) is not in 0…1; give probabilities per class"
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
