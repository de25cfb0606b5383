import AssayCore
import AssayStore
import Foundation
import Synchronization

/// Adds up the masks of each class over some samples on one grid, on all cores.
///
/// Sums are integers, so the result does not depend on the number of workers.
struct MeanMaskScan: Sendable {
  let catalog: Catalog
  let view: String
  let samples: [SampleRecord]
  let taxonomy: Taxonomy
  let grid: ImageSize

  /// The side length of the grid if images differ in size or are large.
  private static let side = 128
  private static let sideLimit = 512
  /// The maximum memory for all sums together, in bytes.
  private static let memoryLimit = 1 << 30

  /// The grid for samples of these sizes: their own size if they have a single one that is not
  /// large, otherwise a square.
  static func grid(for sizes: [SizeCount], classes: Int) -> ImageSize {
    let square = ImageSize(width: side, height: side)
    guard sizes.count == 1, let size = sizes.first?.size,
      max(size.width, size.height) <= sideLimit,
      size.area * 4 * max(1, classes) <= memoryLimit / 16
    else { return square }
    return size
  }

  /// - Throws: ``StatisticsError/tooLarge(size:classes:bytes:limit:)`` if the sums take too much memory.
  static func check(_ grid: ImageSize, classes: Int, workers: Int) throws(StatisticsError) {
    let bytes = grid.area * 4 * classes * workers
    guard bytes <= memoryLimit else {
      throw .tooLarge(size: grid, classes: classes, bytes: bytes, limit: memoryLimit)
    }
  }

  /// The sums of the masks.
  ///
  /// - Throws: ``StatisticsError``, `StoreError`, `MaskError`, ``Interrupted``.
  func sums(_ progress: any ProgressSink) throws -> MaskSums {
    let workers = max(1, ProcessInfo.processInfo.activeProcessorCount)
    let classes = taxonomy.categories.count
    try Self.check(grid, classes: classes, workers: workers)
    let sums = (0..<workers).map { _ in SumsBox(MaskSums(grid: grid, classes: classes)) }
    var start = 0
    var done = 0
    try OrderedWorkers(workers: workers).run(
      next: { () -> ArraySlice<SampleRecord>? in
        guard start < samples.count else { return nil }
        defer { start += 64 }
        return samples[start..<min(start + 64, samples.count)]
      },
      transform: { worker, part in
        try Interruption.check("nothing was written")
        try add(Array(part), to: sums[worker])
        return part.count
      },
      deliver: { count in
        done += count
        progress.report(Double(done) / Double(samples.count), "adding up the masks of \(view)")
      })
    var total = MaskSums(grid: grid, classes: classes)
    for part in sums { part.sums.withLock { total.merge($0) } }
    return total
  }

  private func add(_ part: [SampleRecord], to box: SumsBox) throws {
    try box.sums.withLock { sums in
      try catalog.forEachAnnotations(of: part.map(\.id)) { index, annotations in
        guard let size = part[index].size else { return }
        for (category, regions) in Dictionary(grouping: annotations, by: \.category) {
          let masks = try regions.map { region throws(MaskError) in try region.region(in: size) }
          sums.add(
            masks.count == 1 ? masks[0] : Mask.union(of: masks, size: size), to: category)
        }
      }
    }
  }
}

/// One worker's sums.
private final class SumsBox: Sendable {
  let sums: Mutex<MaskSums>

  init(_ sums: MaskSums) { self.sums = Mutex(sums) }
}
