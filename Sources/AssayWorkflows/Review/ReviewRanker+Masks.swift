import AssayCore
import AssayMetrics
import AssayStore
import Foundation

extension SemanticSegmentation: RankedTask {
  package static func uncertain(_ ranking: ReviewRanker, _ run: RunReference) throws
    -> RankingResult
  {
    try ranking.uncertainMasks(run)
  }

  package static func doubtful(_ ranking: ReviewRanker, _ run: RunReference) throws -> RankingResult
  {
    try ranking.doubtfulRegions(run)
  }

  package static func contradicting(_ ranking: ReviewRanker) throws -> RankingResult {
    try ranking.contradictingMasks()
  }

  package static func uncertaintyWords(_ run: String) -> String {
    "most uncertain maps or most off-center masks of \(run) first"
  }

  package static func doubtWords(_ run: String) -> String {
    "likely ground truth errors first: the smallest overlap with confident masks of \(run)"
  }
}

/// Rankings for segmentation.
extension ReviewRanker {
  /// Ranks samples with uncertain maps and with off-center masks first, by the mean of a sample's
  /// ranks in both, because the two have different scales. A sample with only one of them is ranked
  /// by that one.
  ///
  /// Both are stored with an evaluation; the uncertainty is also stored with the run. An unknown
  /// center offset is measured on the masks.
  func uncertainMasks(_ reference: RunReference) throws -> RankingResult {
    let run = reference.run
    let predictions = try maskPredictions(of: run)
    var known: [Int64: PixelTallyRecord] = [:]
    if let evaluation = try evaluation(of: reference) {
      for tally in try catalog.pixelTallies(of: evaluation.id) { known[tally.sample] = tally }
    }
    var uncertainty: [Double?] = []
    var offsets: [Double?] = []
    var unknown: [Int] = []
    for (place, prediction) in predictions.enumerated() {
      let tally = known[prediction.sample.id]
      uncertainty.append(tally?.uncertainty ?? prediction.uncertainty)
      offsets.append(tally?.centerOffset)
      if tally == nil { unknown.append(place) }
    }
    if !unknown.isEmpty {
      let measured = try centerOffsets(of: unknown.map { predictions[$0].sample }, in: run)
      for (place, offset) in zip(unknown, measured) { offsets[place] = offset }
    }
    let ranks = [uncertainty, offsets].map { RankAverage.of([$0]) }
    var ranking = RankingResult(samples: [])
    for (place, both) in RankAverage.of([uncertainty, offsets]).enumerated() {
      guard let both else { continue }
      var words: [(rank: Double, text: String)] = []
      if let value = uncertainty[place], let rank = ranks[0][place] {
        words.append((rank, "uncertainty \(Hundredths.text(value))"))
      }
      if let value = offsets[place], let rank = ranks[1][place] {
        words.append((rank, "off center \(Hundredths.text(value))"))
      }
      words.sort { $0.rank > $1.rank }
      ranking.samples.append(
        RankedSample(
          sample: predictions[place].sample.id, rank: both, score: both,
          reason: words.map(\.text).joined(separator: ", ")))
    }
    ranking.leaveOut(
      eligible.count - ranking.samples.count,
      "not predicted by \(run.name) or without stored scores")
    return ranking
  }

  /// The center offset of each sample's single mask; `nil` if it has several masks or an empty one.
  private func centerOffsets(of samples: [SampleRecord], in run: RunRecord) throws -> [Double?] {
    let masks = try RunMasks(catalog: catalog, run: run)
    // If each pixel gets its most probable class, there are several masks.
    guard masks.recipe.threshold != nil || run.classes.count <= 2 else {
      return samples.map { _ in nil }
    }
    return try inChunks(samples, "measuring the masks of \(run.name)") { chunk in
      var offsets: [Double?] = chunk.map { _ in nil }
      try masks.masks(of: chunk) { index, predicted in
        if predicted.masks.count == 1 {
          offsets[index] = predicted.masks[0].mask.relativeCenterOffset
        }
      }
      return offsets
    }
  }

