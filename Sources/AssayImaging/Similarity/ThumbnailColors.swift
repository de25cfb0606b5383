package import AssayCore

/// The colors of an image without its brightness: Cb and Cr (ITU-R BT.601) of 8 × 8 cells.
package struct ThumbnailColors: Hashable, Sendable {
  package static let side = 8
  /// The number of bytes of ``values``.
  package static let count = 2 * side * side
  /// The number of cells whose mean difference is the difference of two images.
  private static let comparedCells = 4
  /// The value of a cell without color.
  private static let neutral: UInt8 = 128
  /// The largest distance of Cb and Cr from ``neutral`` in a gray image; JPEG shifts them by a step or
  /// two.
  private static let grayReach = 4

  /// Cb of all cells, row by row, then Cr; 128 is gray.
  package let values: [UInt8]

  /// - Parameter raster: one channel (gray) or three (RGB), not empty.
  package init(of raster: Raster<UInt8>) {
    guard raster.channels == 3 else {
      values = [UInt8](repeating: Self.neutral, count: Self.count)
      return
    }
    let cells = Resize.area(raster, to: ImageSize(width: Self.side, height: Self.side)).elements
    var blue: [UInt8] = []
    var red: [UInt8] = []
    for cell in 0..<Self.side * Self.side {
      let (r, g, b) = (Int(cells[3 * cell]), Int(cells[3 * cell + 1]), Int(cells[3 * cell + 2]))
      // In 1/65,536, rounded: 128 + (B − Y) / 1.772 and 128 + (R − Y) / 1.402.
      let (cb, cr) = (-11059 * r - 21709 * g + 32768 * b, 32768 * r - 27439 * g - 5329 * b)
      blue.append(UInt8(clamping: 128 + (cb + 32768) >> 16))
      red.append(UInt8(clamping: 128 + (cr + 32768) >> 16))
    }
    values = blue + red
  }

  /// - Returns: `nil` unless there are ``count`` values.
  package init?(values: [UInt8]) {
    guard values.count == Self.count else { return nil }
    self.values = values
  }

  /// True if no cell has a color.
  package var isGray: Bool {
    values.allSatisfy { abs(Int($0) - Int(Self.neutral)) <= Self.grayReach }
  }

  /// The difference of the colors of two images, as a distance in Cb and Cr, at least 0; 0 if one of
  /// them is gray, because a gray copy of a color image shows the same picture.
  ///
  /// Each cell is compared with the range of the 3 × 3 cells at its place in the other image, so that a
  /// shift by less than a cell, as of a cropped copy, is no difference. The result is the mean over the
  /// 4 cells that differ most, from the one image or the other, whichever is larger.
  ///
  /// - Parameter isMirrored: true to compare with the mirror image of `other`.
  package func difference(to other: ThumbnailColors, isMirrored: Bool) -> Float {
    guard values != other.values, !isGray, !other.isGray else { return 0 }
    let second = isMirrored ? other.mirrored : other
    return max(excess(over: second), second.excess(over: self))
  }

  private var mirrored: ThumbnailColors {
    let side = Self.side
    let flipped = values.indices.map { values[$0 - $0 % side + side - 1 - $0 % side] }
    return ThumbnailColors(values: flipped) ?? self
  }

  /// The mean distance of the cells that are farthest from the range of their neighborhood in `other`.
  private func excess(over other: ThumbnailColors) -> Float {
    let side = Self.side
    var largest = [Float](repeating: 0, count: Self.comparedCells)
    for y in 0..<side {
      for x in 0..<side {
        let blue = Self.distance(values, other.values, x, y, plane: 0)
        let red = Self.distance(values, other.values, x, y, plane: side * side)
        let distance = Float(blue * blue + red * red).squareRoot()
        guard distance > largest[0] else { continue }
        largest[0] = distance
        largest.sort()
      }
    }
    return largest.reduce(0, +) / Float(Self.comparedCells)
  }

  /// The distance of a value from the range of the 3 × 3 values at its place in another plane.
  private static func distance(
    _ values: [UInt8], _ other: [UInt8], _ x: Int, _ y: Int, plane: Int
  ) -> Int {
    var (low, high) = (255, 0)
    for row in max(0, y - 1)...min(side - 1, y + 1) {
      for column in max(0, x - 1)...min(side - 1, x + 1) {
        let value = Int(other[plane + row * side + column])
        (low, high) = (min(low, value), max(high, value))
      }
    }
    let value = Int(values[plane + y * side + x])
    return max(0, low - value, value - high)
  }
}
