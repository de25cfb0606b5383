import Foundation

/// The bytes of a stream that were read and are not used yet.
struct StreamBuffer {
  /// Reads up to `buffer.count` bytes and returns their number; 0 at the end of the stream.
  private let read: (UnsafeMutableRawBufferPointer) throws -> Int
  private var bytes: [UInt8] = []
  /// The index of the first byte that is not used.
  private var start = 0
  private(set) var isAtEnd = false
  /// The number of bytes of the stream before the first one that is not used.
  private(set) var position = 0

  private static let chunk = 1 << 16

  init(read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int) { self.read = read }

  /// The number of bytes that are there.
  var count: Int { bytes.count - start }

  /// The byte at an offset from the first one that is not used.
  ///
  /// - Precondition: `offset` is less than ``count``.
  subscript(offset: Int) -> UInt8 { bytes[start + offset] }

  /// The big-endian number of two bytes at an offset.
  func bigEndian16(at offset: Int) -> Int { Int(self[offset]) << 8 | Int(self[offset + 1]) }

  /// Reads until there are `wanted` bytes.
  ///
  /// - Returns: false if the stream ends before.
  /// - Throws: any error of the stream.
  mutating func fill(_ wanted: Int) throws -> Bool {
    while count < wanted, !isAtEnd {
      if start > Self.chunk, start > bytes.count / 2 {
        bytes.removeFirst(start)
        start = 0
      }
      let part = try [UInt8](unsafeUninitializedCapacity: Self.chunk) { buffer, length in
        length = 0
        length = try read(UnsafeMutableRawBufferPointer(buffer))
      }
      if part.isEmpty { isAtEnd = true } else { bytes += part }
    }
    return count >= wanted
  }

  /// The offset of a byte value, from an offset on, among the bytes that are there; `nil` if there is none.
  func firstIndex(of value: UInt8, from offset: Int) -> Int? {
    guard offset < count else { return nil }
    return bytes.withUnsafeBytes { all -> Int? in
      guard let base = all.baseAddress,
        let found = memchr(base + start + offset, Int32(value), count - offset)
      else { return nil }
      return UnsafeRawPointer(found) - base - start
    }
  }

  /// Returns whether the bytes that are there start with others.
  func starts(with prefix: some Collection<UInt8>) -> Bool { bytes[start...].starts(with: prefix) }

  /// The next bytes, up to `limit`; they stay unused.
  func head(_ limit: Int) -> [UInt8] { Array(bytes[start...].prefix(limit)) }

  /// Leaves out bytes.
  ///
  /// - Precondition: that many are there.
  mutating func skip(_ number: Int) {
    precondition(number <= count)
    start += number
    position += number
  }

  /// Takes bytes.
  ///
  /// - Precondition: that many are there.
  mutating func take(_ number: Int) -> [UInt8] {
    precondition(number <= count)
    let taken = Array(bytes[start..<start + number])
    skip(number)
    return taken
  }
}
