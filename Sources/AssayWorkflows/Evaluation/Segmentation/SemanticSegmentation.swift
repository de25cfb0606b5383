package import AssayCore
package import AssayMetrics
package import AssayStore
import Foundation

/// The samples of a run that gives each pixel a class: their pixels counted against the ground truth.
package struct SemanticSegmentation: EvaluatedTask {
  package static let task = ModelTask.segmentation
  package static let countKeys = ["n", "defined"]
  package static let hasSampleTable = true
  package static let hasSweep = true

  package private(set) var recipe: SegmentationRecipe
  package private(set) var classes: SegmentationClasses
  /// The counts of each sample.
  package var tally: SegmentationTally
  /// Of each sample what is no score.
  package private(set) var traits: [SampleTraits] = []
  /// For each threshold of a sweep the counts of all samples, boundaries apart.
  package private(set) var sweep: [(threshold: Double, tally: SegmentationTally)] = []

  package init(
    _ run: RunRecord, _ settings: inout EvaluationSettings, storedIn evaluation: EvaluationRecord?,
    in catalog: Catalog
  ) throws {
    recipe = try SegmentationRecipe(of: run)
    classes = try SegmentationClasses(
      truth: catalog.taxonomy(of: run.dataset.id), run: run.classes, background: recipe.background,
      ignoring: settings.masks.ignored)
    tally = SegmentationTally(labels: classes.labels)
    if evaluation == nil, settings.masks.threshold == nil {
      settings.masks.threshold = recipe.threshold
    }
    sweep = (settings.masks.sweep?.values ?? []).map { [tally] in ($0, tally) }
    settings.masks.sweep = nil
  }

  package var countedClasses: [String] { classes.labels.names }
  package var evaluatedClasses: [String] { classes.judged }

  package static func settings(
    _ asked: EvaluationSettings, keeping kept: EvaluationSettings, of name: String
  ) throws -> EvaluationSettings {
    guard asked.masks.sweep == nil else { throw SweepError.kept(name) }
    var masks = asked.masks
    masks.empty = .undefined
    let differences = masks.differences(own: kept.masks.threshold)
    guard differences.isEmpty else {
      throw EvaluationError.kept(name, what: "masks", options: differences.joined(separator: " "))
    }
    return try asked.reducing(kept, of: name, what: "masks")
  }

  /// Refuses what the run's masks cannot be made with.
  package static func check(_ settings: EvaluationSettings, of run: RunRecord) throws {
    let recipe = try SegmentationRecipe(of: run)
    let (masks, sweep) = (settings.masks, settings.masks.sweep)
    if recipe.threshold == nil {
      guard sweep == nil else { throw SweepError.noThreshold(run: run.name) }
      guard masks.threshold == nil else { throw EvaluationError.noThreshold(run: run.name) }
      guard recipe.background != nil || masks.cleanup.isNone else {
        var asked = MaskSettings()
        asked.cleanup = masks.cleanup
        throw EvaluationError.noBackground(
          run: run.name, options: asked.differences(own: nil).joined(separator: " "))
      }
    }
    if !recipe.keepsMaps {
      guard sweep == nil else { throw SweepError.noMaps(run: run.name) }
      guard masks.threshold == nil || masks.threshold == recipe.threshold else {
        throw EvaluationError.noMaps(run: run.name, own: recipe.threshold)
      }
    }
  }

  package static func choose(
    _ run: inout EvaluatedRun<Self>, current: Set<Int64>?, in catalog: Catalog
  ) throws {
    for prediction in try catalog.maskPredictions(of: run.run.id, where: run.settings.filter) {
      if run.isRetired(prediction.sample, current: current) { continue }
      guard prediction.sample.size != nil else {
        run.leftOut.withoutSize += 1
        continue
      }
      run.samples.append(prediction.sample)
      run.content.traits.append(SampleTraits(unsureness: prediction.unsureness))
    }
  }

  package static func restore(
    _ run: inout EvaluatedRun<Self>, from evaluation: EvaluationRecord, in catalog: Catalog,
    imported: Catalog
  ) throws {
    let hasBoundary = run.settings.masks.hasBoundary
    var tallies: [Int64: PixelTallyRecord] = [:]
    for tally in try catalog.pixelTallies(of: evaluation.id) { tallies[tally.sample] = tally }
    for prediction in try imported.maskPredictions(of: run.run.id) {
      guard let tally = tallies[prediction.sample.id] else { continue }
      run.samples.append(prediction.sample)
      try run.content.tally.add(
        SegmentedSample(
          confusion: tally.confusion, boundary: hasBoundary ? tally.boundary : [], void: tally.void)
      )
      run.content.traits.append(
        SampleTraits(unsureness: tally.unsureness, centerOffset: tally.centerOffset))
    }
  }

  /// The samples that one worker takes at a time.
  static let chunk = 16

  package static func count(
    _ run: inout EvaluatedRun<Self>, in catalog: Catalog, _ progress: any ProgressSink
  ) throws {
    let samples = run.samples
    let total = samples.count
    let counting = RegionCounting(
      catalog: catalog, masks: try RunMasks(catalog: catalog, run: run.run),
      classes: run.content.classes, settings: run.settings.masks,
      sweep: run.content.sweep.map(\.threshold))
    var (drawn, done) = (0, 0)
    try OrderedWorkers(workers: ProcessInfo.processInfo.activeProcessorCount).run(
      next: { () -> ArraySlice<SampleRecord>? in
        try Interruption.check("nothing was stored; evaluate again to start over")
        guard drawn < total else { return nil }
        defer { drawn = min(total, drawn + chunk) }
        return samples[drawn..<min(total, drawn + chunk)]
      },
      transform: { _, chunk in try counting.count(Array(chunk)) },
      deliver: { counted in
        for sample in counted {
          try run.content.tally.add(sample.pixels)
          run.content.traits[done].centerOffset = sample.centerOffset
          for (place, pixels) in sample.sweep.enumerated() {
            try run.content.sweep[place].tally.add(pixels)
          }
          done += 1
        }
        progress.report(Double(done) / Double(total), "judging \(run.run.name)")
      })
  }

  package func selecting(_ indices: [Int]) -> Self {
    var part = self
    part.tally = tally.selecting(indices)
    part.traits = indices.map { traits[$0] }
    part.sweep = sweep.map { ($0.threshold, $0.tally.selecting(indices)) }
    return part
  }
}

