import Foundation

/// A model with a manifest that fits it, of any task.
package struct FittedModel: Sendable {
  package let file: ModelFile
  package let manifest: ModelManifest
  package let signature: ModelSignature
  /// How the maps lie in the output; `nil` for other tasks than segmentation.
  package let maps: MapLayout?
  private let output: Int
  private let runtime: OpenVINO

  /// - Throws: ``InferenceError`` where OpenVINO is missing, refuses the model, or the manifest does not
  ///   fit it.
  package init(_ file: ModelFile, manifest: ModelManifest) throws(InferenceError) {
    let runtime = try OpenVINO.load()
    let graph = try ModelGraph(file, runtime: runtime)
    self.file = file
    self.manifest = manifest
    self.signature = graph.signature
    self.output = try manifest.validate(against: graph.signature)
    self.runtime = runtime
    switch manifest.task {
    case .classification: maps = nil
    case .segmentation:
      let batch = Self.ownBatch(of: graph.signature)
      let found: TensorSignature
      do throws(OpenVINOFault) {
        try graph.reshape(manifest.input.shape(batch: batch).compactMap { $0 })
        found = try graph.outputs()[output]
      } catch {
        throw .modelRefused(path: file.path, reason: error.text)
      }
      maps = try MapLayout(of: found, manifest)
    }
  }

  /// The dataset's names of the classes, in output order.
  package var classes: [String] { manifest.classes }

  /// The values that the model gives a sample.
  private var outputCount: Int { maps?.count ?? manifest.outputs.count }

  /// The batch size that is used where none is asked for: about 128 KiB of input, measured to be the
  /// fastest, between 1 and 32 samples.
  package var defaultBatch: Int {
    max(1, min(32, (128 << 10) / (manifest.input.count * MemoryLayout<Float>.size)))
  }

  /// The precisions that this processor has.
  package var precisions: [Precision] {
    Precision.allCases.filter { $0 == .f32 || runtime.capabilities.contains($0.capability) }
  }

  /// Compiles the model anew.
  ///
  /// - Parameter batch: the wanted batch size; a model that cannot be given it is compiled for the one
  ///   it was made with.
  /// - Throws: ``InferenceError``.
  package func compile(batch: Int, precision: Precision) throws(InferenceError) -> CompiledModel {
    guard precisions.contains(precision) else {
      throw .precisionUnsupported(precision, supported: precisions)
    }
    var refusal = ""
    for size in [batch, Self.ownBatch(of: signature)] {
      // A failed reshape leaves the graph in between: it is read again.
      let graph = try ModelGraph(file, runtime: runtime)
      do throws(OpenVINOFault) {
        try graph.reshape(manifest.input.shape(batch: size).compactMap { $0 })
        let found = try graph.outputs()[output]
        guard let shape = found.shape, shape.first == size else {
          throw OpenVINOFault(text: "a batch of \(size) gives the output \(found.shapeText)")
        }
      } catch {
        refusal = error.text
        continue
      }
      return try CompiledModel(
        graph, precision: precision, batch: size, inputCount: manifest.input.count,
        output: output, outputCount: outputCount)
    }
    throw .modelRefused(path: file.path, reason: refusal)
  }

  /// The batch size that a model was made with, 1 where it takes any.
  private static func ownBatch(of signature: ModelSignature) -> Int {
    guard case .some(.some(let size)) = signature.inputs.first?.shape?.first else { return 1 }
    return max(1, size)
  }
}
