package import AssayCore

/// Bilinear resampling between two fixed sizes, with its weights computed once.
///
/// 8-bit results equal OpenCV's `INTER_LINEAR` (`cv2.resize`, 11-bit weights) bit for bit; float32 results
/// are the same interpolation without rounding. Source: OpenCV 4, `modules/imgproc/src/resize.cpp`.
package struct BilinearResampler: Sendable {
  package let source: ImageSize
  package let target: ImageSize
  package let channels: Int
  private let columns: [BilinearTap]
  private let rows: [BilinearTap]
  private let isIdentity: Bool

  /// - Parameter window: the part of the target that is computed, which is then the target; `nil` for
  ///   all of it.
  /// - Precondition: `channels` is at least 1; the window is in the target.
  package init(
    from source: ImageSize, to size: ImageSize, channels: Int, window: PixelRect? = nil
  ) {
    precondition(channels >= 1)
    let window = window ?? PixelRect(size)
    self.source = source
    self.target = ImageSize(width: window.width, height: window.height)
    self.channels = channels
    isIdentity = source == size && window == PixelRect(size)
    columns = BilinearTap.columns(from: source.width, to: size.width, in: window.columns)
    rows = BilinearTap.rows(from: source.height, to: size.height, in: window.rows)
  }

  /// The emulation of OpenCV's `INTER_AREA` for a side that grows.
  ///
  /// - Precondition: `channels` is at least 1; the window is in the target.
  init(growing source: ImageSize, to size: ImageSize, channels: Int, window: PixelRect) {
    precondition(channels >= 1)
    self.source = source
    self.target = ImageSize(width: window.width, height: window.height)
    self.channels = channels
    isIdentity = source == size && window == PixelRect(size)
    columns = BilinearTap.growingColumns(from: source.width, to: size.width, in: window.columns)
    rows = BilinearTap.growingRows(from: source.height, to: size.height, in: window.rows)
  }

  /// The resized raster, rounded to 8 bits.
  ///
  /// - Precondition: `raster` has the source's size and channels.
  package func resample(_ raster: Raster<UInt8>) -> Raster<UInt8> {
    if isIdentity { return raster }
    return filled(0, from: raster) { resample($0, into: $1) }
  }

  /// The resized raster in float32, values in 0...255.
  ///
  /// - Precondition: `raster` has the source's size and channels.
  package func resampleUnrounded(_ raster: Raster<UInt8>) -> Raster<Float> {
    filled(0, from: raster) { resample($0, into: $1) }
  }

  private func filled<Element>(
    _ zero: Element, from raster: Raster<UInt8>,
    _ fill: (UnsafeBufferPointer<UInt8>, UnsafeMutableBufferPointer<Element>) -> Void
  ) -> Raster<Element> {
    precondition(raster.channels == channels && raster.width == source.width)
    var resized = Raster<Element>(
      repeating: zero, width: target.width, height: target.height, channels: channels)
    raster.elements.withUnsafeBufferPointer { pixels in
      resized.elements.withUnsafeMutableBufferPointer { fill(pixels, $0) }
    }
    return resized
  }

  /// Resamples row-major, interleaved pixels into memory of the target's size, rounded to 8 bits.
  ///
  /// - Precondition: the buffers hold source and target exactly.
  package func resample(
    _ pixels: UnsafeBufferPointer<UInt8>, into result: UnsafeMutableBufferPointer<UInt8>
  ) {
    precondition(pixels.count == source.area * channels && result.count == target.area * channels)
    let length = target.width * channels
    resample(pixels, zero: Int16(0), horizontally: fixedRow) { upper, lower, tap, row in
      guard let out = result.baseAddress?.advanced(by: row * length) else { return }
      let (share0, share1) = (Int32(tap.fixed.0), Int32(tap.fixed.1))
      for i in 0..<length {
        let sum = (Int32(upper[i]) &* share0) &>> 16 &+ (Int32(lower[i]) &* share1) &>> 16
        out[i] = UInt8(truncatingIfNeeded: (sum &+ 2) &>> 2)
      }
    }
  }

  /// Resamples row-major, interleaved pixels into memory of the target's size, as float32 in 0...255.
  ///
  /// - Precondition: the buffers hold source and target exactly.
  package func resample(
    _ pixels: UnsafeBufferPointer<UInt8>, into result: UnsafeMutableBufferPointer<Float>
  ) {
    precondition(pixels.count == source.area * channels && result.count == target.area * channels)
    let length = target.width * channels
    resample(pixels, zero: Float(0), horizontally: floatRow) { upper, lower, tap, row in
      guard let out = result.baseAddress?.advanced(by: row * length) else { return }
      let (share0, share1) = tap.weights
      for i in 0..<length { out[i] = upper[i] * share0 + lower[i] * share1 }
    }
  }

  /// Keeps the two current source rows, each resampled horizontally once.
  @inline(__always)
  private func resample<Value>(
    _ pixels: UnsafeBufferPointer<UInt8>, zero: Value,
    horizontally: (UnsafePointer<UInt8>, UnsafeMutablePointer<Value>) -> Void,
    vertically: (UnsafePointer<Value>, UnsafePointer<Value>, BilinearTap, Int) -> Void
  ) {
    let length = target.width * channels
    let stride = source.width * channels
    withUnsafeTemporaryAllocation(of: Value.self, capacity: 2 * length) { scratch in
      guard let pixels = pixels.baseAddress, let scratch = scratch.baseAddress else { return }
      scratch.initialize(repeating: zero, count: 2 * length)
      var (upper, lower) = (scratch, scratch + length)
      var (upperRow, lowerRow) = (-1, -1)
      for (row, tap) in rows.enumerated() {
        if tap.first == lowerRow {
          swap(&upper, &lower)
          swap(&upperRow, &lowerRow)
        }
        if tap.first != upperRow {
          horizontally(pixels + tap.first * stride, upper)
          upperRow = tap.first
        }
        if tap.second == upperRow {
          vertically(upper, upper, tap, row)
          continue
        }
        if tap.second != lowerRow {
          horizontally(pixels + tap.second * stride, lower)
          lowerRow = tap.second
        }
        vertically(upper, lower, tap, row)
      }
    }
  }

  /// One row resampled horizontally, in 128ths of a gray step, as OpenCV rounds its sum of two
  /// 2048ths.
  @inline(__always)
  private func fixedRow(_ row: UnsafePointer<UInt8>, _ out: UnsafeMutablePointer<Int16>) {
    forEachColumn { tap, first, second, place in
      let sum =
        Int32(row[first]) &* Int32(tap.fixed.0) &+ Int32(row[second]) &* Int32(tap.fixed.1)
      out[place] = Int16(truncatingIfNeeded: sum &>> 4)
    }
  }

  @inline(__always)
  private func floatRow(_ row: UnsafePointer<UInt8>, _ out: UnsafeMutablePointer<Float>) {
    forEachColumn { tap, first, second, place in
      out[place] = Float(row[first]) * tap.weights.0 + Float(row[second]) * tap.weights.1
    }
  }

  /// Calls `body` with a column's tap, its two indices in a source row and its index in a target
  /// row, for every column and channel; unrolled for the usual channel counts, which halves the
  /// time.
  @inline(__always)
  private func forEachColumn(_ body: (BilinearTap, Int, Int, Int) -> Void) {
    columns.withUnsafeBufferPointer { taps in
      switch channels {
      case 1:
        for (place, tap) in taps.enumerated() { body(tap, tap.first, tap.second, place) }
      case 3:
        for (column, tap) in taps.enumerated() {
          let (first, second) = (3 &* tap.first, 3 &* tap.second)
          body(tap, first, second, 3 &* column)
          body(tap, first &+ 1, second &+ 1, 3 &* column &+ 1)
          body(tap, first &+ 2, second &+ 2, 3 &* column &+ 2)
        }
      default:
        for (column, tap) in taps.enumerated() {
          for channel in 0..<channels {
            body(
              tap, channels * tap.first + channel, channels * tap.second + channel,
              channels * column + channel)
          }
        }
      }
    }
  }
}

