package import AssayCore
package import AssayMetrics
package import AssayStore
import Foundation

/// The samples of a detection run: its detections matched with the ground truth.
package struct ObjectDetection: EvaluatedTask {
  package static let task = ModelTask.detection
  package static let countKeys = ["n", "objects", "detections"]
  package static let hasSampleTable = true
  package static let slicesWithIntervals: Int? = 12

  package private(set) var recipe: DetectionRecipe
  /// The matching settings, with the kind of overlap resolved.
  package private(set) var matching: DetectionSettings
  package private(set) var classes: DetectionClasses
  /// The matches of each sample.
  package var tally: DetectionTally
  /// The verdicts on each sample.
  package var errors: ErrorTally
  /// The number of detections of classes that are not evaluated; 0 if the matches were read from
  /// the catalog.
  package var strangers = 0
  /// The σ of the keypoints of the evaluated classes; `nil` if they are not compared.
  var keypoints: KeypointClasses?
  /// True if run and dataset have keypoints, which are then compared by default.
  fileprivate(set) var hasTrueKeypoints = false
  /// The numbers of objects with unusable keypoints and with labeled ones but no area, and of
  /// detections without usable keypoints; 0 if the matches were read from the catalog.
  var badKeypoints = 0
  var withoutArea = 0
  var withoutKeypoints = 0
  /// The matches as pycocotools has them if an annotation has the id 0, which it never counts as
  /// found. `nil` if there is no such annotation, or if compatible matching is requested.
  package var reference: DetectionTally?
  /// The rows to be stored, one list per sample; empty if they are in the catalog.
  var rows: [[MatchRecord]] = []

  package init(
    _ run: RunRecord, _ settings: inout EvaluationSettings, storedIn evaluation: EvaluationRecord?,
    in catalog: Catalog
  ) throws {
    let taxonomy = try catalog.taxonomy(of: run.dataset.id)
    classes = try DetectionClasses(truth: taxonomy, run: run.classes)
    recipe = try DetectionRecipe(run)
    if recipe.hasKeypoints {
      hasTrueKeypoints = try catalog.hasKeypoints(in: run.dataset)
    }
    matching = settings.objects.settings(hasTrueKeypoints ? .keypoints : recipe.overlap)
    if matching.overlap == .keypoints {
      keypoints = KeypointClasses(
        names: classes.names,
        attributes: classes.truthOrdinals.map { taxonomy.categories[$0].attributes },
        stated: settings.objects.sigmas)
    } else if settings.objects.sigmas != nil {
      throw EvaluationError.sigmasWithoutKeypoints(run: run.name, matching.overlap)
    }
    tally = try DetectionTally(classCount: classes.names.count, matching)
    errors = ErrorTally(classCount: classes.names.count, matching)
  }

  package var countedClasses: [String] { classes.names }
  package var evaluatedClasses: [String] { classes.names }

  package static func settings(
    _ asked: EvaluationSettings, keeping kept: EvaluationSettings, of name: String
  ) throws -> EvaluationSettings {
    let differences = asked.objects.differences(from: kept.objects)
    guard differences.isEmpty else {
      throw EvaluationError.kept(name, what: "matches", options: differences.joined(separator: " "))
    }
    return try asked.reducing(kept, of: name, what: "matches")
  }

  package static func choose(
    _ run: inout EvaluatedRun<Self>, current: Set<Int64>?, in catalog: Catalog
  ) throws {
    let needsSize = run.content.matching.overlap == .mask
    for sample in try catalog.doneSamples(of: run.run.id, where: run.settings.filter) {
      if run.isRetired(sample, current: current) { continue }
      if needsSize, sample.size == nil {
        run.leftOut.withoutSize += 1
      } else {
        run.samples.append(sample)
      }
    }
    run.samples = run.samples.inReferenceOrder
  }

  package static func restore(
    _ run: inout EvaluatedRun<Self>, from evaluation: EvaluationRecord, in catalog: Catalog,
    imported: Catalog
  ) throws {
    let (matching, classCount) = (run.content.matching, run.content.classes.names.count)
    var tallies: [Int64: DetectionTallyRecord] = [:]
    for tally in try catalog.detectionTallies(of: evaluation.id) { tallies[tally.sample] = tally }
    run.samples = try imported.doneSamples(of: run.run.id)
      .filter { tallies[$0.id] != nil }.inReferenceOrder
    for sample in run.samples {
      guard let tally = tallies[sample.id] else { continue }
      do throws(MetricError) {
        try run.content.tally.add(ImageMatches(packed: tally.matches, matching))
        try run.content.errors.add(ImageErrors(packed: tally.errors, classCount: classCount))
      } catch {
        throw EvaluationError.unreadable(run.name, sample: sample.key, reason: "\(error)")
      }
    }
  }

  package func selecting(_ indices: [Int]) -> Self {
    var part = self
    part.tally = tally.selecting(indices)
    part.reference = reference?.selecting(indices)
    part.errors = errors.selecting(indices)
    part.rows = rows.isEmpty ? [] : indices.map { rows[$0] }
    return part
  }

  /// The object and detection counts of each sample, at the working IoU and score.
  package var counts: [ObjectCounts] {
    let score = matching.workingScore
    return (0..<tally.count).map { ObjectCounts(errors[$0], from: score) }
  }
}

