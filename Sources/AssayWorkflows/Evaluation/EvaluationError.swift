package import AssayCore
package import AssayMetrics

/// The reason why a run or files were not evaluated, or two runs not compared.
package enum EvaluationError: Error, Hashable {
  case nothingInCommon(truth: [String], scores: [String])
  case duplicateClass(String)
  /// Samples with a true class that has no score, by class; for label sets, the class is left out,
  /// not the sample.
  case missingClasses([MissingCategory], scores: [String], ofSets: Bool = false)
  /// There is nothing to evaluate: what exists, and why it does not count.
  case nothingToEvaluate(String, reasons: [String])
  /// A dataset without ground truth for a task.
  case noGroundTruth(ModelTask, dataset: String)
  /// `--by` with a field that samples do not have.
  case unknownSlice(String, known: [String])
  /// `--by` with a field of more different values than the limit.
  case tooManySlices(String, limit: Int)
  /// An option for a different task than the run's.
  case otherTask(option: String, run: String, task: ModelTask)
  /// A run without objects that have a label as an attribute.
  case noObjectLabels(String, attribute: String)
  /// Labels of objects with more classes than the limit.
  case tooManyObjectLabels(String, limit: Int)
  /// Options that need other counts than those that a stored evaluation has.
  case kept(String, what: String, options: String)
  /// A stored evaluation whose classes differ from those that the run and the dataset now share.
  case otherClasses(String, ModelTask, kept: [String], now: [String])
  /// A stored region or map that cannot be read, with the sample's key.
  case damaged(sample: String, reason: String)
  /// Stored matches that cannot be read.
  case unreadable(String, sample: String, reason: String)
  /// The keypoints of a class cannot be compared.
  case keypoints(KeypointProblem)
  /// `--sigmas` for an evaluation of boxes or regions.
  case sigmasWithoutKeypoints(run: String, OverlapKind)
  /// A run whose stored settings cannot be read.
  case runSettings(run: String)
  /// `--ignore` with a class that the dataset does not have.
  case unknownIgnored(String, known: [String])
  /// `--ignore` leaves no class to evaluate.
  case allIgnored([String])
  /// A threshold for a run that predicts the most likely class.
  case noThreshold(run: String)
  /// Post-processing for a run without a background class to assign pixels to.
  case noBackground(run: String, options: String)
  /// A threshold other than the run's own, for a run without probability maps.
  case noMaps(run: String, own: Double?)
  /// More IoU thresholds than can be stored with matches.
  case tooManyThresholds(Int, limit: Int)
  /// Two runs of different tasks.
  case tasksDiffer(String, ModelTask, String, ModelTask)
  /// Two runs that have no evaluated class in common.
  case noSharedClass(String, [String], String, [String])
  /// Evaluations with different matching settings; the differing options with both values.
  case evaluatedDifferently(String, String, [String])
  /// Two runs that share no sample.
  case nothingShared(String, String)
  /// Two runs of different datasets.
  case otherDataset(String, dataset: String, String, otherDataset: String)
  /// Two evaluations with different ground truths for a sample.
  case otherTruth(String, String, key: String)
  /// The same, if one includes corrections that the other does not; each with its last ledger
  /// entry, `nil` for the imported ground truth.
  case otherCorrections(String, Int64?, String, Int64?, key: String)
  /// `--corrected` with an evaluation that was stored with a different ground truth.
  case keptTruth(String, Int64?)
  /// An evaluation whose stored settings cannot be read.
  case damagedSettings(run: String, name: String, problem: String)
  /// A file that is not a result of `assay evaluate --json`.
  case noEvaluationFile(String, reason: String)
  /// Files whose rows have no common key and different counts.
  case rowCounts(truth: Int, scores: Int)
  /// Samples of a ground-truth file that have no scores, with examples.
  case samplesWithoutScores([String], total: Int)
  /// A run or an evaluation without best per-class thresholds, and its task; `nil` for a
  /// multi-label evaluation without positives.
  case noThresholds(String, ModelTask?)
  /// Classes of a thresholds file that neither the run nor the dataset has.
  case unknownThresholds([String], file: String, known: [String])
  /// A score that is negative or not finite.
  case notAProbability(sample: String, category: String, value: Double)
  /// A label score outside of 0...1.
  case scoreOutOfRange(sample: String, category: String, value: Double)
  /// Scores that sum to 0 or overflow.
  case noProbabilityMass(sample: String)
  /// Scores whose sum is not 1 within rounding, with the largest of them.
  case notNormalized(sample: String, sum: Double, largest: Double)
  /// Scores that are not probabilities because of a problem with the header.
  case badHeader(sample: String, problem: String)
}

