package import AssayCore
import AssayImaging

/// An index mask while it is painted: a value for each pixel, of 8 or 16 bits.
package struct IndexMap: Sendable {
  /// The values of a mask for a number of classes.
  package struct Depth: Hashable, Sendable {
    /// The bits of a value, 8 or 16.
    package let bits: Int

    /// The smallest depth that has a value for each class, beside those of background and void.
    package init(classes: Int) { bits = classes <= Self.narrowLimit ? 8 : 16 }

    /// The maximum number of classes of masks with 8 bits per value, and of all masks.
    package static let narrowLimit = 254
    package static let classLimit = 65_534

    /// The value of void pixels.
    package var void: UInt16 { isWide ? .max : UInt16(UInt8.max) }

    var isWide: Bool { bits > 8 }

    /// The value of a class by its position; void for a position that has none.
    package func value(ofClass place: Int) -> UInt16 {
      (0..<Int(void) - 1).contains(place) ? UInt16(place + 1) : void
    }

    /// The sentence about masks with 16 bits; `nil` for 8 bits.
    package func note(classes: Int) -> String? {
      guard isWide else { return nil }
      return "masks have 16 bits per value, with 65535 for void: 8 bits have values for "
        + "\(Self.narrowLimit) classes, and there are \(classes)"
    }
  }

  package let depth: Depth
  /// The bytes of the values, the higher ones first; one plane for 8 bits.
  private var planes: [Raster<UInt8>]

  /// A map of background.
  ///
  /// - Precondition: the size has at least one pixel, and at most `ImageSize.pixelLimit`.
  package init(_ depth: Depth, size: ImageSize) {
    self.depth = depth
    planes = (0..<depth.bits / 8).map { _ in
      Raster(repeating: 0, width: size.width, height: size.height)
    }
  }

  package var size: ImageSize { ImageSize(width: planes[0].width, height: planes[0].height) }

  /// Gives the pixels of a mask a value of the map's depth.
  ///
  /// - Precondition: the mask has the map's size.
  package mutating func paint(_ value: UInt16, _ mask: Mask) {
    for place in planes.indices {
      let shift = 8 * (planes.count - 1 - place)
      mask.paint(UInt8(truncatingIfNeeded: value >> UInt16(shift)), into: &planes[place])
    }
  }

  /// The map after a change of the places of pixels, which is applied to the planes of their bytes.
  package func moved(_ change: (Raster<UInt8>) -> Raster<UInt8>) -> IndexMap {
    var map = self
    map.planes = planes.map(change)
    return map
  }

  /// The number of pixels that are not background.
  package var painted: Int {
    let (first, last) = (planes[0].elements, planes[planes.count - 1].elements)
    return first.withUnsafeBufferPointer { first in
      last.withUnsafeBufferPointer { last in
        first.indices.count { first[$0] | last[$0] != 0 }
      }
    }
  }

  /// The map as a PNG of gray values.
  ///
  /// - Throws: `ImageError`.
  package func png() throws -> [UInt8] {
    depth.isWide
      ? try ImageCodec.encodeWidePNG(high: planes[0], low: planes[1])
      : try ImageCodec.encodePNG(planes[0])
  }
}
