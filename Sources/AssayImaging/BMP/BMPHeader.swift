import AssayCore

/// The headers of a BMP: where its pixels are and how they are stored.
///
/// Source: Microsoft, "Bitmap Storage" and BITMAPINFOHEADER, BITMAPV4HEADER, BITMAPV5HEADER (Win32
/// API reference).
struct BMPHeader {
  /// The ways to store pixels that are read.
  enum Storage {
    /// Rows of whole pixels; `masks` are those of red, green and blue in 16 or 32 bits.
    case rows(masks: [UInt32])
    /// Runs of palette indices of 4 or 8 bits.
    case runs
  }

  /// Sizes of the second header in files: OS/2's, then Windows' versions 1 to 5.
  static let sizes: Set<Int> = [12, 40, 52, 56, 64, 108, 124]

  var size: ImageSize
  /// Bits per pixel: 1, 4, 8, 16, 24 or 32.
  var bits: Int
  var storage: Storage
  /// True if the first row in the file is the highest one.
  var isTopDown: Bool
  /// The position of the pixels in the file.
  var start: Int
  /// Red, green and blue of each palette entry; empty above 8 bits per pixel.
  var palette: [(red: UInt8, green: UInt8, blue: UInt8)]

  /// True if the palette is a ramp from black to white, so that indices are gray values.
  var isGray: Bool {
    let most = (1 << bits) - 1
    return !palette.isEmpty
      && palette.indices.allSatisfy { index in
        let gray = index * 255 / most
        let (red, green, blue) = palette[index]
        return Int(red) == gray && Int(green) == gray && Int(blue) == gray
      }
  }

  /// - Throws: ``ImageError``; ``ImageError/truncated(_:)`` if the headers or the palette are cut.
  init(_ bytes: UnsafeRawBufferPointer) throws(ImageError) {
    guard bytes.count >= 26 else { throw .truncated(.bmp) }
    start = bytes.littleEndian32(at: 10)
    let length = bytes.littleEndian32(at: 14)
    guard bytes.count >= 14 + length else { throw .truncated(.bmp) }
    let isOld = length == 12
    let width = isOld ? bytes.littleEndian16(at: 18) : Self.signed(bytes, at: 18)
    let height = isOld ? bytes.littleEndian16(at: 20) : Self.signed(bytes, at: 22)
    bits = bytes.littleEndian16(at: isOld ? 24 : 28)
    isTopDown = height < 0
    guard width >= 0 else { throw .damaged(.bmp, reason: "a negative width") }
    guard width > 0, height != 0 else { throw .noPixels(.bmp) }
    guard let size = ImageSize.checked(width: width, height: abs(height)) else {
      throw .tooLarge(.bmp, width: width, height: abs(height))
    }
    self.size = size
    let compression = isOld ? 0 : bytes.littleEndian32(at: 30)
    var behind = 14 + length
    switch (compression, bits) {
    case (0, 1), (0, 4), (0, 8), (0, 24): storage = .rows(masks: [])
    case (0, 16): storage = .rows(masks: [0x7C00, 0x03E0, 0x001F])
    case (0, 32): storage = .rows(masks: [0xFF0000, 0xFF00, 0xFF])
    case (1, 8), (2, 4):
      guard !isTopDown else { throw .damaged(.bmp, reason: "runs from the top down") }
      storage = .runs
    case (3, 16), (3, 32), (6, 16), (6, 32):
      // Version 1 has the masks behind the header, the others have them in it.
      if length == 40 { behind += compression == 6 ? 16 : 12 }
      guard bytes.count >= 66 else { throw .truncated(.bmp) }
      let masks = [54, 58, 62].map { UInt32(bytes.littleEndian32(at: $0)) }
      let isWide = bits == 32
      guard masks.allSatisfy({ Self.isRun($0) && (isWide || $0 >> 16 == 0) }) else {
        throw .damaged(
          .bmp, reason: "a color has no bits, or bits that are not beside each other in a pixel")
      }
      storage = .rows(masks: masks)
    case (4, 0), (5, 0): throw .unsupported(.bmp, reason: "a JPEG or PNG inside of it")
    default: throw .unsupported(.bmp, reason: "compression \(compression) of \(bits) bits")
    }
    palette = []
    guard start >= behind else {
      throw .damaged(.bmp, reason: "its pixels begin within its header")
    }
    guard bits <= 8 else { return }
    let step = isOld ? 3 : 4
    let stated = isOld ? 0 : bytes.littleEndian32(at: 46)
    // A full palette may be shorter than it is said to be.
    let count = stated == 0 ? min(1 << bits, (start - behind) / step) : stated
    guard count <= 1 << bits else { throw .damaged(.bmp, reason: "a palette of \(count) colors") }
    guard start >= behind + count * step else {
      throw .damaged(.bmp, reason: "its pixels begin within its palette")
    }
    guard bytes.count >= behind + count * step else { throw .truncated(.bmp) }
    for place in stride(from: behind, to: behind + count * step, by: step) {
      palette.append((bytes[place + 2], bytes[place + 1], bytes[place]))
    }
  }

  /// The bytes of a row in the file, a multiple of 4.
  var pitch: Int { (size.width * bits + 31) / 32 * 4 }

  private static func signed(_ bytes: UnsafeRawBufferPointer, at position: Int) -> Int {
    Int(Int32(truncatingIfNeeded: bytes.littleEndian32(at: position)))
  }

  /// Returns whether the set bits of a mask are one run.
  private static func isRun(_ mask: UInt32) -> Bool {
    guard mask != 0 else { return false }
    let run = mask >> UInt32(mask.trailingZeroBitCount)
    return run & (run &+ 1) == 0
  }
}
