/// A PNG of one channel with 8 bits, written according to the specification: given filters, no
/// compression.
struct PlainPNG {
  let bytes: [UInt8]

  /// - Parameters:
  ///   - filters: the filter of each row; there can be fewer rows than `height`.
  ///   - namedFilters: the filters that the rows state; the same unless specified.
  ///   - chunkSize: the number of bytes of image data per chunk.
  init(
    _ width: Int, _ height: Int, _ pixels: [UInt8], isPalette: Bool = false, filters: [UInt8],
    namedFilters: [UInt8]? = nil, chunkSize: Int = 8192
  ) {
    var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    file += Self.chunk(
      "IHDR", Self.bigEndian(width) + Self.bigEndian(height) + [8, isPalette ? 3 : 0, 0, 0, 0])
    if isPalette { file += Self.chunk("PLTE", (0..<768).map { UInt8($0 / 3) }) }
    var rows: [UInt8] = []
    for (y, filter) in filters.enumerated() {
      rows.append((namedFilters ?? filters)[y])
      for x in 0..<width {
        let left = x > 0 ? Int(pixels[y * width + x - 1]) : 0
        let above = y > 0 ? Int(pixels[(y - 1) * width + x]) : 0
        let corner = x > 0 && y > 0 ? Int(pixels[(y - 1) * width + x - 1]) : 0
        let guess =
          switch filter {
          case 1: left
          case 2: above
          case 3: (left + above) / 2
          case 4: Self.paeth(left, above, corner)
          default: 0
          }
        rows.append(pixels[y * width + x] &- UInt8(truncatingIfNeeded: guess))
      }
    }
    let stream = Self.stored(rows)
    var place = 0
    while place < stream.count {
      let end = min(place + chunkSize, stream.count)
      file += Self.chunk("IDAT", Array(stream[place..<end]))
      place = end
    }
    bytes = file + Self.chunk("IEND", [])
  }

  private static func paeth(_ left: Int, _ above: Int, _ corner: Int) -> Int {
    let guess = left + above - corner
    let distances = (abs(guess - left), abs(guess - above), abs(guess - corner))
    if distances.0 <= distances.1, distances.0 <= distances.2 { return left }
    return distances.1 <= distances.2 ? above : corner
  }

  private static func bigEndian(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
  }

  private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + content
    return bigEndian(content.count) + body + bigEndian(Int(crc(body)))
  }

  private static func crc(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in
        sum >> 1 ^ (sum & 1 == 1 ? 0xEDB8_8320 : 0)
      }
    }
  }

  /// A zlib stream of uncompressed blocks.
  private static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    var (place, a, b) = (0, UInt32(1), UInt32(0))
    repeat {
      let end = min(place + 65_535, bytes.count)
      let length = UInt16(end - place)
      stream.append(end == bytes.count ? 1 : 0)
      for value in [length, ~length] {
        stream += [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
      }
      stream += bytes[place..<end]
      place = end
    } while place < bytes.count
    for byte in bytes {
      a = (a + UInt32(byte)) % 65_521
      b = (b + a) % 65_521
    }
    return stream + bigEndian(Int(b << 16 | a))
  }
}
