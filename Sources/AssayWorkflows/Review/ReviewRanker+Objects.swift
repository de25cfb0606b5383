import AssayCore
import AssayMetrics
import AssayStore

extension ObjectDetection: RankedTask {
  package static func uncertain(_ ranking: ReviewRanker, _ run: RunReference) throws
    -> RankingResult
  {
    try ranking.uncertainObjects(run)
  }

  package static func doubtful(_ ranking: ReviewRanker, _ run: RunReference) throws -> RankingResult
  {
    try ranking.doubtfulObjects(run)
  }

  package static func contradicting(_ ranking: ReviewRanker) throws -> RankingResult {
    try ranking.contradictingObjects()
  }

  package static func uncertaintyWords(_ run: String) -> String {
    "most detections of \(run) near the working score first"
  }

  package static func doubtWords(_ run: String) -> String {
    "likely ground truth errors first: confident detections of \(run) that contradict the ground truth"
  }
}

/// Rankings for detection.
extension ReviewRanker {
  /// Ranks samples by the number of detections near the working score, largest first. A detection
  /// at the working score counts 1; the weight decreases linearly to 0 halfway to 0 or 1, whichever
  /// is closer.
  ///
  /// A slight change of the working score would add or drop exactly these detections.
  func uncertainObjects(_ reference: RunReference) throws -> RankingResult {
    let run = reference.run
    let score = try workingScore(of: reference)
    let reach = max(0.01, min(score, 1 - score) / 2)
    struct Near {
      var weight = 0.0
      var found: [ScoredDetection] = []
    }
    var near: [Int64: Near] = [:]
    for detection in try catalog.detections(of: run, confidence: (score - reach)...(score + reach))
    where eligible[detection.sample] != nil {
      near[detection.sample, default: Near()].weight +=
        max(0, 1 - abs(detection.confidence - score) / reach)
      near[detection.sample, default: Near()].found.append(detection)
    }
    let done = try catalog.doneSampleIDs(of: run.id).filter { eligible[$0] != nil }
    var ranking = RankingResult(samples: [])
    for sample in done {
      let (weight, found) = (near[sample]?.weight ?? 0, near[sample]?.found ?? [])
      let closest = found.sorted {
        abs($0.confidence - score) < abs($1.confidence - score)
      }.prefix(2).map { "\(run.classes[$0.class]) \(Hundredths.text($0.confidence))" }
      ranking.samples.append(
        RankedSample(
          sample: sample, rank: weight, score: weight,
          reason: found.isEmpty
            ? "nothing near the score \(Hundredths.text(score))"
            : "\(found.count) near the score \(Hundredths.text(score)): "
              + closest.joined(separator: ", ") + (found.count > 2 ? ", …" : "")))
    }
    ranking.leaveOut(eligible.count - done.count, "not predicted by \(run.name)")
    return ranking
  }

  /// The minimum score of detections that count, from an evaluation or the default.
  private func workingScore(of reference: RunReference) throws -> Double {
    let usual = DetectionSettings().workingScore
    if let evaluation = reference.evaluation { return evaluation.matching?.score ?? usual }
    return try catalog.evaluations(of: reference.run)
      .first { $0.name == EvaluationRecord.defaultName }?.matching?.score ?? usual
  }

  /// Ranks samples by their largest disagreement between run and ground truth: a confident
  /// detection without a matching object or with another class, or a missed object of a class that
  /// the run nearly always finds. The sum of all disagreements breaks ties.
  func doubtfulObjects(_ reference: RunReference) throws -> RankingResult {
    let matches = try matches(of: reference)
    var recall = ClassRecall()
    for sample in matches.samples { recall.add(sample.rows, score: matches.score) }
    var ranking = RankingResult(samples: [])
    var doubts: [(sample: Int64, doubts: [ObjectDisagreement])] = []
    for sample in matches.samples where eligible[sample.sample] != nil {
      doubts.append(
        (sample.sample, ObjectDisagreement.all(sample.rows, score: matches.score, recall: recall)))
    }
    let truths = try classesOfTruth(doubts)
    for (sample, all) in doubts {
      let words = all.first?.text(matches.classes) { truths[.init(sample: sample, ordinal: $0)] }
      let more = all.count > 1 ? "; and \(all.count - 1) more" : ""
      ranking.samples.append(
        RankedSample(
          sample: sample, rank: all.first?.weight ?? 0,
          second: all.reduce(0) { $0 + $1.weight }, score: all.first?.weight ?? 0,
          reason: words.map { $0 + more } ?? "run and ground truth agree",
          isLikelyError: (all.first?.weight ?? 0) >= ObjectDisagreement.reportedWeight,
          evidence: all.first.map {
            FindingEvidence(
              annotations: [$0.annotation].compactMap(\.self), detection: $0.detection)
          }))
    }
    ranking.leaveOut(
      eligible.count - ranking.samples.count, "not evaluated for \(reference.name)")
    return ranking
  }

