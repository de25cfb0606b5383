import AssayInference
import AssayStore

/// Looks for the samples that a run's models are checked with.
struct PredictProbe {
  let images: SampleImages

  /// The samples that are tried at the beginning, and again over all the rest.
  private static let tries = 64

  /// The pictures of the first samples that have one; where none of many has, of any.
  ///
  /// - Throws: ``PredictError/nothingReadable(view:tried:first:)`` unless there may be none.
  func pictures(
    of samples: [SampleRecord], view: String, mayBeNone: Bool
  ) throws -> [NamedRaster] {
    let first = samples.prefix(Self.tries)
    let rest = samples.dropFirst(Self.tries)
    let step = max(1, rest.count / Self.tries)
    let spread = stride(from: first.endIndex, to: rest.endIndex, by: step).map { samples[$0] }
    var failure: SampleImageError?
    for part in [Array(first), spread] {
      var pictures: [NamedRaster] = []
      for sample in part where pictures.count < PoolProbe.limit {
        switch try images.rasters(of: [sample]).first {
        case .success(let raster): pictures.append(NamedRaster(sample.key, raster))
        case .failure(let error): failure = failure ?? error
        case nil: break
        }
      }
      if !pictures.isEmpty { return pictures }
    }
    if let failure, !mayBeNone {
      throw PredictError.nothingReadable(
        view: view, tried: first.count + spread.count, first: failure.description)
    }
    return []
  }
}
