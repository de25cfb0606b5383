import AssayCore

/// The alpha channel of a PNG of 8 bits without interlacing, which decoders for images drop.
///
/// Source: PNG (Portable Network Graphics) Specification, Third Edition, W3C.
enum PNGAlpha {
  /// A raster of 1 where alpha is above 0; `nil` for PNGs of other forms and damaged ones.
  ///
  /// - Parameters:
  ///   - size: the size in the header, within ``ImageSize/pixelLimit``.
  ///   - channels: 2 or 4, as in the header.
  static func raster(_ png: [UInt8], size: ImageSize, channels: Int) -> Raster<UInt8>? {
    guard png.count > 33, png[24] == 8, png[28] == 0, channels == 2 || channels == 4 else {
      return nil
    }
    var packed: [UInt8] = []
    var place = 8
    while place + 12 <= png.count {
      let length = png[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
      let start = place + 8
      guard length <= png.count - start - 4 else { return nil }
      if png[place + 4..<start].elementsEqual("IDAT".utf8) { packed += png[start..<start + length] }
      place = start + length + 4
    }
    let row = size.width * channels
    guard var bytes = ZlibBytes.inflate(packed, limit: (row + 1) * size.height),
      bytes.count == (row + 1) * size.height
    else { return nil }
    var raster = Raster<UInt8>(repeating: 0, width: size.width, height: size.height)
    for y in 0..<size.height {
      let start = y * (row + 1) + 1
      let filter = bytes[start - 1]
      for x in 0..<row {
        let left = x < channels ? 0 : Int(bytes[start + x - channels])
        let up = y == 0 ? 0 : Int(bytes[start + x - row - 1])
        let corner = y == 0 || x < channels ? 0 : Int(bytes[start + x - row - 1 - channels])
        let guess: Int
        switch filter {
        case 0: guess = 0
        case 1: guess = left
        case 2: guess = up
        case 3: guess = (left + up) / 2
        case 4: guess = paeth(left, up, corner)
        default: return nil
        }
        bytes[start + x] &+= UInt8(truncatingIfNeeded: guess)
      }
      for x in 0..<size.width where bytes[start + x * channels + channels - 1] > 0 {
        raster.elements[y * size.width + x] = 1
      }
    }
    return raster
  }

  private static func paeth(_ left: Int, _ up: Int, _ corner: Int) -> Int {
    let guess = left + up - corner
    let (a, b, c) = (abs(guess - left), abs(guess - up), abs(guess - corner))
    return a <= b && a <= c ? left : b <= c ? up : corner
  }
}
