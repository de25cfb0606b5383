import Foundation

/// A model of any task with a manifest that fits it.
package struct ValidatedModel: Sendable {
  package let file: ModelFile
  package let manifest: ModelManifest
  package let signature: ModelSignature
  /// The layout of the maps in the output; `nil` for tasks other than segmentation.
  package let maps: MapLayout?
  /// The layout of the boxes in the outputs; `nil` for tasks other than detection.
  package let boxes: BoxTensorLayout?
  /// The layout of the numbers of classes; `nil` for models that give scores, maps or boxes.
  package let classNumbers: ClassNumberLayout?
  /// The layout of the features in the output; `nil` unless the model is read for its features.
  package let features: FeatureLayout?
  /// The layout of the vector that is kept beside the predictions; `nil` for none.
  package let embedding: FeatureLayout?
  private let embeddingPlace: Int?
  private let outputs: [Int]
  private let inputs: InputPlan
  /// False if the outputs belong to one image, also if the image input has a batch dimension.
  private var hasBatchedOutputs: Bool {
    inputs.isBatched && !Self.givesOneImage(manifest, signature, outputs)
  }
  private let engine: Engine

  /// The program that computes a model.
  private enum Engine {
    case openVINO(OpenVINO)
    case runner(RunnerProcess)

    /// The engine of a model with its inputs and outputs, and the graph if OpenVINO has read one.
    static func read(
      _ file: ModelFile, _ runner: RunnerProcess?
    ) throws(InferenceError) -> (engine: Engine, signature: ModelSignature, graph: ModelGraph?) {
      if let runner { return (.runner(runner), runner.signature, nil) }
      let runtime = try OpenVINO.load()
      let graph = try ModelGraph(file, runtime: runtime)
      return (.openVINO(runtime), graph.signature, graph)
    }
  }

  /// - Parameter runner: the program that computes the model; `nil` for OpenVINO.
  /// - Throws: ``InferenceError`` if OpenVINO is missing or rejects the model, or if the manifest
  ///   does not fit it.
  package init(
    _ file: ModelFile, manifest: ModelManifest, runner: RunnerProcess? = nil
  ) throws(InferenceError) {
    let (engine, signature, graph) = try Engine.read(file, runner)
    self.file = file
    self.manifest = manifest
    self.signature = signature
    self.outputs = try manifest.validate(against: signature)
    inputs = try InputPlan(manifest, signature)
    self.engine = engine
    features = nil
    embeddingPlace = try manifest.embedding.map { name throws(InferenceError) in
      guard let place = signature.outputs.firstIndex(where: { $0.name == name }) else {
        throw .embeddingOutput(wanted: name, model: signature.outputs)
      }
      return place
    }
    embedding = try Self.embedding(
      embeddingPlace, graph, signature, file, inputs, manifest.input.layout)
    if let numbers = manifest.classNumbers {
      classNumbers = try ClassNumberLayout(
        of: Self.fitted(graph, signature, file, inputs, outputs), numbers,
        isBatched: inputs.isBatched)
    } else {
      classNumbers = nil
    }
    switch manifest.task {
    case .classification, .multiLabel:
      (maps, boxes) = (nil, nil)
      try Self.checkUnread(signature, read: outputs, manifest)
      try Self.checkActivation(file, signature, read: outputs, manifest.activation)
    case .segmentation:
      // As many queries as classes would be taken for a map per class.
      if let (classes, masks) = signature.queryMasks,
        outputs.contains(where: { signature.outputs[$0].name == masks })
      {
        throw .queryMasks(classes: classes, masks: masks)
      }
      maps = try MapLayout(of: Self.fitted(graph, signature, file, inputs, outputs)[0], manifest)
      boxes = nil
      try Self.checkActivation(file, signature, read: outputs, manifest.activation)
    case .detection:
      maps = nil
      let layout = try BoxTensorLayout(
        of: Self.fitted(graph, signature, file, inputs, outputs), manifest,
        isBatched: inputs.isBatched && !Self.givesOneImage(manifest, signature, outputs))
      let varies = try Self.varies(graph, file, inputs, outputs)
      if let place = varies.indices.first(where: { varies[$0] && !layout.areOpen[$0] }),
        manifest.activation.remaining != .none
      {
        throw .rowsVary(signature.outputs[outputs[place]], manifest.activation)
      }
      boxes = layout.open(varies)
      try Self.checkUnread(signature, read: outputs, boxes, manifest)
    }
  }

  /// The layout of the vector of each image; `nil` for none.
  ///
  /// - Throws: ``InferenceError/embeddingShape(model:limit:)`` if an image has several vectors, or a number of
  ///   values that depends on its size.
  private static func embedding(
    _ place: Int?, _ graph: ModelGraph?, _ signature: ModelSignature, _ file: ModelFile,
    _ inputs: InputPlan, _ layout: ModelInput.Layout
  ) throws(InferenceError) -> FeatureLayout? {
    guard let place else { return nil }
    let tensor = try fitted(graph, signature, file, inputs, [place])[0]
    let refusal = InferenceError.embeddingShape(model: tensor, limit: FeatureLayout.limit)
    guard try !varies(graph, file, inputs, [place])[0] else { throw refusal }
    let long = (tensor.shape ?? []).dropFirst().filter { $0 != 1 }
    // Tokens, [N, T, D], have no agreed mean: the first can be a class token.
    guard tensor.shape?.count == 4 || long.count == 1 else { throw refusal }
    let found = try FeatureLayout(of: tensor, layout)
    guard found.isPooled || found.dimension == found.count else { throw refusal }
    return found
  }

  /// True if the chosen boxes are `[boxes, 4]`, or in one output `[boxes, 6]`, without a batch dimension, as of
  /// torchvision's and PaddleDetection's detectors that were exported with a batch of one.
  private static func givesOneImage(
    _ manifest: ModelManifest, _ signature: ModelSignature, _ places: [Int]
  ) -> Bool {
    guard manifest.detector?.head.isFinal == true, let first = places.first else { return false }
    return signature.outputs[first].shape?.count == 2
  }

  /// Checks that a classifier has no output with as many numbers of classes as it has scores beside those that
  /// are read: then the scores are of those classes, from the best on, not of the manifest's in order.
  private static func checkUnread(
    _ signature: ModelSignature, read places: [Int], _ manifest: ModelManifest
  ) throws(InferenceError) {
    guard manifest.classNumbers == nil, manifest.valueCount > 1, let first = places.first else {
      return
    }
    for (place, output) in signature.outputs.enumerated() where !places.contains(place) {
      let lengths = output.shape?.dropFirst(signature.isBatched ? 1 : 0).filter { $0 != 1 } ?? []
      if output.isInteger, lengths == [manifest.valueCount] {
        throw .classNumbersUnread(output, scores: signature.outputs[first])
      }
    }
  }

  /// Checks that a model does not end in a sigmoid or softmax of its own that the manifest's activation would repeat.
  private static func checkActivation(
    _ file: ModelFile, _ signature: ModelSignature, read places: [Int], _ activation: Activation
  ) throws(InferenceError) {
    guard file.format == .onnx, activation.remaining != .none, let place = places.first else {
      return
    }
    let output = signature.outputs[place]
    if let kind = activation.repeated(by: ONNXOutputs(file.bytes).operators[output.name]) {
      throw .activationRepeated(output, operator: kind, activation)
    }
  }

  /// Checks that no output states the number of boxes that a model chose beside those that are read: the rows
  /// beyond it can hold anything.
  private static func checkCount(
    _ signature: ModelSignature, read places: [Int], _ boxes: BoxTensorLayout?
  ) throws(InferenceError) {
    guard boxes?.chosenCount == nil else { return }
    for (place, output) in signature.outputs.enumerated() where !places.contains(place) {
      // Detectron2's `image_size` has two numbers and no batch.
      if let shape = output.shape, shape.count == 1, let only = shape[0], only > 1 { continue }
      let lengths = output.shape?.dropFirst(signature.isBatched ? 1 : 0).filter { $0 != 1 } ?? [nil]
      let name = output.name.lowercased()
      let isNamed = Self.countNames.contains { name.contains($0) }
      if lengths.isEmpty, output.isInteger || isNamed { throw .countUnread(output) }
    }
  }

  /// The names of outputs with the number of boxes.
  private static let countNames = ["num_det", "num_box", "num_obj", "numdet", "count"]

  /// The names of outputs whose values are a factor of the scores.
  private static let objectnessNames = ["obj", "centerness", "ctrness"]

  /// Checks that a detector has no output with the numbers of its boxes' classes beside those that
  /// are read: without it every box would be of one class.
  private static func checkUnread(
    _ signature: ModelSignature, read places: [Int], _ boxes: BoxTensorLayout?,
    _ manifest: ModelManifest
  ) throws(InferenceError) {
    guard let boxes, let head = manifest.detector?.head else { return }
    // The only output of a head that has all cannot be read together with another one.
    if head.isFinal, manifest.detector?.outputs != nil {
      try checkCount(signature, read: places, boxes)
    }
    guard boxes.labels == nil else { return }
    let rows = boxes.areOpen.first == true ? nil : boxes.rows
    let isBatched = signature.isBatched && !givesOneImage(manifest, signature, places)
    for (place, output) in signature.outputs.enumerated() where !places.contains(place) {
      let lengths = output.shape?.dropFirst(isBatched ? 1 : 0).filter { $0 != 1 } ?? []
      let isNamed = ["class", "label"].contains { output.name.lowercased().contains($0) }
      if output.isInteger || isNamed, lengths == [rows] { throw .labelsUnread(output) }
      let isObjectness = Self.objectnessNames.contains { output.name.lowercased().contains($0) }
      if isObjectness, !head.isFinal, lengths == [boxes.rows] { throw .objectnessUnread(output) }
      if let first = places.first, places.count == 1, boxes.rows > 4,
        lengths == [boxes.rows, 4] || lengths == [4, boxes.rows]
      {
        throw .boxesUnread(output, read: signature.outputs[first])
      }
    }
  }

  /// The model with one of its outputs read as features, whatever its task.
  ///
  /// - Parameter output: the output's name; `nil` for the scores of a classifier or a multi-label model;
  ///   for other tasks it must be named.
  /// - Throws: ``InferenceError``, as ``init(_:manifest:)``;
  ///   ``InferenceError/featureOutput(wanted:model:)`` with the outputs that exist.
  package init(
    _ file: ModelFile, manifest: ModelManifest, features output: String?,
    runner: RunnerProcess? = nil
  ) throws(InferenceError) {
    let (engine, signature, graph) = try Engine.read(file, runner)
    var places = try manifest.validate(against: signature)
    if let output {
      guard let place = signature.outputs.firstIndex(where: { $0.name == output }) else {
        throw .featureOutput(wanted: output, model: signature.outputs)
      }
      places = [place]
    } else {
      switch manifest.task.output {
      case .label where manifest.classNumbers != nil:
        throw .featureOutput(wanted: nil, model: signature.outputs)
      case .label, .labels: break
      case .masks, .objects: throw .featureOutput(wanted: nil, model: signature.outputs)
      }
    }
    self.file = file
    self.manifest = manifest
    self.signature = signature
    self.engine = engine
    inputs = try InputPlan(manifest, signature)
    outputs = places
    (maps, boxes, classNumbers) = (nil, nil, nil)
    (embedding, embeddingPlace) = (nil, nil)
    features = try FeatureLayout(
      of: Self.fitted(graph, signature, file, inputs, places)[0], manifest.input.layout)
  }

  /// The outputs that are read, with their shapes for the manifest's input; for the largest if it differs from
  /// image to image.
  ///
  /// - Parameter graph: `nil` for a runner, which has computed an image of this size already.
  private static func fitted(
    _ graph: ModelGraph?, _ signature: ModelSignature, _ file: ModelFile,
    _ inputs: InputPlan, _ places: [Int]
  ) throws(InferenceError) -> [TensorSignature] {
    guard let graph else { return places.map { signature.outputs[$0] } }
    let shapes = try inputs.largestShapes(batch: ownBatch(of: graph.signature, inputs))
    do throws(OpenVINOFault) {
      try graph.reshape(shapes)
      let found = try graph.outputs()
      return places.map { found[$0] }
    } catch {
      throw .modelRefused(path: file.path, reason: error.text)
    }
  }

  /// Returns for each output that is read whether its shape may depend on the image's size.
  private static func varies(
    _ graph: ModelGraph?, _ file: ModelFile, _ inputs: InputPlan, _ places: [Int]
  ) throws(InferenceError) -> [Bool] {
    guard let graph, !inputs.hasFixedSize else { return places.map { _ in false } }
    let shapes = try inputs.compiledShapes(batch: 1)
    do throws(OpenVINOFault) {
      try graph.reshape(shapes)
      let found = try graph.outputs()
      return places.map {
        found[$0].shape?.dropFirst(inputs.isBatched ? 1 : 0).contains(nil) ?? true
      }
    } catch {
      throw .modelRefused(path: file.path, reason: error.text)
    }
  }

  /// The input that takes the images.
  package var imageInput: TensorSignature { signature.inputs[inputs.image] }

  /// The dataset's names of the classes, in output order.
  package var classes: [String] { manifest.classes }

  /// The outputs that are read, with the number of their values per image, in the order of a row.
  package var readOutputs: [ReadOutput] {
    plans.map { ReadOutput(name: signature.outputs[$0.index].name, count: $0.count) }
  }

  /// The outputs that are read.
  private var plans: [OutputPlan] {
    let counts =
      boxes?.counts ?? classNumbers?.counts ?? [
        features?.count ?? maps?.count ?? manifest.valueCount
      ]
    let vector = embedding.flatMap { layout in
      embeddingPlace.map {
        OutputPlan(
          index: $0, count: layout.count, isBatched: hasBatchedOutputs, isEmbedding: true)
      }
    }
    return [vector].compactMap(\.self)
      + zip(outputs, counts).enumerated().map { index, output in
        OutputPlan(
          index: output.0, count: output.1, isOpen: boxes?.areOpen[index] ?? false,
          transposedWidth: boxes?.transposedWidths[index] ?? nil,
          isPadded: boxes?.unpadded != index, isBatched: hasBatchedOutputs)
      }
  }

  /// The batch size if none is requested: about 128 KiB of input, which was the fastest in
  /// measurements, between 1 and 32 samples.
  package var defaultBatch: Int {
    guard inputs.hasFixedSize, hasBatchedOutputs || !inputs.isBatched else { return 1 }
    if case .runner(let process) = engine { return process.batch }
    return max(1, min(32, (128 << 10) / (manifest.input.count * MemoryLayout<Float>.size)))
  }

  /// The runner that computes the model; `nil` for OpenVINO.
  package var runner: RunnerProcess? {
    if case .runner(let process) = engine { process } else { nil }
  }

  /// Checks that the model gets the inputs that the manifest describes.
  ///
  /// - Parameter purpose: what is impossible otherwise, as a clause.
  /// - Throws: ``InferenceError/runnerReadsFiles(command:purpose:)``.
  package func requireArrays(or purpose: String) throws(InferenceError) {
    guard let runner, runner.readsFiles else { return }
    throw .runnerReadsFiles(command: runner.program.title, purpose: purpose)
  }

  /// True if the same image gives the same bits in every batch and in every copy of the model. A runner's
  /// results may differ by rounding.
  package var isExact: Bool { runner == nil }

  /// The precisions that this processor supports; of a runner, which decides itself, only f32.
  package var precisions: [Precision] {
    guard case .openVINO(let runtime) = engine else { return [.f32] }
    return Precision.allCases.filter { $0 == .f32 || runtime.capabilities.contains($0.capability) }
  }

  /// Compiles a new copy of the model.
  ///
  /// - Parameter batch: the requested batch size; a model that does not support it is compiled for
  ///   its own batch size.
  /// - Throws: ``InferenceError``.
  package func compile(
    batch: Int, precision: Precision
  ) throws(InferenceError) -> any BatchModel {
    guard precisions.contains(precision) else {
      if runner != nil { throw .precisionOfRunner(precision) }
      throw .precisionUnsupported(precision, supported: precisions)
    }
    let scale = features == nil ? manifest.outputScale : nil
    let runtime: OpenVINO
    switch engine {
    case .runner(let process):
      return RunnerModel(
        process, batch: inputs.hasFixedSize ? batch : 1, inputs: inputs, size: manifest.input.size,
        outputs: plans, scale: scale)
    case .openVINO(let library): runtime = library
    }
    var refusal = ""
    let isSingle = !hasBatchedOutputs || !inputs.hasFixedSize
    for size in isSingle ? [1] : [batch, Self.ownBatch(of: signature, inputs)] {
      let shapes = try inputs.compiledShapes(batch: size)
      // A failed reshape leaves the graph in an undefined state: it is read again.
      let graph = try ModelGraph(file, runtime: runtime)
      do throws(OpenVINOFault) {
        try graph.reshape(shapes)
        let found = try graph.outputs()
        for output in plans.map(\.index) where hasBatchedOutputs && inputs.hasFixedSize {
          guard let shape = found[output].shape, shape.first == size else {
            throw OpenVINOFault(
              text:
                "a batch of \(size) gives the output \(found[output].name), \(found[output].shapeText);"
                + " every output that is read needs the images of the batch as its first dimension")
          }
        }
      } catch {
        refusal = error.text
        continue
      }
      return try CompiledModel(
        graph, precision: precision, batch: size, inputs: inputs, size: manifest.input.size,
        outputs: plans, scale: scale)
    }
    throw .modelRefused(path: file.path, reason: refusal)
  }

  /// The fixed batch size of a model, 1 if it accepts any.
  private static func ownBatch(of signature: ModelSignature, _ inputs: InputPlan) -> Int {
    guard inputs.isBatched,
      case .some(.some(let size)) = signature.inputs[inputs.image].shape?.first
    else { return 1 }
    return max(1, size)
  }
}
