package import AssayCore
package import AssayMetrics
package import AssayStore

/// The samples of a single-label classification run: their labels and the run's scores.
package struct ImageClassification: EvaluatedTask {
  package static let task = ModelTask.classification
  // Ranks and confidences are computed from the predictions, which evaluations do not store.
  package static let restoresCounts = false

  package private(set) var join: ClassJoin
  /// The true class of each sample, an index into `join.classes`.
  package private(set) var truths: [Int] = []
  /// The scores of each sample, in the order of the run's classes.
  package private(set) var scores: [[Float]] = []
  /// The counts that all scores are computed from, by the classes of the join; empty until the
  /// samples are counted.
  package private(set) var tally: ClassificationTally
  /// The votes of people for the samples.
  package fileprivate(set) var votes = SampleVotes()

  /// The names in the dataset's taxonomy; for a stored evaluation, the names it was stored with.
  private let taxonomy: [String]

  package init(
    _ run: RunRecord, _ settings: inout EvaluationSettings, storedIn evaluation: EvaluationRecord?,
    in catalog: Catalog
  ) throws {
    taxonomy = try evaluation?.classes ?? catalog.taxonomy(of: run.dataset.id).names
    join = try ClassJoin(truth: taxonomy, scores: run.classes)
    tally = try ClassificationTally(
      classCount: join.classes.count, normalizes: settings.normalizes,
      hasProbabilities: !run.isLabelsOnly)
  }

  package static func check(_ settings: EvaluationSettings, of run: RunRecord) throws {
    guard run.isLabelsOnly else { return }
    if settings.normalizes { throw run.withoutScores("--normalize") }
    if settings.abstention != nil { throw run.withoutScores("--accept") }
  }

  package static func settings(
    _ asked: EvaluationSettings, keeping kept: EvaluationSettings, of name: String
  ) -> EvaluationSettings {
    var settings = asked
    settings.inherit(kept)
    return settings
  }

  package var countedClasses: [String] { join.classes }
  package var evaluatedClasses: [String] { join.classes }

  package static func choose(
    _ run: inout EvaluatedRun<Self>, current: Set<Int64>?, in catalog: Catalog
  ) throws {
    let scored = Set(run.content.join.columns)
    var missing: [Int: Int] = [:]
    for prediction in try catalog.predictions(of: run.run.id, where: run.settings.filter) {
      if run.isRetired(prediction.sample, current: current) { continue }
      guard let truth = prediction.sample.category else {
        run.leftOut.withoutTruth += 1
        continue
      }
      if scored.contains(truth) {
        run.append(prediction, truth: truth)
      } else {
        missing[truth, default: 0] += 1
      }
    }
    run.leftOut.ofMissingClasses = missing.values.reduce(0, +)
    guard !missing.isEmpty, !run.settings.ignoresMissing else { return }
    throw EvaluationError.missingClasses(
      missing.sorted { $0.key < $1.key }.map {
        MissingCategory(name: run.content.taxonomy[$0.key], samples: $0.value)
      }, scores: run.run.classes)
  }

  /// Counts the samples of a run from columns, without their records.
  ///
  /// - Throws: ``EvaluationError/missingClasses(_:scores:ofSets:)``, `MetricError`.
  static func count(_ run: inout EvaluatedRun<Self>, _ columns: PartScores) throws {
    let join = run.content.join
    let (classes, width) = (join.classes.count, run.run.classes.count)
    var isScored = Array(repeating: false, count: classes)
    for column in join.columns { isScored[column] = true }
    var missing = Array(repeating: 0, count: classes)
    var truths: [Int] = []
    truths.reserveCapacity(columns.labels.count)
    var rows: [Float] = []
    rows.reserveCapacity(columns.labels.count * classes)
    for (index, label) in columns.labels.enumerated() where columns.isDone[index] {
      guard label >= 0 else {
        run.leftOut.withoutTruth += 1
        continue
      }
      let truth = Int(label)
      guard isScored[truth] else {
        missing[truth] += 1
        continue
      }
      truths.append(truth)
      let own = columns.scores[index * width..<(index + 1) * width]
      if join.isIdentity {
        rows.append(contentsOf: own)
      } else {
        let start = rows.count
        rows.append(contentsOf: repeatElement(0, count: classes))
        for (score, place) in zip(own, join.columns) { rows[start + place] = score }
      }
    }
    run.leftOut.ofMissingClasses = missing.reduce(0, +)
    if run.leftOut.ofMissingClasses > 0, !run.settings.ignoresMissing {
      throw EvaluationError.missingClasses(
        missing.indices.filter { missing[$0] > 0 }.map {
          MissingCategory(name: join.classes[$0], samples: missing[$0])
        }, scores: run.run.classes)
    }
    try run.content.tally.add(truths: truths, scores: rows)
    run.unlisted = truths.count
  }

  package static func restore(
    _ run: inout EvaluatedRun<Self>, from evaluation: EvaluationRecord, in catalog: Catalog,
    imported: Catalog
  ) throws {
    var truths: [Int64: Int] = [:]
    for tally in try catalog.tallies(of: evaluation.id) { truths[tally.sample] = tally.truth }
    for prediction in try imported.predictions(of: run.run.id) {
      if let truth = truths[prediction.sample.id] { run.append(prediction, truth: truth) }
    }
  }

  package static func count(
    _ run: inout EvaluatedRun<Self>, in catalog: Catalog, _ progress: any ProgressSink
  ) throws {
    run = try run.withVotes(in: catalog)
    run.content.tally = try run.tally(
      of: Array(run.samples.indices), classes: run.content.join.classes)
  }

  package func selecting(_ indices: [Int]) -> Self {
    var part = self
    part.truths = indices.map { truths[$0] }
    part.scores = indices.map { scores[$0] }
    part.votes = votes.selecting(indices)
    part.tally = tally.selecting(indices)
    return part
  }

  fileprivate mutating func append(_ prediction: PredictionRecord, truth: Int) {
    truths.append(truth)
    scores.append(prediction.scores)
  }
}

