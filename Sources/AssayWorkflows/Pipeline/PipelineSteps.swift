import AssayCore
import AssayImaging
import AssayInference
import AssayStore

/// A step of a pipeline with its model.
protocol CompiledStep: Sendable {
  /// The step's model; `nil` for a rule.
  var model: ModelRecord? { get }

  /// Looks at the objects of an image that qualify.
  ///
  /// - Parameter image: one channel or three.
  /// - Throws: `InferenceError`.
  func apply(
    to objects: [PipelineObject], in image: Raster<UInt8>, sample: String, worker: Int
  ) throws -> [PipelineObject]
}

extension CompiledStep {
  /// The objects with those that qualify changed by `change`; those that fail by it are left out if the step drops
  /// them.
  fileprivate func changing(
    _ objects: [PipelineObject], drops: Bool, _ change: (inout PipelineObject) throws -> Void
  ) rethrows -> [PipelineObject] {
    try objects.compactMap { object in
      guard object.reason == nil else { return object }
      var object = object
      try change(&object)
      return drops && object.reason != nil ? nil : object
    }
  }
}

/// Finds the objects that later steps look at.
struct DetectStep: CompiledStep {
  let detector: PipelineModel<DetectionReader>
  let step: PipelineStep
  /// The run's class of each of the model's classes; `nil` for classes that are not kept.
  let classes: [Int?]
  var model: ModelRecord? { detector.record }

  /// The IoU above which objects that were found in two crops are one.
  private static let sameObject = 0.3

  func apply(
    to objects: [PipelineObject], in image: Raster<UInt8>, sample: String, worker: Int
  ) throws -> [PipelineObject] {
    guard let crop = step.crop else {
      return kept(try detector.objects(in: image, sample: sample, worker: worker))
    }
    var found: [PipelineObject] = []
    for object in objects where object.reason == nil {
      let part = ObjectCrop(crop, around: object, in: image.size)
      found += kept(
        try detector.objects(in: part.raster(of: image), sample: sample, worker: worker)
      ).compactMap(part.object)
    }
    var result: [PipelineObject] = []
    for (_, object) in found.enumerated().sorted(by: {
      ($1.element.detection.confidence, $0.offset) < ($0.element.detection.confidence, $1.offset)
    }) {
      let isKnown = result.contains {
        $0.detection.class == object.detection.class
          && BoxDisagreement.iou($0.box, object.box) > Self.sameObject
      }
      if !isKnown { result.append(object) }
    }
    return result
  }

  private func kept(_ objects: [PipelineObject]) -> [PipelineObject] {
    objects.compactMap { object in
      guard let kept = classes[object.detection.class],
        object.detection.confidence >= step.minScore ?? 0
      else { return nil }
      var object = object
      object.detection.class = kept
      object.detection.scores = object.detection.scores.compactMap { score in
        classes[score.class].map { Detection.ClassScore(class: $0, score: score.score) }
      }
      if object.detection.scores.count < 2 { object.detection.scores = [] }
      return object
    }
  }
}

/// Decides whether objects are good enough for the steps after it.
struct QualifyStep: CompiledStep {
  let rule: ObjectRule
  let drops: Bool
  var model: ModelRecord? { nil }

  func apply(
    to objects: [PipelineObject], in image: Raster<UInt8>, sample: String, worker: Int
  ) -> [PipelineObject] {
    changing(objects, drops: drops) { object in
      let box = object.detection.box
      var reasons: [String] = []
      if let least = rule.minSide, min(box.width, box.height) < least {
        reasons.append("side \(Self.text(min(box.width, box.height))) < \(Self.text(least))")
      }
      if let least = rule.minScore, object.detection.confidence < least {
        reasons.append("score \(Self.text(object.detection.confidence)) < \(Self.text(least))")
      }
      if let angle = object.lineAngle.map({ $0 * 180 / .pi }) {
        object.attributes.append(.init("angle", .number((angle * 10).rounded() / 10)))
        if let most = rule.maxAngle, abs(angle) > most {
          reasons.append("angle \(Self.text(abs(angle))) > \(Self.text(most))")
        }
      }
      if let least = rule.minSharpness {
        let crop = ObjectCrop(CropRule(), around: object, in: image.size)
        let gray = GrayConversion.gray(crop.raster(of: image))
        if let sharpness = ImageAppearance(gray).sharpness.map(Double.init) {
          object.attributes.append(.init("sharpness", .number((sharpness * 1000).rounded() / 1000)))
          if sharpness < least {
            reasons.append("sharpness \(Self.text(sharpness)) < \(Self.text(least))")
          }
        }
      }
      if !reasons.isEmpty { object.reason = reasons.joined(separator: ", ") }
    }
  }

