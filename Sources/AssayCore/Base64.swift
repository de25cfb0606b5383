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
}
