import AssayCore

/// Writes members of a tar archive (`ustar`, and `pax` for long names and other than ASCII): files of
/// mode 0644 without owner and time, so that the same content gives the same bytes.
package enum TarMember {
  /// The end mark of an archive: two blocks of zeros.
  package static let end = [UInt8](repeating: 0, count: 2 * TarHeader.size)

  /// The largest content that a header can state, in bytes: eleven octal digits.
  package static let sizeLimit = 1 << 33 - 1

  /// Appends a file.
  ///
  /// - Parameter name: the path in the archive.
  /// - Precondition: the content has at most ``sizeLimit`` bytes.
  package static func append(_ name: String, _ content: [UInt8], to bytes: inout [UInt8]) {
    let path = Array(name.utf8)
    if path.count > nameLimit || path.contains(where: { $0 >= 0x80 }) {
      let record = record("path", path)
      bytes += header(Array("pax".utf8), size: record.count, kind: UInt8(ascii: "x"))
      bytes += record
      pad(&bytes, after: record.count)
    }
    // Readers that do not know the record see a name without the other characters.
    let ascii = path.map { $0 < 0x80 ? $0 : UInt8(ascii: "_") }
    bytes += header(Array(ascii.suffix(nameLimit)), size: content.count, kind: UInt8(ascii: "0"))
    bytes += content
    pad(&bytes, after: content.count)
  }

  private static let nameLimit = 100

  private static func pad(_ bytes: inout [UInt8], after count: Int) {
    let rest = count % TarHeader.size
    if rest > 0 { bytes += [UInt8](repeating: 0, count: TarHeader.size - rest) }
  }

  /// A `pax` record, `LENGTH NAME=VALUE` and a line feed; the length includes its own digits.
  private static func record(_ name: String, _ value: [UInt8]) -> [UInt8] {
    let rest = Array(" \(name)=".utf8) + value + [0x0A]
    var length = rest.count + 1
    while rest.count + String(length).utf8.count != length {
      length = rest.count + String(length).utf8.count
    }
    return Array(String(length).utf8) + rest
  }

  private static func header(_ name: [UInt8], size: Int, kind: UInt8) -> [UInt8] {
    var block = [UInt8](repeating: 0, count: TarHeader.size)
    func set(_ start: Int, _ value: some Sequence<UInt8>) {
      for (place, byte) in value.enumerated() { block[start + place] = byte }
    }
    func octal(_ number: Int, _ digits: Int) -> [UInt8] {
      let text = String(number, radix: 8).utf8
      return [UInt8](repeating: 0x30, count: max(0, digits - text.count)) + text
    }
    set(0, name)
    set(100, octal(0o644, 7))
    set(108, octal(0, 7))
    set(116, octal(0, 7))
    set(124, octal(size, 11))
    set(136, octal(0, 11))
    block[156] = kind
    set(257, Array("ustar".utf8) + [0, 0x30, 0x30])
    set(148, [UInt8](repeating: 0x20, count: 8))
    set(148, octal(block.reduce(0) { $0 + Int($1) }, 6) + [0, 0x20])
    return block
  }
}
