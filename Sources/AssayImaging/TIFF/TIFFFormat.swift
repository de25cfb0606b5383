import AssayCore
import CImageCodecs

/// TIFF with one image: gray, palette, RGB, CMYK, in strips or tiles, with each compression that the
/// installed libtiff reads.
enum TIFFFormat: ImageFormat {
  static func isStart(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let starts: [[UInt8]] = [
      [0x49, 0x49, 42, 0], [0x4D, 0x4D, 0, 42], [0x49, 0x49, 43, 0], [0x4D, 0x4D, 0, 43],
    ]
    return starts.contains { bytes.starts(with: $0) }
  }

  static func header(_ bytes: UnsafeRawBufferPointer) throws(ImageError) -> ImageHeader {
    let directory = try TIFFDirectory(bytes)
    guard let size = ImageSize.checked(width: directory.width, height: directory.height) else {
      throw .tooLarge(.tiff, width: directory.width, height: directory.height)
    }
    return ImageHeader(
      kind: .tiff, size: size, channels: min(4, directory.samples), bitDepth: directory.bits,
      isPalette: directory.photometric == .palette, orientation: directory.orientation,
      isLossy: directory.isLossy)
  }

  static func decode(
    _ bytes: UnsafeRawBufferPointer, header: ImageHeader, raw: Bool
  ) throws(ImageError) -> Raster<UInt8> {
    let directory = try TIFFDirectory(bytes)
    let isColored = directory.photometric == .palette && !raw
    let decoded = try pixels(
      bytes, header, channels: isColored ? 3 : directory.colors, raw: raw ? IMAGE_CODECS_RAW : 0)
    guard directory.photometric == .cmyk else { return decoded }
    // 0 is no ink here, and 255 in what the conversion takes.
    var inverted = decoded
    for place in inverted.elements.indices { inverted.elements[place] = ~inverted.elements[place] }
    return CMYKConversion.rgb(invertedCMYK: inverted)
  }

  static func decodeWide(
    _ bytes: UnsafeRawBufferPointer, header: ImageHeader
  ) throws(ImageError) -> Raster<UInt16> {
    try pixels(bytes, header, channels: 2, raw: IMAGE_CODECS_RAW_WIDE).joined(kind: .tiff)
  }

  private static func pixels(
    _ bytes: UnsafeRawBufferPointer, _ header: ImageHeader, channels: Int, raw: Int
  ) throws(ImageError) -> Raster<UInt8> {
    let shape = image_codecs_shape(
      width: UInt32(header.size.width), height: UInt32(header.size.height),
      channels: UInt32(channels))
    return try CodecBuffer.fill(kind: .tiff, shape: shape) { pixels, message in
      image_codecs_tiff_decode(
        bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count, Int32(raw), shape, pixels,
        message)
    }
  }
}
