import AssayCore
import Synchronization

/// One compiled model with its preprocessing. Calls from several threads wait for each other.
final class PoolWorker: Sendable {
  let model: any BatchModel
  private let preprocessor: Mutex<Preprocessor>

  init(_ model: any BatchModel, _ input: ModelInput) {
    self.model = model
    preprocessor = Mutex(Preprocessor(input))
  }

  /// An image to keep: the model's input is the same for this as for the original.
  func picture(of raster: Raster<UInt8>) -> Raster<UInt8> {
    preprocessor.withLock { $0.kept(raster) }
  }

  /// The raw outputs of the model, computed in batches, one row per sample.
  ///
  /// - Throws: ``InferenceError``.
  func outputs(of samples: [NamedRaster]) throws -> [[Float]] {
    var rows: [[Float]] = []
    rows.reserveCapacity(samples.count)
    for start in stride(from: 0, to: samples.count, by: model.batch) {
      let count = min(model.batch, samples.count - start)
      let size = preprocessor.withLock { $0.ownSize(of: samples[start].raster) }
      rows += try model.infer(
        names: samples[start..<(start + count)].map(\.name),
        files: { samples[start + $0].file() }, size: size
      ) { index, target in
        preprocessor.withLock { $0.fill(samples[start + index].raster, into: target) }
      }
    }
    return rows
  }
}
