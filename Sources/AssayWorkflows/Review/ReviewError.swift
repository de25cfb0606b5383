package import AssayCore
import AssayStore

/// The reasons why there is nothing to review, or not in this way.
package enum ReviewError: Error, Hashable {
  /// No subject, and not one that could be meant.
  case noSubject(datasets: [String], reviews: [String])
  /// A name that is no view, run or review.
  case unknownSubject(String, known: [NamedSubjects])
  /// A name that means several things.
  case ambiguous(String, [String])
  /// Two views, or a review with something else.
  case several(String, String)
  /// Runs or a view of two datasets.
  case otherDataset(String, String, String, String)
  /// Runs that do different things.
  case otherTask(String, ModelTask, String, ModelTask)
  /// Uncertainty of several runs.
  case uncertaintyOfSeveral([String])
  /// An order that needs a run.
  case needsRun(ReviewOrder, view: String, runs: [String])
  /// Options beside a review that is there already.
  case keptReview(String, subject: String)
  /// A name that is taken by the answer to another question.
  case nameTaken(String, subject: String, order: ReviewOrder)
  /// Nothing is left of the samples.
  case nothing(String, reasons: [String])

  /// The names of a kind.
  package struct NamedSubjects: Hashable, Sendable {
    package var kind: String
    package var names: [String]
  }
}

extension ReviewError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noSubject(let datasets, let reviews) where datasets.isEmpty && reviews.isEmpty:
      "the catalog holds no dataset yet; `assay import PATH --name NAME` makes one"
    case .noSubject(let datasets, let reviews):
      "say what to review: a dataset or view (\(Self.list(datasets)))"
        + (reviews.isEmpty
          ? " or a run" : ", a run, or a review to go on with (\(Self.list(reviews)))")
    case .unknownSubject(let name, let known):
      "“\(name)” is no view, run or review" + Self.advice(name, known)
    case .ambiguous(let name, let kinds):
      "“\(name)” is the name of a \(kinds.joined(separator: " and of a ")); say "
        + kinds.map { "\($0):\(name)" }.joined(separator: " or ")
    case .several(let first, let second):
      "\(first) and \(second) cannot be reviewed together: name one view, with runs over it, or runs "
        + "alone, or one review"
    case .otherDataset(let first, let dataset, let second, let otherDataset):
      "\(first) is about \(dataset) and \(second) about \(otherDataset); a review is of one dataset"
    case .otherTask(let first, let task, let second, let otherTask):
      "\(first) does \(task.rawValue) and \(second) \(otherTask.rawValue); name runs of one task"
    case .uncertaintyOfSeveral(let runs):
      "--order uncertainty goes by one run, and these are \(runs.count): \(Self.list(runs)); name one, or "
        + "take --order disagreement"
    case .needsRun(let order, let view, let runs) where runs.isEmpty:
      "--order \(order.rawValue) goes by a run, and none is over \(view); `assay predict \(view) --model "
        + "MODEL` makes one, --order random needs none"
    case .needsRun(let order, _, let runs):
      "--order \(order.rawValue) goes by runs of one task; name those that are meant: \(Self.list(runs))"
    case .keptReview(let name, let subject):
      "“\(name)” is a review that was made before, as it is: leave out --order, --where, --limit and "
        + "--corrected, or ask anew with `assay review \(subject) …`"
    case .nameTaken(let name, let subject, let order):
      "there is a review “\(name)” already, of another question (\(subject) by \(order.rawValue)); choose "
        + "another --name, or put it in its place with --fresh"
    case .nothing(let subject, let reasons):
      "nothing of \(subject) is to be reviewed"
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
