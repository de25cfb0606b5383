package import AssayCore
package import AssayStore

/// The number of samples with a given size.
package struct SizeCount: Hashable, Sendable {
  package var size: ImageSize
  package var count: Int

  package init(size: ImageSize, count: Int) {
    self.size = size
    self.count = count
  }

  /// The known sizes of samples, most frequent first, then by width and height.
  package static func tally(_ samples: [SampleRecord]) -> [SizeCount] {
    var counts: [ImageSize: Int] = [:]
    var (last, run): (ImageSize?, Int) = (nil, 0)
    for sample in samples {
      if sample.size != last {
        if let last { counts[last, default: 0] += run }
        (last, run) = (sample.size, 0)
      }
      run += 1
    }
    if let last { counts[last, default: 0] += run }
    return counts.map { SizeCount(size: $0, count: $1) }.sorted { a, b in
      (b.count, a.size.width, a.size.height) < (a.count, b.size.width, b.size.height)
    }
  }
}
