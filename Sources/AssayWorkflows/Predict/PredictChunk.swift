import AssayCore
import AssayInference
import AssayStore

/// Samples that one worker loads, preprocesses and predicts together.
struct PredictChunk: Sendable {
  let samples: [SampleRecord]
  /// The samples among them that are computed again at the end.
  let watched: Set<Int64>
}

/// The result of a chunk.
struct PredictedChunk<Stored: Sendable>: Sendable {
  var stored: [Stored] = []
  /// The vectors of the same samples; empty if none are kept.
  var embeddings: [SampleEmbedding] = []
  var failures: [(sample: SampleRecord, message: String)] = []
  /// The images of the watched samples.
  var kept: [ComputedSample] = []

  /// The number of samples.
  var count: Int { stored.count + failures.count }
}

extension PredictChunk {
  /// Loads the images, and runs the worker's model on those that can be read.
  ///
  /// - Throws: `InferenceError`, `StoreError`.
  func predict<Task: PredictTask>(
    _ task: Task, _ images: SampleImages, _ pool: ModelPool<Task.Reader>, worker: Int
  ) throws -> PredictedChunk<Task.Stored> {
    var result = PredictedChunk<Task.Stored>()
    var pictures: [NamedRaster] = []
    var loaded: [(sample: SampleRecord, size: ImageSize)] = []
    for part in parts {
      for (sample, raster) in zip(part, try images.rasters(of: part)) {
        switch raster {
        case .success(let raster):
          let size = ImageSize(width: raster.width, height: raster.height)
          if let refusal = task.refusal(of: sample, size: size) {
            result.failures.append((sample, refusal))
            continue
          }
          // Originals can be large, so only one of them is in memory at a time.
          pictures.append(images.named(sample, pool.picture(worker: worker, of: raster)))
          loaded.append((sample, size))
        case .failure(let error): result.failures.append((sample, error.description))
        }
      }
    }
    // The outputs for the images that the models were checked with are already computed.
    let unknown = pictures.filter { pool.probed[$0.name] == nil }
    var computed = try pool.outputs(worker: worker, of: unknown).makeIterator()
    for (index, picture) in pictures.enumerated() {
      guard let outputs = pool.probed[picture.name] ?? computed.next() else { break }
      let (sample, size) = loaded[index]
      let answer = try pool.answer(of: outputs, sample: sample.key)
      if let vector = try pool.vector(of: outputs, sample: sample.key) {
        result.embeddings.append(SampleEmbedding(sample: sample.id, vector: vector))
      }
      result.stored.append(try task.stored(answer, of: sample, size: size))
      if watched.contains(sample.id) {
        result.kept.append(ComputedSample(picture, outputs: outputs, worker: worker))
      }
    }
    return result
  }

  /// Files one at a time, embedded pixels all together.
  private var parts: [[SampleRecord]] {
    samples.allSatisfy { $0.location == nil } ? [samples] : samples.map { [$0] }
  }
}
