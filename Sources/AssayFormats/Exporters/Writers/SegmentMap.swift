import AssayCore

/// A map of segments, as in COCO's panoptic PNG files: the id of each pixel in three channels.
struct SegmentMap {
  /// The lowest byte of each id, the middle one, and the highest one.
  private var planes: [Raster<UInt8>]

  /// The first number that is too large for an id.
  static let idLimit = 1 << 24

  /// A map without segments: every id is 0.
  ///
  /// - Precondition: the size has at least one pixel, and at most `ImageSize.pixelLimit`.
  init(size: ImageSize) {
    planes = (0..<3).map { _ in Raster(repeating: 0, width: size.width, height: size.height) }
  }

  /// Gives the pixels of a mask an id below ``idLimit``.
  ///
  /// - Precondition: the mask has the map's size.
  mutating func paint(_ id: Int, _ mask: Mask) {
    for place in planes.indices {
      mask.paint(UInt8(truncatingIfNeeded: id >> (8 * place)), into: &planes[place])
    }
  }

  /// The map with three channels.
  var raster: Raster<UInt8> {
    var raster = Raster<UInt8>(
      repeating: 0, width: planes[0].width, height: planes[0].height, channels: 3)
    raster.elements.withUnsafeMutableBufferPointer { pixels in
      for (channel, plane) in planes.enumerated() {
        plane.elements.withUnsafeBufferPointer { bytes in
          for (place, byte) in bytes.enumerated() { pixels[3 * place + channel] = byte }
        }
      }
    }
    return raster
  }
}
