import AssayCore
import AssayMetrics
package import AssayStore
import Foundation

/// Puts a run's detections beside the truth of their samples and matches them.
package struct DetectionJudge {
  private let catalog: Catalog
  private let progress: any ProgressSink

  package init(catalog: Catalog, progress: any ProgressSink = NoProgress()) {
    self.catalog = catalog
    self.progress = progress
  }

  /// The samples that one worker takes at a time.
  private static let chunk = 32

  /// Judges a run by the dataset's objects as they are now, or reads the matches that a stored evaluation
  /// kept.
  ///
  /// - Parameter settings: for a stored evaluation what matches and chooses samples is its own.
  /// - Throws: ``DetectionError``, ``EvaluationError``, ``Interrupted``, `MetricError`, `StoreError`.
  package func judge(
    _ reference: RunReference, _ settings: EvaluationSettings
  ) throws -> DetectedRun {
    let judged =
      if let evaluation = reference.evaluation {
        try StoredDetections(catalog: catalog).judge(evaluation, settings)
      } else {
        try judge(reference.run, settings)
      }
    try judged.checkNotEmpty()
    return judged
  }

  private func judge(_ run: RunRecord, _ settings: EvaluationSettings) throws -> DetectedRun {
    let taxonomy = try catalog.taxonomy(of: run.dataset.id)
    guard try catalog.hasGroundTruth(for: .detection, in: run.dataset) else {
      throw DetectionError.noObjects(dataset: run.dataset.name)
    }
    let classes = try DetectionClasses(truth: taxonomy, run: run.classes)
    let recipe = try DetectionRecipe(run)
    let matching = settings.objects.settings(recipe.overlap)
    var judged = DetectedRun(
      run: run, evaluation: nil, settings: settings, recipe: recipe, matching: matching,
      classes: classes, samples: [],
      tally: try DetectionTally(classCount: classes.names.count, matching),
      errors: ErrorTally(classCount: classes.names.count, matching), leftOut: .init())
    judged.leftOut.pending = run.total - run.done - run.failed
    judged.leftOut.failed = run.failed
    let current = try catalog.currentSamples(of: run)
    for sample in try catalog.doneSamples(of: run.id, where: settings.filter) {
      if let current, !current.contains(sample.id) {
        judged.leftOut.retired += 1
      } else if matching.overlap == .mask, sample.size == nil {
        judged.leftOut.withoutSize += 1
      } else {
        judged.samples.append(sample)
      }
    }
    judged.leftOut.byPeople = try catalog.keysLeftOut(of: run, where: settings.filter)
    judged.samples = judged.samples.inReferenceOrder
    try match(&judged)
    return judged
  }

  /// What one sample comes to.
  private struct Matched: Sendable {
    var matches: ImageMatches
    var errors: ImageErrors
    var rows: [MatchRecord]
    /// Detections of classes that are not judged.
    var strangers: Int
    /// As the reference has it, where there is an annotation with the id 0.
    var reference: ImageMatches?
  }

  private func match(_ judged: inout DetectedRun) throws {
    // Reading is fastest in the order of the catalog.
    let order = judged.samples.indices.sorted { judged.samples[$0].id < judged.samples[$1].id }
    let samples = judged.samples
    let total = samples.count
    let work = try SampleMatching(catalog: catalog, judged)
    var results: [Matched?] = Array(repeating: nil, count: total)
    var (drawn, done) = (0, 0)
    try OrderedWorkers(workers: ProcessInfo.processInfo.activeProcessorCount).run(
      next: { () -> ArraySlice<Int>? in
        try Interruption.check("nothing was stored; evaluate again to start over")
        guard drawn < total else { return nil }
        defer { drawn = min(total, drawn + Self.chunk) }
        return order[drawn..<min(total, drawn + Self.chunk)]
      },
      transform: { _, chunk in try work.match(chunk.map { samples[$0] }) },
      deliver: { matched in
        for sample in matched {
          results[order[done]] = sample
          done += 1
        }
        progress.report(Double(done) / Double(total), "judging \(judged.run.name)")
      })
    judged.rows.reserveCapacity(total)
    for case let sample? in results {
      try judged.tally.add(sample.matches)
      try judged.errors.add(sample.errors)
      judged.rows.append(sample.rows)
      judged.strangers += sample.strangers
    }
    guard results.contains(where: { $0?.reference != nil }) else { return }
    var reference = try DetectionTally(classCount: judged.classes.names.count, judged.matching)
    for case let sample? in results { try reference.add(sample.reference ?? sample.matches) }
    judged.reference = reference
  }

  /// Reads and matches some samples; used by several threads at once.
  private struct SampleMatching: Sendable {
    private let catalog: Catalog
    private let run: Int64
    private let reading: ObjectReading
    private let settings: DetectionSettings
    private let rows: MatchRows

    init(catalog: Catalog, _ judged: DetectedRun) throws {
      self.catalog = catalog
      run = judged.run.id
      settings = judged.matching
      rows = try MatchRows(settings)
      reading = ObjectReading(
        classes: judged.classes, overlap: settings.overlap,
        takesBoxArea: judged.recipe.takesBoxArea,
        isCompatible: judged.settings.objects.isCompatible)
    }

    func match(_ samples: [SampleRecord]) throws -> [Matched] {
      let ids = samples.map(\.id)
      let truths = try truths(of: samples, ids)
      var matched: [Matched] = []
      try catalog.forEachDetections(
        of: run, samples: ids, scores: false, counts: settings.overlap == .mask
      ) { index, detections in
        let sample = samples[index]
        let found = try damaged(sample) { () throws(MaskError) in
          try reading.found(detections, of: sample)
        }
        let matches = try ImageMatches(
          truth: truths[index].objects, found: found.objects, settings)
        let errors = try ImageErrors(
          truth: truths[index].objects, found: found.objects, settings)
        matched.append(
          Matched(
            matches: matches, errors: errors,
            rows: rows.rows(truths: truths[index], found: found, matches, errors),
            strangers: found.strangers, reference: try reference(truths[index], found)))
      }
      return matched
    }

    private func reference(
      _ truths: ObjectReading.Truths, _ found: ObjectReading.Found
    ) throws(MetricError) -> ImageMatches? {
      guard truths.hasIDZero, !reading.isCompatible else { return nil }
      let objects = zip(truths.objects, truths.hasID).map { object, hasID in
        var object = object
        object.countsAsUnmatched = !hasID
        return object
      }
      return try ImageMatches(truth: objects, found: found.objects, settings)
    }

    private func truths(
      of samples: [SampleRecord], _ ids: [Int64]
    ) throws -> [ObjectReading.Truths] {
      var truths: [ObjectReading.Truths] = []
      var wanting: [Int] = []
      let categories = reading.classes.judgedOrdinals
      try catalog.forEachAnnotations(
        of: ids, categories: categories, geometry: settings.overlap == .mask
      ) { index, annotations in
        if settings.overlap == .box, annotations.contains(where: reading.needsGeometry) {
          wanting.append(index)
          truths.append(ObjectReading.Truths())
        } else {
          truths.append(
            try damaged(samples[index]) { () throws(MaskError) in
              try reading.truths(annotations, of: samples[index])
            })
        }
      }
      guard !wanting.isEmpty else { return truths }
      try catalog.forEachAnnotations(of: wanting.map { ids[$0] }, categories: categories) {
        place, annotations in
        let index = wanting[place]
        truths[index] = try damaged(samples[index]) { () throws(MaskError) in
          try reading.truths(annotations, of: samples[index])
        }
      }
      return truths
    }

    private func damaged<Value>(
      _ sample: SampleRecord, _ body: () throws(MaskError) -> Value
    ) throws(DetectionError) -> Value {
      do { return try body() } catch {
        throw .damaged(sample: sample.key, reason: "\(error)")
      }
    }
  }
}

extension [SampleRecord] {
  /// As COCO's evaluation takes images: in ascending order of their ids in the source; those without one
  /// last, as they were.
  var inReferenceOrder: [SampleRecord] {
    indices.sorted { first, second in
      switch (self[first].sourceID, self[second].sourceID) {
      case (let a?, let b?) where a != b: a.precedes(b)
      case (_?, nil): true
      case (nil, _?): false
      default: first < second
      }
    }.map { self[$0] }
  }
}

extension DetectedRun {
  /// - Throws: ``EvaluationError/nothingToJudge(_:reasons:)``.
  fileprivate func checkNotEmpty() throws(EvaluationError) {
    guard samples.isEmpty else { return }
    var reasons = leftOut.reasons
    if let filter = settings.filter { reasons.append("--where \(filter)") }
    throw .nothingToJudge(name, reasons: reasons.isEmpty ? ["it has no predictions"] : reasons)
  }
}
