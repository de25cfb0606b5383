import AssayCore
import AssayMetrics
package import AssayStore
import Foundation

/// Puts a run's masks beside the truth of their samples and counts pixels.
package struct SegmentationJudge {
  private let catalog: Catalog
  private let progress: any ProgressSink

  package init(catalog: Catalog, progress: any ProgressSink = NoProgress()) {
    self.catalog = catalog
    self.progress = progress
  }

  /// The samples that one worker takes at a time.
  static let chunk = 16

  /// Judges a run by the dataset's regions as they are now, or reads the counts that a stored evaluation
  /// kept.
  ///
  /// - Parameters:
  ///   - settings: for a stored evaluation what makes masks and chooses samples is its own.
  ///   - sweep: thresholds to count at besides the one to judge at.
  /// - Throws: ``SegmentationError``, ``SweepError``, ``EvaluationError``, ``RunMasksError``,
  ///   ``Interrupted``, `MetricError`, `StoreError`.
  package func judge(
    _ reference: RunReference, _ settings: EvaluationSettings, sweep: ThresholdRange? = nil
  ) throws -> SegmentedRun {
    let masks = try RunMasks(catalog: catalog, run: reference.run)
    if let evaluation = reference.evaluation {
      guard sweep == nil else { throw SweepError.kept(reference.name) }
      return try stored(evaluation, settings, masks.recipe)
    }
    return try judge(masks, settings, sweep: sweep)
  }

  private func judge(
    _ masks: RunMasks, _ settings: EvaluationSettings, sweep: ThresholdRange?
  ) throws -> SegmentedRun {
    let (run, recipe) = (masks.run, masks.recipe)
    try Self.check(settings.masks, sweep, of: run, recipe)
    let taxonomy = try catalog.taxonomy(of: run.dataset.id)
    guard try catalog.hasGroundTruth(for: .segmentation, in: run.dataset) else {
      throw SegmentationError.noRegions(dataset: run.dataset.name)
    }
    let classes = try SegmentationClasses(
      truth: taxonomy, run: run.classes, background: recipe.background,
      ignoring: settings.masks.ignored)
    var settings = settings
    settings.masks.threshold = settings.masks.threshold ?? recipe.threshold
    var judged = SegmentedRun(
      run: run, evaluation: nil, settings: settings, recipe: recipe, classes: classes,
      samples: [], tally: SegmentationTally(labels: classes.labels), traits: [], leftOut: .init())
    judged.leftOut.pending = run.total - run.done - run.failed
    judged.leftOut.failed = run.failed
    let current = try catalog.currentSamples(of: run)
    for prediction in try catalog.maskPredictions(of: run.id, where: settings.filter) {
      if let current, !current.contains(prediction.sample.id) {
        judged.leftOut.retired += 1
      } else if prediction.sample.size == nil {
        judged.leftOut.withoutSize += 1
      } else {
        judged.samples.append(prediction.sample)
        judged.traits.append(SampleTraits(unsureness: prediction.unsureness))
      }
    }
    judged.leftOut.byPeople = try catalog.keysLeftOut(of: run, where: settings.filter)
    try judged.checkNotEmpty()
    let counting = RegionCounting(
      catalog: catalog, masks: masks, classes: classes, settings: settings.masks,
      sweep: sweep?.values ?? [])
    try count(&judged, counting)
    return judged
  }

  private func count(_ judged: inout SegmentedRun, _ counting: RegionCounting) throws {
    let total = judged.samples.count
    let samples = judged.samples
    var sweep = counting.sweep.map {
      (threshold: $0, tally: SegmentationTally(labels: judged.classes.labels))
    }
    var (drawn, done) = (0, 0)
    try OrderedWorkers(workers: ProcessInfo.processInfo.activeProcessorCount).run(
      next: { () -> ArraySlice<SampleRecord>? in
        try Interruption.check("nothing was stored; evaluate again to start over")
        guard drawn < total else { return nil }
        defer { drawn = min(total, drawn + Self.chunk) }
        return samples[drawn..<min(total, drawn + Self.chunk)]
      },
      transform: { _, chunk in try counting.count(Array(chunk)) },
      deliver: { counted in
        for sample in counted {
          try judged.tally.add(sample.pixels)
          judged.traits[done].centreOffset = sample.centreOffset
          for (place, pixels) in sample.sweep.enumerated() { try sweep[place].tally.add(pixels) }
          done += 1
        }
        progress.report(Double(done) / Double(total), "judging \(judged.run.name)")
      })
    judged.sweep = sweep
  }

  /// Refuses what the run's masks cannot be made with.
  private static func check(
    _ settings: MaskSettings, _ sweep: ThresholdRange?, of run: RunRecord,
    _ recipe: SegmentationRecipe
  ) throws {
    if recipe.threshold == nil {
      guard sweep == nil else { throw SweepError.noThreshold(run: run.name) }
      guard settings.threshold == nil else { throw SegmentationError.noThreshold(run: run.name) }
      guard recipe.background != nil || settings.cleanup.isNone else {
        var asked = MaskSettings()
        asked.cleanup = settings.cleanup
        throw SegmentationError.noBackground(
          run: run.name, options: asked.differences(own: nil).joined(separator: " "))
      }
    }
    if !recipe.keepsMaps {
      guard sweep == nil else { throw SweepError.noMaps(run: run.name) }
      guard settings.threshold == nil || settings.threshold == recipe.threshold else {
        throw SegmentationError.noMaps(run: run.name, own: recipe.threshold)
      }
    }
  }

  private func stored(
    _ evaluation: EvaluationRecord, _ settings: EvaluationSettings, _ recipe: SegmentationRecipe
  ) throws -> SegmentedRun {
    let run = evaluation.run
    let name = "\(run.name)@\(evaluation.name)"
    var kept = try EvaluationSettings(storedIn: evaluation)
    var asked = settings.masks
    asked.empty = .undefined
    let differences = asked.differences(own: kept.masks.threshold)
    guard differences.isEmpty else {
      throw SegmentationError.kept(name, options: differences.joined(separator: " "))
    }
    if let filter = settings.filter, filter != kept.filter {
      throw SegmentationError.kept(name, options: "--where \(filter)")
    }
    kept.takeReduction(of: settings)
    let classes = try SegmentationClasses(
      truth: catalog.taxonomy(of: run.dataset.id), run: run.classes, background: recipe.background,
      ignoring: kept.masks.ignored)
    guard classes.labels.names == evaluation.classes else {
      throw SegmentationError.otherClasses(
        name, kept: evaluation.classes, now: classes.labels.names)
    }
    var judged = SegmentedRun(
      run: run, evaluation: evaluation, settings: kept, recipe: recipe, classes: classes,
      samples: [], tally: SegmentationTally(labels: classes.labels), traits: [], leftOut: .init())
    var tallies: [Int64: PixelTallyRecord] = [:]
    for tally in try catalog.pixelTallies(of: evaluation.id) { tallies[tally.sample] = tally }
    // What it kept is not what people may have changed since.
    for prediction in try catalog.readingImported().maskPredictions(of: run.id) {
      guard let tally = tallies[prediction.sample.id] else { continue }
      judged.samples.append(prediction.sample)
      try judged.tally.add(
        SegmentedSample(
          confusion: tally.confusion, boundary: kept.masks.hasBoundary ? tally.boundary : [],
          void: tally.void))
      judged.traits.append(
        SampleTraits(unsureness: tally.unsureness, centreOffset: tally.centreOffset))
    }
    try judged.checkNotEmpty()
    judged.accountForAbsent()
    if evaluation.ledgerSequence != nil {
      judged.leftOut.byPeople = try catalog.keysLeftOut(of: run, where: kept.filter)
    }
    return judged
  }
}

