import AssayCore
package import AssayStore

/// The predictions of the frames that a live session captured, as runs of its models: of the same JPEG images with the
/// same settings, so the answers are those that the page showed.
package struct SessionRuns {
  /// The work to do again for each frame.
  package struct Request: Sendable {
    package var dataset: String
    /// The frames' `track`.
    package var track: String
    /// The model; `nil` with a pipeline.
    package var model: String?
    /// The second model, of `--disagree`.
    package var second: String?
    package var pipeline: String?
    package var replacements: [String: String] = [:]
    package var modelFolder: String?
    /// The path of the decision to record with the run of the model or pipeline.
    package var decision: String?
    package var programVersion: String

    package init(dataset: String, track: String, programVersion: String) {
      (self.dataset, self.track, self.programVersion) = (dataset, track, programVersion)
    }
  }

  /// The saved view of the session's frames, and the names of the runs.
  package struct Made: Sendable, Hashable {
    package var view: String
    package var runs: [String]
  }

  private let request: Request
  private let catalog: Catalog
  private let progress: any ProgressSink

  package init(
    _ request: Request, catalog: Catalog, progress: any ProgressSink = NoProgress()
  ) {
    (self.request, self.catalog, self.progress) = (request, catalog, progress)
  }

  /// The name of a session's view: `live-20261128T143256Z`.
  package static func view(of dataset: String, track: String) -> String {
    dataset + "-" + track.filter { $0.isLetter || $0.isNumber }
  }

  /// Saves the view and predicts its frames.
  ///
  /// - Throws: the errors of ``Prediction`` and ``PipelineRun``. Finished frames are kept.
  package func run() throws -> Made {
    let view = Self.view(of: request.dataset, track: request.track)
    if try !catalog.views().contains(where: { $0.name == view }) {
      _ = try catalog.addView(
        named: view, in: try catalog.resolve(request.dataset),
        where: "track = \"\(request.track)\"")
    }
    var runs: [String] = []
    for (model, decision) in [(request.model, request.decision), (request.second, nil)] {
      guard let model else { continue }
      var predict = PredictRequest(
        view: view, model: model, programVersion: request.programVersion)
      predict.decision = decision
      // Frames that were labeled since can have classes that the model does not have.
      predict.ignoreMissing = true
      runs.append(try Prediction(predict, catalog: catalog, progress: progress).run().run.name)
    }
    if let pipeline = request.pipeline {
      var steps = PipelineRequest(
        pipeline: pipeline, view: view, programVersion: request.programVersion)
      (steps.replacements, steps.modelFolder) = (request.replacements, request.modelFolder)
      steps.decision = request.decision
      steps.name = "\(try ReadyPipeline.read(pipeline).pipeline.name)-\(view)"
      runs.append(try PipelineRun(steps, catalog: catalog, progress: progress).run().run.name)
    }
    return Made(view: view, runs: runs)
  }
}
