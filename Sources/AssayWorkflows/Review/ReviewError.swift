package import AssayCore
import AssayStore

/// The reasons why a review cannot be created as requested.
package enum ReviewError: Error, Hashable {
  /// No subject was given, and there is no unique default.
  case noSubject(datasets: [String], reviews: [String])
  /// A name that is not a view, run or review.
  case unknownSubject(String, known: [NamedSubjects])
  /// A name with several meanings.
  case ambiguous(String, [String])
  /// Two views, or a review together with another subject.
  case several(String, String)
  /// Runs, or a view and runs, of two datasets.
  case otherDataset(String, String, String, String)
  /// Runs of different tasks.
  case otherTask(String, ModelTask, String, ModelTask)
  /// An uncertainty order for several runs.
  case uncertaintyOfSeveral([String])
  /// An order that requires a run.
  case needsRun(ReviewOrder, view: String, runs: [String])
  /// Options given with an existing review.
  case keptReview(String, subject: String)
  /// A name that is already used for a different request.
  case nameTaken(String, subject: String, order: ReviewOrder)
  /// A requested task that is not that of the run.
  case taskOfRun(ModelTask, String, ModelTask)
  /// A requested task that does not fit the dataset, with the reason, and the command that imports it for the task.
  case unfitTask(ModelTask, dataset: String, String, command: String?)
  /// A dataset with classes and no annotations, for which nobody stated the task.
  case noTask(dataset: String, classes: [String])
  /// No samples are left.
  case nothing(String, reasons: [String])

  /// The names of one kind of subject.
  package struct NamedSubjects: Hashable, Sendable {
    package var kind: String
    package var names: [String]
  }
}

extension ReviewError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noSubject(let datasets, let reviews) where datasets.isEmpty && reviews.isEmpty:
      "the catalog has no dataset yet; create one with `assay import PATH --name NAME`"
    case .noSubject(let datasets, let reviews):
      "missing what to review: a dataset or view (\(Self.list(datasets)))"
        + (reviews.isEmpty
          ? " or a run" : ", a run, or a review to continue (\(Self.list(reviews)))")
    case .unknownSubject(let name, let known):
      "unknown view, run or review “\(name)”" + Self.advice(name, known)
    case .ambiguous(let name, let kinds):
      "“\(name)” is the name of a \(kinds.joined(separator: " and of a ")); write "
        + kinds.map { "\($0):\(name)" }.joined(separator: " or ")
    case .several(let first, let second):
      "\(first) and \(second) cannot be reviewed together: name one view, with runs over it, or runs "
        + "alone, or one review"
    case .otherDataset(let first, let dataset, let second, let otherDataset):
      "\(first) is about \(dataset) and \(second) about \(otherDataset); a review is of one dataset"
    case .otherTask(let first, let task, let second, let otherTask):
      "\(first) does \(task.rawValue) and \(second) \(otherTask.rawValue); name runs of one task"
    case .uncertaintyOfSeveral(let runs):
      "--order uncertainty uses one run, found \(runs.count): \(Self.list(runs)); name one, or "
        + "use --order disagreement"
    case .needsRun(let order, let view, let runs) where runs.isEmpty:
      "--order \(order.rawValue) needs a run over \(view); create one with `assay predict \(view) --model "
        + "MODEL`, or use --order random"
    case .needsRun(let order, _, let runs):
      "--order \(order.rawValue) needs runs of one task; name them: \(Self.list(runs))"
    case .keptReview(let name, let subject):
      "“\(name)” is an existing review: omit --order, --where, --limit, "
        + "--task, --corrected, --assign and --overlap, or make a new one with `assay review \(subject) …`"
    case .nameTaken(let name, let subject, let order):
      "the review “\(name)” already exists with other settings (\(subject) by \(order.rawValue)); choose "
        + "another --name, or replace it with --fresh"
    case .taskOfRun(let task, let run, let own):
      "--task \(task.rawValue) does not fit the run \(run), which does \(own.rawValue); omit it, or name the "
        + "dataset in place of the run"
    case .unfitTask(let task, let dataset, let reason, let command):
      "--task \(task.rawValue) does not fit \(dataset), which \(reason)"
        + (command.map {
          "; if it is to be labeled for that, import it again (corrections that the new task does not use stay in the "
            + "ledger, and do not count): \($0)"
        }
          ?? "; omit it")
    case .noTask(let dataset, let classes):
      "\(dataset) has the \(classes.count == 1 ? "class" : "classes") \(Self.list(classes)) and no annotations: say what is "
        + "to be labeled with --task classification (one label per image), detection (boxes) or segmentation (masks and "
        + "polygons); for sets of labels import it with --task multilabel --replace"
    case .nothing(let subject, let reasons):
      "\(subject) has no samples to review"
        + (reasons.isEmpty ? "" : ": " + reasons.joined(separator: "; "))
    }
  }

  private static func advice(_ name: String, _ known: [NamedSubjects]) -> String {
    let suggestion = NearMiss.suggestion(for: name, among: known.flatMap(\.names))
    let lists = known.filter { !$0.names.isEmpty }.map { "\($0.kind): \(list($0.names))" }
    return (suggestion.map { "; did you mean “\($0)”?" } ?? ";") + " There are "
      + (lists.isEmpty ? "none yet" : lists.joined(separator: "; "))
  }

  private static func list(_ names: [String]) -> String {
    names.prefix(12).joined(separator: ", ")
      + (names.count > 12 ? " and \(names.count - 12) more" : "")
  }
}
