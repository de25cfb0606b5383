extension UnsafeRawBufferPointer {
  /// Four bytes, most significant first.
  ///
  /// - Precondition: they are there.
  func bigEndian32(at position: Int) -> Int {
    Int(UInt32(bigEndian: loadUnaligned(fromByteOffset: position, as: UInt32.self)))
  }

  /// Two bytes, most significant first.
  ///
  /// - Precondition: they are there.
  func bigEndian16(at position: Int) -> Int {
    Int(UInt16(bigEndian: loadUnaligned(fromByteOffset: position, as: UInt16.self)))
  }

  /// Four bytes, least significant first.
  ///
  /// - Precondition: they are there.
  func littleEndian32(at position: Int) -> Int {
    Int(UInt32(littleEndian: loadUnaligned(fromByteOffset: position, as: UInt32.self)))
  }

  /// Two bytes, least significant first.
  ///
  /// - Precondition: they are there.
  func littleEndian16(at position: Int) -> Int {
    Int(UInt16(littleEndian: loadUnaligned(fromByteOffset: position, as: UInt16.self)))
  }
}
