import AssayCore

/// Netpbm's images: bitmaps (P1, P4), gray (P2, P5) and color (P3, P6), as text and as bytes.
///
/// A value of `v` with a maximum of `m` is shown as `v / m · 255`, rounded as PIL does, halves to even; of a maximum above 255 that
/// is 65,535 the upper 8 bits are kept, as of a PNG. In bitmaps 1 is black.
///
/// Source: netpbm, pbm(5), pgm(5), ppm(5).
enum PNMFormat: ImageFormat {
  static func isStart(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.count >= 4 && bytes[0] == UInt8(ascii: "P") && (0x31...0x36).contains(bytes[1])
      && isSpace(bytes[2])
      && (isSpace(bytes[3]) || bytes[3] == UInt8(ascii: "#") || isDigit(bytes[3]))
  }

  static func header(_ bytes: UnsafeRawBufferPointer) throws(ImageError) -> ImageHeader {
    let head = try Head(bytes)
    return ImageHeader(
      kind: .pnm, size: head.size, channels: head.channels,
      bitDepth: head.isBitmap ? 1 : head.most > 255 ? 16 : 8, isPalette: false, orientation: .up)
  }

  static func decode(
    _ bytes: UnsafeRawBufferPointer, header: ImageHeader, raw: Bool
  ) throws(ImageError) -> Raster<UInt8> {
    let head = try Head(bytes)
    try head.checkLength(bytes)
    var image = Raster<UInt8>(
      repeating: 0, width: head.size.width, height: head.size.height, channels: head.channels)
    if let plain = try head.plainValues(bytes) {
      image.elements = Array(plain)
      return image
    }
    let most = head.most
    let isKept = raw && most < 256
    try head.forEachValue(bytes) { place, value in
      image.elements[place] = UInt8(
        truncatingIfNeeded: isKept
          ? value
          : most == 65_535 ? value >> 8 : most == 255 ? value : shown(value, most))
    }
    return image
  }

  static func decodeWide(
    _ bytes: UnsafeRawBufferPointer, header: ImageHeader
  ) throws(ImageError) -> Raster<UInt16> {
    let head = try Head(bytes)
    try head.checkLength(bytes)
    var image = Raster<UInt16>(repeating: 0, width: head.size.width, height: head.size.height)
    try head.forEachValue(bytes) { place, value in
      image.elements[place] = UInt16(truncatingIfNeeded: value)
    }
    return image
  }

