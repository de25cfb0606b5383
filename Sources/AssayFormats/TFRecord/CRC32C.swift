/// CRC-32C (Castagnoli) as TensorFlow's record files use it.
///
/// Sources: RFC 3720, section 12.1; TensorFlow's documentation of TFRecord (the masking).
enum CRC32C {
  /// Eight tables of 256 values: the checksums of a byte followed by 0 to 7 zero bytes.
  private static let tables: [UInt32] = {
    var tables = [UInt32](repeating: 0, count: 8 * 256)
    for byte in 0..<256 {
      var value = UInt32(byte)
      for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0x82F6_3B78 : value >> 1 }
      tables[byte] = value
    }
    for place in 256..<8 * 256 {
      let before = tables[place - 256]
      tables[place] = before >> 8 ^ tables[Int(before & 0xFF)]
    }
    return tables
  }()

  /// The checksum of some bytes.
  static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    var value = ~UInt32(0)
    tables.withUnsafeBufferPointer { tables in
      var place = 0
      while place + 8 <= bytes.count {
        let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self).littleEndian
        let low = UInt32(truncatingIfNeeded: word) ^ value
        let high = UInt32(truncatingIfNeeded: word >> 32)
        value =
          tables[0x700 | Int(low & 0xFF)] ^ tables[0x600 | Int(low >> 8 & 0xFF)]
          ^ tables[0x500 | Int(low >> 16 & 0xFF)] ^ tables[0x400 | Int(low >> 24)]
          ^ tables[0x300 | Int(high & 0xFF)] ^ tables[0x200 | Int(high >> 8 & 0xFF)]
          ^ tables[0x100 | Int(high >> 16 & 0xFF)] ^ tables[Int(high >> 24)]
        place += 8
      }
      while place < bytes.count {
        value = value >> 8 ^ tables[Int(UInt8(truncatingIfNeeded: value) ^ bytes[place])]
        place += 1
      }
    }
    return ~value
  }

  /// The checksum as a record file stores it.
  static func masked(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    let value = checksum(bytes)
    return (value >> 15 | value << 17) &+ 0xA282_EAD8
  }
}
