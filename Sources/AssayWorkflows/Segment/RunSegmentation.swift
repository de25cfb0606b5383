import AssayCore
import AssayMetrics
import AssayReports
package import AssayStore

/// Evaluates runs that find regions, and keeps what comes of it beside the run.
package struct RunSegmentation {
  private let catalog: Catalog
  private let progress: any ProgressSink

  package init(catalog: Catalog, progress: any ProgressSink = NoProgress()) {
    self.catalog = catalog
    self.progress = progress
  }

  /// Judges a run and reduces it to its numbers. Nothing is stored.
  ///
  /// - Parameters:
  ///   - reference: a run, or a stored evaluation for the counts that it kept.
  ///   - sweep: thresholds to judge at besides the one of the settings.
  /// - Throws: as ``SegmentationJudge/judge(_:_:sweep:)``.
  package func evaluate(
    _ reference: RunReference, _ settings: EvaluationSettings, sweep: ThresholdRange? = nil
  ) throws -> (evaluation: SegmentationEvaluation, judged: SegmentedRun) {
    let judged = try SegmentationJudge(catalog: catalog, progress: progress)
      .judge(reference, settings, sweep: sweep)
    return (try evaluation(of: judged), judged)
  }

  /// The numbers of a judged run.
  ///
  /// - Throws: ``EvaluationError/unknownSlice(_:known:)``, `StoreError`.
  package func evaluation(of judged: SegmentedRun) throws -> SegmentationEvaluation {
    let (run, settings) = (judged.run, judged.settings)
    let empty = settings.masks.empty
    var evaluation = SegmentationEvaluation(
      subject: .run(run.name, model: run.model?.name, view: run.view),
      scores: try SegmentationScores(
        judged.tally, empty: empty, settings.scoring(samples: judged.samples.count)),
      keys: judged.samples.map(\.key), settings: settings)
    evaluation.name = judged.evaluation?.name
    evaluation.traits = judged.traits
    evaluation.baseline = SegmentationBaseline(judged.tally)
    evaluation.ownThreshold = judged.recipe.threshold
    if !judged.sweep.isEmpty { evaluation.sweep = try ThresholdSweep(judged.sweep, empty: empty) }
    evaluation.notes = judged.notes
    if let by = settings.slicedBy {
      evaluation.slices = try Slicing(catalog: catalog).parts(of: judged, by: by).map { part in
        let scoring = settings.scoring(samples: part.indices.count)
        return SegmentationEvaluation.Slice(
          by: by, value: part.value,
          scores: try SegmentationScores(
            judged.tally.selecting(part.indices), empty: empty, scoring))
      }
    }
    return evaluation
  }

  /// The regions of some samples of a judged run, truth and prediction, in their order: for pictures.
  ///
  /// - Parameter indices: places in `judged.samples`; some dozen at a time.
  /// - Throws: ``SegmentationError``, ``RunMasksError``, `StoreError`.
  package func regions(of judged: SegmentedRun, at indices: [Int]) throws -> [SampleRegions] {
    try RegionCounting(
      catalog: catalog, masks: RunMasks(catalog: catalog, run: judged.run),
      classes: judged.classes, settings: judged.settings.masks
    ).regions(of: indices.map { judged.samples[$0] })
  }

  /// Keeps an evaluation beside its run, in place of one of the same name.
  ///
  /// - Parameters:
  ///   - name: `nil` for `default`, or where masks were made or samples chosen otherwise than usual, or by
  ///     the corrected truth, for a name made of that: `corrected_threshold-0.4_open-2`.
  ///   - truth: the corrected truth that it was judged by; `nil` for the imported one.
  /// - Returns: the evaluation with its name.
  /// - Throws: `StoreError`.
  package func save(
    _ evaluation: SegmentationEvaluation, of judged: SegmentedRun, as name: String?,
    by truth: KeptTruth? = nil
  ) throws -> SegmentationEvaluation {
    // The catalog wants two counts a label; the settings say that they are none.
    let noBoundary = Array(repeating: 0, count: 2 * judged.classes.labels.count)
    let draft = EvaluationDraft(
      run: judged.run.id, name: name ?? Self.name(of: judged, truth),
      settings: evaluation.settings.json(of: .segmentation).text(),
      classes: evaluation.scores.labels.names, tallies: [],
      pixelTallies: judged.samples.indices.map { index in
        let (pixels, score) = (judged.tally[index], evaluation.scores.samples[index])
        return PixelTallyRecord(
          sample: judged.samples[index].id, confusion: pixels.confusion,
          boundary: pixels.boundary.isEmpty ? noBoundary : pixels.boundary, void: pixels.void,
          iou: score.iou, dice: score.dice,
          pixelAccuracy: score.pixelAccuracy, boundaryIoU: score.boundaryIoU,
          precision: score.precision, recall: score.recall,
          unsureness: judged.traits[index].unsureness,
          centreOffset: judged.traits[index].centreOffset)
      },
      ledgerSequence: truth?.sequence ?? judged.evaluation?.ledgerSequence,
      scores: evaluation.records)
    var saved = evaluation
    saved.name = try catalog.saveEvaluation(draft, replace: true).name
    return saved
  }

  private static func name(of judged: SegmentedRun, _ truth: KeptTruth?) -> String {
    let settings = judged.settings
    var parts = settings.masks.nameParts(own: judged.recipe.threshold)
    if let filter = settings.filter {
      parts.append("where-" + ContentHash.of(Array(filter.utf8)).prefix(8))
    }
    return KeptTruth.name(of: parts, truth)
  }
}

extension SegmentationEvaluation {
  /// Every number as the catalog keeps it, slices as `split=validation`, a sweep as `threshold=0.4`.
  fileprivate var records: [ScoreRecord] {
    Self.records(of: scores, slice: nil)
      + slices.flatMap { Self.records(of: $0.scores, slice: "\($0.by)=\($0.value)") }
      + (sweep?.points ?? []).flatMap { point in
        [
          (MetricKind.meanIoU, point.meanIoU), (.meanDice, point.meanDice), (.iou, point.iou),
          (.dice, point.dice),
        ].map { kind, score in
          Self.record(
            kind, nil, score, slice: "threshold=\(point.threshold)", n: scores.count)
        }
      }
  }

  private static func records(of scores: SegmentationScores, slice: String?) -> [ScoreRecord] {
    MetricKind.kinds(of: .segmentation).flatMap { kind -> [ScoreRecord] in
      guard kind.isPerCategory else {
        return [record(kind, nil, scores[kind], slice: slice, n: scores.count)]
      }
      let all = scores.perClass(kind)
      return scores.labels.judged.filter { $0 < all.count }.map { label in
        record(kind, scores.labels.names[label], all[label], slice: slice, n: scores.count)
      }
    }
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
