package import AssayCore
import AssayReports
package import AssayStore

/// A choice of a run's samples by their results, as a click on a number of the run's page makes it.
package struct RunFilter: Hashable, Sendable {
  /// A result of a sample, or of the objects and labels in it.
  package enum Outcome: String, Sendable, CaseIterable {
    case right, wrong
    case truePositive = "true_positive"
    case falsePositive = "false_positive"
    case falseNegative = "false_negative"
    case classification = "classification_errors"
    case localization = "localization_errors"
    case both = "both_errors"
    case duplicate = "duplicates"
    case background = "background_errors"
    case missed
  }

  /// The class of the ground truth and the predicted class; ``background`` for objects with no partner.
  package var truth: String?
  package var predicted: String?
  /// The class that the outcome is counted for.
  package var category: String?
  package var outcome: Outcome?
  /// Bounds of the confidence, or of the IoU of masks: exclusive, inclusive, inclusive, exclusive.
  package var over: Double?
  package var from: Double?
  package var upTo: Double?
  package var below: Double?
  /// The IoU and the minimum score of detections; `nil` for the evaluation's own.
  package var iou: Double?
  package var score: Double?

  package init() {}

  /// The name of the row and column of a confusion matrix for objects without a partner.
  package static let background = "background"

  /// Returns whether a number is within the bounds.
  func contains(_ value: Double) -> Bool {
    over.map { value > $0 } ?? true && from.map { value >= $0 } ?? true
      && upTo.map { value <= $0 } ?? true && below.map { value < $0 } ?? true
  }

  /// True if there is a bound.
  var isBounded: Bool { over != nil || from != nil || upTo != nil || below != nil }

  /// The bounds as terms of an expression.
  func terms(of field: String) -> [String] {
    [(">", over), (">=", from), ("<=", upTo), ("<", below)].compactMap { sign, bound in
      bound.map { "\(field) \(sign) \($0)" }
    }
  }
}

/// A task whose runs have a live page.
package protocol InspectedTask: ComparedTask {
  /// The facts that the page of a run needs besides the numbers of its evaluation.
  static func inspection(
    of run: EvaluatedRun<Self>, _ details: Details, in catalog: Catalog
  ) throws -> RunInspection

  /// The numeric field of samples by which two runs are drawn against each other; `nil` if a sample is only right or
  /// wrong.
  static var scatterField: String? { get }

  /// The expressions for the samples on which the second of two runs is worse, and better.
  ///
  /// - Parameters:
  ///   - first: the first run, as in an expression: `run(r1)`; `second` likewise.
  static func changes(from first: String, to second: String) -> (worse: String, better: String)
}

/// The facts that the page of a run needs besides the numbers of its evaluation.
package struct RunInspection: Sendable {
  /// The samples of a filter, and expressions that can select the same.
  struct Choice: Sendable {
    /// The indices of the samples in the run; `nil` if the expression alone defines them.
    var indices: [Int]?
    var expressions: [String]
  }

  /// Further members of the page's numbers.
  var members: [JSONValue.Member] = []
  /// The samples of a filter.
  var choose: @Sendable (RunFilter) throws -> Choice
  /// The counts of a detector at an IoU and a minimum score.
  var point: (@Sendable (_ iou: Double?, _ score: Double?) throws -> JSONValue)?
}

/// The reasons why numbers of a run or samples behind them cannot be shown.
package enum InspectionError: Error, Hashable, CustomStringConvertible {
  case notEvaluated(run: String)
  case unknownClass(String, run: String)
  case noThreshold(Double, run: String, known: [Double])
  case noPoint(run: String, ModelTask)
  case otherOutcome(String, run: String, ModelTask)
  case evaluation(String)

  package var description: String {
    switch self {
    case .notEvaluated(let run):
      "the run \(run) has no evaluation “\(EvaluationRecord.defaultName)”; make it with: assay evaluate \(run)"
    case .unknownClass(let name, let run): "the run \(run) was not evaluated for a class “\(name)”"
    case .noThreshold(let iou, let run, let known):
      "the run \(run) was not evaluated at IoU \(NumberText.short(iou)), only at "
        + known.map(NumberText.short).joined(separator: ", ")
    case .noPoint(let run, let task):
      "the run \(run) (\(task.rawValue)) has no IoU and score to choose; only runs of detectors have"
    case .otherOutcome(let outcome, let run, let task):
      "“\(outcome)” is no result of samples of the run \(run) (\(task.rawValue))"
    case .evaluation(let name):
      "“\(name)” is an evaluation of a run; two runs are compared by their evaluations “\(EvaluationRecord.defaultName)”: name the runs. assay compare compares others"
    }
  }
}

extension EvaluatedRun {
  /// The run as in an expression: `run(r1)`.
  var subject: String { "run(\(QueryWords.spelled(run.name)))" }

  /// The name of the run's evaluation in an expression, not spelled: `r1` for the evaluation `default`, or `r1@strict`.
  var queriedName: String {
    evaluation.map { $0.name == EvaluationRecord.defaultName } ?? true ? run.name : name
  }

  /// The index of a class.
  ///
  /// - Throws: ``InspectionError/unknownClass(_:run:)``.
  static func place(
    of name: String, in classes: [String], run: String
  ) throws(InspectionError) -> Int {
    guard let place = classes.firstIndex(of: name) else { throw .unknownClass(name, run: run) }
    return place
  }
}
