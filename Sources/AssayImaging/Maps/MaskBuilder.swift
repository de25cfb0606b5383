import AssayCore

/// A mask under construction: ranges of set pixels in column-major order, from first to last.
struct MaskBuilder {
  private let size: ImageSize
  /// Background, set, background, …; without the last background.
  private var runs: [UInt32] = []
  /// The end of the last run.
  private var end = 0

  init(_ size: ImageSize) { self.size = size }

  /// Adds a range that starts no earlier than the last one ended; adjacent ranges are merged.
  mutating func add(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    precondition(range.lowerBound >= end && range.upperBound <= size.area)
    if range.lowerBound == end, !runs.isEmpty {
      runs[runs.count - 1] += UInt32(range.count)
    } else {
      runs.append(UInt32(range.lowerBound - end))
      runs.append(UInt32(range.count))
    }
    end = range.upperBound
  }

  func mask() -> Mask {
    guard !runs.isEmpty else { return Mask(emptyOf: size) }
    let rest = end < size.area ? [UInt32(size.area - end)] : []
    // The runs sum to the area, so this cannot fail.
    return (try? Mask(size: size, runs: runs + rest)) ?? Mask(emptyOf: size)
  }
}
