package import AssayCore
package import AssayImaging
import AssayInference
package import AssayStore

/// The answer of a model or pipeline for one frame.
package struct LiveAnswer: Sendable {
  /// The score of each class, of classifiers and multi-label models; `nil` for other tasks.
  package var scores: [Double]?
  /// The class of a model that gives a class alone; `nil` for others.
  package var label: Int?
  /// The objects, by descending score; classes are ordinals of ``LiveRecognizer/classes``.
  package var objects: [Detection] = []
  /// The regions of a segmentation, by class.
  package var masks: [(class: Int, mask: Mask)] = []

  /// The most likely class; `nil` without one.
  package var best: (class: Int, score: Double?)? {
    if let label { return (label, nil) }
    guard let scores, let best = scores.indices.max(by: { scores[$0] < scores[$1] }) else {
      return nil
    }
    return (best, scores[best])
  }

  /// The classes that the frame has: the most likely one, those with a score of at least 0.5 of a multi-label model or
  /// detector, those with a region.
  package func classes(of task: ModelTask) -> Set<Int> {
    switch task.output {
    case .label: Set([best?.class].compactMap(\.self))
    case .labels: Set((scores ?? []).indices.filter { (scores?[$0] ?? 0) >= 0.5 })
    case .objects: Set(objects.filter { $0.confidence >= 0.5 }.map(\.class))
    case .masks: Set(masks.filter { !$0.mask.isEmpty }.map(\.class))
    }
  }
}

