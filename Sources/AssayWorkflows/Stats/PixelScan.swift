import AssayCore
import AssayImaging
import AssayStore
import Foundation
import Synchronization

/// Reads every image of some samples once and adds them up, on all cores.
///
/// Sums are integers, so the result does not depend on the number of workers.
struct PixelScan: Sendable {
  private let catalog: Catalog
  private let images: SampleImages
  private let view: String
  private let samples: [SampleRecord]
  private let classes: [String]
  private let size: ImageSize
  private let isResized: Bool

  /// The maximum memory for all sums together, in bytes.
  private static let memoryLimit = 2 << 30

  init(
    catalog: Catalog, selection: Selection, samples: [SampleRecord], classes: [String],
    size: ImageSize, isResized: Bool
  ) {
    self.catalog = catalog
    images = SampleImages(catalog: catalog, dataset: selection.dataset)
    view = selection.name
    self.samples = samples
    self.classes = classes
    self.size = size
    self.isResized = isResized
  }

  /// - Throws: ``StatisticsError/tooLarge(size:classes:bytes:limit:)`` if the sums take too much memory.
  static func check(_ size: ImageSize, classes: Int, workers: Int) throws(StatisticsError) {
    let bytes = MomentsAccumulator.bytes(
      size: size, channels: 3, classes: (classes + 1) * (workers + 1))
    guard bytes <= memoryLimit else {
      throw .tooLarge(size: size, classes: classes, bytes: bytes, limit: memoryLimit)
    }
  }

  /// The sums of the images.
  ///
  /// - Throws: ``StatisticsError``, `StoreError`, ``Interrupted``.
  func sums(_ progress: any ProgressSink) throws -> PixelSums {
    let workers = max(1, ProcessInfo.processInfo.activeProcessorCount)
    try Self.check(size, classes: classes.count, workers: workers)
    let sums = (0..<workers).map { _ in WorkerSums(size: size, classes: classes.count + 1) }
    let chunk = samples.contains { $0.location != nil } ? 32 : 1024
    var start = 0
    var done = 0
    var leftOut: [PixelSums.LeftOut] = []
    try OrderedWorkers(workers: workers).run(
      next: { () -> Range<Int>? in
        guard start < samples.count else { return nil }
        defer { start += chunk }
        return start..<min(start + chunk, samples.count)
      },
      transform: { worker, range in
        try Interruption.check("nothing was written")
        return (range.count, try add(samples[range], to: sums[worker]))
      },
      deliver: { count, missing in
        leftOut += missing
        done += count
        progress.report(Double(done) / Double(samples.count), "reading the images of \(view)")
      })
    var total = PixelSums(size: size, classes: classes.count + 1)
    for sums in sums { total.merge(sums.locked { $0 }) }
    total.leftOut = leftOut
    return total
  }

  /// The requested size, the size of the samples, or that of the first image that can be read.
  ///
  /// - Throws: ``StatisticsError/noImage(view:firstReason:)``, `StoreError`.
  static func size(
    of samples: [SampleRecord], _ resize: ImageSize?, view: String, _ images: SampleImages
  ) throws -> ImageSize {
    if let resize { return resize }
    if let size = samples.lazy.compactMap(\.size).first { return size }
    var reason = "it has no images"
    for sample in samples {
      switch try images.rasters(of: [sample])[0] {
      case .success(let raster): return ImageSize(width: raster.width, height: raster.height)
      case .failure(let error): reason = "\(error)"
      }
    }
    throw StatisticsError.noImage(view: view, firstReason: reason)
  }

  /// The index of the sums for a sample: its class's, or the last one for samples without a label.
  private func slot(of sample: SampleRecord) -> Int {
    guard let category = sample.category, classes.indices.contains(category) else {
      return classes.count
    }
    return category
  }

  /// Adds the images of some samples and returns those that could not be added.
  private func add(
    _ part: ArraySlice<SampleRecord>, to sums: WorkerSums
  ) throws -> [PixelSums.LeftOut] {
    var failures: [Int: String] = [:]
    let embedded = part.indices.filter { samples[$0].location == nil }
    var isFound = Array(repeating: false, count: embedded.count)
    try sums.locked { sums in
      try catalog.forEachPixels(of: embedded.map { samples[$0].id }) {
        index, format, stored, bytes in
        let sample = embedded[index]
        isFound[index] = true
        let category = slot(of: samples[sample])
        if stored == size {
          sums.add(bytes, channels: format.channels, to: category)
        } else if let raster = Raster(
          width: stored.width, height: stored.height, channels: format.channels,
          elements: Array(bytes))
        {
          failures[sample] = sums.add(raster, to: category, resizing: isResized)
        }
      }
      let files = part.indices.filter { samples[$0].location != nil }
      for index in files {
        switch try images.rasters(of: [samples[index]])[0] {
        case .success(let raster):
          let category = slot(of: samples[index])
          failures[index] = sums.add(raster, to: category, resizing: isResized)
        case .failure(let error): failures[index] = "\(error)"
        }
      }
    }
    for (index, isFound) in zip(embedded, isFound) where !isFound {
      failures[index] = "it has neither pixels in the catalog nor a file"
    }
    return failures.sorted { $0.key < $1.key }.map { .init(position: $0.key, reason: $0.value) }
  }
}
