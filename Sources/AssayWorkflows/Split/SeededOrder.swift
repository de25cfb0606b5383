import AssayCore

/// The random order of samples and groups: by SHA-256(seed as 8 bytes, little-endian; then the key).
///
/// It does not depend on the machine, or on the order in which samples were imported.
enum SeededOrder {
  static func digest(of key: String, seed: UInt64) -> [UInt8] {
    var hash = ContentHash()
    withUnsafeBytes(of: seed.littleEndian) { hash.update($0) }
    hash.update(key)
    return hash.digest()
  }
}
