import AssayCore

/// Label Studio's run lengths of brush masks: bits from the highest of each byte on.
///
/// 32 bits: the number of values; 5: the bits of a value less 1; four times 4: the bits of a count
/// less 1. Then blocks: one bit, 2 bits for one of the four sizes, a count less 1, and either one
/// value that is repeated, or as many values. The values are red, green, blue and alpha of each
/// pixel, row by row; a pixel is set if its alpha is not 0.
///
/// Source: the format of `rle-pack` of thi.ng/umbrella, as `decode_rle` of label-studio-converter
/// reads it.
enum LabelStudioRLE {
  enum Problem: Error, Hashable {
    /// The number of values is not four per pixel.
    case count(Int, expected: Int)
    /// The data end before the last value.
    case short
  }

  /// The mask of an image.
  static func mask(_ bytes: [UInt8], size: ImageSize) throws(Problem) -> Mask {
    var bits = Bits(bytes: bytes)
    let count = try bits.read(32)
    guard count == 4 * size.area else { throw .count(count, expected: 4 * size.area) }
    let wordBits = try bits.read(5) + 1
    var sizes: [Int] = []
    for _ in 0..<4 { sizes.append(try bits.read(4) + 1) }
    var alpha = Raster<UInt8>(repeating: 0, width: size.width, height: size.height)
    var place = 0
    while place < count {
      let repeats = try bits.read(1) == 1
      let length = try bits.read(sizes[try bits.read(2)]) + 1
      let end = min(count, place + length)
      if repeats {
        let value = try bits.read(wordBits)
        // The reference keeps the lowest 8 bits of a value.
        if value & 0xFF != 0 {
          for pixel in place / 4..<(end / 4) {
            alpha.elements[pixel] = 1
          }
        }
        place = end
      } else {
        while place < end {
          let value = try bits.read(wordBits)
          if place & 3 == 3 { alpha.elements[place >> 2] = value & 0xFF == 0 ? 0 : 1 }
          place += 1
        }
      }
    }
    return Mask(alpha)
  }

  private struct Bits {
    let bytes: [UInt8]
    var place = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func read(_ count: Int) throws(Problem) -> Int {
      guard place + count <= 8 * bytes.count else { throw .short }
      var value = 0
      var left = count
      while left > 0 {
        let free = 8 - (place & 7)
        let taken = min(free, left)
        let byte = Int(bytes[place >> 3])
        value = value << taken | (byte >> (free - taken)) & ((1 << taken) - 1)
        place += taken
        left -= taken
      }
      return value
    }
  }
}
