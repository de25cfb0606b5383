import AssayCore
import AssayMetrics
import AssayStore

/// The predictions of a run with scores, and what the ground truth says about each.
struct DecisionSamples {
  /// One prediction: a sample's class, one of its labels, or a detection.
  struct Prediction {
    /// The predicted class, an index into the run's classes.
    var category: Int
    var score: Float
    /// True if it agrees with the ground truth; `nil` for a sample without a label.
    var isCorrect: Bool?

    init(category: Int, score: Float, isCorrect: Bool? = nil) {
      (self.category, self.score, self.isCorrect) = (category, score, isCorrect)
    }
  }

  /// A classified sample for prediction sets.
  struct Row {
    /// The scores in the order of the run's classes.
    var scores: [Float]
    /// The true class, an index into the run's classes; −1 for a class that the run does not have, `nil`
    /// without a label.
    var truth: Int?
  }

  var predictions: [Prediction] = []
  /// The rows of a classification; empty for other tasks.
  var rows: [Row] = []
  /// The number of samples, and of those with a label.
  var count = 0
  var labeled = 0
  /// The number of labeled samples of classes that the run does not have, whose predictions are errors.
  var ofOtherClasses = 0
  /// The classes for which the ground truth says nothing.
  var unknown: Set<Int> = []
  /// The SHA-256 of the labeled samples' keys and labels.
  var contentHash = ""
  /// Notes for the reader, one sentence each.
  var notes: [String] = []

  /// Reads a run.
  ///
  /// - Throws: ``DecisionError``, ``EvaluationError`` if no class is shared, `StoreError`.
  init(of run: RunRecord, where filter: String?, in catalog: Catalog) throws {
    switch run.task {
    case .classification: try readClasses(of: run, where: filter, in: catalog)
    case .multiLabel: try readLabels(of: run, where: filter, in: catalog)
    case .detection: try readDetections(of: run, where: filter, in: catalog)
    case .segmentation: throw DecisionError.noPredictions(run: run.name, run.task)
    }
  }

  /// The predictions of a run's samples that the dataset still has.
  private mutating func current(
    _ run: RunRecord, where filter: String?, in catalog: Catalog
  ) throws -> [PredictionRecord] {
    let current = try catalog.currentSamples(of: run)
    let found = try catalog.predictions(of: run.id, where: filter).filter {
      current?.contains($0.sample.id) ?? true
    }
    for prediction in found {
      for score in prediction.scores where !(score >= 0 && score <= 1.001) {
        throw DecisionError.score(
          run: run.name, sample: prediction.sample.key, value: Double(score))
      }
    }
    count = found.count
    return found
  }

  private mutating func readClasses(
    of run: RunRecord, where filter: String?, in catalog: Catalog
  ) throws {
    if run.isLabelsOnly { throw run.withoutScores("a decision") }
    let taxonomy = try catalog.taxonomy(of: run.dataset.id).names
    let hasTruth = try catalog.hasGroundTruth(for: run.task, in: run.dataset)
    // Of equal scores an evaluation takes the class that is first in the dataset.
    var order = Array(run.classes.indices)
    if hasTruth {
      let join = try ClassJoin(truth: taxonomy, scores: run.classes)
      order.sort { join.columns[$0] < join.columns[$1] }
    }
    var places: [String: Int] = [:]
    for (place, name) in run.classes.enumerated() { places[name] = place }
    let truths = taxonomy.map { places[$0] ?? -1 }
    var lines = ""
    for prediction in try current(run, where: filter, in: catalog) {
      var best = order[0]
      for place in order where prediction.scores[place] > prediction.scores[best] { best = place }
      let truth = hasTruth ? prediction.sample.category.map { truths[$0] } : nil
      if let truth, let category = prediction.sample.category {
        labeled += 1
        ofOtherClasses += truth < 0 ? 1 : 0
        lines += "\(prediction.sample.key)\t\(taxonomy[category])\n"
      }
      predictions.append(
        Prediction(
          category: best, score: prediction.scores[best], isCorrect: truth.map { $0 == best }))
      rows.append(Row(scores: prediction.scores, truth: truth))
    }
    contentHash = ContentHash.of(Array(lines.utf8))
    if ofOtherClasses > 0 {
      notes.append(
        "\(ofOtherClasses) of \(labeled) samples have a class that the model does not have: each of their "
          + "predictions counts as an error")
    }
  }

