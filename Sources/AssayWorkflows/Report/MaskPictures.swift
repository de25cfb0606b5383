import AssayCore
import AssayMetrics
import AssayReports
import AssayStore

/// Loads the images and masks for a report, several at a time.
struct MaskPictures {
  let catalog: Catalog
  let evaluated: EvaluatedRun<SemanticSegmentation>
  let rows: [SegmentedRow]
  let workers: Int
  let progress: any ProgressSink

  /// The images by index, and notes on those that could not be loaded.
  struct Loaded {
    var pictures: [Int: EvaluatedImage] = [:]
    var notes: [String] = []
  }

  /// The number of samples whose images and masks one worker has in memory at a time.
  private static let step = 4

  /// - Throws: ``Interrupted``, ``RunMasksError``, ``EvaluationError``, `StoreError`. An image that
  ///   cannot be read is left out and noted.
  func load(_ indices: [Int]) throws -> Loaded {
    var loaded = Loaded()
    var failures: [SampleImageError] = []
    var start = 0
    var done = 0
    let loader = Loader(catalog: catalog, evaluated: evaluated, rows: rows)
    try OrderedWorkers(workers: workers).run(
      next: { () -> ArraySlice<Int>? in
        try Interruption.check("nothing was written")
        guard start < indices.count else { return nil }
        defer { start += Self.step }
        return indices[start..<min(start + Self.step, indices.count)]
      },
      transform: { _, part in try loader.load(Array(part)) },
      deliver: { part in
        for (index, result) in part {
          switch result {
          case .success(let picture): loaded.pictures[index] = picture
          case .failure(let error): failures.append(error)
          }
        }
        done += part.count
        progress.report(0.5 + 0.4 * Double(done) / Double(indices.count), "reading images")
      })
    if let first = failures.first {
      let pictures = failures.count == 1 ? "1 image" : "\(failures.count) images"
      loaded.notes.append("\(pictures) could not be read; the first: \(first)")
    }
    return loaded
  }

  /// The loader of one worker, with the data that it needs.
  private struct Loader: Sendable {
    let catalog: Catalog
    let evaluated: EvaluatedRun<SemanticSegmentation>
    let rows: [SegmentedRow]

    func load(_ indices: [Int]) throws -> [(Int, Result<EvaluatedImage, SampleImageError>)] {
      let images = SampleImages(catalog: catalog, dataset: evaluated.run.dataset)
      let rasters = try images.rasters(of: indices.map { evaluated.samples[$0] })
      let regions = try evaluated.regions(at: indices, in: catalog)
      return zip(indices, zip(rasters, regions)).map { index, pair in
        let (raster, regions) = pair
        return (
          index,
          raster.map { raster in
            EvaluatedImage(
              row: rows[index], raster: PictureLimits.photo(raster), content: content(regions))
          }
        )
      }
    }

    private func content(_ regions: SampleRegions) -> EvaluatedImage.Content {
      guard !evaluated.classes.labels.isBinary else {
        return .masks(
          truth: regions.truth(of: 0), prediction: regions.predicted[0], void: regions.void)
      }
      let size = regions.truth.size
      var truth = Raster<UInt8>(repeating: 0, width: size.width, height: size.height)
      var prediction = truth
      for (place, mask) in regions.predicted.enumerated() {
        regions.truth(of: place).paint(UInt8(place + 1), into: &truth)
        mask.paint(UInt8(place + 1), into: &prediction)
      }
      regions.void?.paint(LabelMap.void, into: &truth)
      return .labels(
        truth: PictureLimits.photoLabels(truth), prediction: PictureLimits.photoLabels(prediction))
    }
  }
}
