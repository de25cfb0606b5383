import AssayCore

/// The limits and rules for an entry of the ledger.
package enum LedgerLimits {
  /// The maximum size of a payload, in bytes.
  package static let payload = 16 << 20
  /// The maximum size of any other text, in bytes.
  package static let text = 64 << 10

  /// Returns whether a text is a UUID in lower case (RFC 9562).
  package static func isUUID(_ text: String) -> Bool {
    let bytes = text.utf8
    guard bytes.count == 36 else { return false }
    return zip(0..., bytes).allSatisfy { place, byte in
      [8, 13, 18, 23].contains(place) ? byte == UInt8(ascii: "-") : isHexadecimal(byte)
    }
  }

  /// The error in a row; `nil` if the ledger accepts it. An unknown kind, target or format is
  /// accepted: a later version wrote it.
  package static func fault(of row: LedgerRow) -> String? {
    if !isUUID(row.uuid) { return "its uuid is not a lower-case UUID" }
    if !isUUID(row.visit) { return "its visit “\(row.visit.prefix(40))” is not a lower-case UUID" }
    if row.format < 1 { return "its format \(row.format) is invalid" }
    if !Name.isValid(row.sample.dataset) {
      return "“\(row.sample.dataset.prefix(40))” is not a valid dataset name"
    }
    let hash = row.sample.contentHash.utf8
    if hash.count != 64 || !hash.allSatisfy(isHexadecimal) {
      return "its content hash is not 64 hexadecimal digits in lower case"
    }
    for (name, text) in [("key", row.sample.key), ("target", row.target), ("kind", row.kind)] {
      if text.isEmpty { return "its \(name) is empty" }
      if text.utf8.count > self.text {
        return "its \(name) has \(text.utf8.count) bytes; the limit is \(self.text)"
      }
      if text.utf8.contains(0) { return "its \(name) holds a NUL character" }
    }
    let count = row.payload.utf8.count
    if count > payload {
      return "its payload has \(count) bytes; the limit is \(payload) (16 MiB)"
    }
    return row.payload.utf8.first == UInt8(ascii: "{") ? nil : "its payload is not a JSON object"
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
  }
}
