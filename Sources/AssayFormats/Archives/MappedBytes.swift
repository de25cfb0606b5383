import Glibc

/// Bytes in memory pages of their own, which the system gets back when they are no longer used.
///
/// Segments of an archive are a mebibyte each and are made and dropped by several threads all the time. On
/// the heap they leave gaps, which were more than the segments themselves.
final class MappedBytes: @unchecked Sendable {
  let bytes: UnsafeRawBufferPointer

  /// - Parameter fill: writes all bytes; nothing else changes them later.
  /// - Throws: ``FormatError/outOfMemory``; the error of `fill`.
  init(count: Int, fill: (UnsafeMutableRawBufferPointer) throws -> Void) throws {
    guard count > 0 else {
      bytes = UnsafeRawBufferPointer(start: nil, count: 0)
      return
    }
    let start = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let start, start != MAP_FAILED else { throw FormatError.outOfMemory }
    bytes = UnsafeRawBufferPointer(start: start, count: count)
    try fill(UnsafeMutableRawBufferPointer(start: start, count: count))
  }

  deinit {
    if let start = bytes.baseAddress {
      munmap(UnsafeMutableRawPointer(mutating: start), bytes.count)
    }
  }

  var count: Int { bytes.count }
}
