import AssayCore
package import AssayMetrics
package import AssayStore

extension ObjectDetection {
  /// With what detections were matched with filled in.
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
      scores: try DetectionScores(content.tally, scoring),
      errors: try ErrorScores(content.errors, scoring), keys: run.samples.map(\.key),
      counts: content.counts)
  }

  package static func scores(
    of run: EvaluatedRun<Self>, at indices: [Int], _ settings: EvaluationSettings,
    _ scoring: ScoringSettings
  ) throws -> DetectionScores {
    try DetectionScores(run.content.tally.selecting(indices), scoring)
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
    let usual = recipe.overlap
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
