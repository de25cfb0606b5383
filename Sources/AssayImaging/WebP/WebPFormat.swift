import AssayCore
import CImageCodecs

/// WebP with one image, lossy or lossless.
enum WebPFormat: ImageFormat {
  static func isStart(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.count >= 12 && bytes.starts(with: Array("RIFF".utf8))
      && bytes[8..<12].elementsEqual(Array("WEBP".utf8))
  }

  static func header(_ bytes: UnsafeRawBufferPointer) throws(ImageError) -> ImageHeader {
    try WebPHeader.read(bytes)
  }

  static func decode(
    _ bytes: UnsafeRawBufferPointer, header: ImageHeader, raw: Bool
  ) throws(ImageError) -> Raster<UInt8> {
    guard WebPHeader.end(bytes) <= bytes.count else { throw .truncated(.webp) }
    let shape = image_codecs_shape(
      width: UInt32(header.size.width), height: UInt32(header.size.height), channels: 3)
    return try CodecBuffer.fill(kind: .webp, shape: shape) { pixels, message in
      image_codecs_webp_decode(
        bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count, shape, pixels, message)
    }
  }
}
