/// Percent escapes of addresses (RFC 3986).
package enum PercentEncoding {
  /// A text with everything but letters, digits and `-._~` escaped, as signatures of S3 want it.
  package static func encoded(_ text: some StringProtocol) -> String {
    var bytes: [UInt8] = []
    let digits = Array("0123456789ABCDEF".utf8)
    for byte in text.utf8 {
      if byte.isLetterOrDigit || "-._~".utf8.contains(byte) {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A path whose names are escaped, not its slashes.
  package static func encodedPath(_ path: String) -> String {
    path.split(separator: "/", omittingEmptySubsequences: false).map { encoded($0) }
      .joined(separator: "/")
  }

  /// A text with its escapes resolved; `nil` if one is incomplete, or the result is not UTF-8.
  package static func decoded(_ text: some StringProtocol) -> String? {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2, rest.prefix(2).allSatisfy(\.isHexadecimal),
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