extension EvaluatedRun<ImageClassification> {
  /// The run with the votes of people for its samples, if the dataset has any.
  ///
  /// - Throws: `StoreError`.
  func withVotes(in catalog: Catalog) throws -> Self {
    var run = self
    run.content.votes = try SampleVotes(of: samples, in: self.run.dataset, catalog)
    return run
  }

  fileprivate mutating func append(_ prediction: PredictionRecord, truth: Int) {
    samples.append(prediction.sample)
    content.append(prediction, truth: truth)
  }

  /// The tally of some samples over a list of classes that contains all classes of the join.
  ///
  /// - Throws: ``EvaluationError`` if scores are not probabilities.
  package func tally(of indices: [Int], classes: [String]) throws -> ClassificationTally {
    let (join, truths, scores) = (content.join, content.truths, content.scores)
    var tally = try ClassificationTally(
      classCount: classes.count, normalizes: settings.normalizes,
      hasProbabilities: !self.run.isLabelsOnly)
    var ordinals: [String: Int] = [:]
    for (ordinal, name) in classes.enumerated() { ordinals[name] = ordinal }
    let places = join.classes.map { ordinals[$0] ?? 0 }
    let columns = join.columns.map { places[$0] }
    let isIdentity = columns.count == classes.count && columns.elementsEqual(columns.indices)
    var rows: [Float] = []
    rows.reserveCapacity(indices.count * classes.count)
    for index in indices {
      if isIdentity {
        rows += scores[index]
      } else {
        let start = rows.count
        rows += repeatElement(0, count: classes.count)
        for (column, place) in columns.enumerated() { rows[start + place] = scores[index][column] }
      }
    }
    try EvaluationError.naming(
      classes: classes, sample: { samples[indices[$0]].key },
      { () throws(MetricError) in
        try tally.add(truths: indices.map { places[truths[$0]] }, scores: rows)
      })
    let votes = content.votes.selecting(indices)
    if !votes.isEmpty {
      try tally.set(votes.shares(of: classes, scored: Set(self.run.classes)))
    }
    return tally
  }
}

