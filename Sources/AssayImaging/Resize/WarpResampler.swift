package import AssayCore

/// Bilinear resampling from corner to corner, without antialiasing, equal to OpenCV's `warpPerspective`
/// with `INTER_LINEAR` in 8 bits: MediaPipe's `ImageToTensorCalculator`.
///
/// Target pixel x takes its value at x · scale + start of the source, in indices of pixels: unlike in a
/// resize, centers are not shifted by half a pixel. Positions are rounded to 1/32 of a pixel.
///
/// Source: OpenCV 3.4 and 4.10, `getPerspectiveTransform`, `warpPerspective` and `remapBilinear` in
/// `modules/imgproc/src/imgwarp.cpp`, `LUImpl` in `modules/core/src/matrix_decomp.cpp`, `invert` in `lapack.cpp`;
/// MediaPipe 0.10.14, `image_to_tensor_converter_opencv.cc` and `image_to_tensor_utils.cc`. The matrix goes
/// through the same steps in float64, since its last bits decide about positions that lie between two of
/// the 1/32 steps.
package struct WarpResampler {
  private let source: ImageSize
  private let target: ImageSize
  private let fill: UInt8
  /// The matrix from target to source pixels, row by row.
  private let matrix: [Double]

  /// - Parameters:
  ///   - keepsProportions: true if the source is centered in the target at its largest scale, false if it
  ///     is stretched.
  ///   - fill: the value around the source, 0...255.
  package init(from source: ImageSize, to target: ImageSize, keepsProportions: Bool, fill: UInt8) {
    self.source = source
    self.target = target
    self.fill = fill
    let region = Self.region(of: source, for: target, keepsProportions: keepsProportions)
    matrix = Self.inverse(Self.transform(region, to: target))
  }

  /// The part of the source plane that fills the target: its center and its sides, in float32 as MediaPipe
  /// computes them.
  static func region(
    of source: ImageSize, for target: ImageSize, keepsProportions: Bool
  ) -> (x: Float, y: Float, width: Float, height: Float) {
    var (width, height) = (Float(source.width), Float(source.height))
    let center = (x: width * 0.5, y: height * 0.5)
    if keepsProportions {
      let wanted = Float(target.height) / Float(target.width)
      let own = height / width
      if wanted > own { height = width * wanted } else { width = height / wanted }
    }
    return (center.x, center.y, width, height)
  }

  /// The 3 × 3 matrix that maps the corners of a region to those of the target: the solution of eight
  /// equations by elimination with pivots.
  private static func transform(
    _ region: (x: Float, y: Float, width: Float, height: Float), to target: ImageSize
  ) -> [Double] {
    let (halfWidth, halfHeight) = (0.5 * region.width, 0.5 * region.height)
    let corner = (x: region.x - halfWidth, y: region.y + halfHeight)
    let other = (x: region.x - halfWidth, y: region.y - halfHeight)
    let from = [
      corner, other, (2 * region.x - corner.x, 2 * region.y - corner.y),
      (2 * region.x - other.x, 2 * region.y - other.y),
    ].map { (x: Double($0.0), y: Double($0.1)) }
    let (width, height) = (Double(target.width), Double(target.height))
    let to = [(0, height), (0, 0), (width, 0), (width, height)]
    var rows = [[Double]](repeating: [Double](repeating: 0, count: 9), count: 8)
    for (index, (point, goal)) in zip(from, to).enumerated() {
      rows[index] = [
        point.x, point.y, 1, 0, 0, 0, -point.x * goal.0, -point.y * goal.0, goal.0,
      ]
      rows[index + 4] = [
        0, 0, 0, point.x, point.y, 1, -point.x * goal.1, -point.y * goal.1, goal.1,
      ]
    }
    for pivot in 0..<8 {
      var best = pivot
      for row in (pivot + 1)..<8 where abs(rows[row][pivot]) > abs(rows[best][pivot]) { best = row }
      rows.swapAt(pivot, best)
      let factor = -1 / rows[pivot][pivot]
      for row in (pivot + 1)..<8 {
        let share = rows[row][pivot] * factor
        for column in (pivot + 1)..<9 { rows[row][column] += share * rows[pivot][column] }
      }
    }
    var solution = [Double](repeating: 0, count: 8) + [1]
    for row in stride(from: 7, through: 0, by: -1) {
      var value = rows[row][8]
      for column in (row + 1)..<8 { value -= rows[row][column] * solution[column] }
      solution[row] = value / rows[row][row]
    }
    return solution
  }

  /// The inverse of a 3 × 3 matrix by its cofactors.
  private static func inverse(_ m: [Double]) -> [Double] {
    let determinant =
      m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2]
      * (m[3] * m[7] - m[4] * m[6])
    let factor = 1 / determinant
    func minor(_ a: Int, _ b: Int, _ c: Int, _ d: Int) -> Double {
      (m[a] * m[b] - m[c] * m[d]) * factor
    }
    return [
      minor(4, 8, 5, 7), minor(2, 7, 1, 8), minor(1, 5, 2, 4),
      minor(5, 6, 3, 8), minor(0, 8, 2, 6), minor(2, 3, 0, 5),
      minor(3, 7, 4, 6), minor(1, 6, 0, 7), minor(0, 4, 1, 3),
    ]
  }

  /// The target raster, or a part of it.
  ///
  /// - Parameter window: the part, within the target; `nil` for all.
  /// - Precondition: `raster` has the source's size.
  package func resample(_ raster: Raster<UInt8>, window: PixelRect? = nil) -> Raster<UInt8> {
    precondition(raster.width == source.width && raster.height == source.height)
    let channels = raster.channels
    let window = window ?? PixelRect(target)
    var result = Raster<UInt8>(
      repeating: fill, width: window.width, height: window.height, channels: channels)
    result.elements.withUnsafeMutableBufferPointer { pixels in
      raster.elements.withUnsafeBufferPointer { source in
        var next = 0
        for y in window.rows {
          for x in window.columns {
            let place = position(x, y)
            for channel in 0..<channels {
              pixels[next] = value(source, place, channel, channels)
              next += 1
            }
          }
        }
      }
    }
    return result
  }

  /// The columns that OpenCV computes from one start.
  private static let block = 64

  /// The position in the source in 1/32 of a pixel, rounded to the nearest, halves to even.
  private func position(_ x: Int, _ y: Int) -> (x: Int, y: Int) {
    let (start, row) = (Double(x / Self.block * Self.block), Double(y))
    let step = Double(x % Self.block)
    func sum(_ index: Int) -> Double {
      matrix[index] * start + matrix[index + 1] * row + matrix[index + 2] + matrix[index] * step
    }
    let weight = 32 / sum(6)
    let limit = Double(Int32.max)
    let whole = { (value: Double) in
      Int(max(-limit, min(limit, value)).rounded(.toNearestOrEven))
    }
    return (whole(sum(0) * weight), whole(sum(3) * weight))
  }

  private func value(
    _ pixels: UnsafeBufferPointer<UInt8>, _ place: (x: Int, y: Int), _ channel: Int, _ channels: Int
  ) -> UInt8 {
    let (x, y) = (place.x >> 5, place.y >> 5)
    let (right, below) = (place.x & 31, place.y & 31)
    func pixel(_ x: Int, _ y: Int) -> Int {
      guard x >= 0, y >= 0, x < source.width, y < source.height else { return Int(fill) }
      return Int(pixels[(y * source.width + x) * channels + channel])
    }
    let upper = pixel(x, y) * (32 - right) + pixel(x + 1, y) * right
    let lower = pixel(x, y + 1) * (32 - right) + pixel(x + 1, y + 1) * right
    return UInt8((upper * (32 - below) + lower * below + 512) >> 10)
  }
}