extension EvaluatedRun<SemanticSegmentation> {
  /// The regions of some samples, ground truth and prediction, in their order: for pictures.
  ///
  /// - Parameter indices: places in ``samples``; some dozen at a time.
  /// - Throws: ``EvaluationError/damaged(sample:reason:)``, ``RunMasksError``, `StoreError`.
  package func regions(at indices: [Int], in catalog: Catalog) throws -> [SampleRegions] {
    try RegionCounting(
      catalog: catalog, masks: RunMasks(catalog: catalog, run: run), classes: content.classes,
      settings: settings.masks
    ).regions(of: indices.map { samples[$0] })
  }
}

/// Facts about a sample's prediction besides its scores.
package struct SampleTraits: Sendable, Hashable {
  /// The model's indecision, in 0 (sure) ... 1 (every pixel at ½); `nil` if it is not known.
  package var unsureness: Double?
  /// The distance between the predicted pixels' center of mass and the center of their box, as a share of the
  /// box's diagonal.
  package var centerOffset: Double?

  package init(unsureness: Double? = nil, centerOffset: Double? = nil) {
    self.unsureness = unsureness
    self.centerOffset = centerOffset
  }
}

extension MaskPredictionRecord {
  /// The model's indecision over the image, in 0...1: of one class 1 − 2·mean |p − ½|; of several,
  /// whose probabilities sum to 1, half the sum of this over the classes, which is 2·(1 − the largest p)
  /// where that is above ½, and 1 below.
  var unsureness: Double? {
    guard !masks.isEmpty else { return nil }
    let sum = masks.map { 1 - 2 * $0.meanDistance }.reduce(0, +)
    return min(1, max(0, masks.count == 1 ? sum : sum / 2))
  }
}
