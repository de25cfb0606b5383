package import AssayCore
package import AssayMetrics
import AssayReports
package import AssayStore
import Foundation

/// The samples of a segmentation run, with their pixels counted against the ground truth.
package struct SemanticSegmentation: EvaluatedTask {
  package static let task = ModelTask.segmentation
  package static let countKeys = ["n", "defined"]
  package static let hasSampleTable = true
  package static let hasSweep = true

  package private(set) var recipe: SegmentationRecipe
  package private(set) var classes: SegmentationClasses
  /// The counts of each sample.
  package var tally: SegmentationTally
  /// The properties of each sample other than its scores.
  package private(set) var traits: [SampleTraits] = []
  /// The counts of all samples for each threshold of a sweep, without boundaries.
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
  package var evaluatedClasses: [String] { classes.evaluated }

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

  /// Rejects settings with which the run's masks cannot be made.
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
    if !recipe.keepsMaps, recipe.threshold != nil {
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
      run.content.traits.append(
        SampleTraits(uncertainty: run.content.recipe.isLabelMap ? nil : prediction.uncertainty))
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
          confusion: tally.confusion, boundary: hasBoundary ? tally.boundary : [],
          void: tally.void, measures: hasBoundary ? tally.measures : [:]))
      run.content.traits.append(
        SampleTraits(uncertainty: tally.uncertainty, centerOffset: tally.centerOffset))
    }
  }

  /// The number of samples that one worker processes at a time.
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
        progress.report(Double(done) / Double(total), "evaluating \(run.run.name)")
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
  /// The regions of some samples, ground truth and prediction, in their order, for drawing.
  ///
  /// - Parameter indices: indices into ``samples``; a few dozen at a time.
  /// - Throws: ``EvaluationError/damaged(sample:reason:)``, ``RunMasksError``, `StoreError`.
  package func regions(at indices: [Int], in catalog: Catalog) throws -> [SampleRegions] {
    try RegionCounting(
      catalog: catalog, masks: RunMasks(catalog: catalog, run: run), classes: content.classes,
      settings: settings.masks
    ).regions(of: indices.map { samples[$0] })
  }
}

/// Properties of a sample's prediction other than its scores.
package struct SampleTraits: Sendable, Hashable {
  /// The model's uncertainty, from 0 (certain) to 1 (every pixel at ½); `nil` if it is unknown.
  package var uncertainty: Double?
  /// The distance between the predicted pixels' center of mass and the center of their box, as a share of the
  /// box's diagonal.
  package var centerOffset: Double?

  package init(uncertainty: Double? = nil, centerOffset: Double? = nil) {
    self.uncertainty = uncertainty
    self.centerOffset = centerOffset
  }
}

extension MaskPredictionRecord {
  /// The model's mean uncertainty over the image, in 0...1: for one class 1 − 2·mean |p − ½|; for
  /// several classes, whose probabilities sum to 1, half the sum of this over the classes, which is
  /// 2·(1 − the largest p) if the largest p is above ½, and 1 otherwise.
  var uncertainty: Double? {
    guard !masks.isEmpty else { return nil }
    let sum = masks.map { 1 - 2 * $0.meanDistance }.reduce(0, +)
    return min(1, max(0, masks.count == 1 ? sum : sum / 2))
  }
}

extension SemanticSegmentation {
  package static func measure(
    _ effect: inout CorrectionEffect, on run: EvaluatedRun<Self>, _ settings: EvaluationSettings,
    with measurement: EffectMeasurement
  ) throws {
    let (before, side) = try measurement.touched(run, settings)
    effect.take(side)
    let (own, imported) = (run.content.tally, before?.content.tally)
    func tally(_ places: [UncorrectedTallies.Place]) throws -> SegmentationTally {
      var tally = SegmentationTally(labels: own.labels)
      for place in places {
        if let row = place.row({ own[$0] }, { imported?[$0] }) { try tally.add(row) }
      }
      return tally
    }
    let empty = run.settings.masks.empty
    let measured = try TruthEffect(
      first: tally(side.places), second: own.selecting(side.shared), empty: empty,
      measurement.scoring(settings, side.shared.count))
    let scores = try SegmentationScores(
      tally(side.wholePlaces), empty: empty, ScoringSettings(intervals: nil))
    let kinds: [MetricKind] = own.labels.isBinary ? [.meanIoU, .meanDice] : [.miou, .mdice]
    effect.moved = measurement.moved(kinds, measured) { scores[$0].value }
  }
}

extension SemanticSegmentation {
  package static func details(
    of run: EvaluatedRun<Self>, _ settings: EvaluationSettings, _ scoring: ScoringSettings
  ) throws -> SegmentationDetails {
    let content = run.content
    let empty = settings.masks.empty
    var details = SegmentationDetails(
      scores: try SegmentationScores(content.tally, empty: empty, scoring),
      keys: run.samples.map(\.key))
    details.traits = content.traits
    details.baseline = SegmentationBaseline(content.tally)
    details.ownThreshold = content.recipe.threshold
    if !content.sweep.isEmpty { details.sweep = try ThresholdSweep(content.sweep, empty: empty) }
    return details
  }

