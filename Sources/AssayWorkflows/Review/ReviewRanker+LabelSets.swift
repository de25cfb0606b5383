import AssayCore
import AssayMetrics
import AssayReports
import AssayStore

extension MultiLabelClassification: RankedTask {
  package static func uncertain(_ ranking: ReviewRanker, _ run: RunReference) throws
    -> RankingResult
  {
    try ranking.uncertainSets(run)
  }

  package static func doubtful(_ ranking: ReviewRanker, _ run: RunReference) throws -> RankingResult
  {
    try ranking.doubtfulSets(run)
  }

  package static func contradicting(_ ranking: ReviewRanker) throws -> RankingResult {
    try ranking.contradictingSets()
  }

  package static func uncertaintyWords(_ run: String) -> String {
    "lowest certainty of \(run) first (a score closest to the threshold of its class)"
  }

  package static func doubtWords(_ run: String) -> String {
    "possible label errors first: the labels that \(run) contradicts most"
  }
}

/// Rankings for multi-label classification.
extension ReviewRanker {
  /// Ranks samples by the distance of a score to its class's threshold, smallest first, over the
  /// classes that both the run and the dataset have, or over all classes if there is no common one.
  fileprivate func uncertainSets(_ reference: RunReference) throws -> RankingResult {
    let run = reference.run
    let thresholds = try PredictedLabels(reference).thresholds.values
    let taxonomy = Set(try catalog.taxonomy(of: run.dataset.id).names)
    let shared = run.classes.indices.filter { taxonomy.contains(run.classes[$0]) }
    let places = shared.isEmpty ? Array(run.classes.indices) : shared
    var ranking = RankingResult(samples: [])
    for prediction in try labelScores(of: run) {
      let distances = places.map { place in
        (place: place, distance: abs(Double(prediction.scores[place]) - thresholds[place]))
      }
      guard let nearest = distances.min(by: { $0.distance < $1.distance }) else { continue }
      let (score, threshold) = (Double(prediction.scores[nearest.place]), thresholds[nearest.place])
      ranking.samples.append(
        RankedSample(
          sample: prediction.sample.id, rank: -nearest.distance,
          score: max(0, 1 - nearest.distance / max(threshold, 1 - threshold)),
          reason: "\(run.classes[nearest.place]) (p = \(Hundredths.text(score)))"))
    }
    ranking.leaveOut(eligible.count - ranking.samples.count, "not predicted by \(run.name)")
    return ranking
  }

  /// Ranks samples that have a label with a small probability, or lack one with a large
  /// probability: by the minimum self-confidence over the classes, smallest first. The
  /// self-confidence is the score for a class that the sample has, and 1 − score for others.
  ///
  /// A possible label error is detected by confident learning for one class against the rest, as
  /// for a single label with the two classes “present” and “absent”.
  ///
  /// Source: A. Thyagarajan, E. Snorrason, C. Northcutt, J. Mueller, "Identifying Incorrect Annotations in
  /// Multi-Label Classification Data" (2022), with the minimum over the classes.
  fileprivate func doubtfulSets(_ reference: RunReference) throws -> RankingResult {
    let evaluated = try Evaluator<MultiLabelClassification>(catalog: catalog)
      .counted(reference, settings)
    let content = evaluated.content
    let (tally, classes) = (content.tally, content.evaluatedClasses)
    let kept = evaluated.samples.indices.filter { eligible[evaluated.samples[$0].id] != nil }
    let wrongLabels = Self.likelyWrong(tally, kept)
    var ranking = RankingResult(samples: [])
    var likely = 0
    for (place, index) in kept.enumerated() {
      let sample = evaluated.samples[index]
      let row = tally.row(index)
      let own = Set(tally.labels[index])
      let confidences = row.indices.map { own.contains($0) ? row[$0] : 1 - row[$0] }
      guard let least = confidences.indices.min(by: { confidences[$0] < confidences[$1] }) else {
        continue
      }
      if wrongLabels[place] > 0 { likely += 1 }
      let name = classes[least]
      let score = Hundredths.text(row[least])
      ranking.samples.append(
        RankedSample(
          sample: sample.id, rank: 1 - confidences[least], second: Double(wrongLabels[place]),
          score: 1 - confidences[least],
          reason: own.contains(least)
            ? "label \(name) (p = \(score))" : "no label \(name) (p = \(score))",
          isLikelyError: wrongLabels[place] > 0))
    }
    ranking.remarks.append(
      likely == 0
        ? "no possible label error according to \(reference.name): the least probable labels come first"
        : "\(NumberText.count(likely)) \(likely == 1 ? "sample" : "samples") with possible label errors "
          + "according to \(reference.name)")
    ranking.leaveOut(
      eligible.count - ranking.samples.count, "not predicted by \(reference.name)")
    return ranking
  }

