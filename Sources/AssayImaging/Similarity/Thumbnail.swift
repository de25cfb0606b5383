package import AssayCore

/// A gray image of 32 × 32 pixels with the colors of 8 × 8 cells, by which images are compared.
package struct Thumbnail: Hashable, Sendable {
  package static let side = 32
  package static let count = side * side
  /// The number of bytes of ``bytes``.
  package static let byteCount = count + ThumbnailColors.count

  /// The gray values, row by row.
  package let pixels: [UInt8]
  package let colors: ThumbnailColors

  /// - Parameters:
  ///   - gray: one channel, not empty; the sides are scaled independently.
  ///   - colors: the colors of the same image.
  package init(of gray: Raster<UInt8>, colors: ThumbnailColors) {
    pixels = Resize.area(gray, to: ImageSize(width: Self.side, height: Self.side)).elements
    self.colors = colors
  }

  /// Reads ``bytes``.
  ///
  /// - Returns: `nil` unless there are ``byteCount`` bytes.
  package init?(bytes: [UInt8]) {
    guard bytes.count == Self.byteCount,
      let colors = ThumbnailColors(values: Array(bytes[Self.count...]))
    else { return nil }
    pixels = Array(bytes[..<Self.count])
    self.colors = colors
  }

  /// The gray values, then the colors.
  package var bytes: [UInt8] { pixels + colors.values }

  /// The standard deviation of the gray values.
  package var deviation: Float {
    var sum = 0
    var squares = 0
    for pixel in pixels {
      sum += Int(pixel)
      squares += Int(pixel) * Int(pixel)
    }
    let scaled = Self.count * squares - sum * sum
    return Float(scaled).squareRoot() / Float(Self.count)
  }

  /// A hash of the gray values (FNV-1a).
  package var hash: UInt64 {
    pixels.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}
