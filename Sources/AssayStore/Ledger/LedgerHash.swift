package import AssayCore

/// The bytes that chain the ledger's entries together.
///
/// An entry's hash is the SHA-256 of twelve fields, one after another: `previousHash`, `format`, and the
/// other columns in the order of the row: `sequence`, `uuid`, `dataset`, `key`, `contentHash`, `target`,
/// `kind`, `visit`, `parent`, `payload`. Each field is the number of its bytes as an unsigned 64-bit
/// little-endian integer and then the bytes: a text's are its UTF-8 as stored, a whole number's its decimal
/// digits in ASCII (a `-` before a negative one), a blob's as they are. NULL is the number 2⁶⁴−1 and no bytes.
///
/// `previousHash` is the hash of the entry before; of the first entry, the SHA-256 of the 36 bytes of the
/// ledger's uuid as text.
///
/// For example, the first entry of the ledger `6f1c0f64-3c1e-4d35-9a53-0d6b9f1f8a11` follows the
/// SHA-256 of that text, `690c6f27c02a2d3d4a9cb5d6abbf8c670cd739a6d5b303bf046b5e54a512828c`. Its
/// hashed bytes begin with
///
///     20 00 00 00 00 00 00 00  69 0c 6f 27 …      previousHash, 32 bytes
///     01 00 00 00 00 00 00 00  31                           format "1"
///     01 00 00 00 00 00 00 00  31                           sequence "1"
///     24 00 00 00 00 00 00 00  30 61 37 64 …                uuid "0a7d…", 36 bytes
///     05 00 00 00 00 00 00 00  66 61 63 65 73               dataset "faces"
///     …
///     ff ff ff ff ff ff ff ff                               parent NULL
///     …
///
/// and the hash is `6d1a763d2a8801638b28d4a1180af29b5926b18df40a9b679988ca0f112a1bed`.
/// `Tests/Fixtures/ledger` has the full example, created with Python's hashlib.
package enum LedgerHash {
  /// The number of bytes in a hash.
  package static let count = 32

  /// The hash that the first entry of a ledger follows.
  package static func first(ledger uuid: String) -> [UInt8] {
    var hash = ContentHash()
    hash.update(uuid)
    return hash.digest()
  }

  /// The hash of an entry by its other columns.
  package static func hash(of entry: LedgerEntry) -> [UInt8] {
    var fields = LedgerFields()
    entry.previousHash.withUnsafeBytes { fields.add($0) }
    fields.add(entry.format)
    fields.add(entry.sequence)
    for text in [
      entry.uuid, entry.sample.dataset, entry.sample.key, entry.sample.contentHash, entry.target,
      entry.kind, entry.visit,
    ] {
      fields.add(text)
    }
    fields.add(entry.parent)
    fields.add(entry.payload)
    return fields.digest()
  }
}

/// The fields of an entry to be hashed.
struct LedgerFields {
  private var hash = ContentHash()

  /// A blob, or a text's bytes.
  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    addCount(UInt64(bytes.count))
    hash.update(bytes)
  }

  mutating func add(_ text: String) {
    var text = text
    text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
  }

  mutating func add(_ number: Int64?) {
    if let number {
      add(String(number))
    } else {
      addCount(.max)
    }
  }

  func digest() -> [UInt8] { hash.digest() }

  private mutating func addCount(_ count: UInt64) {
    withUnsafeBytes(of: count.littleEndian) { hash.update($0) }
  }
}
