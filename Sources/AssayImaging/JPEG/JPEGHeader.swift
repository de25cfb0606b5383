import AssayCore

/// Reads a JPEG's segments up to its frame header, without libjpeg.
///
/// Source: ITU-T T.81 (1992), annex B.
enum JPEGHeader {
  static func read(_ bytes: UnsafeRawBufferPointer) throws(ImageError) -> ImageHeader {
    var orientation: Orientation?
    var position = 2
    while true {
      let marker = try nextMarker(bytes, at: &position)
      switch marker {
      case 0x01, 0xD0...0xD8: continue
      case 0xD9: throw .damaged(.jpeg, reason: "it ends without an image")
      case 0xDA: throw .damaged(.jpeg, reason: "its image data comes before its size")
      default: break
      }
      guard bytes.count - position >= 2 else { throw .truncated(.jpeg) }
      let length = bytes.bigEndian16(at: position)
      guard length >= 2 else { throw .damaged(.jpeg, reason: "a segment of \(length) bytes") }
      guard bytes.count - position >= length else { throw .truncated(.jpeg) }
      let segment = UnsafeRawBufferPointer(rebasing: bytes[position + 2..<position + length])
      if isFrame(marker) {
        return try frame(segment, marker: marker, orientation: orientation ?? .up)
      }
      if marker == 0xE1, orientation == nil {
        orientation = ExifOrientation.readSegment(segment)
      }
      position += length
    }
  }

  /// The number of components in the last scan of a file; `nil` without a scan.
  ///
  /// In image data 0xFF is never followed by the marker's code, so the last one is not a thumbnail's.
  static func componentsOfLastScan(_ bytes: UnsafeRawBufferPointer) -> Int? {
    guard bytes.count >= 5 else { return nil }
    for position in stride(from: bytes.count - 5, through: 0, by: -1)
    where bytes[position] == 0xFF && bytes[position + 1] == 0xDA {
      return Int(bytes[position + 4])
    }
    return nil
  }

  /// Returns whether a marker starts a frame (SOF); DHT, JPG and DAC are in the same range.
  private static func isFrame(_ marker: UInt8) -> Bool {
    (0xC0...0xCF).contains(marker) && marker != 0xC4 && marker != 0xC8 && marker != 0xCC
  }

  /// The next marker's code, with `position` after it. Stray bytes before it are skipped, as in
  /// libjpeg.
  private static func nextMarker(
    _ bytes: UnsafeRawBufferPointer, at position: inout Int
  ) throws(ImageError) -> UInt8 {
    while position < bytes.count, bytes[position] != 0xFF { position += 1 }
    while position < bytes.count, bytes[position] == 0xFF { position += 1 }
    guard position < bytes.count else { throw .truncated(.jpeg) }
    position += 1
    return bytes[position - 1]
  }

  private static func frame(
    _ segment: UnsafeRawBufferPointer, marker: UInt8, orientation: Orientation
  ) throws(ImageError) -> ImageHeader {
    guard segment.count >= 6 else { throw .damaged(.jpeg, reason: "a frame header cut short") }
    guard [0xC0, 0xC1, 0xC2, 0xC9, 0xCA].contains(marker) else {
      throw .unsupported(.jpeg, reason: "lossless or hierarchical coding")
    }
    guard segment[0] == 8 else { throw .unsupported(.jpeg, reason: "\(segment[0]) bits per value") }
    let (height, width) = (segment.bigEndian16(at: 1), segment.bigEndian16(at: 3))
    guard width > 0, height > 0 else { throw .noPixels(.jpeg) }
    guard let size = ImageSize.checked(width: width, height: height) else {
      throw .tooLarge(.jpeg, width: width, height: height)
    }
    let channels = Int(segment[5])
    guard [1, 3, 4].contains(channels) else {
      throw .unsupported(.jpeg, reason: "\(channels) channels")
    }
    return ImageHeader(
      kind: .jpeg, size: size, channels: channels, bitDepth: 8, isPalette: false,
      orientation: orientation, isProgressive: marker == 0xC2 || marker == 0xCA, isLossy: true)
  }
}