/// The two source pixels that one target pixel is between.
struct BilinearTap: Sendable {
  let first: Int
  let second: Int
  /// The weights of the two; their sum is 1.
  let weights: (Float, Float)
  /// The weights in 2048ths.
  let fixed: (Int16, Int16)

  private init(first: Int, second: Int, weight: Float, rounded: Float) {
    self.first = first
    self.second = second
    weights = (1 - weight, weight)
    fixed = (
      Int16(((1 - rounded) * 2048).rounded(.toNearestOrEven)),
      Int16((rounded * 2048).rounded(.toNearestOrEven))
    )
  }

  static func growingColumns(
    from source: Int, to target: Int, in range: Range<Int>
  ) -> [BilinearTap] {
    growingRows(from: source, to: target, in: range).map { tap in
      tap.first == tap.second
        ? BilinearTap(first: tap.first, second: tap.first, weight: 0, rounded: 0) : tap
    }
  }

  /// Source: OpenCV, `resize.cpp`, `area_mode`: a target pixel that lies within a source pixel has its value.
  static func growingRows(
    from source: Int, to target: Int, in range: Range<Int>
  ) -> [BilinearTap] {
    let growth = Double(target) / Double(source)
    let scale = 1 / growth
    return range.map { place in
      let first = Int((Double(place) * scale).rounded(.down))
      let reach = Float(Double(place + 1) - Double(first + 1) * growth)
      let weight = reach <= 0 ? 0 : reach - reach.rounded(.down)
      return BilinearTap(
        first: min(max(first, 0), source - 1), second: min(max(first + 1, 0), source - 1),
        weight: weight, rounded: weight)
    }
  }

  static func columns(from source: Int, to target: Int, in range: Range<Int>) -> [BilinearTap] {
    rows(from: source, to: target, in: range).map { tap in
      tap.first == tap.second
        ? BilinearTap(first: tap.first, second: tap.first, weight: 0, rounded: 0) : tap
    }
  }

  /// Beyond the edge the weights stay and both rows are the edge row: in exact arithmetic the same
  /// as a single row, but OpenCV's integers round each weighted value separately.
  static func rows(from source: Int, to target: Int, in range: Range<Int>) -> [BilinearTap] {
    let scale = 1 / (Double(target) / Double(source))
    return range.map { place in
      let exact = (Double(place) + 0.5) * scale - 0.5
      // OpenCV computes its 11-bit weights from a position in float32.
      let rounded = Float(exact)
      let first = Int(rounded.rounded(.down))
      return BilinearTap(
        first: min(max(first, 0), source - 1), second: min(max(first + 1, 0), source - 1),
        weight: Float(min(max(exact - Double(first), 0), 1)), rounded: rounded - Float(first))
    }
  }
}