  /// Ranks samples by the disagreement of ground truth and prediction, weighted by the run's
  /// certainty, largest first: by (1 − IoU) · (1 − uncertainty). If the run is uncertain, the
  /// prediction is as likely to be wrong.
  func doubtfulRegions(_ reference: RunReference) throws -> RankingResult {
    let samples: [(sample: Int64, iou: Double?, traits: SampleTraits, pixels: SegmentedSample)]
    if let stored = try storedRegions(reference) {
      samples = stored
    } else {
      let evaluated = try Evaluator<SemanticSegmentation>(catalog: catalog, progress: progress)
        .counted(RunReference(run: reference.run), settings)
      let scores = try SegmentationScores(
        evaluated.tally, empty: evaluated.settings.masks.empty,
        settings.scoring(samples: evaluated.samples.count))
      samples = evaluated.samples.indices.map {
        (
          evaluated.samples[$0].id, scores.samples[$0].iou, evaluated.traits[$0],
          evaluated.tally[$0]
        )
      }
    }
    var ranking = RankingResult(samples: [])
    for (sample, iou, traits, pixels) in samples where eligible[sample] != nil {
      let doubt = iou.map { (1 - $0) * (1 - (traits.uncertainty ?? 0)) } ?? 0
      ranking.samples.append(
        RankedSample(
          sample: sample, rank: doubt, score: doubt, reason: Self.reason(iou, traits, pixels),
          isLikelyError: doubt >= ObjectDisagreement.reportedWeight))
    }
    ranking.leaveOut(
      eligible.count - ranking.samples.count, "without masks of \(reference.name)")
    return ranking
  }

  /// The stored scores of an evaluation; `nil` if there is none, or if it lacks samples that the
  /// run has predicted.
  private func storedRegions(
    _ reference: RunReference
  ) throws -> [(sample: Int64, iou: Double?, traits: SampleTraits, pixels: SegmentedSample)]? {
    guard let evaluation = try evaluation(of: reference) else { return nil }
    let tallies = try catalog.pixelTallies(of: evaluation.id)
    if reference.evaluation == nil {
      let evaluated = Set(tallies.map(\.sample))
      let done = try catalog.doneSampleIDs(of: reference.run.id)
      guard done.allSatisfy({ evaluated.contains($0) || eligible[$0]?.size == nil }) else {
        return nil
      }
    }
    return tallies.map {
      (
        $0.sample, $0.iou, SampleTraits(uncertainty: $0.uncertainty, centerOffset: $0.centerOffset),
        SegmentedSample(confusion: $0.confusion, boundary: [], void: $0.void)
      )
    }
  }

  /// "IoU with the ground truth 0.12, uncertainty 0.04"; "ground truth empty, 4211 pixels
  /// predicted".
  private static func reason(
    _ iou: Double?, _ traits: SampleTraits, _ pixels: SegmentedSample
  ) -> String {
    let unsure = traits.uncertainty.map { ", uncertainty \(Hundredths.text($0))" } ?? ""
    guard let iou else { return "neither ground truth nor prediction" }
    let confusion = pixels.confusion
    let labels = Int(Double(confusion.count).squareRoot())
    // Label 0 is the background.
    if labels > 1, labels * labels == confusion.count {
      let truth = confusion[labels...].reduce(0, +)
      let predicted = confusion.indices.filter { $0 % labels != 0 }.reduce(0) { $0 + confusion[$1] }
      if truth == 0 { return "ground truth empty, \(predicted) pixels predicted\(unsure)" }
      if predicted == 0 { return "prediction empty, \(truth) pixels in the ground truth\(unsure)" }
    }
    return "IoU with the ground truth \(Hundredths.text(iou))\(unsure)"
  }