extension EvaluatedRun<ObjectDetection> {
  /// The outcomes of the detections and objects of some samples, one list per sample.
  ///
  /// - Parameter indices: indices into ``samples``.
  /// - Throws: `StoreError`.
  package func matches(at indices: [Int], in catalog: Catalog) throws -> [[MatchRecord]] {
    guard let evaluation else { return indices.map { content.rows[$0] } }
    let ids = indices.map { samples[$0].id }
    var rows: [Int64: [MatchRecord]] = [:]
    for sample in try catalog.matches(of: evaluation.id, samples: ids) {
      rows[sample.sample] = sample.rows
    }
    return ids.map { rows[$0] ?? [] }
  }

  /// The objects and detections of some samples, in their order, for drawing.
  ///
  /// - Parameter indices: indices into ``samples``; a few dozen at a time.
  /// - Throws: `StoreError`.
  package func objects(at indices: [Int], in catalog: Catalog) throws -> [SampleObjects] {
    let matches = try matches(at: indices, in: catalog)
    let samples = indices.map { self.samples[$0] }
    var objects = zip(samples, matches).map {
      SampleObjects(sample: $0, truths: [], detections: [], matches: $1)
    }
    let ids = samples.map(\.id)
    let hasRegions = content.matching.overlap == .mask
    try catalog.forEachAnnotations(
      of: ids, categories: content.classes.evaluatedOrdinals,
      regionsOnly: content.matching.overlap != .keypoints
    ) {
      objects[$0].truths = $1
    }
    try catalog.forEachDetections(of: run.id, samples: ids, counts: hasRegions) {
      objects[$0].detections = $1
    }
    return objects
  }
}

extension ObjectSettings {
  /// The options, as typed, that differ from those of the stored evaluation.
  fileprivate func differences(from kept: ObjectSettings) -> [String] {
    let own = settings(kept.overlap ?? .box)
    let other = kept.settings(kept.overlap ?? .box)
    return differences.filter { option, _ in
      switch option {
      case "iou-type": own.overlap != other.overlap
      case "sigmas": sigmas != kept.sigmas
      case "iou-thresholds": own.iouThresholds != other.iouThresholds
      case "max-dets": own.maxDetections != other.maxDetections
      case "iou": own.workingIoU != other.workingIoU
      case "score": own.workingScore != other.workingScore
      default: isCompatible != kept.isCompatible
      }
    }.map { "--\($0) \($1)" }
  }
}

