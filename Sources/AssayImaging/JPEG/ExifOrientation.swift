/// Finds the orientation in EXIF's TIFF structure.
///
/// Anything out of bounds or out of range counts as absent: a wrong tag must not make the image
/// unreadable.
/// Source: CIPA DC-008 (Exif 2.32), 4.5 and 4.6.4.A.
enum ExifOrientation {
  /// The orientation in a JPEG's APP1 segment, without marker and length; `nil` if it is not EXIF
  /// or has no orientation.
  static func readSegment(_ segment: UnsafeRawBufferPointer) -> Orientation? {
    guard segment.starts(with: Array("Exif\0\0".utf8)) else { return nil }
    return read(UnsafeRawBufferPointer(rebasing: segment[6...]))
  }

  /// The orientation in a TIFF structure (a PNG's eXIf chunk, an APP1 segment after its name).
  static func read(_ tiff: UnsafeRawBufferPointer) -> Orientation? {
    guard tiff.count >= 8 else { return nil }
    let isBigEndian: Bool
    switch (tiff[0], tiff[1]) {
    case (0x4D, 0x4D): isBigEndian = true
    case (0x49, 0x49): isBigEndian = false
    default: return nil
    }
    func integer16(at position: Int) -> Int? {
      guard position >= 0, position <= tiff.count - 2 else { return nil }
      let (first, second) = (Int(tiff[position]), Int(tiff[position + 1]))
      return isBigEndian ? first << 8 | second : second << 8 | first
    }
    func integer32(at position: Int) -> Int? {
      guard let first = integer16(at: position), let second = integer16(at: position + 2) else {
        return nil
      }
      return isBigEndian ? first << 16 | second : second << 16 | first
    }
    guard integer16(at: 2) == 42, let directory = integer32(at: 4),
      let entries = integer16(at: directory)
    else { return nil }
    for entry in 0..<entries {
      let place = directory + 2 + entry * 12
      guard let tag = integer16(at: place) else { return nil }
      if tag == 0x0112 {
        // Type 3 (16 bits), one value, which is then in the entry itself.
        guard integer16(at: place + 2) == 3, integer32(at: place + 4) == 1 else { return nil }
        return integer16(at: place + 8).flatMap(Orientation.init(rawValue:))
      }
    }
    return nil
  }
}
