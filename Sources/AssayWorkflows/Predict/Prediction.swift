import AssayCore
import AssayInference
package import AssayStore
import Foundation

/// Runs a model over a view: finds the run or makes one, and computes what is pending.
package struct Prediction {
  private let request: PredictRequest
  private let catalog: Catalog
  private let progress: any ProgressSink

  package init(
    _ request: PredictRequest, catalog: Catalog, progress: any ProgressSink = NoProgress()
  ) {
    self.request = request
    self.catalog = catalog
    self.progress = progress
  }

  /// Computes what is not computed yet. The same request goes on with a run that was interrupted, and
  /// finds one that is done.
  ///
  /// - Throws: ``PredictError``, ``Interrupted``, `InferenceError`, `StoreError`. A run is made only
  ///   once its first samples have passed every check.
  package func run() throws -> PredictSummary {
    let selection = try catalog.resolve(request.view)
    let model = try catalog.model(named: request.model)
    let samples = try catalog.samples(in: selection, limit: request.limit)
    guard !samples.isEmpty else { throw PredictError.emptyView(request.view) }
    let ids = samples.map(\.id)
    let earlier = try EarlierRun(catalog: catalog).find(
      named: request.name, model: model, dataset: selection.dataset, settings: settings,
      samples: ids)
    let taxonomy = try catalog.taxonomy(of: selection.dataset.id)
    if let earlier, earlier.done + earlier.failed == earlier.total {
      var summary = PredictSummary(run: earlier, start: .alreadyDone)
      summary.missing = try ClassMatch(
        classes: earlier.classes, model: model.name, taxonomy: taxonomy,
        dataset: selection.dataset.name, samples: samples
      ).missing
      return try finished(summary)
    }
    let classifier = try model.classifier()
    let match = try ClassMatch(
      classes: classifier.classes, model: model.name, taxonomy: taxonomy,
      dataset: selection.dataset.name, samples: samples)
    guard match.missing.isEmpty || request.ignoreMissing else {
      throw PredictError.missingClasses(
        match.missing, model: model.name, classes: classifier.classes, view: request.view)
    }
    var pending = samples
    if let earlier {
      let left = Set(try catalog.pending(of: earlier.id).map(\.sample))
      pending = samples.filter { left.contains($0.id) }
    }
    let work = try PredictWork(
      request, classifier: classifier, catalog: catalog, dataset: selection.dataset,
      pending: pending, isResumed: earlier != nil, progress: progress)
    if let earlier { try work.verifyStored(of: earlier) }
    let run = try earlier ?? create(model, classifier, selection, ids)
    var summary = try work.finish(run, start: earlier == nil ? .new : .resumed)
    summary.missing = match.missing
    return try finished(summary)
  }

  /// What tells one run from another besides model and samples, as JSON. Batch and workers change no
  /// result and are not in it.
  private var settings: String {
    JSONValue.object([.init("precision", .string(request.precision.rawValue))]).text()
  }

  private func create(
    _ model: ModelRecord, _ classifier: Classifier, _ selection: Selection, _ samples: [Int64]
  ) throws -> RunRecord {
    let runtime = try OpenVINO.load()
    let versions: JSONValue = [
      "assay": .string(request.programVersion), "openvino": .string(runtime.version),
      "openvino_cpu": .string(runtime.pluginVersion),
    ]
    return try catalog.createRun(
      RunDraft(
        name: request.name, model: model.id, dataset: selection.dataset.id, view: request.view,
        settings: settings, versions: versions.text(), classes: classifier.classes,
        samples: samples))
  }

  /// The summary with the run's counts as they are now.
  ///
  /// - Throws: ``PredictError/allFailed(run:count:first:)``.
  private func finished(_ summary: PredictSummary) throws -> PredictSummary {
    var summary = summary
    summary.run = try catalog.run(named: summary.run.name)
    let failures = try catalog.failures(of: summary.run.id).prefix(10)
    if summary.run.done == 0, let first = failures.first {
      throw PredictError.allFailed(
        run: summary.run.name, count: summary.run.failed, first: first.message)
    }
    summary.failures = Array(failures)
    return summary
  }
}
