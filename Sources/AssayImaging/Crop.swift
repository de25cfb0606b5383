package import AssayCore

/// A rectangle of whole pixels: x right, y down, half-open.
package struct PixelRect: Hashable, Sendable, Codable {
  package var x: Int
  package var y: Int
  package var width: Int
  package var height: Int

  package init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// The rectangle of a whole image.
  package init(_ size: ImageSize) { self.init(x: 0, y: 0, width: size.width, height: size.height) }

  /// - Precondition: neither side is negative.
  var columns: Range<Int> { x..<x + width }
  var rows: Range<Int> { y..<y + height }
}

/// Crops rasters.
package enum Crop {
  /// The part of `raster` inside `rect`, which is clipped to the raster first; `nil` if nothing is
  /// left.
  package static func apply(_ raster: Raster<UInt8>, to rect: PixelRect) -> Raster<UInt8>? {
    let left = max(0, rect.x)
    let top = max(0, rect.y)
    let (endX, overflowX) = rect.x.addingReportingOverflow(rect.width)
    let (endY, overflowY) = rect.y.addingReportingOverflow(rect.height)
    let right = min(raster.width, endX)
    let bottom = min(raster.height, endY)
    guard !overflowX, !overflowY, left < right, top < bottom else { return nil }
    if left == 0, top == 0, right == raster.width, bottom == raster.height { return raster }
    var elements: [UInt8] = []
    elements.reserveCapacity((right - left) * (bottom - top) * raster.channels)
    for row in top..<bottom {
      let start = (row * raster.width + left) * raster.channels
      elements += raster.elements[start..<start + (right - left) * raster.channels]
    }
    return Raster(
      width: right - left, height: bottom - top, channels: raster.channels, elements: elements)
  }
}
