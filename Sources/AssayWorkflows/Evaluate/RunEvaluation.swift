import AssayCore
package import AssayMetrics
package import AssayStore
import Foundation

/// Evaluates runs, and keeps what comes of it beside the run.
package struct RunEvaluation {
  private let catalog: Catalog

  package init(catalog: Catalog) { self.catalog = catalog }

  /// The name under which the evaluation of a whole run is kept where none is given.
  package static let defaultName = "default"

  /// Judges a run and reduces it to its numbers. Nothing is stored.
  ///
  /// - Parameters:
  ///   - name: RUN, or RUN@EVALUATION for the samples, truth and settings that one kept.
  ///   - settings: for RUN@EVALUATION what is set here goes before what it kept, but for the filter.
  /// - Throws: ``EvaluationError``, `MetricError`, `StoreError`.
  package func evaluate(
    _ name: String, _ settings: EvaluationSettings
  ) throws -> (evaluation: Evaluation, judged: JudgedRun, tally: ClassificationTally) {
    let judged = try RunJudge(catalog: catalog).judge(name, settings)
    let tally = try judged.tally()
    var settings = settings
    if judged.evaluation != nil { settings.inherit(judged.settings) }
    return (try evaluate(judged, tally, settings), judged, tally)
  }

  private func evaluate(
    _ judged: JudgedRun, _ tally: ClassificationTally, _ settings: EvaluationSettings
  ) throws -> Evaluation {
    let run = judged.run
    var evaluation = Evaluation(
      subject: .run(run.name, model: run.model?.name, view: run.view),
      classes: judged.join.classes,
      scores: try ClassificationScores(tally, settings.scoring(samples: tally.count)),
      settings: settings)
    evaluation.name = judged.evaluation?.name
    evaluation.notes =
      notes(on: judged, settings)
      + IntervalNotes.missing(
        evaluation.scores.missingIntervals, classes: judged.join.classes)
    if let by = settings.slicedBy {
      evaluation.slices = try Slicing(catalog: catalog).parts(of: judged, by: by).map {
        let part = tally.selecting($0.indices)
        return Evaluation.Slice(
          by: by, value: $0.value,
          scores: try ClassificationScores(part, settings.scoring(samples: part.count)))
      }
    }
    return evaluation
  }

  private func notes(on judged: JudgedRun, _ settings: EvaluationSettings) -> [String] {
    var notes = judged.leftOut.reasons.map { "left out: \($0)" }
    if !judged.join.onlyScores.isEmpty {
      let names = judged.join.onlyScores.joined(separator: ", ")
      notes.append("classes of the model alone, without samples: \(names)")
    }
    if judged.run.datasetVersion < judged.run.dataset.importVersion, judged.evaluation == nil {
      notes.append(
        "\(judged.run.dataset.name) was imported again since the run; judged by its labels of now")
    }
    return notes + judged.normalizationNotes(settings)
      + Evaluation.intervalNotes(samples: judged.samples.count, settings)
  }

  /// Keeps an evaluation beside its run, in place of one of the same name.
  ///
  /// - Parameters:
  ///   - name: `nil` for `default`, or where only some samples were judged, or by the corrected truth, for a
  ///     name made of that: `corrected_normalized_where-0f3a5c81`.
  ///   - truth: the corrected truth that it was judged by; `nil` for the imported one.
  /// - Returns: the evaluation with its name.
  /// - Throws: `StoreError`.
  package func save(
    _ evaluation: Evaluation, of judged: JudgedRun, _ tally: ClassificationTally, as name: String?,
    by truth: KeptTruth? = nil
  ) throws -> Evaluation {
    let scored = Set(judged.join.columns)
    let draft = EvaluationDraft(
      run: judged.run.id, name: name ?? Self.name(for: evaluation.settings, truth),
      settings: evaluation.settings.json(of: .classification).text(), classes: evaluation.classes,
      tallies: judged.samples.indices.map { index in
        let sample = tally[index]
        return TallyRecord(
          sample: judged.samples[index].id, truth: sample.truth, predicted: sample.predicted,
          rank: scored.contains(sample.truth) ? sample.rank : 0, confidence: sample.confidence,
          margin: sample.margin)
      },
      ledgerSequence: truth?.sequence ?? judged.evaluation?.ledgerSequence,
      scores: evaluation.records)
    var saved = evaluation
    saved.name = try catalog.saveEvaluation(draft, replace: true).name
    return saved
  }

  private static func name(for settings: EvaluationSettings, _ truth: KeptTruth?) -> String {
    let filter = settings.filter.map { "where-" + ContentHash.of(Array($0.utf8)).prefix(8) }
    let normalized = settings.normalizes ? "normalized" : nil
    return KeptTruth.name(of: [normalized, filter].compactMap(\.self), truth)
  }
}

extension Evaluation {
  /// Why there are fewer intervals than one would expect; empty where all are there.
  static func intervalNotes(samples: Int, _ settings: EvaluationSettings) -> [String] {
    if !settings.makesIntervals(of: samples) {
      return settings.intervals == false
        ? []
        : ["no intervals above \(Bootstrap.mostSamplesUnasked) samples; --intervals makes them"]
    }
    return samples < Bootstrap.leastSamples
      ? ["too few samples (\(samples)) for the intervals of scores that are no rates or means"] : []
  }

  /// Every number as the catalog keeps it, slices as `split=validation`.
  fileprivate var records: [ScoreRecord] {
    Self.records(of: scores, classes: classes, slice: nil)
      + slices.flatMap {
        Self.records(of: $0.scores, classes: classes, slice: "\($0.by)=\($0.value)")
      }
  }

  private static func records(
    of scores: ClassificationScores, classes: [String], slice: String?
  ) -> [ScoreRecord] {
    MetricKind.kinds(of: .classification).flatMap { kind in
      let all = kind.isPerCategory ? scores.perClass(kind) : [scores[kind]]
      return all.enumerated().map { ordinal, score in
        ScoreRecord(
          metric: kind, category: kind.isPerCategory ? classes[ordinal] : nil, slice: slice,
          value: score.value, low: score.interval?.low, high: score.interval?.high,
          n: scores.count, defined: score.defined, total: score.total)
      }
    }
  }
}
