package import AssayCore
import AssayMetrics
import AssayStore

/// The evaluation of a run or of files: all metrics, and their context. Text, JSON, gates, SQL and
/// reports are all made from this value, for every task.
package struct Evaluation: Sendable {
  /// The metrics of a subset of the samples.
  package struct Slice: Sendable {
    /// The field that defines the slices, and this slice's name.
    package var by: String
    package var value: String
    /// The task-specific metrics.
    package var own: any TaskScores
    /// Every metric under its key.
    package var scores: ScoreTable

    init(by: String, value: String, own: any TaskScores) {
      self.by = by
      self.value = value
      self.own = own
      scores = own.table
    }
  }

  /// The run that was evaluated.
  package enum Subject: Sendable, Hashable {
    /// A run: its name, its model's name (`nil` for imported predictions), and its view as typed.
    case run(String, model: String?, view: String)
    /// Two files, and how their rows were paired: by sample or by order; `nil` if there are no
    /// rows.
    case files(truth: String, scores: String, pairedBySample: Bool? = nil)
    /// The labels of a run's objects, and its view as typed.
    case objects(run: String, view: String, labels: ObjectLabels)
  }

  /// The JSON value for the undefined precision, recall and F1 of a class.
  package enum ZeroDivision: String, Sendable, CaseIterable {
    /// `null`: the value is undefined.
    case undefined
    /// 0, like scikit-learn's `zero_division=0`.
    case zero = "0"
  }

  /// The default name under which the evaluation of a whole run is stored.
  package static let defaultName = EvaluationRecord.defaultName

  package var subject: Subject
  /// The name of the stored evaluation; `nil` if it is not stored.
  package var name: String?
  /// The names of the evaluated classes, in the order of all per-class scores.
  package var classes: [String]
  /// Every metric under its key.
  package var scores: ScoreTable
  /// The task-specific part.
  package var details: EvaluationDetails
  package var slices: [Slice] = []
  package var settings: EvaluationSettings
  /// Notes on the metrics for the reader, one sentence each.
  package var notes: [String] = []

  package init(
    subject: Subject, classes: [String], details: some TaskDetails, settings: EvaluationSettings
  ) {
    self.subject = subject
    self.classes = classes
    self.details = details.wrapped
    scores = details.table
    self.settings = settings
  }

  /// The samples with their metrics as CSV, one row each; `nil` if the task has no such table.
  package var samplesCSV: String? { details.own.samplesCSV }

  /// Every metric as stored in the catalog, with slices as `split=validation`.
  var records: [ScoreRecord] {
    scores.records(classes: classes, slice: nil)
      + slices.flatMap { $0.scores.records(classes: classes, slice: "\($0.by)=\($0.value)") }
      + details.own.furtherRecords
  }

  /// Notes on why intervals are missing; empty if there are none missing.
  static func intervalNotes(samples: Int, _ settings: EvaluationSettings) -> [String] {
    if !settings.makesIntervals(of: samples) {
      return settings.intervals == false
        ? []
        : ["no CIs above \(Bootstrap.mostSamplesUnasked) samples; --intervals computes them"]
    }
    return samples < Bootstrap.leastSamples
      ? ["no CI for pooled metrics below \(Bootstrap.leastSamples) samples (\(samples))"] : []
  }
}

extension Evaluation {
  /// The evaluation in the format of `assay evaluate --json`: plain numbers under the keys of
  /// `MetricKind`.
  package func json(zeroDivision: ZeroDivision = .undefined) -> JSONValue {
    func table(_ scores: ScoreTable) -> ScoreTableJSON {
      ScoreTableJSON(scores, classes: classes, zeroDivision: zeroDivision)
    }
    return .object(
      subject.members(name: name) + [.init("task", .string(details.task.rawValue))]
        + details.own.members(table(scores), settings) + [
          .init("settings", settings.json(of: details.task)),
          .init(
            "slices",
            .array(
              slices.map { slice in
                .object(
                  [.init("by", .string(slice.by)), .init("value", .string(slice.value))]
                    + slice.own.members(table(slice.scores)))
              })),
          .init("notes", .array(notes.map { .string($0) })),
        ])
  }
}

extension Evaluation.Subject {
  fileprivate func members(name: String?) -> [JSONValue.Member] {
    switch self {
    case .run(let run, let model, let view):
      [
        .init("run", .string(run)), .init("evaluation", JSONValue(name)),
        .init("model", JSONValue(model)), .init("view", .string(view)),
      ]
    case .objects(let run, let view, let labels):
      [
        .init("run", .string(run)), .init("view", .string(view)),
        .init("attribute", .string(labels.attribute)), .init("field", JSONValue(labels.field)),
      ]
    case .files(let truth, let scores, let pairedBySample):
      [.init("gt", .string(truth)), .init("dt", .string(scores))]
        + (pairedBySample.map { [.init("paired_by", .string($0 ? "sample" : "row"))] } ?? [])
    }
  }
}
