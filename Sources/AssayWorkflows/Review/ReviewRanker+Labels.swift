import AssayCore
import AssayMetrics
import AssayReports
import AssayStore

extension ImageClassification: RankedTask {
  package static func uncertain(_ ranking: ReviewRanker, _ run: RunReference) throws
    -> RankingResult
  {
    try ranking.uncertainLabels(run)
  }

  package static func doubtful(_ ranking: ReviewRanker, _ run: RunReference) throws -> RankingResult
  {
    try ranking.doubtfulLabels(run)
  }

  package static func contradicting(_ ranking: ReviewRanker) throws -> RankingResult {
    try ranking.contradictingLabels()
  }

  package static func uncertaintyWords(_ run: String) -> String {
    "lowest confidence of \(run) first (the smallest margin)"
  }

  package static func doubtWords(_ run: String) -> String {
    "possible label errors first: the least probable labels according to \(run)"
  }
}

/// Rankings for classification.
extension ReviewRanker {
  /// Ranks samples by the margin, smallest first: the largest score minus the second largest.
  func uncertainLabels(_ reference: RunReference) throws -> RankingResult {
    let run = reference.run
    guard !run.isLabelsOnly else { throw run.withoutScores("the order by uncertainty") }
    let predictions = try predictions(of: run)
    var ranking = RankingResult(samples: [])
    ranking.samples.reserveCapacity(predictions.count)
    for prediction in predictions {
      ranking.samples.append(
        RankedSample(
          sample: prediction.sample.id, rank: -prediction.margin, score: 1 - prediction.margin,
          reason: Self.reason(prediction, run.classes)))
    }
    ranking.leaveOut(eligible.count - predictions.count, "not predicted by \(run.name)")
    return ranking
  }

  /// "3 (0.41) or 8 (0.39)".
  private static func reason(_ prediction: PredictionRecord, _ classes: [String]) -> String {
    var second: Int?
    for (place, score) in prediction.scores.enumerated() where place != prediction.predicted {
      if second.map({ score > prediction.scores[$0] }) ?? true { second = place }
    }
    let first = "\(classes[prediction.predicted]) (\(Hundredths.text(prediction.confidence)))"
    guard let second else { return first }
    return first + " or \(classes[second]) (\(Hundredths.text(Double(prediction.scores[second]))))"
  }

  /// Ranks samples by the run's probability of their label, smallest first.
  func doubtfulLabels(_ reference: RunReference) throws -> RankingResult {
    guard !reference.run.isLabelsOnly else {
      throw reference.run.withoutScores("the order by possible label errors")
    }
    let evaluated = try Evaluator<ImageClassification>(catalog: catalog).chosen(reference, settings)
    let classes = evaluated.run.classes
    var columns: [Int: Int] = [:]
    for (column, ordinal) in evaluated.join.columns.enumerated() { columns[ordinal] = column }
    var kept: [(index: Int, label: Int)] = []
    for (index, sample) in evaluated.samples.enumerated() where eligible[sample.id] != nil {
      if let label = columns[evaluated.truths[index]] { kept.append((index, label)) }
    }
    var scores: [Float] = []
    scores.reserveCapacity(kept.count * classes.count)
    for (index, _) in kept { scores += evaluated.scores[index] }
    let doubts =
      LabelDoubt.all(labels: kept.map(\.label), scores: scores, classCount: classes.count) ?? []
    var ranking = RankingResult(samples: [])
    ranking.samples.reserveCapacity(kept.count)
    for (place, doubt) in doubts.enumerated() {
      let (index, label) = kept[place]
      let row = evaluated.scores[index]
      ranking.samples.append(
        RankedSample(
          sample: evaluated.samples[index].id, rank: 1 - doubt.selfConfidence,
          second: -doubt.margin, score: 1 - doubt.selfConfidence,
          reason: Self.reason(doubt, label: label, row, classes)))
    }
    // As many as are estimated, the least probable labels, if the prediction is another class.
    let estimated =
      LabelDoubt.estimatedErrors(
        labels: kept.map(\.label), scores: scores, classCount: classes.count) ?? 0
    for place in RankedSample.order(ranking.samples).prefix(estimated) {
      ranking.samples[place].isLikelyError = doubts[place].predicted != kept[place].label
    }
    let likely = doubts.count(where: \.isLikelyWrong)
    ranking.remarks.append(
      likely == 0
        ? "no possible label error according to \(reference.name): the least probable labels come first"
        : "\(NumberText.count(likely)) possible label \(likely == 1 ? "error" : "errors") according to "
          + reference.name)
    ranking.leaveOut(
      eligible.count - kept.count, "without a label, or without scores of \(reference.name) for it")
    return ranking
  }

