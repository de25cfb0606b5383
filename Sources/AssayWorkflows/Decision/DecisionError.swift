package import AssayCore

/// The reason why no decision was made, or why one cannot be applied.
package enum DecisionError: Error, Hashable {
  /// A task whose predictions have no score to accept by.
  case noPredictions(run: String, ModelTask)
  /// A method that the task does not have.
  case otherMethod(String, run: String, ModelTask)
  /// One threshold for predictions that belong to the same samples.
  case onlyPerClass(run: String, ModelTask)
  /// No labeled sample; with the run's splits, and the parts of its dataset's partitions.
  case noSamples(run: String, filter: String, predicted: Int, splits: [String], parts: [String])
  /// A score outside of 0...1.
  case score(run: String, sample: String, value: Double)
  /// A decision for another task.
  case otherTask(file: String, ModelTask, run: String, ModelTask)
  /// A decision for another model: its model and the other one, each `nil` for imported predictions.
  case otherModel(file: String, String?, run: String, String?)
  /// A decision for other classes: those that only the file has, and those that only the run has.
  case otherClasses(file: String, [String], run: String, [String])
  /// A decision for predictions with other settings.
  case otherSettings(file: String, String, run: String, String)
  /// Prediction sets where thresholds are needed.
  case sets(file: String, what: String)
  /// A run that was predicted without a decision, where no file is given.
  case noDecision(run: String)
  /// A detector's run without an evaluation to take the matches from.
  case notEvaluated(run: String)
}

extension DecisionError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noPredictions(let run, let task):
      "\(run) is a run of \(task.rawValue): a mask has no score to accept it by, so there is no decision; "
        + "choose a threshold of its probabilities with assay evaluate \(run) --sweep"
    case .otherMethod(let method, let run, let task):
      "--method \(method) is for classification, and \(run) is a run of \(task.rawValue); use clopper-pearson"
    case .onlyPerClass(let run, let task):
      "\(run) is a run of \(task.rawValue), whose predictions of one sample depend on each other: one threshold for all "
        + "classes has no valid bound; use --per class"
    case .noSamples(let run, let filter, let predicted, let splits, let parts):
      "\(run) has no labeled sample with “\(filter)”"
        + (predicted > 0 ? " (\(predicted) without a label)" : "")
        + (splits.isEmpty
          ? "; choose samples with --where"
            + (parts.isEmpty
              ? ""
              : ": the dataset has the parts \(Self.list(parts)) (--where 'part = \(parts[0])')")
          : "; its splits are \(splits.joined(separator: ", ")): use --split NAME or --where EXPR"
            + (parts.isEmpty
              ? "" : "; it has the parts \(Self.list(parts)): --where 'part = \(parts[0])'"))
    case .score(let run, let sample, let value):
      "\(run) has the score \(value) for \(sample), outside of 0…1: decisions need probabilities; import or "
        + "predict it with a softmax or sigmoid"
    case .otherTask(let file, let task, let run, let other):
      "\(file) is a decision on \(task.rawValue), and \(run) is a run of \(other.rawValue)"
    case .otherModel(let file, let model, let run, let other):
      "\(file) was made for \(Self.words(model)), and \(run) is of \(Self.words(other)): its promise does not "
        + "hold for other predictions; make a decision for this model with assay decide"
    case .otherClasses(let file, let own, let run, let other):
      "\(file) and \(run) have different classes"
        + (own.isEmpty ? "" : "; only in the file: \(Self.list(own))")
        + (other.isEmpty ? "" : "; only in the run: \(Self.list(other))")
        + "; make a decision for this model with assay decide"
    case .otherSettings(let file, let settings, let run, let other):
      "\(file) was made for predictions with the settings \(settings), and \(run) has \(other): its promise does "
        + "not hold for other scores; make a decision for these with assay decide"
    case .sets(let file, let what):
      "\(file) holds a threshold of prediction sets (method: conformal), and \(what) needs thresholds of accepted "
        + "predictions; assay decide apply RUN --decision FILE gives the coverage of the sets"
    case .noDecision(let run):
      "\(run) was predicted without a decision; name one with --decision FILE"
    case .notEvaluated(let run):
      "\(run) has no evaluation at IoU 0.5 whose matches say which detections are right; run assay evaluate \(run) "
        + "first"
    }
  }

  private static func words(_ model: String?) -> String {
    model.map { "the model \($0)" } ?? "imported predictions"
  }

  private static func list(_ names: [String]) -> String {
    names.prefix(8).joined(separator: ", ") + (names.count > 8 ? ", …" : "")
  }
}
