import AssayCore
import AssayMetrics
package import AssayStore
import Foundation

/// Evaluates runs of detectors, and keeps what comes of it beside the run.
package struct RunDetection {
  private let catalog: Catalog
  private let progress: any ProgressSink

  package init(catalog: Catalog, progress: any ProgressSink = NoProgress()) {
    self.catalog = catalog
    self.progress = progress
  }

  /// Above this many parts intervals are made only where they are asked for.
  private static let mostPartsUnasked = 12

  /// Judges a run and reduces it to its numbers. Nothing is stored.
  ///
  /// - Parameter reference: a run, or a stored evaluation for the matches that it kept.
  /// - Throws: as ``DetectionJudge/judge(_:_:)``.
  package func evaluate(
    _ reference: RunReference, _ settings: EvaluationSettings
  ) throws -> (evaluation: DetectionEvaluation, judged: DetectedRun) {
    let judged = try DetectionJudge(catalog: catalog, progress: progress)
      .judge(reference, settings)
    return (try evaluation(of: judged), judged)
  }

  /// The numbers of a judged run.
  ///
  /// - Throws: ``EvaluationError/unknownSlice(_:known:)``, `MetricError`, `StoreError`.
  package func evaluation(of judged: DetectedRun) throws -> DetectionEvaluation {
    let run = judged.run
    var settings = judged.settings
    // Whatever the defaults of later versions are.
    settings.objects.overlap = judged.matching.overlap
    settings.objects.iouThresholds = judged.matching.iouThresholds
    settings.objects.maxDetections = judged.matching.maxDetections
    settings.objects.workingIoU = judged.matching.workingIoU
    settings.objects.workingScore = judged.matching.workingScore
    let scoring = settings.scoring(samples: judged.samples.count)
    if scoring.intervals != nil { progress.report(1, "making intervals") }
    var evaluation = DetectionEvaluation(
      subject: .run(run.name, model: run.model?.name, view: run.view),
      classes: judged.classes.names, matching: judged.matching,
      scores: try DetectionScores(judged.tally, scoring),
      errors: try ErrorScores(judged.errors, scoring), keys: judged.samples.map(\.key),
      counts: judged.counts, settings: settings)
    evaluation.name = judged.evaluation?.name
    evaluation.notes =
      judged.notes + (try importNotes(of: run.dataset))
      + evaluation.scores.intervalNotes(classes: judged.classes.names)
    if let reference = judged.reference {
      let other = try DetectionScores(reference, ScoringSettings(intervals: nil))
      evaluation.notes.insert(Self.note(on: other, beside: evaluation.scores), at: 0)
    }
    if let by = settings.slicedBy {
      let parts = try Slicing(catalog: catalog).parts(of: judged, by: by, in: catalog)
      var asked = settings
      if settings.intervals == nil, parts.count > Self.mostPartsUnasked {
        asked.intervals = false
        evaluation.notes.append(
          "no intervals for more than \(Self.mostPartsUnasked) parts; --intervals makes them")
      }
      evaluation.slices = try parts.map { part in
        DetectionEvaluation.Slice(
          by: by, value: part.value, count: part.indices.count,
          scores: try DetectionScores(
            judged.tally.selecting(part.indices), asked.scoring(samples: part.indices.count)))
      }
    }
    return evaluation
  }

  /// Annotations that the import left out for their shape, of which an evaluation of the files keeps some.
  private func importNotes(of dataset: DatasetRecord) throws -> [String] {
    let isAny = try catalog.issueCounts(of: dataset.id).contains {
      $0.severity == .error && [.maskSize, .badShape].contains($0.kind)
    }
    return isAny && dataset.format == .coco
      ? [
        "annotations of \(dataset.name) whose shape cannot be used were left out at import (assay issues "
          + "\(dataset.name)); evaluate --gt --dt keeps those that have a bbox"
      ] : []
  }

  /// What the reference would print where an annotation has the id 0.
  private static func note(
    on reference: DetectionScores, beside own: DetectionScores
  ) -> String {
    let changed = DetectionScores.stats.compactMap { kind -> String? in
      guard let other = reference[kind].value, let value = own[kind].value, other != value else {
        return nil
      }
      return "\(kind.rawValue) " + String(format: "%.6f (here %.6f)", other, value)
    }
    return "an annotation has the id 0, which pycocotools never counts as found: "
      + (changed.isEmpty
        ? "its numbers are the same all the same"
        : "it would print " + changed.joined(separator: ", "))
  }

  /// What became of the detections and objects of some samples of a judged run, a list a sample.
  ///
  /// - Parameter indices: places in `judged.samples`.
  /// - Throws: `StoreError`.
  package func matches(of judged: DetectedRun, at indices: [Int]) throws -> [[MatchRecord]] {
    guard let evaluation = judged.evaluation else { return indices.map { judged.rows[$0] } }
    let ids = indices.map { judged.samples[$0].id }
    var rows: [Int64: [MatchRecord]] = [:]
    for sample in try catalog.matches(of: evaluation.id, samples: ids) {
      rows[sample.sample] = sample.rows
    }
    return ids.map { rows[$0] ?? [] }
  }

  /// The objects and detections of some samples of a judged run, in their order: for pictures.
  ///
  /// - Parameter indices: places in `judged.samples`; some dozen at a time.
  /// - Throws: `StoreError`.
  package func objects(of judged: DetectedRun, at indices: [Int]) throws -> [SampleObjects] {
    let matches = try matches(of: judged, at: indices)
    let samples = indices.map { judged.samples[$0] }
    var objects = zip(samples, matches).map {
      SampleObjects(sample: $0, truths: [], detections: [], matches: $1)
    }
    let ids = samples.map(\.id)
    let hasRegions = judged.matching.overlap == .mask
    try catalog.forEachAnnotations(of: ids, categories: judged.classes.judgedOrdinals) {
      objects[$0].truths = $1
    }
    try catalog.forEachDetections(of: judged.run.id, samples: ids, counts: hasRegions) {
      objects[$0].detections = $1
    }
    return objects
  }

  /// Keeps an evaluation beside its run, in place of one of the same name; with every detection's and every
  /// missed object's match, so that queries and reports need not match again.
  ///
  /// - Parameters:
  ///   - name: `nil` for `default`, or where detections were matched or samples chosen otherwise than
  ///     usual, or by the corrected truth, for a name made of that: `corrected_iou-type-segm_max-dets-1`.
  ///   - truth: the corrected truth that it was judged by; `nil` for the imported one.
  /// - Returns: the evaluation with its name.
  /// - Throws: ``DetectionError``, `StoreError`.
  package func save(
    _ evaluation: DetectionEvaluation, of judged: DetectedRun, as name: String?,
    by truth: KeptTruth? = nil
  ) throws -> DetectionEvaluation {
    progress.report(1, "storing the evaluation")
    let rows = try matches(of: judged, at: Array(judged.samples.indices))
    let draft = EvaluationDraft(
      run: judged.run.id, name: name ?? Self.name(of: judged, truth),
      settings: evaluation.settings.json(of: .detection).text(), classes: evaluation.classes,
      detections: judged.samples.indices.map { index in
        DetectionTallyRecord(
          sample: judged.samples[index].id, matches: judged.tally[index].packed,
          errors: judged.errors[index].packed, rows: rows[index],
          truths: evaluation.counts[index].truths)
      },
      matching: MatchSettings(
        thresholds: try MatchRows(judged.matching).thresholds, iou: judged.matching.workingIoU,
        score: judged.matching.workingScore),
      ledgerSequence: truth?.sequence ?? judged.evaluation?.ledgerSequence,
      scores: evaluation.records)
    var saved = evaluation
    saved.name = try catalog.saveEvaluation(draft, replace: true).name
    return saved
  }

  private static func name(of judged: DetectedRun, _ truth: KeptTruth?) -> String {
    let objects = judged.settings.objects
    let usual = judged.recipe.overlap
    var parts = objects.differences.filter { option, value in
      option != "iou-type" || value != usual.rawValue
    }.map { option, value in
      "\(option)-\(value.replacing(",", with: "-"))"
    }
    let long = parts.joined(separator: "_")
    if long.utf8.count > 80 { parts = ["settings-" + hash(long)] }
    if let filter = judged.settings.filter { parts.append("where-" + hash(filter)) }
    return KeptTruth.name(of: parts, truth)
  }

  private static func hash(_ text: String) -> String {
    String(ContentHash.of(Array(text.utf8)).prefix(8))
  }
}

