/// Collects runs of set pixels, in column-major order, into a mask's canonical runs.
///
/// Adjacent runs are merged. Runs must not overlap and must be in order.
struct RunLengthBuilder {
  private let size: ImageSize
  private var runs: [UInt32] = []
  /// The start and end of the last run of set pixels.
  private var start = 0
  private var end = 0
  /// The end of the last written run.
  private var written = 0

  init(size: ImageSize, capacity: Int = 0) {
    self.size = size
    runs.reserveCapacity(capacity + 2)
  }

  /// Adds the positions `start..<end`.
  @inline(__always)
  mutating func append(start: Int, end: Int) {
    if start >= end { return }
    if start == self.end, self.end > self.start {
      self.end = end
      return
    }
    flush()
    self.start = start
    self.end = end
  }

  /// Adds rows `top..<bottom` of column `x`.
  @inline(__always)
  mutating func append(x: Int, top: Int, bottom: Int) {
    append(start: x * size.height + top, end: x * size.height + bottom)
  }

  private mutating func flush() {
    guard end > start else { return }
    runs.append(UInt32(start - written))
    runs.append(UInt32(end - start))
    written = end
  }

  /// The mask of all runs.
  consuming func mask() -> Mask {
    flush()
    if written < size.area { runs.append(UInt32(size.area - written)) }
    return Mask(size: size, canonical: runs)
  }
}
