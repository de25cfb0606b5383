import AssayCore

/// Reads a PNG's chunks up to its image data, without libpng.
///
/// Source: PNG specification, third edition (W3C 2025), 5 and 11.
enum PNGHeader {
  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  static func read(_ bytes: UnsafeRawBufferPointer) throws(ImageError) -> ImageHeader {
    // Signature, then length, name, 13 bytes and checksum of the first chunk.
    guard bytes.count >= 33 else { throw .truncated(.png) }
    guard bytes.bigEndian32(at: 8) == 13, name(bytes, at: 12) == "IHDR" else {
      throw .damaged(.png, reason: "its first chunk is not IHDR")
    }
    let (width, height) = (bytes.bigEndian32(at: 16), bytes.bigEndian32(at: 20))
    guard width > 0, height > 0 else { throw .noPixels(.png) }
    guard let size = ImageSize.checked(width: width, height: height) else {
      throw .tooLarge(.png, width: width, height: height)
    }
    let (depth, color) = (Int(bytes[24]), bytes[25])
    guard let channels = channels(color: color, depth: depth) else {
      throw .damaged(.png, reason: "no color type \(color) of \(depth) bits exists")
    }
    return ImageHeader(
      kind: .png, size: size, channels: channels, bitDepth: depth, isPalette: color == 3,
      orientation: try orientation(bytes))
  }

  /// Values per pixel; `nil` for a combination that the specification does not define (table 11.1).
  private static func channels(color: UInt8, depth: Int) -> Int? {
    switch (color, depth) {
    case (0, 1), (0, 2), (0, 4), (0, 8), (0, 16): 1
    case (3, 1), (3, 2), (3, 4), (3, 8): 1
    case (2, 8), (2, 16): 3
    case (4, 8), (4, 16): 2
    case (6, 8), (6, 16): 4
    default: nil
    }
  }

  /// Walks the chunks before the image data for an eXIf one.
  private static func orientation(_ bytes: UnsafeRawBufferPointer) throws(ImageError) -> Orientation
  {
    var orientation = Orientation.up
    var position = 33
    while true {
      guard bytes.count - position >= 8 else { throw .truncated(.png) }
      let length = bytes.bigEndian32(at: position)
      let chunk = name(bytes, at: position + 4)
      if chunk == "IDAT" { return orientation }
      guard length <= Int(Int32.max) else {
        throw .damaged(.png, reason: "a chunk of \(length) bytes")
      }
      guard bytes.count - position >= 12 + length else { throw .truncated(.png) }
      if chunk == "eXIf" {
        let start = position + 8
        orientation =
          ExifOrientation.read(UnsafeRawBufferPointer(rebasing: bytes[start..<start + length]))
          ?? .up
      }
      position += 12 + length
    }
  }

  /// Returns whether a PNG has the chunk IEND, which ends the file.
  static func hasEnd(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var position = signature.count
    while bytes.count - position >= 12 {
      if name(bytes, at: position + 4) == "IEND" { return true }
      let length = bytes.bigEndian32(at: position)
      guard length <= bytes.count - position - 12 else { return false }
      position += 12 + length
    }
    return false
  }

  private static func name(_ bytes: UnsafeRawBufferPointer, at position: Int) -> String {
    String(decoding: bytes[position..<position + 4], as: UTF8.self)
  }
}
