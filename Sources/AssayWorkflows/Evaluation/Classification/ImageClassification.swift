package import AssayCore
package import AssayMetrics
package import AssayStore

/// The samples of a run that gives each image one class: their labels and the run's scores.
package struct ImageClassification: EvaluatedTask {
  package static let task = ModelTask.classification
  // Ranks and confidences are made of the predictions, which no evaluation keeps.
  package static let restoresCounts = false

  package private(set) var join: ClassJoin
  /// The true class of each sample, an ordinal of `join.classes`.
  package private(set) var truths: [Int] = []
  /// The scores of each sample, in the order of the run's classes.
  package private(set) var scores: [[Float]] = []
  /// The counts all scores are reductions of, by the classes of the join; empty until the samples are counted.
  package private(set) var tally: ClassificationTally

  /// The names in the dataset's taxonomy; of a stored evaluation the names that it has kept.
  private let taxonomy: [String]

  package init(
    _ run: RunRecord, _ settings: inout EvaluationSettings, storedIn evaluation: EvaluationRecord?,
    in catalog: Catalog
  ) throws {
    taxonomy = try evaluation?.classes ?? catalog.taxonomy(of: run.dataset.id).names
    join = try ClassJoin(truth: taxonomy, scores: run.classes)
    tally = try ClassificationTally(
      classCount: join.classes.count, normalizes: settings.normalizes)
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
    run.content.tally = try run.tally(
      of: Array(run.samples.indices), classes: run.content.join.classes)
  }

  package func selecting(_ indices: [Int]) -> Self {
    var part = self
    part.truths = indices.map { truths[$0] }
    part.scores = indices.map { scores[$0] }
    part.tally = tally.selecting(indices)
    return part
  }

  fileprivate mutating func append(_ prediction: PredictionRecord, truth: Int) {
    truths.append(truth)
    scores.append(prediction.scores)
  }
}

extension EvaluatedRun<ImageClassification> {
  fileprivate mutating func append(_ prediction: PredictionRecord, truth: Int) {
    samples.append(prediction.sample)
    content.append(prediction, truth: truth)
  }

  /// The tally of some samples, by a list of classes that holds all of the join's.
  ///
  /// - Throws: ``EvaluationError`` where scores are no probabilities.
  package func tally(of indices: [Int], classes: [String]) throws -> ClassificationTally {
    let (join, truths, scores) = (content.join, content.truths, content.scores)
    var tally = try ClassificationTally(
      classCount: classes.count, normalizes: settings.normalizes)
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
    return tally
  }
}
