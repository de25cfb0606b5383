import AssayCore

/// The boundary bands of all classes of a label map, computed together.
///
/// A class's band is its mask minus the mask eroded by `band` 3×3 squares, with everything outside
/// the image counting as unset. Therefore a pixel is in the band of its own label if the square of
/// 2·band + 1 pixels around it extends beyond the image or contains a pixel of another label. Void
/// pixels have no label: they are in no band and create none, so the edge next to them is not a
/// boundary.
struct BoundaryBands {
  /// Row-major; 1 if the pixel is in its label's band, else 0.
  private(set) var inside: [UInt8]

  /// - Parameters:
  ///   - labels: row-major, `width` · `height` values.
  ///   - isVoid: 255 if a pixel is void, else 0; empty if there are no void pixels.
  ///   - band: at least 1.
  /// - Complexity: O(pixels · log `band`).
  init(labels: UnsafeBufferPointer<UInt8>, width: Int, height: Int, isVoid: [UInt8], band: Int) {
    var (least, most) = (Array(labels), Array(labels))
    isVoid.withUnsafeBufferPointer { isVoid in
      least.withUnsafeMutableBufferPointer { least in
        most.withUnsafeMutableBufferPointer { most in
          for index in isVoid.indices {
            least[index] |= isVoid[index]
            most[index] &= ~isVoid[index]
          }
        }
      }
    }
    SquareWindow<LeastByte>(width: width, height: height, radius: band).reduce(&least)
    SquareWindow<LargestByte>(width: width, height: height, radius: band).reduce(&most)
    least.withUnsafeMutableBufferPointer { least in
      most.withUnsafeBufferPointer { most in
        for index in least.indices {
          let own = labels[index]
          least[index] = (least[index] ^ own) | (most[index] ^ own) == 0 ? 0 : 1
        }
      }
      Self.markBorder(&least, width: width, height: height, band: band)
      isVoid.withUnsafeBufferPointer { isVoid in
        for index in isVoid.indices { least[index] &= ~isVoid[index] }
      }
    }
    inside = least
  }

  /// The band width defined in METRICS.md: 2 % of the diagonal in whole pixels, half to even, at
  /// least 1.
  static func width(_ size: ImageSize) -> Int {
    let (w, h) = (Double(size.width), Double(size.height))
    let diagonal = (w * w + h * h).squareRoot()
    return max(1, Int((0.02 * diagonal).rounded(.toNearestOrEven)))
  }

  private static func markBorder(
    _ inside: inout UnsafeMutableBufferPointer<UInt8>, width: Int, height: Int, band: Int
  ) {
    let (rows, columns) = (min(band, height), min(band, width))
    for y in 0..<height {
      let row = y * width
      if y < rows || y >= height - rows {
        for x in 0..<width { inside[row + x] = 1 }
      } else {
        for x in 0..<columns {
          inside[row + x] = 1
          inside[row + width - 1 - x] = 1
        }
      }
    }
  }
}