extension SegmentedRun {
  /// Tells again of the samples that the run has no masks for: an evaluation keeps which samples it judged,
  /// not why the others are not among them.
  fileprivate mutating func accountForAbsent() {
    guard settings.filter == nil else { return }
    let absent = max(0, run.total - samples.count)
    leftOut.failed = min(run.failed, absent)
    leftOut.pending = min(max(0, run.total - run.done - run.failed), absent - leftOut.failed)
  }

  /// - Throws: ``EvaluationError/nothingToJudge(_:reasons:)``.
  fileprivate func checkNotEmpty() throws(EvaluationError) {
    guard samples.isEmpty else { return }
    var reasons = leftOut.reasons
    if let filter = settings.filter { reasons.append("--where \(filter)") }
    throw .nothingToJudge(name, reasons: reasons.isEmpty ? ["it has no predictions"] : reasons)
  }
}

extension MaskPredictionRecord {
  /// How undecided the model is over the picture, in 0...1: of one class 1 − 2·mean |p − ½|; of several,
  /// whose probabilities sum to 1, half the sum of this over the classes, which is 2·(1 − the largest p)
  /// where that is above ½, and 1 below.
  var unsureness: Double? {
    guard !masks.isEmpty else { return nil }
    let sum = masks.map { 1 - 2 * $0.meanDistance }.reduce(0, +)
    return min(1, max(0, masks.count == 1 ? sum : sum / 2))
  }
}