extension DetectionEvaluation {
  /// Every number as the catalog keeps it, slices as `split=validation`.
  fileprivate var records: [ScoreRecord] {
    let kinds = MetricKind.kinds(of: .detection)
    var records = kinds.flatMap { kind in
      list(kind, score(kind), perClass(kind), slice: nil, n: count)
    }
    for slice in slices {
      for kind in DetectionScores.kinds + DetectionScores.classKinds {
        records += list(
          kind, slice.scores[kind], slice.scores.perClass(kind),
          slice: "\(slice.by)=\(slice.value)", n: slice.count)
      }
    }
    return records
  }

  private func list(
    _ kind: MetricKind, _ score: Score, _ perClass: [Score], slice: String?, n: Int
  ) -> [ScoreRecord] {
    guard kind.isPerCategory else { return [Self.record(kind, nil, score, slice: slice, n: n)] }
    return zip(classes, perClass).map { Self.record(kind, $0, $1, slice: slice, n: n) }
  }

  private static func record(
    _ kind: MetricKind, _ category: String?, _ score: Score, slice: String?, n: Int
  ) -> ScoreRecord {
    ScoreRecord(
      metric: kind, category: category, slice: slice, value: score.value,
      low: score.interval?.low, high: score.interval?.high, n: n, defined: score.defined,
      total: score.total)
  }
}
