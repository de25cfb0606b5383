import AssayCore
import AssayStore

/// Loads the images for a report, several at a time.
struct ReportPictures {
  let images: SampleImages
  let workers: Int
  let progress: any ProgressSink

  /// The images by sample, and notes on those that could not be loaded.
  struct Loaded {
    var rasters: [Int64: Raster<UInt8>] = [:]
    var notes: [String] = []
  }

  /// - Throws: ``Interrupted``, `StoreError`. An image that cannot be read is left out and noted.
  func load(_ samples: [SampleRecord]) throws -> Loaded {
    var loaded = Loaded()
    var failures: [SampleImageError] = []
    var start = 0
    var done = 0
    let step = 64
    try OrderedWorkers(workers: workers).run(
      next: { () -> ArraySlice<SampleRecord>? in
        try Interruption.check("nothing was written")
        guard start < samples.count else { return nil }
        defer { start += step }
        return samples[start..<min(start + step, samples.count)]
      },
      transform: { [images] _, part in
        (Array(part), try images.rasters(of: Array(part)))
      },
      deliver: { part, rasters in
        for (sample, raster) in zip(part, rasters) {
          switch raster {
          case .success(let raster): loaded.rasters[sample.id] = raster
          case .failure(let error): failures.append(error)
          }
        }
        done += part.count
        progress.report(0.1 + 0.3 * Double(done) / Double(samples.count), "reading images")
      })
    if let first = failures.first {
      let pictures = failures.count == 1 ? "1 image" : "\(failures.count) images"
      loaded.notes.append("\(pictures) could not be read; the first: \(first)")
    }
    return loaded
  }
}
