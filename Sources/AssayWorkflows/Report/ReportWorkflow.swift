import AssayCore
import AssayReports
package import AssayStore
import Foundation

/// Evaluates a run and renders its report. Nothing is stored or written.
package struct ReportWorkflow {
  /// The name of the page in its folder.
  package static let pageName = RenderedReport.pageName

  let catalog: Catalog
  let progress: any ProgressSink
  /// The status of the corrections of all datasets.
  let corrections: CorrectionStatus
  /// The verdict of a gate that the page shows; `nil` for none.
  package var gate: GateOutcome?
  let workers = max(1, ProcessInfo.processInfo.activeProcessorCount)

  package init(
    catalog: Catalog, corrections: CorrectionStatus = .none,
    progress: any ProgressSink = NoProgress()
  ) {
    self.catalog = catalog
    self.corrections = corrections
    self.progress = progress
  }

  /// The verdict of the gate as facts, first in one line, then by check.
  var gateFacts: [FactGroup] {
    guard let gate else { return [] }
    func number(_ value: Double?) -> String { value.map { NumberText.short($0) } ?? "–" }
    let passed = gate.terms.count(where: \.isMet)
    let checks = gate.terms.count == 1 ? "check" : "checks"
    let failed = gate.terms.filter { !$0.isMet }.map { "; \($0.text) is \(number($0.value))" }
    return [
      FactGroup(
        "Gate",
        [
          .init(
            "Gate",
            "\(gate.isPassed ? "passed" : "failed"): \(passed) of \(gate.terms.count) \(checks) passed"
              + failed.prefix(3).joined() + (failed.count > 3 ? "; …" : ""),
            isPassed: gate.isPassed)
        ]
          + gate.terms.map { term in
            .init(
              term.text,
              "\(term.isMet ? "passed" : "failed"): value \(number(term.value)), threshold \(number(term.bound))"
                + (term.reason.map { "; \($0)" } ?? ""))
          })
    ]
  }

  /// The ledger entry of the ground truth with which a plain run is evaluated; `nil` for the
  /// imported ground truth.
  var sequence: Int64? { corrections.used ? corrections.sequence ?? 0 : nil }

  /// The report of RUN or RUN@EVALUATION; the latter uses that evaluation's ground truth, samples
  /// and settings.
  ///
  /// If the dataset has no ground truth for the run's task, or no class of the run, the report shows
  /// only the predictions.
  ///
  /// - Parameter ignoresMissing: true to exclude samples of classes that the run has no scores for.
  /// - Throws: ``EvaluationError``, ``RunMasksError``,
  ///   ``Interrupted``, `MetricError`, `ReportError`, `StoreError`.
  package func report(_ name: String, ignoresMissing: Bool = false) throws -> Outcome {
    let reference = try RunReference(name, in: catalog)
    progress.report(0, "evaluating \(name)")
    do {
      return try evaluated(
        Tasks.type(of: reference.run.task), reference, ignoresMissing: ignoresMissing)
    } catch EvaluationError.noGroundTruth {
      return try predictions(
        reference,
        "\(reference.run.dataset.name) has no ground truth for \(reference.run.task.rawValue)")
    } catch EvaluationError.nothingInCommon {
      return try predictions(
        reference, "\(reference.run.name) and \(reference.run.dataset.name) have no class in common"
      )
    }
  }

  private func evaluated<Task: ReportedTask>(
    _ task: Task.Type, _ reference: RunReference, ignoresMissing: Bool
  ) throws -> Outcome {
    guard !ignoresMissing || Task.ignoresMissing else {
      throw EvaluationError.otherTask(
        option: "ignore-missing", run: reference.run.name, task: Task.task)
    }
    var settings = EvaluationSettings()
    settings.ignoresMissing = ignoresMissing
    return try Task.report(reference, settings, by: self)
  }
}