extension ImageClassification {
  package static func measure(
    _ effect: inout CorrectionEffect, on run: EvaluatedRun<Self>, _ settings: EvaluationSettings,
    with measurement: EffectMeasurement
  ) throws {
    var asked = settings
    // Samples of classes that the run has no scores for do not matter for the corrections.
    asked.ignoresMissing = true
    let before = try measurement.before(run, asked)
    let pairs = try SamplePairs.places((before.name, before.samples), (run.name, run.samples))
    effect.count(pairs, imported: before.content.truths, corrected: run.content.truths)
    let measured = try TruthEffect(
      first: before.tally(of: pairs.map(\.0), classes: run.content.join.classes),
      second: run.content.tally.selecting(pairs.map(\.1)),
      measurement.scoring(settings, pairs.count))
    let whole = try ClassificationScores(
      before.content.tally, ScoringSettings(intervals: nil))
    effect.moved = measurement.moved([.accuracy], measured) { whole[$0].value }
  }
}

extension ImageClassification {
  package static func details(
    of run: EvaluatedRun<Self>, _ settings: EvaluationSettings, _ scoring: ScoringSettings
  ) throws -> ClassificationScores {
    try ClassificationScores(run.content.tally, try run.deciding(settings, scoring))
  }

  package static func scores(
    of run: EvaluatedRun<Self>, at indices: [Int], _ settings: EvaluationSettings,
    _ scoring: ScoringSettings
  ) throws -> ClassificationScores {
    try ClassificationScores(
      run.content.tally.selecting(indices), try run.deciding(settings, scoring))
  }

  package static func notes(
    on run: EvaluatedRun<Self>, _ settings: EvaluationSettings, _ scores: ClassificationScores,
    in catalog: Catalog
  ) throws -> [String] {
    var notes = run.leftOutNotes + (try run.decisionNotes(settings, in: catalog))
    notes += run.content.votes.notes(classes: run.run.classes)
    let join = run.content.join
    if !join.onlyScores.isEmpty {
      let names = join.onlyScores.joined(separator: ", ")
      notes.append("classes only in the model, without samples: \(names)")
    }
    if run.run.isLabelsOnly {
      notes.append(
        "\(run.name) has predicted classes and no scores: log loss, Brier score, calibration, AUROC, average "
          + "precision, top-k and risk are undefined")
    }
    return notes + run.importNotes + run.normalizationNotes(settings)
      + Evaluation.intervalNotes(samples: run.count, settings)
      + IntervalNotes.missing(scores.missingIntervals, classes: join.classes)
  }

  package static func slicesByClass(
    of run: EvaluatedRun<Self>, in catalog: Catalog
  ) -> [Slicing.Part] {
    let (truths, classes) = (run.content.truths, run.content.join.classes)
    return Slicing.parts(truths.map { classes[$0] }, order: classes)
  }

  package func nameParts(_ settings: EvaluationSettings) -> [String] {
    settings.normalizes ? ["normalized"] : []
  }

  package static func store(
    _ run: EvaluatedRun<Self>, _ evaluation: Evaluation, into draft: inout EvaluationDraft,
    in catalog: Catalog
  ) {
    let scored = Set(run.content.join.columns)
    let tally = run.content.tally
    draft.tallies = run.samples.indices.map { index in
      let sample = tally[index]
      return TallyRecord(
        sample: run.samples[index].id, truth: sample.truth, predicted: sample.predicted,
        rank: scored.contains(sample.truth) && (tally.hasProbabilities || sample.rank == 1)
          ? sample.rank : 0, confidence: sample.confidence,
        margin: sample.margin)
    }
  }
}