  private static func shown(_ value: Int, _ most: Int) -> Int {
    Int((Double(value) / Double(most) * 255).rounded(.toNearestOrEven))
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// The head of a file: all before the values.
  private struct Head {
    let size: ImageSize
    let channels: Int
    /// True if a value is a bit.
    let isBitmap: Bool
    /// True if the values are written as decimal numbers.
    let isText: Bool
    /// The largest value, in `1...65535`.
    let most: Int
    /// The position of the first value.
    let start: Int

    init(_ bytes: UnsafeRawBufferPointer) throws(ImageError) {
      guard bytes.count >= 3 else { throw .truncated(.pnm) }
      let number = Int(bytes[1]) - 0x30
      isText = number <= 3
      isBitmap = number == 1 || number == 4
      channels = number == 3 || number == 6 ? 3 : 1
      var position = 2
      let width = try Self.number(bytes, at: &position)
      let height = try Self.number(bytes, at: &position)
      guard width > 0, height > 0 else { throw .noPixels(.pnm) }
      guard let size = ImageSize.checked(width: width, height: height) else {
        throw .tooLarge(.pnm, width: width, height: height)
      }
      self.size = size
      most = isBitmap ? 1 : try Self.number(bytes, at: &position)
      guard (1...65_535).contains(most) else {
        throw .damaged(.pnm, reason: "a maximum of \(most)")
      }
      // Exactly one space ends the head of values that are bytes.
      guard isSpace(bytes[position]) else {
        throw .damaged(.pnm, reason: "its head does not end with a space")
      }
      start = position + 1
    }

    /// The bytes of the values of one image, if they are written as bytes.
    private var rasterBytes: Int {
      isBitmap
        ? (size.width + 7) / 8 * size.height : size.area * channels * (most > 255 ? 2 : 1)
    }

    /// Checks that the file is as long as its size asks for, before memory is taken for it.
    ///
    /// - Throws: ``ImageError/truncated(_:)``; ``ImageError/damaged(_:reason:)`` for a file whose line ends were
    ///   changed.
    func checkLength(_ bytes: UnsafeRawBufferPointer) throws(ImageError) {
      // A value takes at least a digit and, but for bits, a space.
      let least = isText ? size.area * channels * (isBitmap ? 1 : 2) - 1 : rasterBytes
      guard bytes.count - start >= least else { throw .truncated(.pnm) }
      let isWindows =
        !isText && start < bytes.count && bytes[start - 1] == 0x0D && bytes[start] == 0x0A
      guard !isWindows || bytes.count - start != rasterBytes + 1 else {
        throw .damaged(
          .pnm, reason: "its head has line ends of Windows, as if it was copied as a text")
      }
    }

    /// The next decimal number; spaces and comments before it are skipped. `position` is after its last
    /// digit, where `endsFile` says whether the file may end.
    private static func number(
      _ bytes: UnsafeRawBufferPointer, at position: inout Int, endsFile: Bool = false
    ) throws(ImageError) -> Int {
      while position < bytes.count, !isDigit(bytes[position]) {
        if bytes[position] == UInt8(ascii: "#") {
          while position < bytes.count, bytes[position] != 0x0A, bytes[position] != 0x0D {
            position += 1
          }
        } else if !isSpace(bytes[position]) {
          throw .damaged(.pnm, reason: "a character between its numbers that is no space")
        }
        if position < bytes.count { position += 1 }
      }
      var number = 0
      let first = position
      while position < bytes.count, isDigit(bytes[position]) {
        guard number < 100_000_000 else { throw .damaged(.pnm, reason: "a number is too large") }
        number = number * 10 + Int(bytes[position]) - 0x30
        position += 1
      }
      guard position > first, endsFile || position < bytes.count else { throw .truncated(.pnm) }
      return number
    }

    /// Calls `body` with the place and the value of each sample, row by row; 1 is white in a bitmap.
    ///
    /// - Throws: ``ImageError/truncated(_:)`` if values are missing, ``ImageError/damaged(_:reason:)`` for
    ///   one above the maximum, and ``ImageError/unsupported(_:reason:)`` for a second image behind the first.
    func forEachValue(
      _ bytes: UnsafeRawBufferPointer, _ body: (Int, Int) -> Void
    ) throws(ImageError) {
      let count = size.area * channels
      var position = start
      func check(_ value: Int) throws(ImageError) {
        guard value <= most else {
          throw .damaged(.pnm, reason: "a value of \(value) above its maximum of \(most)")
        }
      }
      if isText {
        for place in 0..<count {
          let value: Int
          if isBitmap {
            Self.skip(bytes, &position)
            guard position < bytes.count else { throw .truncated(.pnm) }
            value = Int(bytes[position]) - 0x30
            guard value == 0 || value == 1 else {
              throw .damaged(.pnm, reason: "a bit is neither 0 nor 1")
            }
            position += 1
          } else {
            value = try Self.number(bytes, at: &position, endsFile: true)
            try check(value)
          }
          body(place, isBitmap ? 1 - value : value)
        }
        return try checkEnd(bytes, position)
      }
      if isBitmap {
        let pitch = (size.width + 7) / 8
        for row in 0..<size.height {
          for column in 0..<size.width {
            let byte = bytes[position + row * pitch + column / 8]
            body(row * size.width + column, 1 - Int(byte >> UInt8(7 - column % 8) & 1))
          }
        }
        position += pitch * size.height
      } else {
        let step = most > 255 ? 2 : 1
        for place in 0..<count {
          let value =
            step == 2 ? bytes.bigEndian16(at: position + 2 * place) : Int(bytes[position + place])
          try check(value)
          body(place, value)
        }
        position += count * step
      }
      try checkEnd(bytes, position)
    }

    /// The bytes of the values that are the image's as they are: those of one byte with a maximum of 255; `nil` for
    /// others. The file is long enough.
    ///
    /// - Throws: ``ImageError/unsupported(_:reason:)`` for another image behind the values.
    func plainValues(
      _ bytes: UnsafeRawBufferPointer
    ) throws(ImageError) -> UnsafeRawBufferPointer? {
      guard !isText, !isBitmap, most == 255 else { return nil }
      let end = start + size.area * channels
      try checkEnd(bytes, end)
      return UnsafeRawBufferPointer(rebasing: bytes[start..<end])
    }

    /// - Throws: ``ImageError/unsupported(_:reason:)`` for another image behind the values.
    private func checkEnd(
      _ bytes: UnsafeRawBufferPointer, _ end: Int
    ) throws(ImageError) {
      var position = end
      while position < bytes.count, isSpace(bytes[position]) { position += 1 }
      guard !isStart(UnsafeRawBufferPointer(rebasing: bytes[position...])) else {
        throw .unsupported(.pnm, reason: "several images in one file")
      }
    }

    /// Moves a position behind spaces and comments.
    private static func skip(_ bytes: UnsafeRawBufferPointer, _ position: inout Int) {
      while position < bytes.count {
        if bytes[position] == UInt8(ascii: "#") {
          while position < bytes.count, bytes[position] != 0x0A, bytes[position] != 0x0D {
            position += 1
          }
        } else if !isSpace(bytes[position]) {
          return
        }
        if position < bytes.count { position += 1 }
      }
    }
  }
}