/// A model or pipeline that is compiled once and looks at frames, one at a time.
package final class LiveRecognizer: Sendable {
  private enum Content {
    case label(PipelineModel<ProbabilityReader>)
    case number(PipelineModel<ClassNumberReader>)
    case objects(PipelineModel<DetectionReader>)
    case masks(PipelineModel<MapReader>, SegmentationRecipe)
    case steps([any CompiledStep])
  }

  /// The name of the model or pipeline.
  package let name: String
  package let task: ModelTask
  package let classes: [String]
  /// The classes that the classifiers of a pipeline give to its objects, in the order of the steps; empty for a
  /// model.
  package let labels: [String]
  /// The attributes of objects that have them.
  private let labelAttributes: [String]
  /// The preparation of a frame for the first model, for people: `416 × 416, letterbox`.
  package let input: String
  /// The input of the first model; `nil` for a pipeline whose first step has none.
  private let firstInput: ModelInput?
  /// True for a pipeline.
  package let isPipeline: Bool
  private let content: Content
  /// The decision that is applied to the answers; `nil` for none.
  package let decision: LiveDecision?

  /// An image like a camera's, with which models are checked before the first frame comes.
  private static var probe: [NamedRaster] {
    let (width, height) = (640, 480)
    var raster = Raster<UInt8>(repeating: 0, width: width, height: height, channels: 3)
    for y in 0..<height {
      for x in 0..<width {
        let place = (y * width + x) * 3
        raster.elements[place] = UInt8(x * 255 / width)
        raster.elements[place + 1] = UInt8(y * 255 / height)
        raster.elements[place + 2] = UInt8((x / 40 + y / 40) % 2 * 200)
      }
    }
    return [NamedRaster("a test image", raster)]
  }

  /// Compiles a model of the catalog.
  ///
  /// - Parameter decision: the path of a decision on its predictions; `nil` for none.
  /// - Throws: `StoreError`, `InferenceError`, ``PredictError``, ``RunnerTrustError``, ``DecisionError``.
  package init(model: String, decision path: String? = nil, in catalog: Catalog) throws {
    let record = try catalog.model(named: model)
    let manifest = try record.readManifest()
    decision = try path.map { try LiveDecision($0, model: record) }
    (name, task, isPipeline) = (record.name, record.task, false)
    (classes, labels, labelAttributes) = (manifest.classes, [], [])
    (input, firstInput) = (Self.words(manifest.input), manifest.input)
    let probe = Self.probe
    switch record.task.output {
    case .label, .labels:
      content =
        manifest.classNumbers != nil
        ? .number(try PipelineModel(record, workers: 1, probe: probe))
        : .label(try PipelineModel(record, workers: 1, probe: probe))
    case .objects: content = .objects(try PipelineModel(record, workers: 1, probe: probe))
    case .masks:
      let model = try PipelineModel<MapReader>(record, workers: 1, probe: probe)
      content = .masks(
        model,
        SegmentationRecipe(of: manifest, precision: Precision.f32.rawValue, keepsMaps: false))
    }
  }

  /// Compiles a pipeline: a ready-made one, or a file.
  ///
  /// - Parameters:
  ///   - models: the folder of model files of ready-made pipelines; `nil` for the usual ones.
  ///   - others: models to use in place of others, by the pipeline's name.
  ///   - decision: the path of a decision on its objects, or on their labels; `nil` for none.
  /// - Throws: ``PipelineError``, `StoreError`, `InferenceError`, ``PredictError``, ``DecisionError``.
  package init(
    pipeline: String, models: String?, others: [String: String] = [:],
    decision path: String? = nil, in catalog: Catalog
  ) throws {
    let plan = try PipelinePlan(pipeline, replacements: others, models: models, in: catalog)
    let decision = try path.map { try PipelineDecision($0, for: plan) }
    let (file, records) = (plan.pipeline, plan.models)
    (name, task, isPipeline) = (file.name, .detection, true)
    classes = plan.classes
    self.decision = decision.map { LiveDecision($0, classes: plan.classes) }
    let classifiers = zip(file.steps, records).filter { $0.0.action == .classify }
    labels = try classifiers.flatMap { try $0.1?.readManifest().classes ?? [] }
    labelAttributes = classifiers.map(\.0.attribute)
    firstInput = try records.first.flatMap { $0 }.map { try $0.readManifest().input }
    input = firstInput.map(Self.words) ?? ""
    content = .steps(
      try plan.compiler(deciding: decision).steps(records, workers: 1, probe: Self.probe))
  }

  /// The least confidence of an object whose labels count.
  private static let leastConfidence = 0.5

  /// The labels that the classifiers of a pipeline give to the objects of a frame that qualify: the most likely class of each with
  /// its score, and the classes with a score of at least 0.5 of a multi-label model.
  package func labels(of answer: LiveAnswer) -> [(name: String, score: Double?)] {
    guard !labelAttributes.isEmpty else { return [] }
    return answer.objects.filter { $0.confidence >= Self.leastConfidence }.flatMap { object in
      guard let json = object.attributeValues,
        json["qualifies"] != .bool(false)
      else { return [(name: String, score: Double?)]() }
      return labelAttributes.flatMap { attribute -> [(name: String, score: Double?)] in
        if let name = json[attribute]?.text {
          return [(name, json[LabelAttribute.name("score", of: attribute)]?.double)]
        }
        return (json[LabelAttribute.name("scores", of: attribute)]?.members ?? []).compactMap {
          member in
          member.value.double.flatMap { $0 >= 0.5 ? (member.name, $0) : nil }
        }
      }
    }
  }

  private static func words(_ input: ModelInput) -> String {
    let kind =
      switch input.resize {
      case .stretch: "stretched"
      case .centerCrop, .shorterCrop, .stretchCrop: "the center cropped"
      case .letterbox: "letterboxed"
      case .edges: "scaled by its sides"
      }
    return "\(input.size.width) × \(input.size.height), \(kind)"
  }

  /// The way in which a frame of a size becomes the input of the first model; `nil` for a pipeline whose first
  /// step has no model.
  package func plan(for size: ImageSize) -> ResizePlan? { firstInput?.plan(for: size) }

  /// Looks at a frame.
  ///
  /// - Parameter frame: one channel or three.
  /// - Throws: `InferenceError`, ``RunMasksError``.
  package func answer(_ frame: Raster<UInt8>) throws -> LiveAnswer {
    let name = "the frame"
    switch content {
    case .label(let model):
      let scores = try model.answers([frame], sample: name, worker: 0)[0]
      return LiveAnswer(scores: scores.map(Double.init))
    case .number(let model):
      return LiveAnswer(label: try model.answers([frame], sample: name, worker: 0)[0])
    case .objects(let model):
      return LiveAnswer(
        objects: try model.objects(in: frame, sample: name, worker: 0).map(\.detection))
    case .masks(let model, let recipe):
      let manifest = model.manifest
      let answer = try model.answers([frame], sample: name, worker: 0)[0]
      let fields = try PredictedFields(
        answer, of: manifest.keptClasses, frame.size, recipe: recipe, sample: name)
      return LiveAnswer(
        masks: fields.masks().masks.filter { $0.class != manifest.background })
    case .steps(let steps):
      var objects: [PipelineObject] = []
      for step in steps {
        objects = try step.apply(to: objects, in: frame, sample: name, worker: 0)
      }
      return LiveAnswer(
        objects: objects.map(\.stored).sorted { $0.confidence > $1.confidence })
    }
  }
}
