package import AssayCore
package import AssayMetrics
package import AssayStore

/// The samples of a run that finds objects: its detections matched with the ground truth.
package struct ObjectDetection: EvaluatedTask {
  package static let task = ModelTask.detection
  package static let countKeys = ["n", "truths", "detections"]
  package static let hasSampleTable = true
  package static let slicesWithIntervals: Int? = 12

  package private(set) var recipe: DetectionRecipe
  /// The rules detections are matched with; the kind of overlap is decided.
  package private(set) var matching: DetectionSettings
  package private(set) var classes: DetectionClasses
  /// The matches of each sample.
  package var tally: DetectionTally
  /// The verdicts on each sample.
  package var errors: ErrorTally
  /// Detections of classes that are not evaluated; 0 where the matches were read from the catalog.
  package var strangers = 0
  /// The matches as the reference has them, where an annotation has the id 0: it counts that as never found.
  /// `nil` where there is none, or where that is asked for.
  package var reference: DetectionTally?
  /// The rows to be stored, a list for each sample; empty where they are in the catalog.
  var rows: [[MatchRecord]] = []

  package init(
    _ run: RunRecord, _ settings: inout EvaluationSettings, storedIn evaluation: EvaluationRecord?,
    in catalog: Catalog
  ) throws {
    classes = try DetectionClasses(
      truth: catalog.taxonomy(of: run.dataset.id), run: run.classes)
    recipe = try DetectionRecipe(run)
    matching = settings.objects.settings(recipe.overlap)
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

  /// The numbers of objects and detections in each sample, at the working IoU and score.
  package var counts: [ObjectCounts] {
    let score = matching.workingScore
    return (0..<tally.count).map { ObjectCounts(errors[$0], from: score) }
  }
}

extension EvaluatedRun<ObjectDetection> {
  /// The outcomes of the detections and objects of some samples, a list for each sample.
  ///
  /// - Parameter indices: places in ``samples``.
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

  /// The objects and detections of some samples, in their order: for pictures.
  ///
  /// - Parameter indices: places in ``samples``; some dozen at a time.
  /// - Throws: `StoreError`.
  package func objects(at indices: [Int], in catalog: Catalog) throws -> [SampleObjects] {
    let matches = try matches(at: indices, in: catalog)
    let samples = indices.map { self.samples[$0] }
    var objects = zip(samples, matches).map {
      SampleObjects(sample: $0, truths: [], detections: [], matches: $1)
    }
    let ids = samples.map(\.id)
    let hasRegions = content.matching.overlap == .mask
    try catalog.forEachAnnotations(of: ids, categories: content.classes.judgedOrdinals) {
      objects[$0].truths = $1
    }
    try catalog.forEachDetections(of: run.id, samples: ids, counts: hasRegions) {
      objects[$0].detections = $1
    }
    return objects
  }
}

extension ObjectSettings {
  /// The options, as they are typed, by which this asks for something else than what was kept.
  fileprivate func differences(from kept: ObjectSettings) -> [String] {
    let own = settings(kept.overlap ?? .box)
    let other = kept.settings(kept.overlap ?? .box)
    return differences.filter { option, _ in
      switch option {
      case "iou-type": own.overlap != other.overlap
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
