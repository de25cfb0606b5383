import AssayCore
import CZlib

/// NumPy's archive of arrays (`.npz`), as `numpy.savez` writes it: a zip archive with one stored entry
/// `NAME.npy` per array.
///
/// Source: NumPy's `numpy/lib/_npyio_impl.py`; PKWARE's APPNOTE 6.3. The entries have no time (1980-01-01), so that
/// the same arrays give the same bytes.
package struct NPZFile: Sendable {
  /// The largest archive in bytes: larger ones need zip64.
  package static let limit = 0xFFFF_FFFE

  private var bytes: [UInt8] = []
  private var directory: [UInt8] = []
  private var count = 0

  package init() {}

  /// Adds an array.
  ///
  /// - Parameters:
  ///   - name: its name in ASCII, unique in the archive.
  ///   - array: the bytes of its `.npy` file.
  /// - Returns: false if the archive would be larger than ``limit``; then nothing is added.
  package mutating func add(_ name: String, _ array: [UInt8]) -> Bool {
    let file = Array((name + ".npy").utf8)
    let overhead = 46 + 30 + 2 * file.count + 22
    guard count < Int(UInt16.max),
      bytes.count + directory.count + overhead <= Self.limit - array.count
    else { return false }
    let checksum = array.withUnsafeBufferPointer {
      UInt32(truncatingIfNeeded: crc32_z(0, $0.baseAddress, $0.count))
    }
    let size = UInt32(truncatingIfNeeded: array.count)
    let start = UInt32(truncatingIfNeeded: bytes.count)
    // Version 2.0, no flags, stored, 1980-01-01 00:00.
    let facts =
      Self.two(20) + Self.two(0) + Self.two(0) + Self.two(0) + Self.two(0x21)
      + Self.four(checksum) + Self.four(size) + Self.four(size) + Self.two(file.count)
      + Self.two(0)
    bytes += Self.four(0x0403_4B50) + facts + file + array
    directory +=
      Self.four(0x0201_4B50) + Self.two(20) + facts + Self.two(0) + Self.two(0) + Self.two(0)
      + Self.four(0) + Self.four(start) + file
    count += 1
    return true
  }

  /// The archive's bytes.
  package func end() -> [UInt8] {
    bytes + directory + Self.four(0x0605_4B50) + Self.two(0) + Self.two(0) + Self.two(count)
      + Self.two(count) + Self.four(UInt32(truncatingIfNeeded: directory.count))
      + Self.four(UInt32(truncatingIfNeeded: bytes.count)) + Self.two(0)
  }

  private static func two(_ value: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
  }

  private static func four(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
  }
}

extension NPYFile {
  /// The bytes of an array of texts (NumPy's `<U`), one axis; `nil` if there are too many.
  ///
  /// A text's zeros at its end are lost, as in NumPy.
  package static func bytes(of texts: [String]) -> [UInt8]? {
    let scalars = texts.map { Array($0.unicodeScalars) }
    let width = max(1, scalars.map(\.count).max() ?? 1)
    let (size, overflow) = (4 * width).multipliedReportingOverflow(by: max(1, texts.count))
    guard !overflow, size < NPZFile.limit else { return nil }
    guard var bytes = NPYHeader.bytes(type: "<U\(width)", shape: [texts.count]) else { return nil }
    bytes.reserveCapacity(bytes.count + size)
    for text in scalars {
      for place in 0..<width {
        let value = place < text.count ? text[place].value : 0
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
      }
    }
    return bytes
  }
}
