package import AssayCore
package import AssayMetrics
package import AssayStore

/// The samples of a run that gives each image a set of classes: their labels and the run's scores.
///
/// Evaluated are the classes that the dataset and the run share: a class that the dataset does not have is not
/// annotated in it, so that nobody knows whether a prediction of it is wrong.
package struct MultiLabelClassification: EvaluatedTask {
  package static let task = ModelTask.multiLabel
  // Scores are those of the predictions; an evaluation keeps the labels alone.
  package static let restoresCounts = false
  package static let hasSampleTable = true
  package static let slicesWithIntervals: Int? = 20

  package let join: ClassJoin
  /// The names of the evaluated classes, in the order of the dataset.
  package let evaluatedClasses: [String]
  /// The true classes of each sample, ascending ordinals of ``evaluatedClasses``.
  package private(set) var labels: [[Int]] = []
  /// The scores of each sample, in the order of the run's classes.
  package private(set) var scores: [[Float]] = []
  /// The labels and scores by the evaluated classes; empty until the samples are counted.
  package fileprivate(set) var tally: MultiLabelTally

  /// The names in the dataset's taxonomy; of a stored evaluation the names that it has kept.
  private let taxonomy: [String]
  /// For each class of the taxonomy its ordinal among the evaluated ones; `nil` if it is not evaluated.
  private let places: [Int?]

  package init(
    _ run: RunRecord, _ settings: inout EvaluationSettings, storedIn evaluation: EvaluationRecord?,
    in catalog: Catalog
  ) throws {
    taxonomy = try evaluation?.classes ?? catalog.taxonomy(of: run.dataset.id).names
    join = try ClassJoin(truth: taxonomy, scores: run.classes)
    let scored = Set(run.classes)
    evaluatedClasses = taxonomy.filter { scored.contains($0) }
    var next = 0
    places = taxonomy.map { name in
      guard scored.contains(name) else { return nil }
      defer { next += 1 }
      return next
    }
    tally = try MultiLabelTally(classCount: evaluatedClasses.count)
  }

  package static func settings(
    _ asked: EvaluationSettings, keeping kept: EvaluationSettings, of name: String
  ) -> EvaluationSettings {
    var settings = asked
    settings.inherit(kept)
    settings.masks.threshold = asked.masks.threshold ?? kept.masks.threshold
    return settings
  }

  package var countedClasses: [String] { taxonomy }

  /// The score from which each class is predicted.
  ///
  /// - Throws: `MetricError` for a threshold outside of 0...1.
  package func thresholds(_ settings: EvaluationSettings) throws -> LabelThresholds {
    try LabelThresholds(
      settings.masks.threshold ?? LabelThresholds.usual, classCount: evaluatedClasses.count)
  }

  package static func choose(
    _ run: inout EvaluatedRun<Self>, current: Set<Int64>?, in catalog: Catalog
  ) throws {
    var missing: [Int: Int] = [:]
    for prediction in try catalog.predictions(of: run.run.id, where: run.settings.filter) {
      if run.isRetired(prediction.sample, current: current) { continue }
      for label in prediction.sample.categories where run.content.places[label] == nil {
        missing[label, default: 0] += 1
      }
      run.append(prediction, labels: prediction.sample.categories)
    }
    guard !missing.isEmpty, !run.settings.ignoresMissing else { return }
    throw EvaluationError.missingClasses(
      missing.sorted { $0.key < $1.key }.map {
        MissingCategory(name: run.content.taxonomy[$0.key], samples: $0.value)
      }, scores: run.run.classes, ofSets: true)
  }

  package static func restore(
    _ run: inout EvaluatedRun<Self>, from evaluation: EvaluationRecord, in catalog: Catalog,
    imported: Catalog
  ) throws {
    var labels: [Int64: [Int]] = [:]
    for tally in try catalog.labelTallies(of: evaluation) { labels[tally.sample] = tally.labels }
    for prediction in try imported.predictions(of: run.run.id) {
      if let labels = labels[prediction.sample.id] { run.append(prediction, labels: labels) }
    }
  }

  package static func count(
    _ run: inout EvaluatedRun<Self>, in catalog: Catalog, _ progress: any ProgressSink
  ) throws {
    run.content.tally = try run.tally(
      of: Array(run.samples.indices), classes: run.content.evaluatedClasses)
  }

  package func selecting(_ indices: [Int]) -> Self {
    var part = self
    part.labels = indices.map { labels[$0] }
    part.scores = indices.map { scores[$0] }
    part.tally = tally.selecting(indices)
    return part
  }

  fileprivate mutating func append(_ prediction: PredictionRecord, labels all: [Int]) {
    labels.append(all.compactMap { places.indices.contains($0) ? places[$0] : nil })
    scores.append(prediction.scores)
  }
}

extension EvaluatedRun<MultiLabelClassification> {
  fileprivate mutating func append(_ prediction: PredictionRecord, labels: [Int]) {
    samples.append(prediction.sample)
    content.append(prediction, labels: labels)
  }

  /// The tally of some samples, by some of the evaluated classes.
  ///
  /// - Throws: ``EvaluationError`` for scores outside of 0...1.
  package func tally(of indices: [Int], classes: [String]) throws -> MultiLabelTally {
    let (labels, scores) = (content.labels, content.scores)
    var ordinals: [String: Int] = [:]
    for (ordinal, name) in classes.enumerated() { ordinals[name] = ordinal }
    let places = content.evaluatedClasses.map { ordinals[$0] }
    var columns: [String: Int] = [:]
    for (column, name) in run.classes.enumerated() { columns[name] = column }
    let sources = classes.compactMap { columns[$0] }
    var rows: [Float] = []
    rows.reserveCapacity(indices.count * classes.count)
    for index in indices {
      let row = scores[index]
      for column in sources { rows.append(row[column]) }
    }
    var tally = try MultiLabelTally(classCount: classes.count)
    try EvaluationError.naming(
      classes: classes, sample: { samples[indices[$0]].key },
      { () throws(MetricError) in
        try tally.add(
          labelSets: indices.map { index in labels[index].compactMap { places[$0] } },
          scores: rows)
      })
    return tally
  }
}
