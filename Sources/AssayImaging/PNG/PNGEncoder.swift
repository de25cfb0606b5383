import AssayCore
import CImageCodecs

/// The compression effort for a PNG.
package enum PNGCompression: Sendable, CaseIterable {
  /// zlib's level 1 without row filters: largest file, for temporary images.
  case fast
  /// zlib's level 6 with adaptive filters.
  case balanced
  /// zlib's level 9 with adaptive filters.
  case small
}

/// Encodes 8-bit gray and RGB, and 16-bit gray.
enum PNGEncoder {
  /// - Parameter raster: gray for 1 channel, RGB for 3; for 2 channels gray of 16 bits, the higher
  ///   byte first.
  static func encode(
    _ raster: Raster<UInt8>, compression: PNGCompression
  ) throws(ImageError) -> [UInt8] {
    let refusal = ImageError.notEncodable(
      width: raster.width, height: raster.height, channels: raster.channels)
    guard (1...3).contains(raster.channels),
      ImageSize.checked(width: raster.width, height: raster.height) != nil
    else { throw refusal }
    let shape = image_codecs_shape(
      width: UInt32(raster.width), height: UInt32(raster.height), channels: UInt32(raster.channels))
    var encoded: UnsafeMutablePointer<UInt8>?
    var count = 0
    let (status, _) = CodecBuffer.withMessage { message in
      raster.elements.withUnsafeBufferPointer { pixels in
        image_codecs_png_encode(
          pixels.baseAddress, shape, compression.level, compression == .fast ? 0 : 1, &encoded,
          &count, message)
      }
    }
    guard status == IMAGE_CODECS_OK, let encoded else {
      throw status == IMAGE_CODECS_OUT_OF_MEMORY ? .outOfMemory(.png) : refusal
    }
    defer { image_codecs_release(encoded) }
    return Array(UnsafeBufferPointer(start: encoded, count: count))
  }
}

extension PNGCompression {
  fileprivate var level: Int32 {
    switch self {
    case .fast: 1
    case .balanced: 6
    case .small: 9
    }
  }
}
