import AssayCore
import AssayImaging

/// The objects of one of BDD100K's bitmasks: a PNG in which red is the class of a pixel, green the
/// attributes of its object, and blue and alpha are the number of the object, the higher byte first.
struct BDD100KBitmask {
  /// The pixels with the same class, attributes and number.
  struct Object {
    var category: Int
    /// The byte of attributes.
    var bits: UInt8
    var number: Int
    var mask: Mask

    var isTruncated: Bool { bits & 1 << 3 != 0 }
    var isOccluded: Bool { bits & 1 << 2 != 0 }
    var isCrowd: Bool { bits & 1 << 1 != 0 }
    var isIgnored: Bool { bits & 1 != 0 }
    /// True if bits are set that mean nothing.
    var hasUnknownBits: Bool { bits > Self.allBits }

    static let allBits: UInt8 = 0b1111
  }

  /// By number, then by class and attributes.
  private(set) var objects: [Object] = []
  /// The number of pixels that have a number or attributes and no class.
  private(set) var classless = 0

  /// The maximum number of objects, background included.
  static let limit = 1 << 16

  /// Returns whether a file can be a bitmask.
  static func isPossible(_ header: ImageHeader) -> Bool {
    header.kind == .png && header.channels == 4 && header.bitDepth == 8
  }

  /// The highest class of a raster.
  static func highestClass(_ raster: Raster<UInt8>) -> UInt8 {
    raster.elements.withUnsafeBufferPointer { pixels in
      var highest: UInt8 = 0
      for place in stride(from: 0, to: pixels.count, by: 4) {
        highest = max(highest, pixels[place])
      }
      return highest
    }
  }

  /// Returns whether all pixels are such as a bitmask has: classes of panoptic segmentation with known
  /// attributes.
  static func isPlausible(_ raster: Raster<UInt8>) -> Bool {
    let last = UInt8(BDD100KBitmaskClasses.panoptic.last)
    return raster.elements.withUnsafeBufferPointer { pixels in
      for place in stride(from: 0, to: pixels.count, by: 4) {
        guard pixels[place] <= last, pixels[place + 1] <= Object.allBits else { return false }
      }
      return true
    }
  }

  /// - Parameter raster: 4 channels, at least one pixel.
  /// - Returns: `nil` if there are more objects than ``limit``.
  init?(_ raster: Raster<UInt8>) {
    precondition(raster.channels == 4)
    var places: [UInt32: UInt16] = [:]
    var keys: [UInt32] = []
    var map = Raster<UInt16>(repeating: 0, width: raster.width, height: raster.height)
    let isWhole = raster.elements.withUnsafeBufferPointer { pixels in
      map.elements.withUnsafeMutableBufferPointer { target in
        // Neighboring pixels mostly belong to one object.
        var last: (key: UInt32, place: UInt16)?
        for pixel in target.indices {
          let key = (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(pixels[4 * pixel + $1]) }
          if let last, last.key == key {
            target[pixel] = last.place
            continue
          }
          let place: UInt16
          if let known = places[key] {
            place = known
          } else {
            guard let next = UInt16(exactly: keys.count) else { return false }
            place = next
            places[key] = next
            keys.append(key)
          }
          target[pixel] = place
          last = (key, place)
        }
        return true
      }
    }
    guard isWhole else { return nil }
    for (place, mask) in Mask.labels(of: map) {
      let key = keys[Int(place)]
      guard key != 0 else { continue }
      let object = Object(
        category: Int(key >> 24), bits: UInt8(truncatingIfNeeded: key >> 16),
        number: Int(key & 0xFFFF), mask: mask)
      if object.category > 0 { objects.append(object) } else { classless += mask.area }
    }
    objects.sort { ($0.number, $0.category, $0.bits) < ($1.number, $1.category, $1.bits) }
  }
}