  /// Ranks samples by the disagreement of several runs' masks, largest first: by 1 − the mean IoU
  /// over all pairs of runs and their common classes. If no run has a mask, they agree.
  func contradictingMasks() throws -> RankingResult {
    let runs = plan.runs.map(\.run)
    var done = Set(eligible.keys)
    for run in runs { done.formIntersection(try catalog.doneSampleIDs(of: run.id)) }
    let samples = done.sorted().compactMap { eligible[$0] }.filter { $0.size != nil }
    let masks = try runs.map { try RunMasks(catalog: catalog, run: $0) }
    let shared = runs.dropFirst().reduce(into: Set(runs[0].classes)) {
      $0.formIntersection($1.classes)
    }
    guard !shared.isEmpty else {
      throw EvaluationError.nothingInCommon(truth: runs[0].classes, scores: runs[1].classes)
    }
    let overlaps = try inChunks(samples, "comparing masks") { chunk in
      let stored = try masks.map { try $0.stored(of: chunk) }
      return try chunk.indices.map { index -> Double? in
        let regions = try zip(stored, runs).map { stored, run -> [String: Mask] in
          var regions: [String: Mask] = [:]
          for (ordinal, mask) in try stored[index]?.masks().masks ?? []
          where shared.contains(run.classes[ordinal]) {
            regions[run.classes[ordinal]] = mask
          }
          return regions
        }
        return Self.overlap(of: regions)
      }
    }
    var ranking = RankingResult(samples: [])
    for (sample, overlap) in zip(samples, overlaps) {
      let of = runs.count == 2 ? "IoU of the two runs" : "mean IoU of the \(runs.count) runs"
      ranking.samples.append(
        RankedSample(
          sample: sample.id, rank: 1 - (overlap ?? 1), score: 1 - (overlap ?? 1),
          reason: overlap.map { "\(of) \(Hundredths.text($0))" } ?? "no run has a prediction"))
    }
    ranking.leaveOut(
      eligible.count - samples.count, "not predicted by all runs or of unknown size")
    return ranking
  }

  /// The mean IoU over all pairs and the classes that at least one of the pair has; `nil` if there
  /// are none.
  private static func overlap(of regions: [[String: Mask]]) -> Double? {
    var (sum, count) = (0.0, 0)
    for (place, first) in regions.enumerated() {
      for other in regions[(place + 1)...] {
        for name in Set(first.keys).union(other.keys) {
          let areas = (first[name]?.area ?? 0) + (other[name]?.area ?? 0)
          guard areas > 0 else { continue }
          // If only one of them has a mask of this class, their IoU is 0.
          if let a = first[name], let b = other[name] { sum += a.iou(with: b) ?? 0 }
          count += 1
        }
      }
    }
    return count == 0 ? nil : sum / Double(count)
  }

  private func maskPredictions(of run: RunRecord) throws -> [MaskPredictionRecord] {
    try catalog.maskPredictions(of: run.id, where: plan.question.expression)
      .filter { eligible[$0.sample.id] != nil && $0.sample.size != nil }
  }

  /// Processes samples in parallel, some at a time, and returns the results in their order.
  private func inChunks<Value: Sendable>(
    _ samples: [SampleRecord], _ what: String,
    _ body: @escaping @Sendable ([SampleRecord]) throws -> [Value]
  ) throws -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(samples.count)
    var drawn = 0
    try OrderedWorkers(workers: ProcessInfo.processInfo.activeProcessorCount).run(
      next: { () -> [SampleRecord]? in
        try Interruption.check("no review was made; run the same command to start again")
        guard drawn < samples.count else { return nil }
        let end = min(samples.count, drawn + SemanticSegmentation.chunk)
        defer { drawn = end }
        return Array(samples[drawn..<end])
      },
      transform: { _, chunk in try body(chunk) },
      deliver: { chunk in
        values += chunk
        progress.report(Double(values.count) / Double(samples.count), what)
      })
    return values
  }
}
