import AssayCore
import AssayImaging

/// A probability map resampled to the whole image, one byte per pixel: ⌊255p + ½⌋, row by row.
/// Pixels that the model has not seen are 0.
///
/// Bilinear, with the centers of cells and pixels at half-integers, as for the run's masks.
enum MapRaster {
  static func bytes(of map: ProbabilityMap) -> [UInt8] {
    let projection = map.projection
    let size = projection.size
    let crop = projection.plan.crop
    let place = projection.plan.placement
    let target = projection.plan.target
    let columns = taps(
      crop.width, over: place.x, place.width, of: target.width, cells: map.cells.width,
      used: projection.cells.x..<projection.cells.x + projection.cells.width)
    let rows = taps(
      crop.height, over: place.y, place.height, of: target.height, cells: map.cells.height,
      used: projection.cells.y..<projection.cells.y + projection.cells.height)
    let stride = map.cells.width
    return map.cells.elements.withUnsafeBufferPointer { cells in
      [UInt8](unsafeUninitializedCapacity: size.area) { bytes, count in
        bytes.initialize(repeating: 0)
        for (y, row) in rows.enumerated() {
          let first = row.first * stride
          let second = row.second * stride
          let start = (crop.y + y) * size.width + crop.x
          for (x, column) in columns.enumerated() {
            let left = mix(cells[first + column.first], cells[second + column.first], row.weight)
            let right = mix(cells[first + column.second], cells[second + column.second], row.weight)
            bytes[start + x] = UInt8(left + column.weight * (right - left) + 0.5)
          }
        }
        count = size.area
      }
    }
  }

  @inline(__always)
  private static func mix(_ first: UInt8, _ second: UInt8, _ weight: Float) -> Float {
    Float(first) + weight * (Float(second) - Float(first))
  }

  private struct Tap {
    var first: Int
    var second: Int
    var weight: Float
  }

  /// Returns, for each pixel along a side of the part that the model has seen, the two
  /// cells it is between.
  private static func taps(
    _ count: Int, over start: Int, _ length: Int, of side: Int, cells: Int, used: Range<Int>
  ) -> [Tap] {
    let scale = Double(cells) / Double(side)
    return (0..<count).map { pixel in
      let point = (Double(pixel) + 0.5) * Double(length) / Double(count) + Double(start)
      let cell = point * scale - 0.5
      let first = Int(cell.rounded(.down))
      let clamped = { min(max($0, used.lowerBound), used.upperBound - 1) }
      return Tap(
        first: clamped(first), second: clamped(first + 1), weight: Float(cell - Double(first)))
    }
  }
}
