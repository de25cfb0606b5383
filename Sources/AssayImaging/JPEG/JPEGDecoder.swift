import AssayCore
import CImageCodecs

/// Decodes a JPEG whose header has been read.
enum JPEGDecoder {
  /// - Parameters:
  ///   - bytes: the whole file.
  ///   - header: what ``JPEGHeader`` read from the same bytes.
  /// - Returns: 1 channel for gray, else RGB; as stored, not oriented.
  static func decode(
    _ bytes: UnsafeRawBufferPointer, header: ImageHeader
  ) throws(ImageError) -> Raster<UInt8> {
    // A block of 8×8 takes at least one bit: a short file cannot fill a large image.
    guard header.size.area / 512 <= bytes.count else { throw .truncated(.jpeg) }
    let shape = image_codecs_shape(
      width: UInt32(header.size.width), height: UInt32(header.size.height),
      channels: UInt32(header.channels))
    let decoded = try CodecBuffer.fill(kind: .jpeg, shape: shape) { pixels, message in
      image_codecs_jpeg_decode(
        bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count, shape, pixels, message)
    }
    return header.channels == 4 ? CMYKConversion.rgb(invertedCMYK: decoded) : decoded
  }
}
