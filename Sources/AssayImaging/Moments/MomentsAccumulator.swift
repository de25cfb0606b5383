package import AssayCore

/// Exact sums and sums of squares of 8-bit images of one size, per class, pixel and channel.
///
/// Integers only, so the result does not depend on the order of images and the number of merged
/// accumulators.
package struct MomentsAccumulator: Sendable {
  package let size: ImageSize
  package let channels: Int
  private var sums: [ClassSums]

  /// - Precondition: `channels` and `classes` are at least 1.
  package init(size: ImageSize, channels: Int, classes: Int) {
    precondition(channels >= 1 && classes >= 1)
    self.size = size
    self.channels = channels
    sums = Array(repeating: ClassSums(length: size.area * channels), count: classes)
  }

  /// The number of images of a class.
  package func count(of category: Int) -> Int { sums[category].count }

  /// Adds an image: row-major, channels interleaved.
  ///
  /// - Precondition: `pixels.count` is the size's area times the channels; the class exists.
  package mutating func add(_ pixels: UnsafeRawBufferPointer, to category: Int) {
    precondition(pixels.count == size.area * channels)
    sums[category].add(pixels)
  }

  /// Adds an image.
  ///
  /// - Precondition: the same as for ``add(_:to:)-(UnsafeRawBufferPointer,_)``.
  package mutating func add(_ raster: Raster<UInt8>, to category: Int) {
    raster.elements.withUnsafeBytes { add($0, to: category) }
  }

  /// Adds all images of another accumulator.
  ///
  /// - Precondition: sizes, channels and number of classes agree.
  package mutating func merge(_ other: MomentsAccumulator) {
    precondition(
      size == other.size && channels == other.channels && sums.count == other.sums.count)
    for category in sums.indices { sums[category].merge(other.sums[category]) }
  }

  /// The number of images of all classes.
  package var count: Int { sums.reduce(0) { $0 + $1.count } }

  /// The exact sums of a class; `nil` if it has no images.
  package func totals(of category: Int) -> ClassTotals? { sums[category].totals }

  /// Adds the exact sums of a class.
  ///
  /// - Parameter limit: the maximum number of images of a class.
  /// - Returns: false, without a change, if they cannot be sums of 8-bit images of this size, or there is
  ///   no such class.
  package mutating func add(_ totals: ClassTotals, to category: Int, limit: Int) -> Bool {
    guard sums.indices.contains(category) else { return false }
    return sums[category].add(totals, limit: limit)
  }

  /// The mean and deviation of one class; `nil` if it has no images.
  package func moments(of category: Int) -> Moments? { moments(of: [category]) }

  /// The mean and deviation over several classes together; `nil` if they have no images.
  package func moments(of categories: some Sequence<Int>) -> Moments? {
    var total = ClassSums(length: size.area * channels)
    for category in categories { total.merge(sums[category]) }
    let elements = total.elements()
    guard !elements.isEmpty,
      let mean = Raster(
        width: size.width, height: size.height, channels: channels, elements: elements.map(\.mean)),
      let deviation = Raster(
        width: size.width, height: size.height, channels: channels,
        elements: elements.map(\.deviation))
    else { return nil }
    let whole = (0..<channels).map { channel in
      stride(from: channel, to: elements.count, by: channels).reduce(
        into: ExactSums(count: 0, sum: 0, squares: 0)
      ) { sums, index in
        sums.count += elements[index].count
        sums.sum += elements[index].sum
        sums.squares += elements[index].squares
      }
    }
    return Moments(
      count: total.count, mean: mean, deviation: deviation, channelMeans: whole.map(\.mean),
      channelDeviations: whole.map(\.deviation))
  }

  /// The same images with each gray pixel converted to three equal channels.
  ///
  /// - Precondition: one channel.
  package func colored() -> MomentsAccumulator {
    precondition(channels == 1)
    var colored = MomentsAccumulator(size: size, channels: 3, classes: sums.count)
    colored.sums = sums.map { $0.repeated(3) }
    return colored
  }

  /// The maximum memory of an accumulator, in bytes.
  package static func bytes(size: ImageSize, channels: Int, classes: Int) -> Int {
    size.area * channels * classes * ClassSums.bytesAnElement
  }
}
