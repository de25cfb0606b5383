package import AssayCore

/// A gray image of 32 × 32 pixels, by which images are compared.
package struct Thumbnail: Hashable, Sendable {
  package static let side = 32
  package static let count = side * side

  /// The gray values, row by row.
  package let pixels: [UInt8]

  /// - Parameter gray: one channel, not empty; the sides are scaled independently.
  package init(of gray: Raster<UInt8>) {
    pixels = Resize.area(gray, to: ImageSize(width: Self.side, height: Self.side)).elements
  }

  /// - Returns: `nil` unless there are ``count`` pixels.
  package init?(pixels: [UInt8]) {
    guard pixels.count == Self.count else { return nil }
    self.pixels = pixels
  }

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

  /// A hash of the pixels (FNV-1a).
  package var hash: UInt64 {
    pixels.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}
