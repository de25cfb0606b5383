import AssayCore
import AssayMetrics
package import AssayStore

/// Compares two runs of detectors, image by image and object by object.
package struct DetectionRunComparison {
  private let catalog: Catalog
  private let progress: any ProgressSink

  package init(catalog: Catalog, progress: any ProgressSink = NoProgress()) {
    self.catalog = catalog
    self.progress = progress
  }

  /// Pairs two runs on the samples that both have, by the classes that both judge.
  ///
  /// - Parameter second: differences are second − first.
  /// - Throws: ``EvaluationError``, ``EvaluationError/noSharedClass(_:_:_:_:)``,
  ///   ``EvaluationError``, ``Interrupted``, and as ``Evaluator/counted(_:_:)``.
  package func compare(
    _ first: RunReference, _ second: RunReference, _ settings: EvaluationSettings
  ) throws -> DetectionPairing {
    try SamplePairs.checkDatasets((first.name, first.run), (second.name, second.run))
    let whole = try DetectionPairJudge(catalog: catalog, progress: progress)
      .judge(first, second, settings)
    let pairs = try SamplePairs.places(
      (first.name, whole.first.samples), (second.name, whole.second.samples))
    let one = whole.first.selecting(pairs.map(\.0))
    let other = whole.second.selecting(pairs.map(\.1))
    let truths = try ComparedTruths(first, second, in: catalog)
    let scoring = settings.scoring(samples: pairs.count)
    if scoring.intervals != nil { progress.report(1, "making intervals") }
    let comparison: DetectionComparison
    do {
      comparison = try DetectionComparison(
        first: one.tally, second: other.tally, errors: (one.errors, other.errors), scoring)
    } catch MetricError.truthMismatch(let sample) {
      throw truths.error(key: one.samples[sample].key)
    }
    let objects = try ObjectPairing(catalog: catalog).pair(one, other)
    return DetectionPairing(
      first: one, second: other, comparison: comparison, objects: objects,
      notes: truths.notes + whole.notes + Self.notes(whole.first, whole.second, pairs: pairs.count)
        + Self.intervalNotes(comparison, classes: one.classes.names)
        + Evaluation.intervalNotes(samples: pairs.count, settings))
  }

  private static func notes(
    _ first: EvaluatedRun<ObjectDetection>, _ second: EvaluatedRun<ObjectDetection>, pairs: Int
  ) -> [String] {
    var notes = [first, second].flatMap { run -> [String] in
      var notes = run.leftOut.reasons.map { "left out of \(run.name): \($0)" }
      let alone = run.samples.count - pairs
      if alone > 0 {
        notes.append("\(alone) \(alone == 1 ? "sample" : "samples") of \(run.name) alone left out")
      }
      return notes
    }
    if first.matching.overlap == .mask, first.recipe.takesBoxArea != second.recipe.takesBoxArea {
      let boxes = first.recipe.takesBoxArea ? first.name : second.name
      notes.append(
        "the sizes of \(boxes)'s results go by their boxes, those of the other's by their regions, so "
          + "APs, APm and APl are not of quite the same results")
    }
    return notes
  }

  /// How far one may trust the intervals, and where there are none.
  private static func intervalNotes(
    _ comparison: DetectionComparison, classes: [String]
  ) -> [String] {
    let classAP = comparison.perClass(.perCategoryAP)
    var notes = IntervalNotes.missing(
      DetectionScores.kinds.map { ($0, [comparison[$0]?.missing]) }
        + DetectionScores.classKinds.map { ($0, comparison.perClass($0).map(\.missing)) },
      classes: classes)
    notes += IntervalNotes.shifted(
      DetectionScores.kinds.map { comparison[$0]?.interval } + classAP.map(\.interval))
    notes += IntervalNotes.simultaneous(classAP).map {
      $0 + "; p (Holm) is corrected for their number, too, and is not about AP but about images "
        + "with objects lost or won (sign test)"
    }
    if comparison[.ap]?.interval != nil {
      let without = DetectionErrorKind.allCases.filter {
        !ErrorComparison.boundedErrors.contains($0)
      }
      notes.append(
        "no interval for the AP that errors of \(without.map(\.rawValue).joined(separator: " and ")) "
          + "cost: none is honest")
    }
    return notes
  }
}
