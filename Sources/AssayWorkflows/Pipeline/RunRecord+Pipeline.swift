import AssayCore
import AssayStore

extension RunRecord {
  /// The pipeline that made a run, as its settings have it.
  struct Pipeline: Hashable, Sendable {
    struct Step: Hashable, Sendable {
      /// The step and its model, such as `detect: face-full`.
      var title: String
      /// The SHA-256 of the model's file; `nil` for a step without a model.
      var modelHash: String?
    }

    var name: String
    var steps: [Step]
  }

  /// `nil` if the run is of one model, or imported.
  var pipeline: Pipeline? {
    guard settings.contains(#""pipeline""#),
      let found = (try? JSONValue(parsing: settings))?["pipeline"], let name = found["name"]?.text,
      let steps = found["steps"]?.elements
    else { return nil }
    return Pipeline(
      name: name,
      steps: steps.compactMap { step in
        step["step"]?.text.map { Pipeline.Step(title: $0, modelHash: step["hash"]?.text) }
      })
  }

  /// The model or the pipeline with its steps, for the head of a page; the run's name for imported predictions.
  var modelWords: String {
    guard let pipeline else { return model?.name ?? name }
    return "\(pipeline.name) (\(pipeline.steps.map(\.title).joined(separator: ", ")))"
  }
}
