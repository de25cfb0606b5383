import Foundation

/// Comparisons of paths byte by byte, for lists of millions of files.
extension String {
  /// Returns whether the text ends with a suffix; the case of ASCII letters is ignored.
  func hasSuffix(ignoringCase suffix: String) -> Bool {
    let count = suffix.utf8.count
    guard utf8.count >= count else { return false }
    let isEqual = utf8.withContiguousStorageIfAvailable { own in
      var place = own.count - count
      for byte in suffix.utf8 {
        if Self.lower(own[place]) != Self.lower(byte) { return false }
        place += 1
      }
      return true
    }
    return isEqual ?? lowercased().hasSuffix(suffix.lowercased())
  }

  /// Returns whether the text contains another one, byte for byte.
  func containsBytes(of text: String) -> Bool {
    let found = utf8.withContiguousStorageIfAvailable { own in
      text.utf8.withContiguousStorageIfAvailable { Self.contains(own, $0) }
    }
    return (found ?? nil) ?? contains(text)
  }

  private static func contains(
    _ own: UnsafeBufferPointer<UInt8>, _ sought: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard let start = own.baseAddress, let bytes = sought.baseAddress else { return sought.isEmpty }
    var place = 0
    while place + sought.count <= own.count,
      let next = memchr(start + place, Int32(bytes[0]), own.count - sought.count - place + 1)
    {
      if memcmp(next, bytes, sought.count) == 0 { return true }
      place = UnsafeRawPointer(next) - UnsafeRawPointer(start) + 1
    }
    return false
  }

  /// Returns whether this is the path of a file that a folder contains directly.
  ///
  /// - Parameter folder: empty for the root.
  func isDirectly(in folder: Substring) -> Bool {
    let isInside = utf8.withContiguousStorageIfAvailable { own in
      folder.utf8.withContiguousStorageIfAvailable { Self.isDirectly(own, in: $0) }
    }
    return (isInside ?? nil) ?? (folderPath == folder)
  }

  private static func isDirectly(
    _ own: UnsafeBufferPointer<UInt8>, in folder: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard let path = own.baseAddress else { return folder.isEmpty }
    let slash = UInt8(ascii: "/")
    var start = 0
    if let outer = folder.baseAddress, !folder.isEmpty {
      guard own.count > folder.count, own[folder.count] == slash,
        memcmp(path, outer, folder.count) == 0
      else { return false }
      start = folder.count + 1
    }
    return memchr(path + start, Int32(slash), own.count - start) == nil
  }

  /// The path up to the last `/`; empty if there is none.
  var folderPath: Substring { lastSlash.map { self[..<$0] } ?? self[..<startIndex] }

  /// The text after the last `/`; all of it if there is none.
  var fileName: Substring { self[(lastSlash.map { utf8.index(after: $0) } ?? startIndex)...] }

  private var lastSlash: String.Index? {
    let slash = UInt8(ascii: "/")
    let offset = utf8.withContiguousStorageIfAvailable { bytes -> Int? in
      var place = bytes.count
      while place > 0 {
        place -= 1
        if bytes[place] == slash { return place }
      }
      return nil
    }
    guard let offset else { return utf8.lastIndex(of: slash) }
    return offset.map { utf8.index(startIndex, offsetBy: $0) }
  }

  private static func lower(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }
}

extension Substring {
  /// The path up to the last `/`; empty if there is none.
  var folderPath: Substring { prefix(upTo: utf8.lastIndex(of: UInt8(ascii: "/")) ?? startIndex) }
}
