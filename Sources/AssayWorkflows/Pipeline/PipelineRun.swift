import AssayCore
import AssayInference
package import AssayStore
import Foundation

/// The request of `assay pipeline run`.
package struct PipelineRequest: Sendable {
  /// The name of a ready-made pipeline, or the path of a file.
  package var pipeline: String
  /// The VIEW argument.
  package var view: String
  /// The run's name; `nil` for `PIPELINE-VIEW`.
  package var name: String?
  /// The name of a classification run for the labels of each sample's best object; `nil` for none.
  package var labels: String?
  /// Models to use in place of others, by the pipeline's name.
  package var replacements: [String: String] = [:]
  /// The folder of model files of ready-made pipelines; `nil` for the usual ones.
  package var modelFolder: String?
  /// The number of threads; `nil` for one per core. It does not affect results.
  package var workers: Int?
  /// The maximum number of samples, from the start of the view.
  package var limit: Int?
  /// The path of a decision to record: on the objects, or on the labels that the last classifier gives them; `nil` for
  /// none.
  package var decision: String?
  package var programVersion: String

  package init(pipeline: String, view: String, programVersion: String) {
    (self.pipeline, self.view, self.programVersion) = (pipeline, view, programVersion)
  }
}

/// The result of a pipeline.
package struct PipelineSummary: Sendable {
  package var run: RunRecord
  package var start: PredictSummary.Start
  /// The number of samples computed now.
  package var computed = 0
  /// The time in seconds from the first to the last sample.
  package var seconds = 0.0
  package var workers = 0
  /// All objects of the run, and those that qualify.
  package var objects = 0
  package var qualified = 0
  /// The number of images with as many objects as the detector keeps (``limit``), of a class or of all: there may be more.
  package var atLimit = 0
  package var limit = 0
  package var isLimitOfClass = true
  /// The name of the model that found the objects.
  package var detector = ""
  /// The reasons why objects do not qualify, with their numbers, most frequent first; numbers in them are left out.
  package var reasons: [(reason: String, count: Int)] = []
  /// The labels of the objects that qualify, most frequent first.
  package var labels: [(label: String, count: Int)] = []
  /// The steps with their models.
  package var steps: [String] = []
  /// The promise of the decision; `nil` without one.
  package var promise: String?
  /// The numbers of objects or labels that the decision is about, and of those that it accepts.
  package var decided = 0
  package var accepted = 0
  /// The classification run of the labels; `nil` if none was asked for.
  package var labelRun: RunRecord?
  package var failures: [FailedSample] = []
}

/// Runs a pipeline over a view: finds or creates the run, and computes the pending samples.
package struct PipelineRun {
  private let request: PipelineRequest
  private let catalog: Catalog
  private let progress: any ProgressSink

  package init(
    _ request: PipelineRequest, catalog: Catalog, progress: any ProgressSink = NoProgress()
  ) {
    (self.request, self.catalog, self.progress) = (request, catalog, progress)
  }

  /// Computes the pending samples. Repeating a request resumes an interrupted run and retries failed samples.
  ///
  /// - Throws: ``PipelineError``, ``PredictError``, ``Interrupted``, `InferenceError`, `StoreError`.
  package func run() throws -> PipelineSummary {
    let selection = try catalog.resolve(request.view)
    let plan = try PipelinePlan(
      request.pipeline, replacements: request.replacements, models: request.modelFolder, in: catalog
    )
    let (pipeline, models, detector) = (plan.pipeline, plan.models, plan.detector)
    let labeler = plan.labeler
    if request.labels != nil, labeler?.isLabel != true {
      throw PipelineError.noLabels(pipeline: pipeline.name)
    }
    let decision = try request.decision.map { try PipelineDecision($0, for: plan) }
    let samples = try catalog.samples(in: selection, limit: request.limit)
    guard !samples.isEmpty else { throw PredictError.emptyView(request.view) }
    let settings = try plan.settings(deciding: decision)
    let name =
      request.name
      ?? pipeline.name + "-" + request.view.replacing("/", with: "-").replacing(":", with: "-")
    let earlier = try EarlierRun(catalog: catalog).find(
      named: name, model: detector, dataset: selection.dataset, settings: settings,
      samples: samples.map(\.id))
    if let labels = request.labels, let labeler {
      try PipelineResults(catalog: catalog, attribute: nil).checkLabels(
        named: labels, classifier: labeler.model,
        settings: try PipelineResults.labelSettings(of: name, settings),
        samples: samples.map(\.id), dataset: selection.dataset)
    }
    var summary: PipelineSummary
    if let earlier, earlier.done == earlier.total {
      summary = PipelineSummary(run: earlier, start: .alreadyDone)
    } else {
      let pending =
        try earlier.map { try EarlierRun(catalog: catalog).left(of: $0, among: samples) } ?? samples
      let loop = try PipelineLoop(
        plan.compiler(deciding: decision), models, catalog: catalog, dataset: selection.dataset,
        view: request.view,
        pending: pending, isResumed: earlier != nil, workers: request.workers, progress: progress)
      let run =
        try earlier
        ?? catalog.createRun(
          RunDraft(
            name: name, model: detector.id, task: .detection, dataset: selection.dataset.id,
            view: request.view, settings: settings, versions: try versions(), classes: plan.classes,
            samples: samples.map(\.id)))
      summary = try loop.compute(run, start: earlier == nil ? .new : .resumed)
    }
    summary.run = try catalog.run(named: summary.run.name)
    summary.failures = Array(try catalog.failures(of: summary.run.id).prefix(10))
    if summary.run.done == 0, let first = summary.failures.first {
      throw PredictError.allFailed(
        run: summary.run.name, count: summary.run.failed, first: first.message)
    }
    summary.steps = pipeline.steps.map(\.title)
    summary.detector = detector.name
    let limit = try detector.readManifest().detector?.limit
    (summary.limit, summary.isLimitOfClass) = (limit ?? DetectorRule.usualClassLimit, limit == nil)
    let results = PipelineResults(
      catalog: catalog, attribute: labeler?.attribute, limit: summary.limit,
      isLimitOfClass: summary.isLimitOfClass, decision: decision)
    try results.count(into: &summary)
    summary.promise = decision?.file.promise
    if let name = request.labels, let labeler {
      summary.labelRun = try results.storeLabels(
        named: name, of: summary.run, samples: samples.map(\.id), classifier: labeler.model,
        versions: try versions())
    }
    return summary
  }

  private func versions() throws -> String {
    let runtime = try OpenVINO.load()
    return JSONValue.object([
      .init("assay", .string(request.programVersion)), .init("openvino", .string(runtime.version)),
      .init("openvino_cpu", .string(runtime.pluginVersion)),
    ]).text()
  }
}
