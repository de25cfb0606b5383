import AssayCore

/// Windows bitmaps: 1, 4 and 8 bits with a palette, also in runs, and 16, 24 and 32 bits of color.
enum BMPFormat: ImageFormat {
  static func isStart(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.count >= 18 && bytes.starts(with: Array("BM".utf8))
      && BMPHeader.sizes.contains(bytes.littleEndian32(at: 14))
  }

  static func header(_ bytes: UnsafeRawBufferPointer) throws(ImageError) -> ImageHeader {
    let header = try BMPHeader(bytes)
    let isColor = header.bits > 8
    return ImageHeader(
      kind: .bmp, size: header.size, channels: isColor ? 3 : 1,
      bitDepth: isColor ? 8 : header.bits, isPalette: !isColor && !header.isGray, orientation: .up)
  }

  static func decode(
    _ bytes: UnsafeRawBufferPointer, header _: ImageHeader, raw: Bool
  ) throws(ImageError) -> Raster<UInt8> {
    let header = try BMPHeader(bytes)
    guard header.bits <= 8 else { return try colors(bytes, header) }
    let indices: Raster<UInt8>
    switch header.storage {
    case .rows: indices = try packed(bytes, header)
    case .runs: indices = try BMPRuns.decode(bytes, header)
    }
    if let index = indices.elements.first(where: { $0 >= header.palette.count }) {
      throw .damaged(
        .bmp, reason: "a pixel of color \(index) in a palette of \(header.palette.count)")
    }
    return raw ? indices : shown(indices, header)
  }

  /// The colors of palette indices: one channel for a gray ramp.
  private static func shown(_ indices: Raster<UInt8>, _ header: BMPHeader) -> Raster<UInt8> {
    let isGray = header.isGray
    let channels = isGray ? 1 : 3
    var shown = Raster<UInt8>(
      repeating: 0, width: indices.width, height: indices.height, channels: channels)
    shown.elements.withUnsafeMutableBufferPointer { target in
      for (place, index) in indices.elements.enumerated() {
        let (red, green, blue) = header.palette[Int(index)]
        target[place * channels] = red
        if !isGray {
          target[place * channels + 1] = green
          target[place * channels + 2] = blue
        }
      }
    }
    return shown
  }

  /// The rows of the file from the highest to the lowest one: the position of each in the file.
  ///
  /// - Throws: ``ImageError/truncated(_:)`` unless all are there; the last one needs no padding.
  private static func rows(
    _ bytes: UnsafeRawBufferPointer, _ header: BMPHeader
  ) throws(ImageError) -> [Int] {
    let height = header.size.height
    let last = (header.size.width * header.bits + 7) / 8
    guard header.start + header.pitch * (height - 1) + last <= bytes.count
    else { throw .truncated(.bmp) }
    return (0..<height).map {
      header.start + header.pitch * (header.isTopDown ? $0 : height - 1 - $0)
    }
  }

  private static func packed(
    _ bytes: UnsafeRawBufferPointer, _ header: BMPHeader
  ) throws(ImageError) -> Raster<UInt8> {
    let (width, bits) = (header.size.width, header.bits)
    let most = UInt8(truncatingIfNeeded: (1 << bits) - 1)
    let starts = try rows(bytes, header)
    var indices = Raster<UInt8>(repeating: 0, width: width, height: header.size.height)
    for (row, start) in starts.enumerated() {
      for column in 0..<width {
        let place = column * bits
        let shift = 8 - bits - place % 8
        indices.elements[row * width + column] = bytes[start + place / 8] >> UInt8(shift) & most
      }
    }
    return indices
  }

  private static func colors(
    _ bytes: UnsafeRawBufferPointer, _ header: BMPHeader
  ) throws(ImageError) -> Raster<UInt8> {
    let width = header.size.width
    let step = header.bits / 8
    let starts = try rows(bytes, header)
    var image = Raster<UInt8>(
      repeating: 0, width: width, height: header.size.height, channels: 3)
    guard case .rows(let masks) = header.storage, !masks.isEmpty else {
      image.elements.withUnsafeMutableBufferPointer { target in
        for (row, start) in starts.enumerated() {
          for column in 0..<width {
            let (from, to) = (start + 3 * column, 3 * (row * width + column))
            target[to] = bytes[from + 2]
            target[to + 1] = bytes[from + 1]
            target[to + 2] = bytes[from]
          }
        }
      }
      return image
    }
    image.elements.withUnsafeMutableBufferPointer { target in
      for (row, start) in starts.enumerated() {
        for column in 0..<width {
          let from = start + step * column
          let pixel = UInt32(
            step == 2 ? bytes.littleEndian16(at: from) : bytes.littleEndian32(at: from))
          for channel in 0..<3 {
            target[3 * (row * width + column) + channel] = value(pixel, masks[channel])
          }
        }
      }
    }
    return image
  }

  /// The bits of a mask in 8: fewer are scaled as PIL does, `v · 255 / most`; of more the upper 8 are kept.
  private static func value(_ pixel: UInt32, _ mask: UInt32) -> UInt8 {
    let count = mask.nonzeroBitCount
    let part = (pixel & mask) >> UInt32(mask.trailingZeroBitCount)
    if count >= 8 { return UInt8(truncatingIfNeeded: part >> UInt32(count - 8)) }
    return UInt8(part * 255 / ((1 << UInt32(count)) - 1))
  }
}
