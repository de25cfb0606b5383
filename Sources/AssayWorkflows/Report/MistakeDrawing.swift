import AssayCore
import AssayMetrics
import AssayReports
import AssayStore

/// Draws mistakes with their surroundings. Safe to use from several threads.
struct MistakeDrawing: Sendable {
  let catalog: Catalog
  let evaluated: EvaluatedRun<ObjectDetection>

  struct Drawn: Sendable {
    var mistakes: [CostlyMistake: DetectionMistake] = [:]
    var failures: [SampleImageError] = []
  }

  /// - Throws: `StoreError`.
  func draw(_ chosen: [CostlyMistake]) throws -> Drawn {
    let images = Set(chosen.map(\.image)).sorted()
    let samples = images.map { evaluated.samples[$0] }
    let objects = try evaluated.objects(at: images, in: catalog)
    let rasters = try SampleImages(catalog: catalog, dataset: evaluated.run.dataset)
      .rasters(of: samples)
    var drawn = Drawn()
    for (place, image) in images.enumerated() {
      let scene = MistakeScene(objects[place], evaluated)
      let raster: Raster<UInt8>
      switch rasters[place] {
      case .success(let picture): raster = picture
      case .failure(let error):
        drawn.failures.append(error)
        raster = ObjectCutout.blank(samples[place].size ?? scene.extent)
      }
      let frame =
        samples[place].size ?? ImageSize.checked(width: raster.width, height: raster.height)
      guard let frame else { continue }
      let verdicts = evaluated.errors[image].truthVerdicts
      for mistake in chosen where mistake.image == image {
        drawn.mistakes[mistake] = self.mistake(mistake, scene, verdicts, raster, frame)
      }
    }
    return drawn
  }

  private func mistake(
    _ mistake: CostlyMistake, _ scene: MistakeScene, _ verdicts: [TruthObjectVerdict],
    _ raster: Raster<UInt8>, _ frame: ImageSize
  ) -> DetectionMistake? {
    let names = evaluated.classes.names
    let truth = mistake.truth.flatMap { scene.truths.indices.contains($0) ? $0 : nil }
    let found = mistake.found.flatMap { scene.found.indices.contains($0) ? $0 : nil }
    // The dataset may have changed since a stored evaluation.
    guard truth != nil || mistake.truth == nil, found != nil || mistake.found == nil else {
      return nil
    }
    // A duplicate is drawn together with the detection that was counted.
    let winner =
      mistake.kind == .duplicate
      ? mistake.truth.flatMap { verdicts.indices.contains($0) ? verdicts[$0].found : nil } : nil
    var around: [Box] = []
    var objects = scene.around(truth: truth, found: [found, winner].compactMap(\.self), frame)
    if let truth {
      let object = scene.truths[truth]
      around.append(object.box)
      objects.append(
        BoxOverlay.Object(
          .truth, box: object.box, mask: scene.mask(ofTruth: truth, frame),
          name: names[object.class]))
    }
    for index in [winner, found].compactMap(\.self) where scene.found.indices.contains(index) {
      let object = scene.found[index]
      if index == found || truth == nil { around.append(object.box) }
      objects.append(
        BoxOverlay.Object(
          .prediction, box: object.box, mask: scene.mask(ofFound: index, frame),
          name: names[object.class], score: object.score))
    }
    return DetectionMistake(
      key: scene.sample.key, truth: truth.map { names[scene.truths[$0].class] },
      prediction: found.map { names[scene.found[$0].class] }, score: mistake.score,
      iou: mistake.overlap,
      picture: ObjectCutout(of: raster, frame: frame, around: around, objects: objects))
  }
}
