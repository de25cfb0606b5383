import AssayCore
import AssayFormats
import AssayStore

/// The results of a run for the images of an export.
struct ExportPredictions: Sendable {
  let run: RunRecord
  private let minScore: Double
  private let catalog: Catalog
  /// The predicted labels of each sample of a classifier.
  private var labels: [Int64: [ExportPrediction.Label]] = [:]
  /// The mean probability inside each mask, by sample and class.
  private var inside: [Int64: [Int: Double]] = [:]
  private var masks: RunMasks?
  /// The samples of a run of detections.
  private var done: Set<Int64> = []

  /// The minimum score of a label of a multi-label run, without ``DatasetExportRequest/minScore``.
  static let labelScore = 0.5

  /// - Throws: ``ExportError/otherDataset(run:dataset:expected:)``, ``ExportError/noScores(run:)``,
  ///   ``RunMasksError``, `StoreError`.
  init(_ name: String, minScore: Double?, of scope: ExportScope, _ catalog: Catalog) throws {
    run = try catalog.run(named: name)
    self.catalog = catalog
    self.minScore = minScore ?? (run.task.output == .labels ? Self.labelScore : -.infinity)
    guard run.dataset.id == scope.dataset.id else {
      throw ExportError.otherDataset(
        run: run.name, dataset: run.dataset.name, expected: scope.dataset.name)
    }
    guard minScore == nil || !run.isLabelsOnly else { throw ExportError.noScores(run: run.name) }
    let samples = Set(scope.samples.map(\.id))
    switch run.task.output {
    case .objects: done = Set(try catalog.doneSamples(of: run.id).map(\.id))
    case .masks:
      masks = try RunMasks(catalog: catalog, run: run)
      for prediction in try catalog.maskPredictions(of: run.id)
      where samples.contains(prediction.sample.id) {
        inside[prediction.sample.id] = Dictionary(
          prediction.masks.compactMap { mask in mask.meanInside.map { (mask.class, $0) } },
          uniquingKeysWith: { $1 })
      }
    case .label, .labels:
      for prediction in try catalog.predictions(of: run.id)
      where samples.contains(prediction.sample.id) {
        let places =
          run.task.output == .label ? [prediction.predicted] : Array(prediction.scores.indices)
        labels[prediction.sample.id] = places.compactMap { place in
          let score = Double(prediction.scores[place])
          guard score >= self.minScore else { return nil }
          return .init(name: run.classes[place], score: run.isLabelsOnly ? nil : score)
        }
      }
    }
  }

  /// Sets the results of images; those that the run does not have stay without.
  ///
  /// - Parameter samples: the sample of each image.
  /// - Throws: ``RunMasksError``, `StoreError`, `MaskError`.
  func fill(_ images: inout [ExportImage], _ samples: [SampleRecord]) throws {
    switch run.task.output {
    case .label, .labels:
      for (place, sample) in samples.enumerated() {
        guard let found = labels[sample.id] else { continue }
        var prediction = ExportPrediction(run: run.name)
        prediction.labels = found
        images[place].prediction = prediction
      }
    case .objects:
      try catalog.forEachDetections(of: run.id, samples: samples.map(\.id)) {
        place, detections in
        guard done.contains(samples[place].id) else { return }
        var prediction = ExportPrediction(run: run.name)
        prediction.objects = try detections.compactMap { detection in
          guard detection.confidence >= minScore else { return nil }
          var shape = ExportObject.Shape.box
          if let counts = detection.counts, let size = samples[place].size,
            case .mask(let mask) = try Geometry(shape: .mask, packed: counts, size: size)
          {
            shape = .mask(mask)
          }
          if !detection.keypoints.isEmpty { prediction.objectsWithKeypoints += 1 }
          return .init(
            name: run.classes[detection.class], shape: shape, box: detection.box,
            score: detection.confidence)
        }
        images[place].prediction = prediction
      }
    case .masks:
      guard let masks else { return }
      let done = samples.indices.filter { inside[samples[$0].id] != nil }
      try masks.masks(of: done.map { samples[$0] }) { index, predicted in
        let place = done[index]
        let scores = inside[samples[place].id] ?? [:]
        var prediction = ExportPrediction(run: run.name)
        for (number, mask) in predicted.masks where number != masks.recipe.background {
          guard let box = mask.boundingBox, scores[number].map({ $0 >= minScore }) ?? true else {
            continue
          }
          prediction.objects.append(
            .init(
              name: run.classes[number], shape: .mask(mask), box: box, score: scores[number]))
        }
        images[place].prediction = prediction
      }
    }
  }
}