  /// For each of some samples, the number of classes that are probably missing from its labels or
  /// probably wrong, by confident learning over these samples.
  private static func likelyWrong(_ tally: MultiLabelTally, _ indices: [Int]) -> [Int] {
    let rows = indices.map { tally.row($0) }
    var counts = indices.map { _ in 0 }
    for category in 0..<tally.classCount {
      let labels = indices.map { tally.labels.contains(category, in: $0) ? 1 : 0 }
      let scores = rows.flatMap { [Float(1 - $0[category]), Float($0[category])] }
      let doubts = LabelDoubt.all(labels: labels, scores: scores, classCount: 2) ?? []
      for (place, doubt) in doubts.enumerated() where doubt.isLikelyWrong { counts[place] += 1 }
    }
    return counts
  }

  /// Ranks samples by the disagreement of the runs' predicted sets, largest first: by the mean over
  /// the classes of the entropy of their votes.
  fileprivate func contradictingSets() throws -> RankingResult {
    let shared = plan.runs.dropFirst().reduce(Set(plan.runs[0].run.classes)) {
      $0.intersection($1.run.classes)
    }
    let classes = plan.runs[0].run.classes.filter(shared.contains)
    guard !classes.isEmpty else {
      throw EvaluationError.nothingInCommon(
        truth: plan.runs[0].run.classes, scores: plan.runs.last?.run.classes ?? [])
    }
    var votes: [Int64: [[Bool]]] = [:]
    for reference in plan.runs {
      var columns: [String: Int] = [:]
      for (column, name) in reference.run.classes.enumerated() { columns[name] = column }
      let places = classes.compactMap { columns[$0] }
      let labels = try PredictedLabels(reference)
      for prediction in try labelScores(of: reference.run) {
        let predicted = Set(labels.labels(prediction.scores))
        votes[prediction.sample.id, default: []].append(places.map(predicted.contains))
      }
    }
    var ranking = RankingResult(samples: [])
    for (sample, given) in votes where given.count == plan.runs.count {
      let entropies = classes.indices.map { place in
        VoteEntropy.of(given.map { $0[place] ? 1 : 0 }) ?? 0
      }
      let different = classes.indices.filter { entropies[$0] > 0 }
      let entropy = entropies.reduce(0, +) / Double(classes.count)
      ranking.samples.append(
        RankedSample(
          sample: sample, rank: entropy, score: entropy,
          reason: different.isEmpty
            ? "all predict the same labels"
            : "different: " + different.prefix(5).map { classes[$0] }.joined(separator: ", ")
              + (different.count > 5 ? ", …" : "")))
    }
    let contradicted = ranking.samples.count { $0.rank > 0 }
    ranking.remarks.append(
      "\(contradicted) of \(ranking.samples.count) samples are answered differently")
    ranking.leaveOut(eligible.count - ranking.samples.count, "not predicted by all runs")
    return ranking
  }

  /// The scores of a run for the samples to select from.
  private func labelScores(of run: RunRecord) throws -> [PredictionRecord] {
    try catalog.predictions(of: run.id, where: plan.question.expression)
      .filter { eligible[$0.sample.id] != nil }
  }
}
