package import AssayCore

extension Evaluation {
  /// The evaluation as `assay evaluate --json` prints it: plain numbers under the keys of `MetricKind`.
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
    case .files(let truth, let scores, let pairedBySample):
      [.init("gt", .string(truth)), .init("dt", .string(scores))]
        + (pairedBySample.map { [.init("paired_by", .string($0 ? "sample" : "row"))] } ?? [])
    }
  }
}
