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
  /// The layout of the features in the output; `nil` unless the model is read for its features.
  package let features: FeatureLayout?
  private let outputs: [Int]
  private let runtime: OpenVINO

  /// - Throws: ``InferenceError`` if OpenVINO is missing or rejects the model, or if the manifest
  ///   does not fit it.
  package init(_ file: ModelFile, manifest: ModelManifest) throws(InferenceError) {
    let runtime = try OpenVINO.load()
    let graph = try ModelGraph(file, runtime: runtime)
    self.file = file
    self.manifest = manifest
    self.signature = graph.signature
    self.outputs = try manifest.validate(against: graph.signature)
    self.runtime = runtime
    features = nil
    switch manifest.task {
    case .classification, .multiLabel: (maps, boxes) = (nil, nil)
    case .segmentation:
      maps = try MapLayout(of: Self.fitted(graph, file, manifest, outputs)[0], manifest)
      boxes = nil
    case .detection:
      maps = nil
      boxes = try BoxTensorLayout(
        of: Self.fitted(graph, file, manifest, outputs), manifest,
        isBatched: graph.signature.isBatched)
      try Self.checkUnread(graph.signature, read: outputs, boxes, manifest)
    }
  }

  /// Checks that a detector has no output with the numbers of its boxes' classes beside those that
  /// are read: without it every box would be of one class.
  private static func checkUnread(
    _ signature: ModelSignature, read places: [Int], _ boxes: BoxTensorLayout?,
    _ manifest: ModelManifest
  ) throws(InferenceError) {
    guard let boxes, manifest.detector?.head.isFinal == false else { return }
    for (place, output) in signature.outputs.enumerated() where !places.contains(place) {
      let lengths = output.shape?.dropFirst(signature.isBatched ? 1 : 0).filter { $0 != 1 } ?? []
      if output.isInteger, lengths == [boxes.rows] { throw .labelsUnread(output) }
    }
  }

  /// The model with one of its outputs read as features, whatever its task.
  ///
  /// - Parameter output: the output's name; `nil` for the scores of a classifier or a multi-label model;
  ///   for other tasks it must be named.
  /// - Throws: ``InferenceError``, as ``init(_:manifest:)``;
  ///   ``InferenceError/featureOutput(wanted:model:)`` with the outputs that exist.
  package init(
    _ file: ModelFile, manifest: ModelManifest, features output: String?
  ) throws(InferenceError) {
    let runtime = try OpenVINO.load()
    let graph = try ModelGraph(file, runtime: runtime)
    var places = try manifest.validate(against: graph.signature)
    if let output {
      guard let place = graph.signature.outputs.firstIndex(where: { $0.name == output }) else {
        throw .featureOutput(wanted: output, model: graph.signature.outputs)
      }
      places = [place]
    } else {
      switch manifest.task.output {
      case .label, .labels: break
      case .masks, .objects: throw .featureOutput(wanted: nil, model: graph.signature.outputs)
      }
    }
    self.file = file
    self.manifest = manifest
    self.signature = graph.signature
    self.runtime = runtime
    outputs = places
    (maps, boxes) = (nil, nil)
    features = try FeatureLayout(
      of: Self.fitted(graph, file, manifest, places)[0], manifest.input.layout)
  }

  /// The outputs that are read, with their shapes for the manifest's input.
  private static func fitted(
    _ graph: ModelGraph, _ file: ModelFile, _ manifest: ModelManifest, _ places: [Int]
  ) throws(InferenceError) -> [TensorSignature] {
    do throws(OpenVINOFault) {
      try graph.reshape(shape(of: manifest.input, graph.signature, ownBatch(of: graph.signature)))
      let found = try graph.outputs()
      return places.map { found[$0] }
    } catch {
      throw .modelRefused(path: file.path, reason: error.text)
    }
  }

  /// The dataset's names of the classes, in output order.
  package var classes: [String] { manifest.classes }

  /// The outputs that are read.
  private var plans: [OutputPlan] {
    let counts = boxes?.counts ?? [features?.count ?? maps?.count ?? manifest.valueCount]
    return zip(outputs, counts).enumerated().map { index, output in
      OutputPlan(
        index: output.0, count: output.1, isOpen: boxes?.areOpen[index] ?? false,
        isBatched: signature.isBatched)
    }
  }

  /// The input's shape for a batch, without the batch dimension if the model has none.
  private static func shape(
    of input: ModelInput, _ signature: ModelSignature, _ batch: Int
  ) -> [Int] {
    Array(input.shape(batch: batch).compactMap { $0 }.dropFirst(signature.isBatched ? 0 : 1))
  }

  /// The batch size if none is requested: about 128 KiB of input, which was the fastest in
  /// measurements, between 1 and 32 samples.
  package var defaultBatch: Int {
    max(1, min(32, (128 << 10) / (manifest.input.count * MemoryLayout<Float>.size)))
  }

  /// The precisions that this processor supports.
  package var precisions: [Precision] {
    Precision.allCases.filter { $0 == .f32 || runtime.capabilities.contains($0.capability) }
  }

  /// Compiles a new copy of the model.
  ///
  /// - Parameter batch: the requested batch size; a model that does not support it is compiled for
  ///   its own batch size.
  /// - Throws: ``InferenceError``.
  package func compile(batch: Int, precision: Precision) throws(InferenceError) -> CompiledModel {
    guard precisions.contains(precision) else {
      throw .precisionUnsupported(precision, supported: precisions)
    }
    var refusal = ""
    for size in signature.isBatched ? [batch, Self.ownBatch(of: signature)] : [1] {
      // A failed reshape leaves the graph in an undefined state: it is read again.
      let graph = try ModelGraph(file, runtime: runtime)
      do throws(OpenVINOFault) {
        try graph.reshape(Self.shape(of: manifest.input, signature, size))
        let found = try graph.outputs()
        for output in outputs where signature.isBatched {
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
        graph, precision: precision, batch: size, inputCount: manifest.input.count,
        outputs: plans, scale: features == nil ? manifest.outputScale : nil)
    }
    throw .modelRefused(path: file.path, reason: refusal)
  }

  /// The fixed batch size of a model, 1 if it accepts any.
  private static func ownBatch(of signature: ModelSignature) -> Int {
    guard signature.isBatched, case .some(.some(let size)) = signature.inputs.first?.shape?.first
    else { return 1 }
    return max(1, size)
  }
}
