import AssayCore

/// Reads a WebP's chunks up to what is known before decoding, without libwebp.
///
/// Source: RFC 9649 (WebP Image Format), 2 and 3; RFC 6386 (VP8), 9.1.
enum WebPHeader {
  static func read(_ bytes: UnsafeRawBufferPointer) throws(ImageError) -> ImageHeader {
    guard bytes.count >= 20 else { throw .truncated(.webp) }
    // The size of the file without its first 8 bytes.
    let end = 8 + bytes.littleEndian32(at: 4)
    guard name(bytes, at: 12) == "VP8X" else {
      guard let stream = try Stream(bytes, at: 12) else {
        throw .damaged(.webp, reason: "its first chunk is none of an image")
      }
      return try header(stream, orientation: .up)
    }
    guard bytes.count >= 30 else { throw .truncated(.webp) }
    let flags = bytes[20]
    guard flags & 0x02 == 0 else { throw .unsupported(.webp, reason: "an animation") }
    let (hasEXIF, hasAlpha) = (flags & 0x08 != 0, flags & 0x10 != 0)
    var stream: Stream?
    var orientation: Orientation?
    var position = 12
    while position < end {
      guard bytes.count - position >= 8 else { throw .truncated(.webp) }
      let length = bytes.littleEndian32(at: position + 4)
      if stream == nil { stream = try Stream(bytes, at: position) }
      if let stream, !hasEXIF || orientation != nil {
        return try header(stream, hasAlpha: hasAlpha, orientation: orientation ?? .up)
      }
      if name(bytes, at: position) == "EXIF" {
        guard bytes.count - position - 8 >= length else { throw .truncated(.webp) }
        let content = UnsafeRawBufferPointer(rebasing: bytes[position + 8..<position + 8 + length])
        // Some programs put JPEG's name of the segment before it.
        orientation = ExifOrientation.readSegment(content) ?? ExifOrientation.read(content) ?? .up
        if let stream, let orientation {
          return try header(stream, hasAlpha: hasAlpha, orientation: orientation)
        }
      }
      position += 8 + length + length % 2
    }
    guard let stream else { throw .damaged(.webp, reason: "it has no image") }
    return try header(stream, hasAlpha: hasAlpha, orientation: .up)
  }

  /// The position behind the last chunk that the file's size admits.
  static func end(_ bytes: UnsafeRawBufferPointer) -> Int { 8 + bytes.littleEndian32(at: 4) }

  private static func header(
    _ stream: Stream, hasAlpha: Bool = false, orientation: Orientation
  ) throws(ImageError) -> ImageHeader {
    guard stream.width > 0, stream.height > 0 else { throw .noPixels(.webp) }
    guard let size = ImageSize.checked(width: stream.width, height: stream.height) else {
      throw .tooLarge(.webp, width: stream.width, height: stream.height)
    }
    return ImageHeader(
      kind: .webp, size: size, channels: stream.hasAlpha || hasAlpha ? 4 : 3, bitDepth: 8,
      isPalette: false, orientation: orientation,
      isLossy: stream.isLossy)
  }

  private static func name(_ bytes: UnsafeRawBufferPointer, at position: Int) -> String {
    String(decoding: bytes[position..<position + 4], as: UTF8.self)
  }

  /// The image's own chunk.
  private struct Stream {
    let width: Int
    let height: Int
    let isLossy: Bool
    let hasAlpha: Bool

    /// - Returns: `nil` for other chunks.
    init?(_ bytes: UnsafeRawBufferPointer, at position: Int) throws(ImageError) {
      switch name(bytes, at: position) {
      case "VP8 ":
        guard bytes.count - position >= 18 else { throw .truncated(.webp) }
        guard bytes[position + 11] == 0x9D, bytes[position + 12] == 0x01,
          bytes[position + 13] == 0x2A
        else { throw .damaged(.webp, reason: "its first frame is no key frame") }
        width = bytes.littleEndian16(at: position + 14) & 0x3FFF
        height = bytes.littleEndian16(at: position + 16) & 0x3FFF
        (isLossy, hasAlpha) = (true, false)
      case "VP8L":
        guard bytes.count - position >= 13 else { throw .truncated(.webp) }
        guard bytes[position + 8] == 0x2F else {
          throw .damaged(.webp, reason: "its lossless image has no signature")
        }
        let both = bytes.littleEndian32(at: position + 9)
        width = both & 0x3FFF + 1
        height = both >> 14 & 0x3FFF + 1
        (isLossy, hasAlpha) = (false, both >> 28 & 1 == 1)
      default: return nil
      }
    }
  }
}