  package static func scores(
    of run: EvaluatedRun<Self>, at indices: [Int], _ settings: EvaluationSettings,
    _ scoring: ScoringSettings
  ) throws -> SegmentationScores {
    try SegmentationScores(
      run.content.tally.selecting(indices), empty: settings.masks.empty, scoring)
  }

  package static func slicesByClass(
    of run: EvaluatedRun<Self>, in catalog: Catalog
  ) -> [Slicing.Part] {
    let (labels, tally) = (run.content.classes.labels, run.content.tally)
    var indices = labels.evaluated.map { _ in [Int]() }
    var without: [Int] = []
    for index in run.samples.indices {
      let confusion = tally[index].confusion
      let present = labels.evaluated.filter { label in
        confusion[label * labels.count..<(label + 1) * labels.count].contains { $0 > 0 }
      }
      for label in present { indices[label - labels.evaluated.lowerBound].append(index) }
      if present.isEmpty { without.append(index) }
    }
    return Slicing.parts(labels.evaluated.map { labels.names[$0] }, indices, without: without)
  }

  package func nameParts(_ settings: EvaluationSettings) -> [String] {
    settings.masks.nameParts(own: recipe.threshold)
  }

  package static func store(
    _ run: EvaluatedRun<Self>, _ evaluation: Evaluation, into draft: inout EvaluationDraft,
    in catalog: Catalog
  ) {
    guard case .segmentation(let details) = evaluation.details else { return }
    let (tally, traits) = (run.content.tally, run.content.traits)
    // The catalog requires two counts per label; the settings record that they are not real counts.
    let noBoundary = Array(repeating: 0, count: 2 * run.content.classes.labels.count)
    draft.pixelTallies = run.samples.indices.map { index in
      let (pixels, score) = (tally[index], details.scores.samples[index])
      return PixelTallyRecord(
        sample: run.samples[index].id, confusion: pixels.confusion,
        boundary: pixels.boundary.isEmpty ? noBoundary : pixels.boundary, void: pixels.void,
        iou: score.iou, dice: score.dice, pixelAccuracy: score.pixelAccuracy,
        boundaryIoU: score.boundaryIoU, precision: score.precision, recall: score.recall,
        uncertainty: traits[index].uncertainty, centerOffset: traits[index].centerOffset,
        measures: pixels.measures)
    }
  }
}

extension SemanticSegmentation {
  package static func notes(
    on run: EvaluatedRun<Self>, _ settings: EvaluationSettings, _ details: SegmentationDetails,
    in catalog: Catalog
  ) -> [String] { run.notes }
}

extension SemanticSegmentation {
  /// The note on several classes beside a background.
  static let backgroundNote = "background is counted, but not evaluated as a class"
}

extension EvaluatedRun<SemanticSegmentation> {
  /// Notes on the metrics for the reader, one sentence each.
  fileprivate var notes: [String] {
    let classes = content.classes
    var notes = leftOutNotes + voidNotes
    if !classes.onlyModel.isEmpty {
      notes.append(
        "classes only in the model, counted as background: \(Self.list(classes.onlyModel))")
    }
    if !classes.labels.isBinary {
      notes.append(SemanticSegmentation.backgroundNote)
      if !classes.onlyTruth.isEmpty {
        notes.append(
          "classes only in the dataset, counted as background: \(Self.list(classes.onlyTruth))")
      }
    }
    let undefined = settings.masks.empty == .undefined ? emptySamples : 0
    if undefined > 0 {
      notes.append(
        "\(undefined) of \(samples.count) samples have no evaluated class in ground truth or "
          + "prediction; they are left out of means over samples (see --empty)")
    }
    if classes.labels.isBinary, settings.masks.hasBoundary {
      for measure in MaskMeasure.allCases where content.tally.lacks(measure) {
        notes.append(
          "\(measure.title) is undefined: this evaluation was made by a version without it; evaluate "
            + "\(run.name) again to get it")
      }
    }
    return notes + importNotes + Evaluation.intervalNotes(samples: samples.count, settings)
  }

  private var voidNotes: [String] {
    let (tally, classes, recipe) = (content.tally, content.classes, content.recipe)
    guard tally.void > 0 else { return [] }
    let all = tally.void + tally.confusion.totals.truth.reduce(0, +)
    let share = String(format: "%.1f", 100 * Double(tally.void) / Double(all))
    let why = [
      classes.left.isEmpty ? nil : "regions of \(Self.list(classes.left))",
      recipe.resize == .centerCrop ? "outside the center crop of the model input" : nil,
    ].compactMap(\.self).joined(separator: ", ")
    return ["\(share) % of the pixels are not evaluated: \(why)"]
  }

  /// The number of samples where neither the ground truth nor the prediction has an evaluated
  /// class.
  private var emptySamples: Int {
    let tally = content.tally
    let width = content.classes.labels.count
    return samples.indices.count { index in
      let confusion = tally[index].confusion
      return !confusion.indices.contains { cell in
        (cell / width > 0 || cell % width > 0) && confusion[cell] > 0
      }
    }
  }

  private static func list(_ names: [String]) -> String {
    names.prefix(8).joined(separator: ", ")
      + (names.count > 8 ? " and \(names.count - 8) more" : "")
  }
}