extension [SampleRecord] {
  /// The samples in the image order of COCO's evaluation: ascending by id in the source, then those
  /// without an id in their original order.
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

extension ObjectDetection {
  package static func measure(
    _ effect: inout CorrectionEffect, on run: EvaluatedRun<Self>, _ settings: EvaluationSettings,
    with measurement: EffectMeasurement
  ) throws {
    let (before, side) = try measurement.touched(run, settings)
    effect.take(side)
    let (own, imported) = (run.content.tally, before?.content.tally)
    func tally(_ places: [UncorrectedTallies.Place]) throws -> DetectionTally {
      var tally = try DetectionTally(
        classCount: run.content.classes.names.count, run.content.matching)
      for place in places {
        if let row = place.row({ own[$0] }, { imported?[$0] }) { try tally.add(row) }
      }
      return tally
    }
    let measured = try TruthEffect(
      first: tally(side.places), second: own.selecting(side.shared),
      measurement.scoring(settings, side.shared.count))
    let scores = try DetectionScores(tally(side.wholePlaces), ScoringSettings(intervals: nil))
    effect.moved = measurement.moved([.ap, .ap50], measured) { scores[$0].value }
  }
}

extension ObjectDetection {
  /// Fills in the matching settings.
  package func completed(_ settings: EvaluationSettings) -> EvaluationSettings {
    var settings = settings
    settings.objects.overlap = matching.overlap
    settings.objects.iouThresholds = matching.iouThresholds
    settings.objects.maxDetections = matching.maxDetections
    settings.objects.workingIoU = matching.workingIoU
    settings.objects.workingScore = matching.workingScore
    return settings
  }

  package static func details(
    of run: EvaluatedRun<Self>, _ settings: EvaluationSettings, _ scoring: ScoringSettings
  ) throws -> DetectionDetails {
    let content = run.content
    return DetectionDetails(
      classes: content.classes.names, matching: content.matching,
      scores: try DetectionScores(content.tally, run.deciding(settings, scoring)),
      errors: try ErrorScores(content.errors, scoring), keys: run.samples.map(\.key),
      counts: content.counts)
  }

  package static func scores(
    of run: EvaluatedRun<Self>, at indices: [Int], _ settings: EvaluationSettings,
    _ scoring: ScoringSettings
  ) throws -> DetectionScores {
    try DetectionScores(
      run.content.tally.selecting(indices), run.deciding(settings, scoring))
  }

  package static func slicesByClass(
    of run: EvaluatedRun<Self>, in catalog: Catalog
  ) throws -> [Slicing.Part] {
    let classes = run.content.classes
    var indices = classes.names.map { _ in [Int]() }
    var without: [Int] = []
    let counts = try catalog.regionCounts(of: run.samples.map(\.id))
    for (index, regions) in counts.enumerated() {
      let places = regions.compactMap { classes.truthPlaces[$0.category] }
      for place in places { indices[place].append(index) }
      if places.isEmpty { without.append(index) }
    }
    return Slicing.parts(classes.names, indices, without: without)
  }

  package func nameParts(_ settings: EvaluationSettings) -> [String] {
    let usual: OverlapKind = hasTrueKeypoints ? .keypoints : recipe.overlap
    let parts = settings.objects.differences.filter { option, value in
      option != "iou-type" || value != usual.rawValue
    }.map { option, value in
      "\(option)-\(value.replacing(",", with: "-"))"
    }
    let long = parts.joined(separator: "_")
    guard long.utf8.count > 80 else { return parts }
    return ["settings-" + ContentHash.of(Array(long.utf8)).prefix(8)]
  }

  package static func store(
    _ run: EvaluatedRun<Self>, _ evaluation: Evaluation, into draft: inout EvaluationDraft,
    in catalog: Catalog
  ) throws {
    guard case .detection(let details) = evaluation.details else { return }
    let rows = try run.matches(at: Array(run.samples.indices), in: catalog)
    let (tally, errors, matching) = (run.content.tally, run.content.errors, run.content.matching)
    draft.detections = run.samples.indices.map { index in
      DetectionTallyRecord(
        sample: run.samples[index].id, matches: tally[index].packed, errors: errors[index].packed,
        rows: rows[index], truths: details.counts[index].truths)
    }
    draft.matching = MatchSettings(
      thresholds: try MatchRows(matching).thresholds, iou: matching.workingIoU,
      score: matching.workingScore)
  }
}

extension ObjectDetection {
  package static func notes(
    on run: EvaluatedRun<Self>, _ settings: EvaluationSettings, _ details: DetectionDetails,
    in catalog: Catalog
  ) throws -> [String] {
    var notes =
      run.notes + (try run.decisionNotes(settings, in: catalog))
      + (try importNotes(of: run.run.dataset, in: catalog))
      + details.scores.intervalNotes(classes: run.content.classes.names)
    if let reference = run.content.reference {
      let other = try DetectionScores(reference, ScoringSettings(intervals: nil))
      notes.insert(note(on: other, beside: details.scores), at: 0)
    }
    return notes
  }

