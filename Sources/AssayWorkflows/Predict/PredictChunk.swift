import AssayCore
import AssayInference
import AssayStore

/// Samples that one worker loads, prepares and predicts in one go.
struct PredictChunk: Sendable {
  let samples: [SampleRecord]
  /// Those of them that are computed again at the end.
  let watched: Set<Int64>
}

/// What became of a chunk.
struct PredictedChunk: Sendable {
  var scores: [SampleScores] = []
  var failures: [(sample: SampleRecord, message: String)] = []
  /// The watched samples' pictures.
  var kept: [KeptSample] = []

  /// The number of samples.
  var count: Int { scores.count + failures.count }
}

/// A sample that is computed again at the end of a run.
struct KeptSample: Sendable {
  let picture: NamedRaster
  let scores: [Float]
}

extension PredictChunk {
  /// Loads the pictures, and runs the worker's model over those that there are.
  ///
  /// - Throws: `InferenceError`, `StoreError`.
  func predict(
    _ images: SampleImages, _ pool: ClassifierPool, worker: Int
  ) throws -> PredictedChunk {
    var result = PredictedChunk()
    var pictures: [NamedRaster] = []
    var loaded: [SampleRecord] = []
    for part in parts {
      for (sample, raster) in zip(part, try images.rasters(of: part)) {
        switch raster {
        case .success(let raster):
          // Originals can be large, so that only one of them is held at a time.
          pictures.append(NamedRaster(sample.key, pool.picture(worker: worker, of: raster)))
          loaded.append(sample)
        case .failure(let error): result.failures.append((sample, error.description))
        }
      }
    }
    let rows = try pool.probabilities(worker: worker, of: pictures)
    for (index, scores) in rows.enumerated() {
      result.scores.append(SampleScores(sample: loaded[index].id, scores: scores))
      if watched.contains(loaded[index].id) {
        result.kept.append(KeptSample(picture: pictures[index], scores: scores))
      }
    }
    return result
  }
  /// Files one by one, embedded pixels in one go.
  private var parts: [[SampleRecord]] {
    samples.allSatisfy { $0.location == nil } ? [samples] : samples.map { [$0] }
  }
}
