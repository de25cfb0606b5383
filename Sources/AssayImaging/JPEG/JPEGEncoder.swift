import AssayCore
import CImageCodecs

/// Encodes 8-bit gray and RGB.
enum JPEGEncoder {
  static func encode(_ raster: Raster<UInt8>, quality: Int) throws(ImageError) -> [UInt8] {
    let refusal = ImageError.notEncodable(
      width: raster.width, height: raster.height, channels: raster.channels)
    guard raster.channels == 1 || raster.channels == 3,
      max(raster.width, raster.height) <= sideLimit,
      ImageSize.checked(width: raster.width, height: raster.height) != nil
    else { throw refusal }
    let shape = image_codecs_shape(
      width: UInt32(raster.width), height: UInt32(raster.height), channels: UInt32(raster.channels))
    var encoded: UnsafeMutablePointer<UInt8>?
    var count = 0
    let (status, _) = CodecBuffer.withMessage { message in
      raster.elements.withUnsafeBufferPointer { pixels in
        image_codecs_jpeg_encode(
          pixels.baseAddress, shape, Int32(min(max(quality, 1), 100)), &encoded, &count, message)
      }
    }
    guard status == IMAGE_CODECS_OK, let encoded else {
      throw status == IMAGE_CODECS_OUT_OF_MEMORY ? .outOfMemory(.jpeg) : refusal
    }
    defer { image_codecs_release(encoded) }
    return Array(UnsafeBufferPointer(start: encoded, count: count))
  }

  /// The maximum side that the format's libraries write.
  private static let sideLimit = 65_500
}
