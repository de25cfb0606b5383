/// The head of an IDX file: the type of its values and the size of each dimension, big-endian.
struct IDXHeader: Hashable, Sendable {
  /// The type's code: 8 is an unsigned byte.
  var type: UInt8
  /// The sizes, slowest dimension first.
  var sizes: [Int]

  /// The maximum length of a head.
  static let longest = 20

  private static let types: [UInt8: String] = [
    0x08: "unsigned bytes", 0x09: "signed bytes", 0x0B: "16-bit integers", 0x0C: "32-bit integers",
    0x0D: "32-bit floats", 0x0E: "64-bit floats",
  ]

  /// Reads a head; `nil` if the bytes are none.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 4, bytes[0] == 0, bytes[1] == 0, Self.types[bytes[2]] != nil,
      (1...4).contains(bytes[3]), bytes.count >= 4 + 4 * Int(bytes[3])
    else { return nil }
    type = bytes[2]
    sizes = (0..<Int(bytes[3])).map { dimension in
      bytes[(4 + 4 * dimension)..<(8 + 4 * dimension)].reduce(0) { $0 << 8 | Int($1) }
    }
  }

  /// The number of bytes of the head.
  var byteCount: Int { 4 + 4 * sizes.count }

  /// The type and sizes in words: `unsigned bytes, 60000×28×28`.
  var words: String {
    "\(Self.types[type] ?? "unknown values"), \(sizes.map(String.init).joined(separator: "×"))"
  }
}
