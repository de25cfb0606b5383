import AssayCore

/// A binary PPM image (`P6`) of 8 bits per channel, as LFW's part labels are.
enum PortablePixmap {
  private static let magic = Array("P6".utf8)

  /// Returns whether bytes begin like such an image.
  static func isStart(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: magic) && bytes.count > 2 && isBlank(bytes[2])
  }

  /// The pixels, red, green and blue; `nil` if the file is damaged, has another maximum than 255, or is
  /// cut. Source: Netpbm's ppm(5).
  static func decode(_ bytes: [UInt8]) -> Raster<UInt8>? {
    guard isStart(bytes) else { return nil }
    var place = magic.count
    /// The next number of the head; comments run from `#` to the end of the line.
    func number() -> Int? {
      while place < bytes.count, isBlank(bytes[place]) || bytes[place] == UInt8(ascii: "#") {
        if bytes[place] == UInt8(ascii: "#") {
          while place < bytes.count, bytes[place] != 0x0A { place += 1 }
        } else {
          place += 1
        }
      }
      var value = 0
      let start = place
      while place < bytes.count, (0x30...0x39).contains(bytes[place]), place - start < 7 {
        value = value * 10 + Int(bytes[place] - 0x30)
        place += 1
      }
      return place > start ? value : nil
    }
    guard let width = number(), let height = number(),
      let size = ImageSize.checked(width: width, height: height), number() == 255,
      place < bytes.count, isBlank(bytes[place]), bytes.count - place - 1 >= 3 * size.area
    else { return nil }
    return Raster(
      width: width, height: height, channels: 3,
      elements: Array(bytes[place + 1..<place + 1 + 3 * size.area]))
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    [0x20, 0x09, 0x0A, 0x0B, 0x0C, 0x0D].contains(byte)
  }
}
