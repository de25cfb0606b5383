package import AssayCore
import Foundation

/// A rectangle in the plane of an image, which can be rotated and reach beyond the image. Numbers are in float32 as in
/// MediaPipe's `RotatedRect`.
package struct WarpRegion: Hashable, Sendable {
  /// The center, in pixels.
  package var x: Float
  package var y: Float
  package var width: Float
  package var height: Float
  /// The rotation about the center in radians, clockwise in the image.
  package var rotation: Float

  package init(x: Float, y: Float, width: Float, height: Float, rotation: Float = 0) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
    self.rotation = rotation
  }

  /// The place in the image of a point that is given in fractions of the region's sides, from its top left corner.
  package func point(x: Double, y: Double) -> (x: Double, y: Double) {
    let (right, down) = ((x - 0.5) * Double(width), (y - 0.5) * Double(height))
    let (cosine, sine) = (cos(Double(rotation)), sin(Double(rotation)))
    return (
      Double(self.x) + right * cosine - down * sine, Double(self.y) + right * sine + down * cosine
    )
  }
}

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
  /// The values beyond the source's edge.
  package enum Border: Hashable, Sendable {
    /// One value, 0...255.
    case value(UInt8)
    /// Those of the nearest pixels of the source.
    case nearest
  }

  private let source: ImageSize
  private let target: ImageSize
  private let border: Border
  /// The matrix from target to source pixels, row by row.
  private let matrix: [Double]

  /// - Parameters:
  ///   - keepsProportions: true if the source is centered in the target at its largest scale, false if it
  ///     is stretched.
  ///   - fill: the value around the source, 0...255.
  package init(from source: ImageSize, to target: ImageSize, keepsProportions: Bool, fill: UInt8) {
    self.init(
      from: source,
      region: Self.region(of: source, for: target, keepsProportions: keepsProportions),
      to: target, border: .value(fill))
  }

  /// - Parameters:
  ///   - region: the part of the source plane that fills the target; not empty.
  ///   - border: the values where it is not in the source.
  package init(
    from source: ImageSize, region: WarpRegion, to target: ImageSize, border: Border
  ) {
    self.source = source
    self.target = target
    self.border = border
    matrix = Self.inverse(Self.transform(region, to: target))
  }

  /// The whole source, with as much around it as the target's proportions ask for.
  static func region(
    of source: ImageSize, for target: ImageSize, keepsProportions: Bool
  ) -> WarpRegion {
    var (width, height) = (Float(source.width), Float(source.height))
    let center = (x: width * 0.5, y: height * 0.5)
    if keepsProportions {
      let wanted = Float(target.height) / Float(target.width)
      let own = height / width
      if wanted > own { height = width * wanted } else { width = height / wanted }
    }
    return WarpRegion(x: center.x, y: center.y, width: width, height: height)
  }

  /// The 3 × 3 matrix that maps the corners of a region to those of the target: the solution of eight
  /// equations by elimination with pivots.
  private static func transform(
    _ region: WarpRegion, to target: ImageSize
  ) -> [Double] {
    // RotatedRect::points in OpenCV's core/src/types.cpp: the angle is given in degrees.
    let angle = Double(Float(Double(region.rotation * 180) / Double.pi)) * Double.pi / 180
    let (along, across) = (Float(cos(angle)) * 0.5, Float(sin(angle)) * 0.5)
    let corner = (
      x: region.x - across * region.height - along * region.width,
      y: region.y + along * region.height - across * region.width
    )
    let other = (
      x: region.x + across * region.height - along * region.width,
      y: region.y - along * region.height - across * region.width
    )
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
      repeating: 0, width: window.width, height: window.height, channels: channels)
    result.elements.withUnsafeMutableBufferPointer { pixels in
      raster.elements.withUnsafeBufferPointer { values in
        withUnsafeTemporaryAllocation(of: Place.self, capacity: Self.block) { places in
          var next = 0
          for y in window.rows {
            var x = window.columns.lowerBound
            while x < window.columns.upperBound {
              let start = x / Self.block * Self.block
              let end = min(start + Self.block, window.columns.upperBound)
              fill(places, y, start: start, x - start..<end - start)
              for place in places[0..<end - x] {
                sample(values, place, channels, into: pixels, &next)
              }
              x = end
            }
          }
        }
      }
    }
    return result
  }

  /// A position in the source in 1/32 of a pixel.
  private struct Place {
    var x: Int32
    var y: Int32
  }

  /// The columns that OpenCV computes from one start.
  private static let block = 64

  /// Computes the positions of some columns of a row, rounded to the nearest, halves to even.
  ///
  /// - Parameters:
  ///   - start: the first column of the block.
  ///   - steps: the columns of the block.
  private func fill(
    _ places: UnsafeMutableBufferPointer<Place>, _ y: Int, start: Int, _ steps: Range<Int>
  ) {
    let (first, row) = (Double(start), Double(y))
    func base(_ index: Int) -> Double {
      matrix[index] * first + matrix[index + 1] * row + matrix[index + 2]
    }
    let (baseX, baseY, baseW) = (base(0), base(3), base(6))
    let (slopeX, slopeY, slopeW) = (matrix[0], matrix[3], matrix[6])
    // The sum of a double and this has no bits below 1, so the addition rounds, and its lowest bits are the integer.
    let rounder = 6_755_399_441_055_744.0
    func whole(_ value: Double) -> Int32 {
      let limit = Double(Int32.max)
      let below = value < limit ? value : limit
      let inside = below > -limit ? below : -limit
      return Int32(truncatingIfNeeded: (inside + rounder).bitPattern)
    }
    for (place, step) in steps.enumerated() {
      let step = Double(step)
      let weight = 32 / (baseW + slopeW * step)
      places[place] = Place(
        x: whole((baseX + slopeX * step) * weight), y: whole((baseY + slopeY * step) * weight))
    }
  }

  /// Appends the value at a position.
  @inline(__always)
  private func sample(
    _ values: UnsafeBufferPointer<UInt8>, _ place: Place, _ channels: Int,
    into pixels: UnsafeMutableBufferPointer<UInt8>, _ next: inout Int
  ) {
    let (column, row) = (Int(place.x >> 5), Int(place.y >> 5))
    guard column >= 0, row >= 0, column &+ 1 < source.width, row &+ 1 < source.height else {
      for channel in 0..<channels {
        pixels[next] = value(values, (Int(place.x), Int(place.y)), channel, channels)
        next &+= 1
      }
      return
    }
    let (right, below) = (place.x & 31, place.y & 31)
    let weights = (
      (32 &- right) &* (32 &- below), right &* (32 &- below), (32 &- right) &* below, right &* below
    )
    let start = (row &* source.width &+ column) &* channels
    let under = start &+ source.width &* channels
    for channel in 0..<channels {
      let (upper, lower) = (start &+ channel, under &+ channel)
      let sum =
        Int32(values[upper]) &* weights.0 &+ Int32(values[upper &+ channels]) &* weights.1
        &+ Int32(values[lower]) &* weights.2 &+ Int32(values[lower &+ channels]) &* weights.3
      pixels[next] = UInt8(truncatingIfNeeded: (sum &+ 512) >> 10)
      next &+= 1
    }
  }

  private func value(
    _ pixels: UnsafeBufferPointer<UInt8>, _ place: (x: Int, y: Int), _ channel: Int, _ channels: Int
  ) -> UInt8 {
    let (x, y) = (place.x >> 5, place.y >> 5)
    let (right, below) = (place.x & 31, place.y & 31)
    func pixel(_ x: Int, _ y: Int) -> Int {
      var (x, y) = (x, y)
      if x < 0 || y < 0 || x >= source.width || y >= source.height {
        if case .value(let value) = border { return Int(value) }
        (x, y) = (min(max(x, 0), source.width - 1), min(max(y, 0), source.height - 1))
      }
      return Int(pixels[(y * source.width + x) * channels + channel])
    }
    let upper = pixel(x, y) * (32 - right) + pixel(x + 1, y) * right
    let lower = pixel(x, y + 1) * (32 - right) + pixel(x + 1, y + 1) * right
    return UInt8((upper * (32 - below) + lower * below + 512) >> 10)
  }
}