  private mutating func readLabels(
    of run: RunRecord, where filter: String?, in catalog: Catalog
  ) throws {
    let taxonomy = try catalog.taxonomy(of: run.dataset.id).names
    let hasTruth = try catalog.hasGroundTruth(for: run.task, in: run.dataset)
    if hasTruth { _ = try ClassJoin(truth: taxonomy, scores: run.classes) }
    let known = Set(taxonomy)
    unknown = Set(run.classes.indices.filter { !known.contains(run.classes[$0]) })
    var lines = ""
    for prediction in try current(run, where: filter, in: catalog) {
      let labels = Set(prediction.sample.categories.map { taxonomy[$0] })
      if hasTruth {
        labeled += 1
        lines +=
          "\(prediction.sample.key)\t\(prediction.sample.categories.map(String.init).joined(separator: " "))\n"
      }
      for (place, score) in prediction.scores.enumerated() {
        predictions.append(
          Prediction(
            category: place, score: score,
            isCorrect: hasTruth && !unknown.contains(place)
              ? labels.contains(run.classes[place]) : nil))
      }
    }
    contentHash = ContentHash.of(Array(lines.utf8))
  }

  private mutating func readDetections(
    of run: RunRecord, where filter: String?, in catalog: Catalog
  ) throws {
    var places: [String: Int] = [:]
    for (place, name) in run.classes.enumerated() { places[name] = place }
    guard try catalog.hasGroundTruth(for: run.task, in: run.dataset) else {
      let current = try catalog.currentSamples(of: run)
      for record in try catalog.detections(of: run.id, where: filter) {
        guard current?.contains(record.sample.id) ?? true else { continue }
        count += 1
        for detection in record.detections {
          predictions.append(
            Prediction(category: detection.class, score: Float(detection.confidence)))
        }
      }
      return
    }
    var settings = EvaluationSettings()
    settings.filter = filter
    settings.intervals = false
    let evaluated = try Evaluator<ObjectDetection>(catalog: catalog)
      .counted(RunReference(run: run), settings)
    let matching = evaluated.content.matching
    let bit =
      try MatchRows(matching).thresholds.firstIndex {
        abs($0 - matching.workingIoU) <= MatchRows.tolerance
      } ?? 0
    let names = evaluated.content.classes.names
    let shared = Set(names)
    unknown = Set(run.classes.indices.filter { !shared.contains(run.classes[$0]) })
    (count, labeled) = (evaluated.samples.count, evaluated.samples.count)
    var (lines, ignored) = ("", 0)
    let all = Array(evaluated.samples.indices)
    let objects = evaluated.content.counts
    for (index, rows) in try evaluated.matches(at: all, in: catalog).enumerated() {
      lines += "\(evaluated.samples[index].key)\t\(objects[index].truths)\n"
      for row in rows {
        guard row.prediction != nil, let score = row.confidence,
          let place = places[names[row.class]]
        else { continue }
        guard score >= 0, score <= 1.001 else {
          throw DecisionError.score(
            run: run.name, sample: evaluated.samples[index].key, value: score)
        }
        guard row.ignored >> UInt64(bit) & 1 == 0 else {
          ignored += 1
          continue
        }
        predictions.append(
          Prediction(
            category: place, score: Float(score),
            isCorrect: row.matched >> UInt64(bit) & 1 == 1))
      }
    }
    contentHash = ContentHash.of(Array(lines.utf8))
    notes.append(
      "a detection is right if it matches an object at \(matching.overlap == .keypoints ? "OKS" : "IoU") "
        + "\(matching.workingIoU)")
    if ignored > 0 {
      notes.append(
        "left out: \(Counted.text(ignored, "detection", "detections")) of crowds or ignored objects, or beyond the "
          + "maximum number per image")
    }
  }
}
