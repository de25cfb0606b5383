import AssayCore
import AssayMetrics
package import AssayStore

/// Reads the annotations of samples and a run's predictions for them, with the ground truth that a catalog reads. Safe to
/// use from several threads.
package struct MarksReader: Sendable {
  let catalog: Catalog
  private let dataset: DatasetRecord
  private let categories: [Category]
  /// The last entry of the corrected ground truth when reading began; `nil` for the imported one.
  private let sequence: Int64?

  /// The maximum number of samples that are read at a time: all their maps can be in memory.
  private static let step = 32

  /// - Throws: `StoreError`.
  package init(catalog: Catalog, dataset: DatasetRecord) throws {
    self.catalog = catalog
    self.dataset = dataset
    categories = try catalog.taxonomy(of: dataset.id).categories
    sequence = try catalog.truth.isCorrected ? catalog.truthSequence() : nil
  }

  /// The annotations of samples of the dataset, in their order. Those with damaged geometry have no region.
  ///
  /// - Parameters:
  ///   - samples: read from the same catalog, so that their labels are of its ground truth.
  ///   - side: the maximum length of a mask's longer side; `nil` for the image's.
  /// - Throws: `StoreError`.
  package func truth(of samples: [SampleRecord], side: Int?) throws -> [SampleMarks] {
    var all = samples.map { sample in
      var marks = SampleMarks()
      marks.label = sample.category.flatMap(name)
      if dataset.isMultiLabel || !sample.categories.isEmpty {
        marks.labels = sample.categories.compactMap(name)
      }
      return marks
    }
    guard dataset.regions > 0 || catalog.truth.isCorrected else { return all }
    try catalog.forEachAnnotations(of: samples.map(\.id), regionsOnly: false) {
      index, annotations in
      all[index].objects = annotations.compactMap { annotation in
        annotation.shape == .tag ? nil : object(annotation, samples[index].size, side)
      }
    }
    return all
  }

  private func object(
    _ annotation: AnnotationRecord, _ size: ImageSize?, _ side: Int?
  ) -> SampleMarks.Object? {
    guard let name = name(annotation.category) else { return nil }
    var object = SampleMarks.Object(
      id: "\(annotation.ordinal)", class: name, box: annotation.box,
      isCrowd: annotation.isCrowd, attributes: annotation.attributes)
    let fields = annotation.attributes.flatMap { try? JSONValue(parsing: $0) }
    object.keypoints = fields?["keypoints"]?.elements?.compactMap(\.double) ?? []
    if !object.keypoints.count.isMultiple(of: 3) { object.keypoints = [] }
    guard let bytes = annotation.geometry, let size,
      let geometry = try? Geometry(shape: annotation.shape, packed: bytes, size: size)
    else { return object }
    switch geometry {
    case .polygons(let polygons): object.polygons = polygons
    case .polylines(let lines): (object.polygons, object.isOpen) = (lines, true)
    case .points(let places):
      object.keypoints = stride(from: 0, to: places.count - 1, by: 2).flatMap {
        [places[$0], places[$0 + 1], 2]
      }
    case .mask:
      let mask = geometry.mask(in: size)
      object.box = object.box ?? mask.boundingBox
      object.mask = side.map(mask.reduced) ?? mask
    }
    if object.box == nil, !object.polygons.isEmpty, !object.isOpen {
      object.box = geometry.mask(in: size).boundingBox
    }
    return object
  }

  /// A run's predictions for samples of the dataset, in their order; `nil` for samples without a prediction. Objects have
  /// the results of the run's evaluation with the same ground truth, if ``problem(withResultsOf:)`` has no reason against
  /// it.
  ///
  /// - Parameters:
  ///   - truths: the ground truth of the samples, from this reader. The results of its objects are filled in.
  ///   - side: the maximum length of a mask's longer side; `nil` for the image's.
  /// - Throws: `StoreError`, ``RunMasksError``, ``EvaluationError``.
  package func predictions(
    of run: RunRecord, for samples: [SampleRecord], truths: inout [SampleMarks], side: Int?
  ) throws -> [SampleMarks?] {
    var all: [SampleMarks?] = []
    for start in stride(from: 0, to: samples.count, by: Self.step) {
      let range = start..<min(start + Self.step, samples.count)
      var part = Array(truths[range])
      all += try predicted(run, Array(samples[range]), &part, side)
      truths.replaceSubrange(range, with: part)
    }
    return all
  }

  private func predicted(
    _ run: RunRecord, _ samples: [SampleRecord], _ truths: inout [SampleMarks], _ side: Int?
  ) throws -> [SampleMarks?] {
    switch run.task.output {
    case .label: try labels(run, samples)
    case .labels: try labelSets(run, samples)
    case .masks: try regions(run, samples, side)
    case .objects: try objects(run, samples, &truths, side)
    }
  }

  private func labels(_ run: RunRecord, _ samples: [SampleRecord]) throws -> [SampleMarks?] {
    let found = try catalog.topPredictions(of: run.id, samples: samples.map(\.id))
    return zip(samples, found).map { sample, found in
      guard let found, run.classes.indices.contains(found.class) else { return nil }
      var marks = SampleMarks()
      marks.label = run.classes[found.class]
      marks.score = run.isLabelsOnly ? nil : found.confidence
      marks.isCorrect = sample.category.flatMap(name).map { $0 == marks.label }
      return marks
    }
  }

  /// A set of labels is correct if it is that of the ground truth, among the classes that both have.
  private func labelSets(_ run: RunRecord, _ samples: [SampleRecord]) throws -> [SampleMarks?] {
    let predictor = try PredictedLabels(RunReference(run: run, evaluation: evaluation(of: run)))
    let found = try catalog.scores(of: run, samples: samples.map(\.id))
    let shared = Set(categories.map(\.name)).intersection(run.classes)
    return zip(samples, found).map { sample, scores in
      guard let scores else { return nil }
      var marks = SampleMarks()
      let predicted = predictor.labels(scores).sorted { (-scores[$0], $0) < (-scores[$1], $1) }
        .filter(run.classes.indices.contains).map { run.classes[$0] }
      marks.labels = predicted
      if dataset.isMultiLabel {
        marks.isCorrect = PredictedLabels.isRight(
          predicted, truth: sample.categories.compactMap(name), shared: shared)
      }
      return marks
    }
  }

  private func regions(
    _ run: RunRecord, _ samples: [SampleRecord], _ side: Int?
  ) throws -> [SampleMarks?] {
    var all = [SampleMarks?](repeating: nil, count: samples.count)
    try RunMasks(catalog: catalog, run: run).masks(of: samples) { index, predicted in
      var marks = SampleMarks()
      for (ordinal, mask) in predicted.masks
      where !mask.isEmpty && run.classes.indices.contains(ordinal) {
        marks.regions.append((run.classes[ordinal], side.map(mask.reduced) ?? mask))
      }
      all[index] = marks
    }
    return all
  }

  private func objects(
    _ run: RunRecord, _ samples: [SampleRecord], _ truths: inout [SampleMarks], _ side: Int?
  ) throws -> [SampleMarks?] {
    let ids = samples.map(\.id)
    var all = [SampleMarks?](repeating: nil, count: samples.count)
    let answered = Set(try catalog.answered(ids, by: run.id))
    try catalog.forEachDetections(of: run.id, samples: ids, scores: false, attributes: true) {
      index, detections in
      guard answered.contains(ids[index]) else { return }
      var marks = SampleMarks()
      marks.objects = detections.enumerated().map { place, detection in
        var object = SampleMarks.Object(
          id: "\(place)",
          class: run.classes.indices.contains(detection.class)
            ? run.classes[detection.class] : "?",
          score: detection.confidence, box: detection.box, keypoints: detection.keypoints,
          attributes: detection.attributes)
        if let counts = detection.counts, let size = samples[index].size,
          let mask = try? Mask(size: size, compressed: counts)
        {
          object.mask = side.map(mask.reduced) ?? mask
        }
        return object
      }
      all[index] = marks
    }
    try addResults(of: run, samples, to: &all, &truths)
    return all
  }

  /// Adds the results of a detector's evaluation, at its own IoU and minimum score.
  private func addResults(
    of run: RunRecord, _ samples: [SampleRecord], to all: inout [SampleMarks?],
    _ truths: inout [SampleMarks]
  ) throws {
    guard let evaluation = try matchedEvaluation(of: run), let settings = evaluation.matching,
      settings.workingBit != 0
    else { return }
    let bit = settings.workingBit
    let places = Dictionary(
      samples.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    for sample in try catalog.matches(of: evaluation.id, samples: samples.map(\.id)) {
      guard let index = places[sample.sample] else { continue }
      var found: [Int: Double?] = [:]
      var ignored: Set<Int> = []
      for row in sample.rows {
        guard let prediction = row.prediction else {
          if row.ignored & bit != 0, let truth = row.annotation { ignored.insert(truth) }
          continue
        }
        guard (row.confidence ?? 0) >= settings.score,
          all[index]?.objects.indices.contains(prediction) == true
        else { continue }
        let isMatched = row.matched & bit != 0
        all[index]?.objects[prediction].iou = row.iou
        all[index]?.objects[prediction].result =
          row.ignored & bit != 0 ? .ignored : isMatched ? .truePositive : .falsePositive
        if isMatched, row.ignored & bit == 0, let truth = row.annotation { found[truth] = row.iou }
      }
      for object in truths[index].objects.indices {
        let own = truths[index].objects[object]
        guard let ordinal = Int(own.id), run.classes.contains(own.class) else { continue }
        truths[index].objects[object].iou = found[ordinal] ?? nil
        truths[index].objects[object].result =
          found[ordinal] != nil
          ? .truePositive : own.isCrowd || ignored.contains(ordinal) ? .ignored : .falseNegative
      }
    }
  }

  private func evaluation(of run: RunRecord) throws -> EvaluationRecord? {
    try catalog.evaluations(of: run).first { $0.name == EvaluationRecord.defaultName }
  }

  /// The evaluation whose matches belong to the annotations that were read: they are stored by the annotations'
  /// ordinals, which each correction can change.
  func matchedEvaluation(of run: RunRecord) throws -> EvaluationRecord? {
    guard catalog.truth.isCorrected else {
      return try evaluation(of: run).flatMap { $0.ledgerSequence == nil ? $0 : nil }
    }
    guard let sequence, try catalog.truthSequence() == sequence else { return nil }
    return try RunReference(run: run).kept(in: catalog, by: sequence).evaluation
  }

  /// The reason why the objects of a run have no results, and the command that makes them; `nil` if they have results,
  /// for other runs, and for a run that was not evaluated at all.
  ///
  /// - Throws: `StoreError`.
  package func problem(
    withResultsOf run: RunRecord
  ) throws -> (reason: String, command: String)? {
    guard run.task.output == .objects, try matchedEvaluation(of: run) == nil else { return nil }
    let command = "assay evaluate \(ShellWord.quoted(run.name))"
    guard catalog.truth.isCorrected else {
      guard let other = try evaluation(of: run) else { return nil }
      return (
        "its evaluation \(other.name) is of the corrected ground truth", command
      )
    }
    let earlier = try catalog.evaluations(of: run).filter {
      $0.name == "corrected" || $0.name.hasPrefix("corrected-")
    }.compactMap(\.ledgerSequence).max()
    let reason =
      try earlier.map { earlier in
        let last = try catalog.truthSequence() ?? 0
        return earlier == last
          ? "the dataset was imported again since its evaluation"
          : "its evaluation with corrections is of entry \(earlier) of the ledger, which is at entry \(last)"
      } ?? "it was not evaluated with the corrected ground truth"
    return (reason, command + " --corrected")
  }

  /// The highest scores of a run of labels for a sample, best first; empty for other runs.
  ///
  /// - Throws: `StoreError`.
  package func scores(
    of run: RunRecord, for sample: SampleRecord, limit: Int
  ) throws -> [(class: String, score: Double)] {
    switch run.task.output {
    case .masks, .objects: return []
    case .label, .labels: break
    }
    guard !run.isLabelsOnly, let scores = try catalog.scores(of: run, samples: [sample.id])[0]
    else { return [] }
    return scores.enumerated().sorted { (-$0.element, $0.offset) < (-$1.element, $1.offset) }
      .prefix(limit).filter { run.classes.indices.contains($0.offset) }
      .map { (run.classes[$0.offset], Double($0.element)) }
  }

  private func name(_ category: Int) -> String? {
    categories.indices.contains(category) ? categories[category].name : nil
  }
}
