import AssayCore

/// Decodes BMP's runs of palette indices (RLE8 and RLE4). Pixels that they skip have index 0, as in PIL.
///
/// Source: Microsoft, "Bitmap Compression" (Win32 API reference).
enum BMPRuns {
  /// - Throws: ``ImageError/truncated(_:)`` if the file ends before the marker of the image's end, and
  ///   ``ImageError/damaged(_:reason:)`` for pixels outside of the image.
  static func decode(
    _ bytes: UnsafeRawBufferPointer, _ header: BMPHeader
  ) throws(ImageError) -> Raster<UInt8> {
    let (width, height) = (header.size.width, header.size.height)
    var indices = Raster<UInt8>(repeating: 0, width: width, height: height)
    // The lowest row comes first.
    var (column, line, position) = (0, 0, header.start)
    func next() throws(ImageError) -> Int {
      guard position < bytes.count else { throw .truncated(.bmp) }
      position += 1
      return Int(bytes[position - 1])
    }
    // ImageMagick pads rows to multiples of four pixels.
    let padded = (width + 3) / 4 * 4
    func put(_ index: Int) throws(ImageError) {
      guard column < padded, line < height else {
        throw .damaged(.bmp, reason: "a run leaves the image")
      }
      if column < width { indices.elements[(height - 1 - line) * width + column] = UInt8(index) }
      column += 1
    }
    /// The index of a pixel in a run: 4 bits alternate between the halves of the byte.
    func part(_ byte: Int, _ place: Int) -> Int {
      header.bits == 8 ? byte : place.isMultiple(of: 2) ? byte >> 4 : byte & 15
    }
    while true {
      let (count, value) = (try next(), try next())
      if count > 0 {
        for place in 0..<count { try put(part(value, place)) }
        continue
      }
      switch value {
      case 0: (column, line) = (0, line + 1)
      case 1: return indices
      case 2:
        column += try next()
        line += try next()
      default:
        var byte = 0
        let isWide = header.bits == 8
        for place in 0..<value {
          if isWide || place.isMultiple(of: 2) { byte = try next() }
          try put(part(byte, place))
        }
        // Literal pixels fill whole pairs of bytes.
        if !(isWide ? value : (value + 1) / 2).isMultiple(of: 2) { _ = try next() }
      }
    }
  }
}
