import AssayCore
import CZlib

/// One entry of a zip archive's central directory.
struct ZipRecord {
  private(set) var name: String
  let method: Int
  let checksum: UInt32
  /// The numbers of bytes of the packed and of the unpacked data.
  private(set) var packed: Int
  private(set) var size: Int
  /// The offset of the entry's local header.
  private(set) var offset: Int
  /// The time in nanoseconds since 1970. The archive's local time is read as UTC.
  private(set) var modified: Int64
  private let flags: Int
  private let isLink: Bool

  /// The limits of unpacking: no size below the first one is refused, above it only this many times
  /// the packed size.
  static let freeBytes = 1 << 30
  static let ratio = 400
  /// The most that deflate can expand.
  private static let greatestRatio = 1_032

  /// - Parameters:
  ///   - record: the whole entry.
  ///   - name: the length of the name.
  ///   - extra: the length of the extra fields.
  init(_ record: ArraySlice<UInt8>, name length: Int, extra: Int) {
    flags = record.number(at: 8, bytes: 2)
    method = record.number(at: 10, bytes: 2)
    modified = Self.time(record.number(at: 12, bytes: 2), date: record.number(at: 14, bytes: 2))
    checksum = UInt32(truncatingIfNeeded: record.number(at: 16, bytes: 4))
    packed = record.number(at: 20, bytes: 4)
    size = record.number(at: 24, bytes: 4)
    offset = record.number(at: 42, bytes: 4)
    let host = record.number(at: 5, bytes: 1)
    let mode = record.number(at: 40, bytes: 2)
    isLink = mode & 0xF000 == 0xA000 && (host == 3 || host == 19)
    let start = record.startIndex + 46
    let bytes = record[start..<(start + length)]
    name = Self.text(bytes, isUnicode: flags & 0x800 != 0)
    var rest = record[(start + length)..<(start + length + extra)]
    while rest.count >= 4 {
      let kind = rest.number(at: 0, bytes: 2)
      let count = rest.number(at: 2, bytes: 2)
      guard rest.count >= 4 + count else { break }
      read(rest.dropFirst(4).prefix(count), kind: kind, of: bytes)
      rest = rest.dropFirst(4 + count)
    }
    // Programs for Windows write “\”, which no zip archive may contain.
    if host == 0 { replaceBackslashes() }
  }

  /// Makes “/” of “\” in the name.
  mutating func replaceBackslashes() {
    guard name.utf8.contains(UInt8(ascii: "\\")) else { return }
    name = String(name.map { $0 == "\\" ? "/" : $0 })
  }

  private mutating func read(_ field: ArraySlice<UInt8>, kind: Int, of name: ArraySlice<UInt8>) {
    switch kind {
    case 0x0001:
      var place = 0
      func next(_ value: inout Int) {
        guard value == 0xFFFF_FFFF, place + 8 <= field.count else { return }
        value = field.number(at: place, bytes: 8)
        place += 8
      }
      next(&size)
      next(&packed)
      next(&offset)
    case 0x5455:
      guard field.count >= 5, field.number(at: 0, bytes: 1) & 1 == 1 else { return }
      let seconds = Int32(truncatingIfNeeded: field.number(at: 1, bytes: 4))
      modified = Int64(seconds) * 1_000_000_000
    case 0x7075:
      guard field.count > 5, field.number(at: 0, bytes: 1) == 1 else { return }
      let checksum = name.withUnsafeBufferPointer { name in
        CZlib.crc32(0, name.baseAddress, UInt32(clamping: name.count))
      }
      guard field.number(at: 1, bytes: 4) == Int(checksum),
        let text = String(validating: field.dropFirst(5), as: UTF8.self)
      else { return }
      self.name = text
    default: break
    }
  }

  private static func text(_ bytes: ArraySlice<UInt8>, isUnicode: Bool) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    return isUnicode ? String(decoding: bytes, as: UTF8.self) : CodePage437.text(bytes)
  }

  /// The reason why the entry is not read; `nil` if it is.
  var problem: (kind: IssueKind, message: String)? {
    if isLink { return (.unsupportedFile, "a symbolic link in an archive; not followed, left out") }
    if flags & 0x2041 != 0 {
      return (.unsupportedFile, "the entry is encrypted; left out (unpack the archive)")
    }
    guard method == 0 || method == 8 else {
      return (
        .unsupportedFile,
        "the entry is packed with \(Self.title(of: method)), and assay reads stored and deflated "
          + "entries; left out (unpack the archive)"
      )
    }
    if method == 0, size != packed {
      return (.badField, "the entry states \(size) bytes and has \(packed); left out")
    }
    if method == 8, size > Self.greatestRatio * min(packed, .max / 2048) + 1_024 {
      return (
        .badField,
        "the entry states \(size) bytes, which \(packed) packed bytes cannot have; left out"
      )
    }
    if method == 8, size > Self.freeBytes, size / Self.ratio > packed {
      return (
        .unsupportedFile,
        "the entry expands to \(size) bytes, over \(Self.ratio) times its packed size; left out"
      )
    }
    return nil
  }

  private static func title(of method: Int) -> String {
    switch method {
    case 1...6: "an old method (\(method))"
    case 9: "Deflate64"
    case 12: "bzip2"
    case 14: "LZMA"
    case 20, 93: "Zstandard"
    case 95: "xz"
    case 99: "AES encryption"
    default: "method \(method)"
    }
  }

  /// A time in nanoseconds since 1970 from MS-DOS's fields.
  private static func time(_ time: Int, date: Int) -> Int64 {
    let (year, month, day) = (1980 + date >> 9, max(1, date >> 5 & 15), max(1, date & 31))
    let shifted = year - (month <= 2 ? 1 : 0)
    let yearDay = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let days = shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + yearDay - 719_468
    let seconds = (time >> 11) * 3600 + (time >> 5 & 63) * 60 + (time & 31) * 2
    return Int64(days * 86_400 + seconds) * 1_000_000_000
  }
}