  private struct Matches {
    var samples: [(sample: Int64, rows: [MatchRecord])]
    var classes: [String]
    var score: Double
  }

  /// A run's matches by sample, from an evaluation if there is one, otherwise computed now.
  private func matches(of reference: RunReference) throws -> Matches {
    if let evaluation = try evaluation(of: reference), let matching = evaluation.matching {
      // A sample without rows has no objects and no detections.
      var samples = try catalog.matches(of: evaluation.id).map { ($0.sample, $0.rows) }
      let known = Set(samples.map(\.0))
      samples += try catalog.detectionTallies(of: evaluation.id).map(\.sample)
        .filter { !known.contains($0) }.map { ($0, []) }
      return Matches(samples: samples, classes: evaluation.classes, score: matching.score)
    }
    let evaluated = try Evaluator<ObjectDetection>(catalog: catalog, progress: progress)
      .counted(RunReference(run: reference.run), settings)
    let rows = try evaluated.matches(at: Array(evaluated.samples.indices), in: catalog)
    return Matches(
      samples: zip(evaluated.samples, rows).map { ($0.id, $1) },
      classes: evaluated.classes.names, score: evaluated.matching.workingScore)
  }

  private struct TruthObject: Hashable {
    var sample: Int64
    var ordinal: Int
  }

  /// The classes of the objects with the largest disagreements.
  private func classesOfTruth(
    _ doubts: [(sample: Int64, doubts: [ObjectDisagreement])]
  ) throws -> [TruthObject: String] {
    let ids = doubts.filter { $0.doubts.first?.annotation != nil }.map(\.sample).sorted()
    guard !ids.isEmpty else { return [:] }
    let names = try catalog.taxonomy(of: plan.dataset.id).names
    var classes: [TruthObject: String] = [:]
    try catalog.forEachAnnotations(of: ids, geometry: false) { index, annotations in
      for annotation in annotations where names.indices.contains(annotation.category) {
        classes[TruthObject(sample: ids[index], ordinal: annotation.ordinal)] =
          names[annotation.category]
      }
    }
    return classes
  }

  /// Ranks samples by their highest-scoring detection of one run without a counterpart in another
  /// run; the sum of all such detections breaks ties.
  func contradictingObjects() throws -> RankingResult {
    let runs = plan.runs.map(\.run)
    var done = Set(eligible.keys)
    for run in runs { done.formIntersection(try catalog.doneSampleIDs(of: run.id)) }
    let samples = done.sorted()
    let score = try plan.runs.map { try workingScore(of: $0) }.max() ?? 0
    var found = runs.map { _ in samples.map { _ in [BoxDisagreement.Found]() } }
    for (place, run) in runs.enumerated() {
      try Interruption.check("no review was made; run the same command to start again")
      progress.report(Double(place) / Double(runs.count), "comparing detections")
      try catalog.forEachDetections(of: run.id, samples: samples, counts: false) { index, all in
        found[place][index] = all.filter { $0.confidence >= score }.map {
          BoxDisagreement.Found(
            category: run.classes[$0.class], confidence: $0.confidence, box: $0.box)
        }
      }
    }
    var ranking = RankingResult(samples: [])
    for (index, sample) in samples.enumerated() {
      var (sum, count) = (0.0, 0)
      var worst: (lone: BoxDisagreement.Lone, has: String, lacks: String)?
      for first in runs.indices {
        for second in runs.indices where second > first {
          let lone = BoxDisagreement.lone(found[first][index], found[second][index])
          sum += lone.reduce(0) { $0 + $1.confidence }
          count += lone.count
          if let top = lone.first, top.confidence > worst?.lone.confidence ?? 0 {
            let names = [plan.runs[first].name, plan.runs[second].name]
            worst = (top, names[top.isFirst ? 0 : 1], names[top.isFirst ? 1 : 0])
          }
        }
      }
      let more = count > 1 ? "; and \(count - 1) more" : ""
      ranking.samples.append(
        RankedSample(
          sample: sample, rank: worst?.lone.confidence ?? 0, second: sum,
          score: worst?.lone.confidence ?? 0,
          reason: worst.map {
            "\($0.has): \($0.lone.category) \(Hundredths.text($0.lone.confidence)), not in "
              + "\($0.lacks)\(more)"
          } ?? "the runs agree"))
    }
    ranking.remarks.append(
      "boxes with a score of at least \(Hundredths.text(score)) are compared; two boxes match if they have the same class and "
        + "an IoU of at least 0.5")
    ranking.leaveOut(eligible.count - samples.count, "not predicted by all runs")
    return ranking
  }
}