  /// Notes on annotations that the import dropped because of their shape; an evaluation of the
  /// files keeps some of them.
  private static func importNotes(
    of dataset: DatasetRecord, in catalog: Catalog
  ) throws -> [String] {
    let isAny = try catalog.issueCounts(of: dataset.id).contains {
      $0.severity == .error && [.maskSize, .badShape].contains($0.kind)
    }
    return isAny && dataset.format.isCOCO
      ? [
        "annotations of \(dataset.name) whose shape cannot be used were left out at import (assay issues "
          + "\(dataset.name)); evaluate --gt --dt keeps those that have a bbox"
      ] : []
  }

  /// A note on the result of pycocotools if an annotation has the id 0.
  private static func note(
    on reference: DetectionScores, beside own: DetectionScores
  ) -> String {
    let changed = own.stats.compactMap { kind -> String? in
      guard let other = reference[kind].value, let value = own[kind].value, other != value else {
        return nil
      }
      return "\(kind.rawValue) " + String(format: "%.6f (here %.6f)", other, value)
    }
    return "an annotation has the id 0, which pycocotools never counts as found: "
      + (changed.isEmpty
        ? "it gives the same metrics"
        : "it would print " + changed.joined(separator: ", "))
  }
}

extension EvaluatedRun<ObjectDetection> {
  /// Notes for the reader that do not depend on the metrics, one sentence each.
  var notes: [String] {
    let (classes, matching, recipe) = (content.classes, content.matching, content.recipe)
    var notes = leftOutNotes
    if content.tally.truthCount == 0 {
      notes.append("no sample has an object that counts, so AP and AR are undefined")
    }
    if !classes.onlyTruth.isEmpty {
      notes.append(
        "classes of the dataset that the model does not have, left out with their objects: "
          + Self.list(classes.onlyTruth))
    }
    if !classes.onlyModel.isEmpty {
      let count = content.strangers > 0 ? " (\(content.strangers) detections)" : ""
      notes.append(
        "classes of the model that the dataset does not have, left out with their detections\(count): "
          + Self.list(classes.onlyModel))
    }
    if !classes.void.isEmpty {
      notes.append("void classes of the dataset, left out: \(Self.list(classes.void))")
    }
    if matching.overlap == .keypoints {
      notes += keypointNotes
    } else if recipe.hasKeypoints {
      notes.append(
        content.hasTrueKeypoints
          ? "\(matching.overlap.noun) are compared; the run also has keypoints: --iou-type keypoints compares them"
          : "the run has keypoints, but the dataset has none: \(matching.overlap.noun) are compared"
      )
    }
    if matching.overlap == .mask, !recipe.hasRegions {
      notes.append("the run has only boxes; each is used as a rectangular region")
    }
    if matching.overlap == .box, recipe.hasRegions {
      notes.append("boxes are compared; the run also has regions: --iou-type segm compares them")
    }
    if matching.overlap == .mask, recipe.hasRegions, recipe.takesBoxArea {
      notes.append(
        "the results have boxes, so the sizes (APs, APm, APl) are box areas, as in pycocotools"
      )
    }
    if settings.objects.isCompatible {
      notes.append("as in pycocotools: an annotation with the id 0 is never found")
    }
    return notes + importNotes + Evaluation.intervalNotes(samples: samples.count, settings)
  }

  /// Notes on keypoints.
  private var keypointNotes: [String] {
    var notes: [String] = []
    if content.badKeypoints > 0 {
      notes.append(
        Counted.text(content.badKeypoints, "object has", "objects have")
          + " keypoints that are not three finite numbers for each of the class: ignored, like objects without "
          + "labeled keypoints")
    }
    if content.withoutArea > 0 {
      notes.append(
        Counted.text(content.withoutArea, "object states", "objects state")
          + " no area: OKS uses that of the region, else of the box; other programs scale it (Ultralytics uses 0.53 "
          + "of the box)")
    }
    if content.withoutKeypoints > 0 {
      notes.append(
        Counted.text(content.withoutKeypoints, "detection", "detections")
          + " without keypoints, or with another number of them than the class, left out")
    }
    return notes
  }

  private static func list(_ names: [String]) -> String {
    names.prefix(8).joined(separator: ", ")
      + (names.count > 8 ? " and \(names.count - 8) more" : "")
  }
}
