import AssayCore
import Foundation

/// A classification model with a manifest that fits it.
package struct Classifier: Sendable {
  package let file: ModelFile
  package let manifest: ModelManifest
  package let signature: ModelSignature
  private let output: Int
  private let runtime: OpenVINO

  /// - Throws: ``InferenceError`` where OpenVINO is missing, refuses the model, or the manifest does not
  ///   fit it.
  package init(_ file: ModelFile, manifest: ModelManifest) throws(InferenceError) {
    let runtime = try OpenVINO.load()
    let signature = try ModelGraph(file, runtime: runtime).signature
    self.file = file
    self.manifest = manifest
    self.signature = signature
    self.output = try manifest.validate(against: signature)
    self.runtime = runtime
  }

  /// The dataset's names of the classes, in output order.
  package var classes: [String] { manifest.classes }

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
    for size in [batch, ownBatch] {
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
        output: output, outputCount: manifest.outputs.count)
    }
    throw .modelRefused(path: file.path, reason: refusal)
  }

  /// The batch size that the model was made with, 1 where it takes any.
  private var ownBatch: Int {
    guard case .some(.some(let size)) = signature.inputs.first?.shape?.first else { return 1 }
    return max(1, size)
  }
}
