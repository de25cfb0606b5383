package import AssayCore
package import AssayMetrics
import AssayReports
package import AssayStore

/// The samples of a multi-label run: their labels and the run's scores.
///
/// Only classes that both the dataset and the run have are evaluated: classes that the dataset does
/// not have are not annotated, so it is unknown whether their predictions are wrong.
package struct MultiLabelClassification: EvaluatedTask {
  package static let task = ModelTask.multiLabel
  // Scores are computed from the predictions; an evaluation stores only the labels.
  package static let restoresCounts = false
  package static let hasSampleTable = true
  package static let countKeys = [
    "n", "labels_per_sample", "predicted_labels_per_sample", "samples_without_labels",
  ]
  package static let slicesWithIntervals: Int? = 20

  package let join: ClassJoin
  /// The names of the evaluated classes, in the order of the dataset.
  package let evaluatedClasses: [String]
  /// The true classes of each sample, as ascending indices into ``evaluatedClasses``.
  package private(set) var labels: [[Int]] = []
  /// The scores of each sample, in the order of the run's classes.
  package private(set) var scores: [[Float]] = []
  /// The labels and scores by the evaluated classes; empty until the samples are counted.
  package fileprivate(set) var tally: MultiLabelTally

  /// The names in the dataset's taxonomy; for a stored evaluation, the names it was stored with.
  private let taxonomy: [String]
  /// The index among the evaluated classes for each class of the taxonomy; `nil` if it is not
  /// evaluated.
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
    if let given = settings.classThresholds, given.isFile {
      let known = taxonomy + run.classes.filter { !taxonomy.contains($0) }
      let unknown = Set(given.values.keys).subtracting(known).sorted()
      guard unknown.isEmpty else {
        throw EvaluationError.unknownThresholds(unknown, file: given.source, known: known)
      }
    }
  }

  package static func settings(
    _ asked: EvaluationSettings, keeping kept: EvaluationSettings, of name: String
  ) -> EvaluationSettings {
    var settings = asked
    settings.inherit(kept)
    settings.masks.threshold = asked.masks.threshold ?? kept.masks.threshold
    // A common threshold replaces the thresholds of an evaluation.
    settings.classThresholds =
      asked.classThresholds ?? (asked.masks.threshold == nil ? kept.classThresholds : nil)
    return settings
  }

  package var countedClasses: [String] { taxonomy }

  /// The score at or above which each class is predicted.
  ///
  /// - Throws: `MetricError` for a threshold outside of 0...1.
  package func thresholds(_ settings: EvaluationSettings) throws(MetricError) -> LabelThresholds {
    try settings.labelThresholds(of: evaluatedClasses)
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
    // Every metric over all samples is stored with their number.
    let kept = try catalog.scores(of: evaluation.id).first { $0.slice == nil }?.n
    guard kept == run.samples.count, labels.count == run.samples.count else {
      throw StoreError.damaged(
        table: "labelTally",
        "\(RunReference(run: run.run, evaluation: evaluation).name) has the labels of \(labels.count) samples "
          + "and predictions for \(run.samples.count) of them, expected \(kept ?? 0); evaluate the run again "
          + "(assay evaluate \(run.run.name) --as \(evaluation.name))")
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

  /// The tally of some samples over some of the evaluated classes.
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

extension MultiLabelClassification {
  package static func details(
    of run: EvaluatedRun<Self>, _ settings: EvaluationSettings, _ scoring: ScoringSettings
  ) throws -> MultiLabelDetails {
    let (tally, thresholds) = (run.content.tally, try run.content.thresholds(settings))
    return MultiLabelDetails(
      scores: try MultiLabelScores(tally, thresholds, run.deciding(settings, scoring)),
      tally: tally,
      keys: run.samples.map(\.key), classes: run.content.evaluatedClasses)
  }

  package static func scores(
    of run: EvaluatedRun<Self>, at indices: [Int], _ settings: EvaluationSettings,
    _ scoring: ScoringSettings
  ) throws -> MultiLabelScores {
    try MultiLabelScores(
      run.content.tally.selecting(indices), run.content.thresholds(settings),
      run.deciding(settings, scoring))
  }

  package static func notes(
    on run: EvaluatedRun<Self>, _ settings: EvaluationSettings, _ details: MultiLabelDetails,
    in catalog: Catalog
  ) throws -> [String] {
    var notes = run.leftOutNotes
    let join = run.content.join
    if !join.onlyScores.isEmpty {
      let names = join.onlyScores.joined(separator: ", ")
      notes.append("not evaluated because \(run.run.dataset.name) does not have them: \(names)")
    }
    if !join.onlyTruth.isEmpty {
      let names = join.onlyTruth.joined(separator: ", ")
      notes.append("not evaluated because the run has no scores for them: \(names)")
    }
    if let given = run.settings.classThresholds {
      let others = run.content.evaluatedClasses.filter { given.values[$0] == nil }
      if !others.isEmpty {
        notes.append(
          "no threshold in \(given.source) for \(others.joined(separator: ", ")): "
            + NumberText.short(run.settings.masks.threshold ?? LabelThresholds.usual))
      }
      notes += try thresholdNotes(run, given, in: catalog)
    }
    return notes + run.importNotes + (try run.decisionNotes(settings, in: catalog))
      + ["best thresholds are chosen on these samples, so the F1 at them is optimistic"]
      + Evaluation.intervalNotes(samples: run.samples.count, settings)
      + IntervalNotes.missing(
        details.scores.missingIntervals, classes: run.content.evaluatedClasses)
  }

  package static func slicesByClass(
    of run: EvaluatedRun<Self>, in catalog: Catalog
  ) -> [Slicing.Part] {
    let (labels, classes) = (run.content.labels, run.content.evaluatedClasses)
    var indices = classes.map { _ in [Int]() }
    for (index, sample) in labels.enumerated() {
      for label in sample { indices[label].append(index) }
    }
    return Slicing.parts(
      classes, indices, without: labels.indices.filter { labels[$0].isEmpty })
  }

  /// Notes that samples were evaluated with thresholds that were chosen on the same samples.
  private static func thresholdNotes(
    _ run: EvaluatedRun<Self>, _ given: ClassThresholds, in catalog: Catalog
  ) throws -> [String] {
    guard !given.isFile, given.source.contains("@"),
      let source = try? RunReference(given.source, in: catalog), source.run.task == task,
      let evaluation = source.evaluation,
      // An evaluation that was made again since is a different one.
      run.evaluation.map({ evaluation.createdAt <= $0.createdAt }) ?? true
    else { return [] }
    let chosen = Set(try catalog.labelTallies(of: evaluation).map(\.sample))
    let shared = run.samples.count { chosen.contains($0.id) }
    guard shared > 0 else { return [] }
    return [
      "\(shared) of \(run.samples.count) samples are also in \(source.name), on which the thresholds were "
        + "chosen: the scores at them are optimistic"
    ]
  }

  package func nameParts(_ settings: EvaluationSettings) -> [String] {
    let settings = completed(settings)
    if let thresholds = settings.classThresholds {
      // Only the values: the same thresholds from a file and from an evaluation give the same name.
      let values = evaluatedClasses.map { "\($0)=\(thresholds.values[$0] ?? 0)" }
      let hash = ContentHash.of(Array(values.joined(separator: "\n").utf8))
      return ["thresholds-\(hash.prefix(8))"]
    }
    guard let threshold = settings.masks.threshold, threshold != LabelThresholds.usual else {
      return []
    }
    return ["threshold-\(NumberText.short(threshold))"]
  }

  /// The settings with a threshold for each evaluated class; with a common threshold if they are
  /// all the same.
  package func completed(_ settings: EvaluationSettings) -> EvaluationSettings {
    var settings = settings
    if let given = settings.classThresholds {
      var values: [String: Double] = [:]
      for name in evaluatedClasses { values[name] = settings.threshold(of: name) }
      let different = Set(values.values)
      if different.count == 1 {
        settings.masks.threshold = different.first
        settings.classThresholds = nil
      } else {
        settings.classThresholds = ClassThresholds(values: values, source: given.source)
        settings.classThresholds?.isFile = given.isFile
      }
    }
    settings.masks.threshold = settings.masks.threshold ?? LabelThresholds.usual
    return settings
  }

  package static func store(
    _ run: EvaluatedRun<Self>, _ evaluation: Evaluation, into draft: inout EvaluationDraft,
    in catalog: Catalog
  ) throws {
    guard case .multiLabel(let details) = evaluation.details else { return }
    // By the dataset's classes, which include the evaluated ones.
    let content = run.content
    var ordinals: [String: Int] = [:]
    for (ordinal, name) in content.countedClasses.enumerated() { ordinals[name] = ordinal }
    let places = content.evaluatedClasses.compactMap { ordinals[$0] }
    draft.labelTallies = run.samples.indices.map { index in
      let sample = details.sample(index)
      return LabelTallyRecord(
        sample: run.samples[index].id, labels: sample.labels.map { places[$0] },
        missed: sample.missed.count, added: sample.added.count, rankingLoss: sample.rankingLoss)
    }
  }

  package static func measure(
    _ effect: inout CorrectionEffect, on run: EvaluatedRun<Self>, _ settings: EvaluationSettings,
    with measurement: EffectMeasurement
  ) throws {
    var asked = settings
    asked.ignoresMissing = true
    let before = try measurement.before(run, asked)
    let pairs = try SamplePairs.places((before.name, before.samples), (run.name, run.samples))
    effect.count(pairs, imported: before.content.labels, corrected: run.content.labels)
    let thresholds = try run.content.thresholds(settings)
    let measured = try TruthEffect(
      first: before.tally(of: pairs.map(\.0), classes: run.content.evaluatedClasses),
      second: run.content.tally.selecting(pairs.map(\.1)), thresholds,
      measurement.scoring(settings, pairs.count))
    let whole = try MultiLabelScores(
      before.content.tally, thresholds, ScoringSettings(intervals: nil))
    effect.moved = measurement.moved([.meanAveragePrecision, .microF1], measured) {
      whole[$0].value
    }
  }
}