  /// A number with at most two decimals.
  static func text(_ value: Double) -> String {
    let hundredths = (value * 100).rounded() / 100
    return Int(exactly: hundredths).map(String.init) ?? "\(hundredths)"
  }
}

/// Adds the label and the scores of a classifier.
struct ClassifyStep: CompiledStep {
  let classifier: PipelineModel<ProbabilityReader>
  let step: PipelineStep
  /// The decision on the labels; `nil` for none.
  var decision: PipelineDecision.Labels?
  var model: ModelRecord? { classifier.record }

  func apply(
    to objects: [PipelineObject], in image: Raster<UInt8>, sample: String, worker: Int
  ) throws -> [PipelineObject] {
    let names = classifier.manifest.classes
    let places = objects.indices.filter { objects[$0].reason == nil }
    let crops = places.map { place in
      ObjectCrop(step.crop ?? CropRule(), around: objects[place], in: image.size)
        .raster(of: image)
    }
    let answers = try classifier.answers(crops, sample: sample, worker: worker)
    var next = answers.makeIterator()
    let isLabels = classifier.manifest.task.output == .labels
    return changing(objects, drops: step.drops) { object in
      guard let scores = next.next(), let best = scores.indices.max(by: { scores[$0] < scores[$1] })
      else { return }
      // Of a multi-label model each class counts by itself: there is no label.
      if !isLabels {
        object.attributes += [
          .init(step.attribute, .string(names[best])),
          .init(LabelAttribute.name("score", of: step.attribute), .number(Double(scores[best]))),
        ]
      }
      object.attributes.append(
        .init(
          LabelAttribute.name("scores", of: step.attribute),
          .object(zip(names, scores).map { .init($0, .number(Double($1))) })))
      if let decision { object.attributes += decision.attributes(scores, best: best) }
      if let least = step.minScore, Double(scores[best]) < least {
        object.reason =
          "\(step.attribute) \(QualifyStep.text(Double(scores[best]))) < \(QualifyStep.text(least))"
      }
    }
  }
}

/// Adds the mask that a segmentation model finds in the crop of an object.
struct SegmentStep: CompiledStep {
  let segmenter: PipelineModel<MapReader>
  let step: PipelineStep
  let recipe: SegmentationRecipe
  let kept: [Int]
  /// The ordinal of the class whose mask is taken.
  let subject: Int
  var model: ModelRecord? { segmenter.record }

  func apply(
    to objects: [PipelineObject], in image: Raster<UInt8>, sample: String, worker: Int
  ) throws -> [PipelineObject] {
    try changing(objects, drops: step.drops) { object in
      let crop = ObjectCrop(step.crop ?? CropRule(), around: object, in: image.size)
      let raster = crop.raster(of: image)
      let answer = try segmenter.answers([raster], sample: sample, worker: worker)[0]
      let fields = try PredictedFields(
        answer, of: kept, raster.size, recipe: recipe, sample: sample)
      let found = fields.masks().masks.first { $0.class == subject }?.mask
      let mask = (found.map(crop.mask) ?? Mask(emptyOf: image.size))
        .refined(by: step.refinements, in: image)
      (object.detection.counts, object.detection.area) = (mask.compressed, Double(mask.area))
      let mean = found.flatMap { fields.mean(of: subject, inside: $0) }
      object.attributes.append(.init("mask_score", JSONValue(mean)))
      if mask.isEmpty {
        object.reason = "no mask"
      } else if let least = step.minScore, let mean, mean < least {
        object.reason = "mask_score \(QualifyStep.text(mean)) < \(QualifyStep.text(least))"
      }
    }
  }
}

/// Adds the score, and possibly the points, of a model of keypoints.
struct KeypointStep: CompiledStep {
  let pose: PipelineModel<DetectionReader>
  let step: PipelineStep
  var model: ModelRecord? { pose.record }

  func apply(
    to objects: [PipelineObject], in image: Raster<UInt8>, sample: String, worker: Int
  ) throws -> [PipelineObject] {
    try changing(objects, drops: step.drops) { object in
      let crop = ObjectCrop(step.crop ?? CropRule(), around: object, in: image.size)
      let found = try pose.objects(in: crop.raster(of: image), sample: sample, worker: worker)
      let score = found.first?.detection.confidence ?? 0
      object.attributes.append(.init(step.attribute + "_score", .number(score)))
      if step.keepsPoints {
        object.detection.keypoints = found.first.map { crop.points($0.keypoints) } ?? []
      }
      if let least = step.minScore, score < least {
        object.reason = "\(step.attribute) \(QualifyStep.text(score)) < \(QualifyStep.text(least))"
      }
    }
  }
}