extension EvaluationError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .nothingInCommon(let truth, let scores):
      """
      the ground truth and the scores have no class in common
        ground truth: \(Self.list(truth))
        scores:       \(Self.list(scores))
      classes are joined by name; map them in the model's manifest (classes: {happiness: happy}) or \
      rename the columns
      """
    case .keypoints(let problem): "\(problem)"
    case .sigmasWithoutKeypoints(let run, let overlap):
      """
      --sigmas is for keypoints, but \(run) is evaluated by its \(overlap.noun)
      add --iou-type keypoints, or leave --sigmas out
      """
    case .duplicateClass(let name):
      "class “\(name)” occurs twice; class names must be unique"
    case .missingClasses(let missing, let scores, let ofSets):
      """
      no scores for \(Self.list(missing.map { "\(Self.suggest($0, scores)) (\($0.samples) samples)" }))
        scores: \(Self.list(scores))
      map the names, or give --ignore-missing to leave these \(ofSets ? "classes" : "samples") out
      """
    case .nothingToEvaluate(let what, let reasons):
      "\(what) leaves nothing to evaluate: \(reasons.joined(separator: "; "))"
    case .noGroundTruth(let task, let dataset):
      "\(dataset) has no \(task.words.missing), so there is no ground truth to evaluate "
        + (task.words.evaluated.map { $0 + " " } ?? "")
        + "against; `assay report RUN` shows a run's predictions"
    case .unknownSlice(let name, let known):
      "--by \(name): unknown attribute"
        + (NearMiss.suggestion(for: name, among: known).map { "; did you mean \($0)?" } ?? ";")
        + " known: \(known.joined(separator: ", "))"
    case .tooManySlices(let name, let limit):
      "--by \(name): the field has more than \(limit) different values; a partition (assay split) or saved views "
        + "divide the samples into fewer parts"
    case .noObjectLabels(let run, let attribute):
      """
      no object of \(run) has the attribute “\(attribute)” with a text; a pipeline's step classify gives it \
      (assay query RUN shows the attributes)
      """
    case .tooManyObjectLabels(let run, let limit):
      "the labels of the objects of \(run) have more than \(limit) classes"
    case .otherTask(let option, let run, let task):
      "--\(option) cannot be used with \(run), which predicts \(task.words.output) (task \(task.rawValue))"
    case .kept(let name, let what, let options):
      "the \(what) of \(name) are stored as evaluated; for \(options) evaluate the run itself"
    case .otherClasses(let name, let task, let kept, let now):
      """
      \(name) was evaluated with other classes than \(task.words.sharers) now; evaluate the run again
        stored: \(Self.list(kept))
        now:    \(Self.list(now))
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
      "--ignore leaves no class to evaluate; the model and the dataset share \(Self.list(names))"
    case .noThreshold(let run):
      "\(run) predicts the most probable class of each pixel; --threshold cannot be used"
    case .noBackground(let run, let options):
      """
      \(options): the model of \(run) has no class background, so pixels cannot be added to or removed \
      from its masks; they can only be evaluated unchanged
      """
    case .noMaps(let run, let own):
      """
      \(run) was predicted with --no-maps and has only masks at \
      \(own.map { "threshold \($0)" } ?? "its own threshold"); predict again without \
      --no-maps
      """
    case .tooManyThresholds(let count, let limit):
      "\(count) IoU thresholds are too many to store with a run; give at most \(limit)"
    case .tasksDiffer(let first, let task, let second, let other):
      """
      \(first) is a \(task.rawValue) run and \(second) a \(other.rawValue) run; only runs of one task \
      can be compared
      """
    case .noSharedClass(let first, let classes, let second, let others):
      """
      \(first) and \(second) have no evaluated class in common
        \(first): \(Self.list(classes))
        \(second): \(Self.list(others))
      """
    case .evaluatedDifferently(let first, let second, let differences):
      """
      \(first) and \(second) were evaluated differently (\(differences.joined(separator: "; "))); compare \
      the runs themselves, or evaluate both with the same settings
      """
    case .nothingShared(let first, let second):
      "\(first) and \(second) have no evaluated sample in common; compare runs over one view"
    case .otherDataset(let first, let dataset, let second, let otherDataset):
      """
      \(first) is over \(dataset) and \(second) over \(otherDataset); only runs over one dataset can be \
      compared
      """
    case .otherTruth(let first, let second, let key):
      """
      \(first) and \(second) were evaluated against different ground truth (sample \(key)); evaluate both again
      """
    case .otherCorrections(let first, let one, let second, let other, let key):
      """
      \(first) was evaluated against the \(Self.truth(one)) and \(second) against the \(Self.truth(other)) \
      (sample \(key)); give both as plain runs, with --corrected for the corrected ground truth or without \
      for the imported one
      """
    case .keptTruth(let name, let sequence):
      """
      \(name) is stored with the \(Self.truth(sequence)); --corrected evaluates a run again: give it without \
      @\(name.split(separator: "@").last ?? "")
      """
    case .damagedSettings(let run, let name, let problem):
      """
      the stored settings of \(run)@\(name) are damaged: \(problem); evaluate the run again with the same \
      options to replace them (assay evaluate \(run) --as \(name))
      """
    case .noEvaluationFile(let path, let reason):
      "\(path) is not a result of `assay evaluate --json`: \(reason)"
    case .rowCounts(let truth, let scores):
      """
      the ground truth has \(truth) rows and the scores have \(scores), and they cannot be paired \
      without a column sample in both; add it
      """
    case .samplesWithoutScores(let examples, let total):
      """
      \(total) samples of the ground truth have no scores: \(Self.list(examples))\
      \(total > examples.count ? ", …" : ""); give --ignore-missing to leave them out
      """
    case .noThresholds(let name, let task?):
      "\(name) is a run of \(task.rawValue) and has no best thresholds; give an evaluation of a multi-label run "
        + "(RUN@EVALUATION)"
    case .noThresholds(let name, nil):
      "\(name) has no best thresholds, as no class has a positive there; evaluate it on samples with labels"
    case .unknownThresholds(let names, let file, let known):
      "\(file): unknown class "
        + names.prefix(5).map { name in
          "“\(name)”"
            + (NearMiss.suggestion(for: name, among: known).map { " (did you mean “\($0)”?)" } ?? "")
        }.joined(separator: ", ")
        + (names.count > 5 ? " and \(names.count - 5) more" : "")
        + "; the classes are \(known.prefix(20).joined(separator: ", "))"
        + (known.count > 20 ? ", …" : "")
    case .notAProbability(let sample, let category, let value):
      """
      sample \(sample): the score \(value) of \(category) is not a probability; these look like logits: \
      apply softmax first (activation: softmax in the model's manifest)
      """
    case .scoreOutOfRange(let sample, let category, let value):
      "sample \(sample): the score \(value) of \(category) is not in 0…1; give probabilities per class"
    case .noProbabilityMass(let sample):
      "sample \(sample): its scores sum to 0 or infinity, so the sample has no prediction"
    case .notNormalized(let sample, let sum, let largest):
      "sample \(sample): \(ScoreRows.problem(sum: sum, largest: largest))"
        + " (a run's evaluation is then stored as RUN@normalized)"
    case .badHeader(let sample, let problem): "sample \(sample): \(problem)"
    }
  }

  private static func truth(_ sequence: Int64?) -> String {
    sequence.map { "ground truth corrected up to entry \($0)" } ?? "imported ground truth"
  }

  private static func suggest(_ missing: MissingCategory, _ classes: [String]) -> String {
    let near = NearMiss.suggestion(for: missing.name, among: classes)
    return "“\(missing.name)”" + (near.map { " (did you mean “\($0)”?)" } ?? "")
  }

  private static func list(_ names: [String]) -> String {
    names.prefix(20).joined(separator: ", ")
      + (names.count > 20 ? " and \(names.count - 20) more" : "")
  }
}
