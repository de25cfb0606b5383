package import AssayCore
import AssayMetrics

extension Evaluation {
  /// What the keys for undefined precision, recall and F1 of a class hold.
  package enum ZeroDivision: String, Sendable, CaseIterable {
    /// `null`: there is no such number.
    case undefined
    /// 0, as scikit-learn's `zero_division=0`.
    case zero = "0"
  }

  /// The evaluation as `assay evaluate --json` prints it: plain numbers under the keys of `MetricKind`.
  package func json(zeroDivision: ZeroDivision = .undefined) -> JSONValue {
    var members: [JSONValue.Member] = []
    switch subject {
    case .run(let run, let model, let view):
      members += [
        .init("run", .string(run)), .init("evaluation", JSONValue(name)),
        .init("model", JSONValue(model)), .init("view", .string(view)),
      ]
    case .files(let truth, let scores, let pairedBySample):
      members += [
        .init("gt", .string(truth)), .init("dt", .string(scores)),
        .init("paired_by", .string(pairedBySample ? "sample" : "row")),
      ]
    }
    members.append(.init("task", .string(ModelTask.classification.rawValue)))
    members += ScoresJSON(scores, classes: classes, zeroDivision: zeroDivision).members
    members += [
      .init("zero_division", .string(zeroDivision.rawValue)),
      .init(
        "zero_division_note",
        .string(
          "macro_* and weighted_* count undefined classes as 0, *_defined leave them out; precision, "
            + "recall and f1 of a class are "
            + (zeroDivision == .zero ? "0" : "null") + " where undefined")),
      .init("settings", settings.json(of: .classification)),
      .init(
        "slices",
        .array(
          slices.map { slice in
            .object(
              [.init("by", .string(slice.by)), .init("value", .string(slice.value))]
                + ScoresJSON(slice.scores, classes: classes, zeroDivision: zeroDivision).members)
          })),
      .init("notes", .array(notes.map { .string($0) })),
    ]
    return .object(members)
  }
}