extension ReportWorkflow {
  /// The report of a run over images without ground truth for its task: predictions without
  /// metrics.
  ///
  /// - Parameter reason: the reason why there are no metrics, one clause.
  func predictions(_ reference: RunReference, _ reason: String) throws -> Outcome {
    let run = reference.run
    let samples = try catalog.doneSamples(of: run.id)
    guard !samples.isEmpty else { throw PredictionsError.noPredictions(run: run.name) }
    var report = PredictionsReport(
      run: run.name, model: run.modelWords, view: run.view, task: run.task,
      count: samples.count)
    try count(samples, of: reference, &report)

    let chosen = Self.chosen(samples)
    let drawing = try RunDrawing(reference, in: catalog)
    let images = SampleImages(catalog: catalog, dataset: run.dataset)
    var (unreadable, shown) = (0, [SampleRecord]())
    for start in stride(from: 0, to: chosen.count, by: 8) {
      try Interruption.check("nothing was written")
      let part = Array(chosen[start..<min(start + 8, chosen.count)])
      let drawn = try drawing.drawn(part)
      for (index, raster) in try images.rasters(of: part).enumerated() {
        guard case .success(let raster) = raster else {
          unreadable += 1
          continue
        }
        shown.append(part[index])
        report.pictures.append(
          PredictionsReport.Picture(
            key: part[index].key,
            raster: try RunDrawing.image(
              raster, of: part[index], with: drawn[index],
              longest: PredictionsReport.pictureLongest),
            caption: drawn[index].caption))
      }
    }
    report.query = try SectionQueries(run.dataset, runs: [run.name], in: catalog)
      .query(listing: shown)
    report.facts = ReportFacts(predictionsOf: run, count: samples.count).groups
    report.notes = ["\(reason): predictions only, no metrics"]
    if unreadable > 0 {
      report.notes.append(
        "\(unreadable) \(unreadable == 1 ? "image" : "images") could not be read")
    }
    progress.report(0.9, "drawing the report of \(reference.name)")
    let rendered = try report.render(workers: workers)
    return Outcome(
      run: run, evaluationName: nil, count: samples.count, headline: [],
      files: [(Self.pageName, rendered.html)] + rendered.charts.map { ($0.name, $0.png) },
      notes: report.notes + rendered.notes)
  }

  /// The samples whose images are shown: all, or a random subset, in the run's order.
  private static func chosen(_ samples: [SampleRecord]) -> [SampleRecord] {
    guard samples.count > PredictionsReport.pictureLimit else { return samples }
    var random = SplitMix64(seed: PredictionsReport.seed)
    var places = Set<Int>()
    while places.count < PredictionsReport.pictureLimit {
      places.insert(Int.random(in: samples.indices, using: &random))
    }
    return places.sorted().map { samples[$0] }
  }

  /// Counts the run's predictions, some samples at a time.
  private func count(
    _ samples: [SampleRecord], of reference: RunReference, _ report: inout PredictionsReport
  ) throws {
    let run = reference.run
    let labels = run.task.output == .labels ? try PredictedLabels(reference) : nil
    report.classes = run.classes.map { .init(name: $0, count: 0) }
    var counts = Array(repeating: 0, count: run.classes.count)
    func add(_ ordinal: Int, _ confidence: Double?) {
      if counts.indices.contains(ordinal) { counts[ordinal] += 1 }
      if let confidence { report.add(confidence: confidence) }
    }
    let step = 4096
    for start in stride(from: 0, to: samples.count, by: step) {
      try Interruption.check("nothing was written")
      progress.report(0.8 * Double(start) / Double(samples.count), "reading predictions")
      let ids = samples[start..<min(start + step, samples.count)].map(\.id)
      switch run.task {
      case .classification:
        for case let found? in try catalog.topPredictions(of: run.id, samples: ids) {
          add(found.class, run.isLabelsOnly ? nil : found.confidence)
        }
      case .multiLabel:
        for case let scores? in try catalog.scores(of: run, samples: ids) {
          report.add(labels: labels?.labels(scores) ?? [], scores: scores.map(Double.init))
        }
      case .segmentation:
        let background = SegmentationRecipe(settings: run.settings)?.background
        for masks in try catalog.maskSummaries(of: run.id, samples: ids) {
          let masks = masks.filter { $0.class != background }
          for mask in masks { add(mask.class, mask.mean) }
          if masks.isEmpty { report.empty += 1 }
        }
      case .detection:
        try catalog.forEachDetections(of: run.id, samples: ids, counts: false) { _, detections in
          let kept = detections.filter { $0.confidence >= RunDrawing.score }
          for detection in kept { add(detection.class, detection.confidence) }
          if kept.isEmpty { report.empty += 1 }
        }
      }
    }
    for (place, count) in counts.enumerated() { report.classes[place].count += count }
    switch run.task.output {
    case .objects: report.score = RunDrawing.score
    case .labels: report.score = labels?.single
    case .label, .masks: break
    }
  }
}