  private static func reason(
    _ doubt: LabelDoubt, label: Int, _ scores: [Float], _ classes: [String]
  ) -> String {
    let given = "label \(classes[label]) (p = \(Hundredths.text(doubt.selfConfidence)))"
    if doubt.predicted == label { return given }
    let predicted = Hundredths.text(Double(scores[doubt.predicted]))
    return given + ", predicted \(classes[doubt.predicted]) (\(predicted))"
  }

  /// Ranks samples by the entropy of the runs' votes, largest first; ties are broken by the runs'
  /// mean confidence, highest first.
  func contradictingLabels() throws -> RankingResult {
    var names: [String: Int] = [:]
    for name in plan.runs.flatMap(\.run.classes) where names[name] == nil {
      names[name] = names.count
    }
    struct Answers {
      var votes: [Int] = []
      var classes: [String] = []
      var confidences: [Double] = []
    }
    var answers: [Int64: Answers] = [:]
    for reference in plan.runs {
      let classes = reference.run.classes
      for prediction in try predictions(of: reference.run) {
        let name = classes[prediction.predicted]
        var given = answers[prediction.sample.id] ?? Answers()
        given.votes.append(names[name] ?? -1)
        given.classes.append(name)
        given.confidences.append(prediction.confidence)
        answers[prediction.sample.id] = given
      }
    }
    var ranking = RankingResult(samples: [])
    for (sample, given) in answers where given.votes.count == plan.runs.count {
      guard let entropy = VoteEntropy.of(given.votes) else { continue }
      let confidence = given.confidences.reduce(0, +) / Double(given.confidences.count)
      ranking.samples.append(
        RankedSample(
          sample: sample, rank: entropy, second: confidence, score: entropy,
          reason: reason(given.classes, given.confidences, confidence)))
    }
    let contradicted = ranking.samples.count { $0.rank > 0 }
    ranking.remarks.append(
      "\(contradicted) of \(ranking.samples.count) samples are predicted differently")
    ranking.leaveOut(eligible.count - ranking.samples.count, "not predicted by all runs")
    return ranking
  }

  /// "lr: 3 (0.91), cnn: 8 (0.87)"; for many runs "3 of 5 say 3, 2 say 8"; "all say 3 (0.97)".
  private func reason(_ classes: [String], _ confidences: [Double], _ mean: Double) -> String {
    if Set(classes).count == 1 { return "all say \(classes[0]) (\(Hundredths.text(mean)))" }
    if classes.count <= 3 {
      return classes.indices.map {
        "\(plan.runs[$0].name): \(classes[$0]) (\(Hundredths.text(confidences[$0])))"
      }.joined(separator: ", ")
    }
    var counts: [(name: String, count: Int)] = []
    for name in classes {
      if let place = counts.firstIndex(where: { $0.name == name }) {
        counts[place].count += 1
      } else {
        counts.append((name, 1))
      }
    }
    counts.sort { $0.count == $1.count ? $0.name < $1.name : $0.count > $1.count }
    return counts.enumerated().map { place, voices in
      let of = place == 0 ? " of \(classes.count)" : ""
      return "\(voices.count)\(of) \(voices.count == 1 ? "says" : "say") \(voices.name)"
    }.joined(separator: ", ")
  }

  /// A run's predictions for the samples to select from.
  private func predictions(of run: RunRecord) throws -> [PredictionRecord] {
    try catalog.predictions(of: run.id, where: plan.question.expression)
      .filter { eligible[$0.sample.id] != nil }
  }
}
