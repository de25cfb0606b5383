import AssayCore
import AssayMetrics
import AssayReports
import AssayStore

extension MultiLabelClassification: RankedTask {
  package static func uncertain(_ ranking: ReviewRanker, _ run: RunReference) throws -> RankingResult {
    try ranking.uncertainSets(run)
  }

  package static func doubtful(_ ranking: ReviewRanker, _ run: RunReference) throws -> RankingResult {
    try ranking.doubtfulSets(run)
  }

  package static func contradicting(_ ranking: ReviewRanker) throws -> RankingResult {
    try ranking.contradictingSets()
  }

  package static func uncertaintyWords(_ run: String) -> String {
    "those first that \(run) is least certain of (a score closest to \(LabelThresholds.usual))"
  }

  package static func doubtWords(_ run: String) -> String {
    "possible label errors first: the labels that \(run) contradicts most"
  }
}

/// Orders of multi-label classification.
extension ReviewRanker {
  /// The samples first with the score closest to 0.5.
  fileprivate func uncertainSets(_ reference: RunReference) throws -> RankingResult {
    let run = reference.run
    let threshold = LabelThresholds.usual
    var ranking = RankingResult(samples: [])
    for prediction in try labelScores(of: run) {
      let distances = prediction.scores.map { abs(Double($0) - threshold) }
      guard let place = distances.indices.min(by: { distances[$0] < distances[$1] }) else {
        continue
      }
      let score = Double(prediction.scores[place])
      ranking.samples.append(
        RankedSample(
          sample: prediction.sample.id, rank: -distances[place],
          score: max(0, 1 - 2 * distances[place]),
          reason: "\(run.classes[place]) (p = \(Hundredths.text(score)))"))
    }
    ranking.leaveOut(eligible.count - ranking.samples.count, "that \(run.name) has not done")
    return ranking
  }

  /// The samples first that have a label with a small probability, or lack one with a large probability: by the
  /// smallest self-confidence over the classes, which is the score of a class that the sample has, else
  /// 1 − score.
  ///
  /// Source: A. Thyagarajan, E. Snorrason, C. Northcutt, J. Mueller, "Identifying Incorrect Annotations in
  /// Multi-Label Classification Data" (2022), with the minimum over the classes.
  fileprivate func doubtfulSets(_ reference: RunReference) throws -> RankingResult {
    let evaluated = try Evaluator<MultiLabelClassification>(catalog: catalog)
      .counted(reference, settings)
    let content = evaluated.content
    let (tally, classes) = (content.tally, content.evaluatedClasses)
    let thresholds = try content.thresholds(evaluated.settings)
    var ranking = RankingResult(samples: [])
    var likely = 0
    for (index, sample) in evaluated.samples.enumerated() where eligible[sample.id] != nil {
      let row = tally.row(index)
      let own = Set(tally.labels[index])
      let confidences = row.indices.map { own.contains($0) ? row[$0] : 1 - row[$0] }
      guard let place = confidences.indices.min(by: { confidences[$0] < confidences[$1] }) else {
        continue
      }
      let contradicted = tally.judged(index, thresholds).wrong
      if contradicted > 0 { likely += 1 }
      let name = classes[place]
      let score = Hundredths.text(row[place])
      ranking.samples.append(
        RankedSample(
          sample: sample.id, rank: 1 - confidences[place], second: Double(contradicted),
          score: 1 - confidences[place],
          reason: own.contains(place)
            ? "label \(name) (p = \(score))" : "no label \(name) (p = \(score))"))
    }
    ranking.remarks.append(
      likely == 0
        ? "no possible label error according to \(reference.name): the least probable labels come first"
        : "\(NumberText.count(likely)) \(likely == 1 ? "sample" : "samples") with possible label errors "
          + "according to \(reference.name)")
    ranking.leaveOut(
      eligible.count - ranking.samples.count, "that \(reference.name) has not done")
    return ranking
  }

  /// The samples first for which the runs predict the most different sets: by the mean over the classes of
  /// the entropy of their votes.
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
      for prediction in try labelScores(of: reference.run) {
        votes[prediction.sample.id, default: []].append(
          places.map { Double(prediction.scores[$0]) >= LabelThresholds.usual })
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
    ranking.leaveOut(eligible.count - ranking.samples.count, "that not all of the runs have done")
    return ranking
  }

  /// The scores of a run for the samples to choose from.
  private func labelScores(of run: RunRecord) throws -> [PredictionRecord] {
    try catalog.predictions(of: run.id, where: plan.question.expression)
      .filter { eligible[$0.sample.id] != nil }
  }
}
