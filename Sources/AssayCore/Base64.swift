/// Bytes as text in the 64 letters of RFC 4648, section 4, padded with `=`.
package enum Base64 {
  /// Four letters per three bytes, with a partial group padded.
  ///
  /// - Complexity: O(*n*).
  package static func text(of bytes: [UInt8]) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    let whole = bytes.count / 3
    return String(unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4) { text in
      bytes.withUnsafeBufferPointer { bytes in
        letters.withUnsafeBufferPointer { letters in
          for group in 0..<whole {
            let three =
              Int(bytes[3 * group]) << 16 | Int(bytes[3 * group + 1]) << 8
              | Int(bytes[3 * group + 2])
            text[4 * group] = letters[three >> 18]
            text[4 * group + 1] = letters[three >> 12 & 63]
            text[4 * group + 2] = letters[three >> 6 & 63]
            text[4 * group + 3] = letters[three & 63]
          }
          let rest = bytes.count - 3 * whole
          guard rest > 0 else { return 4 * whole }
          let last = Int(bytes[3 * whole]) << 16 | (rest == 2 ? Int(bytes[3 * whole + 1]) << 8 : 0)
          text[4 * whole] = letters[last >> 18]
          text[4 * whole + 1] = letters[last >> 12 & 63]
          text[4 * whole + 2] = rest == 2 ? letters[last >> 6 & 63] : UInt8(ascii: "=")
          text[4 * whole + 3] = UInt8(ascii: "=")
          return 4 * whole + 4
        }
      }
    }
  }

  /// The bytes of a text; line ends are passed over, and the padding may be missing. `nil` if
  /// another letter is in it, or the last group has a single letter.
  ///
  /// - Complexity: O(*n*).
  package static func bytes(of text: [UInt8]) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3 + 3)
    var (group, count, padding) = (0, 0, 0)
    for letter in text {
      let value: Int
      switch letter {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = Int(letter) - 65
      case UInt8(ascii: "a")...UInt8(ascii: "z"): value = Int(letter) - 71
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = Int(letter) + 4
      case UInt8(ascii: "+"): value = 62
      case UInt8(ascii: "/"): value = 63
      case UInt8(ascii: "="):
        padding += 1
        continue
      case 0x0A, 0x0D: continue
      default: return nil
      }
      guard padding == 0 else { return nil }
      group = group << 6 | value
      count += 1
      if count == 4 {
        bytes.append(UInt8(truncatingIfNeeded: group >> 16))
        bytes.append(UInt8(truncatingIfNeeded: group >> 8))
        bytes.append(UInt8(truncatingIfNeeded: group))
        (group, count) = (0, 0)
      }
    }
    switch count {
    case 0: break
    case 2: bytes.append(UInt8(truncatingIfNeeded: group >> 4))
    case 3:
      bytes.append(UInt8(truncatingIfNeeded: group >> 10))
      bytes.append(UInt8(truncatingIfNeeded: group >> 2))
    default: return nil
    }
    return bytes
  }
}
