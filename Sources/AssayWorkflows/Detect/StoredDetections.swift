import AssayCore
import AssayMetrics
import AssayStore

/// Reads back what a stored evaluation kept of a detector: nothing is matched again.
struct StoredDetections {
  let catalog: Catalog

  /// - Throws: ``DetectionError``, ``EvaluationError``, `MetricError`, `StoreError`.
  func judge(
    _ evaluation: EvaluationRecord, _ asked: EvaluationSettings
  ) throws -> DetectedRun {
    let run = evaluation.run
    let name = "\(run.name)@\(evaluation.name)"
    var kept = try EvaluationSettings(storedIn: evaluation)
    let differing = asked.objects.differences(from: kept.objects)
    guard differing.isEmpty else {
      throw DetectionError.kept(name, options: differing.joined(separator: " "))
    }
    if let filter = asked.filter, filter != kept.filter {
      throw DetectionError.kept(name, options: "--where \(filter)")
    }
    kept.takeReduction(of: asked)
    let classes = try DetectionClasses(
      truth: catalog.taxonomy(of: run.dataset.id), run: run.classes)
    guard classes.names == evaluation.classes else {
      throw DetectionError.otherClasses(name, kept: evaluation.classes, now: classes.names)
    }
    let recipe = try DetectionRecipe(run)
    let matching = kept.objects.settings(recipe.overlap)
    var judged = DetectedRun(
      run: run, evaluation: evaluation, settings: kept, recipe: recipe, matching: matching,
      classes: classes, samples: [],
      tally: try DetectionTally(classCount: classes.names.count, matching),
      errors: ErrorTally(classCount: classes.names.count, matching), leftOut: .init())
    var tallies: [Int64: DetectionTallyRecord] = [:]
    for tally in try catalog.detectionTallies(of: evaluation.id) { tallies[tally.sample] = tally }
    // What it kept is not what people may have changed since.
    judged.samples = try catalog.readingImported().doneSamples(of: run.id)
      .filter { tallies[$0.id] != nil }.inReferenceOrder
    for sample in judged.samples {
      guard let tally = tallies[sample.id] else { continue }
      do throws(MetricError) {
        try judged.tally.add(ImageMatches(packed: tally.matches, matching))
        try judged.errors.add(ImageErrors(packed: tally.errors, classCount: classes.names.count))
      } catch {
        throw DetectionError.unreadable(name, sample: sample.key, reason: "\(error)")
      }
    }
    judged.accountForAbsent()
    if evaluation.ledgerSequence != nil {
      judged.leftOut.byPeople = try catalog.keysLeftOut(of: run, where: kept.filter)
    }
    return judged
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

extension DetectedRun {
  /// Tells again of the samples that the run has no detections for: an evaluation keeps which samples it
  /// judged, not why the others are not among them.
  fileprivate mutating func accountForAbsent() {
    guard settings.filter == nil else { return }
    let absent = max(0, run.total - samples.count)
    leftOut.failed = min(run.failed, absent)
    leftOut.pending = min(max(0, run.total - run.done - run.failed), absent - leftOut.failed)
  }
}
