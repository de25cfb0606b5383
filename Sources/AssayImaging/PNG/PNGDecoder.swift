import AssayCore
import CImageCodecs

/// Decodes a PNG whose header has been read.
enum PNGDecoder {
  /// - Parameters:
  ///   - bytes: the whole file.
  ///   - header: the header that ``PNGHeader`` read from the same bytes.
  ///   - raw: whether palette indices and gray below 8 bits are kept unchanged.
  /// - Returns: 1 or 3 channels, as stored, not oriented.
  static func decode(
    _ bytes: UnsafeRawBufferPointer, header: ImageHeader, raw: Bool
  ) throws(ImageError) -> Raster<UInt8> {
    let (width, height) = (header.size.width, header.size.height)
    // Deflate compresses at most 1032 times: a short file cannot fill a large image.
    let rowBits = width * header.channels * header.bitDepth
    guard (rowBits + 7) / 8 * height <= bytes.count * 1032 else { throw .truncated(.png) }
    let channels = header.channels >= 3 || (header.isPalette && !raw) ? 3 : 1
    let shape = image_codecs_shape(
      width: UInt32(width), height: UInt32(height), channels: UInt32(channels))
    return try CodecBuffer.fill(kind: .png, shape: shape) { pixels, message in
      image_codecs_png_decode(
        bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count, raw ? 1 : 0, shape, pixels,
        message)
    }
  }
  /// Decodes one channel of 16 bits: gray, with or without alpha.
  ///
  /// - Precondition: the header has a bit depth of 16 and 1 or 2 channels.
  static func decodeWide(
    _ bytes: UnsafeRawBufferPointer, header: ImageHeader
  ) throws(ImageError) -> Raster<UInt16> {
    precondition(header.bitDepth == 16 && header.channels <= 2)
    let (width, height) = (header.size.width, header.size.height)
    guard 2 * width * header.channels * height <= bytes.count * 1032 else { throw .truncated(.png) }
    let shape = image_codecs_shape(width: UInt32(width), height: UInt32(height), channels: 2)
    let halves = try CodecBuffer.fill(kind: .png, shape: shape) { pixels, message in
      image_codecs_png_decode(
        bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count, Int32(IMAGE_CODECS_RAW_WIDE),
        shape, pixels, message)
    }
    return try halves.joined(kind: .png)
  }

  /// Decodes red, green, blue and alpha of 8 bits.
  ///
  /// - Precondition: the header has a bit depth of 8 and 4 channels.
  static func decodeAlpha(
    _ bytes: UnsafeRawBufferPointer, header: ImageHeader
  ) throws(ImageError) -> Raster<UInt8> {
    precondition(header.bitDepth == 8 && header.channels == 4)
    let (width, height) = (header.size.width, header.size.height)
    guard 4 * width * height <= bytes.count * 1032 else { throw .truncated(.png) }
    let shape = image_codecs_shape(width: UInt32(width), height: UInt32(height), channels: 4)
    return try CodecBuffer.fill(kind: .png, shape: shape) { pixels, message in
      image_codecs_png_decode(
        bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count, Int32(IMAGE_CODECS_RAW_ALPHA),
        shape, pixels, message)
    }
  }
}
