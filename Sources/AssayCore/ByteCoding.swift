/// Builds a record of bytes: integers as 8 bytes, little-endian; texts and blobs with their lengths
/// before them.
package struct ByteEncoder: Sendable {
  /// The record so far.
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func append(_ value: Int64) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  package mutating func append(_ value: Int) { append(Int64(value)) }

  package mutating func append(_ value: UInt64) { append(Int64(bitPattern: value)) }

  package mutating func append(_ value: Bool) { bytes.append(value ? 1 : 0) }

  /// Appends the bits of a number.
  package mutating func append(_ value: Float) { append(Int64(value.bitPattern)) }

  /// Appends a text as UTF-8.
  package mutating func append(_ text: String) { append(Array(text.utf8)) }

  package mutating func append(_ blob: [UInt8]) {
    append(blob.count)
    bytes += blob
  }

  package mutating func append(_ size: ImageSize) {
    append(size.width)
    append(size.height)
  }

  /// Appends whether there is a value, and the value.
  package mutating func append<Value>(
    _ value: Value?, _ write: (inout ByteEncoder, Value) -> Void
  ) {
    append(value != nil)
    if let value { write(&self, value) }
  }

  /// Appends the number of values, and the values.
  package mutating func append(_ values: [UInt64]) {
    append(values.count)
    bytes.reserveCapacity(bytes.count + 8 * values.count)
    for value in values { append(value) }
  }

  /// Appends the number of values, and the values with 4 bytes each.
  package mutating func append(_ values: some Collection<UInt32>) {
    append(values.count)
    bytes.reserveCapacity(bytes.count + 4 * values.count)
    for value in values {
      withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }
  }
}

/// The error of a record that was not written by a ``ByteEncoder``, or has other values.
package struct DamagedRecord: Error, Hashable {
  package init() {}
}

/// Reads a record that a ``ByteEncoder`` built. Nothing beyond its end is read, and nothing is allocated
/// for lengths that it does not have.
package struct ByteDecoder: Sendable {
  private let bytes: [UInt8]
  private var place = 0

  package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = Array(bytes) }

  private mutating func take(_ count: Int) throws(DamagedRecord) -> ArraySlice<UInt8> {
    guard count >= 0, count <= bytes.count - place else { throw DamagedRecord() }
    defer { place += count }
    return bytes[place..<place + count]
  }

  private mutating func unsigned(_ count: Int) throws(DamagedRecord) -> UInt64 {
    try take(count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// - Throws: ``DamagedRecord``.
  package mutating func integer() throws(DamagedRecord) -> Int64 {
    Int64(bitPattern: try unsigned(8))
  }

  /// An integer of at least 0.
  ///
  /// - Throws: ``DamagedRecord``.
  package mutating func count() throws(DamagedRecord) -> Int {
    let value = try integer()
    guard value >= 0, let count = Int(exactly: value) else { throw DamagedRecord() }
    return count
  }

  /// - Throws: ``DamagedRecord``.
  package mutating func bits() throws(DamagedRecord) -> UInt64 { try unsigned(8) }

  /// - Throws: ``DamagedRecord``.
  package mutating func bool() throws(DamagedRecord) -> Bool {
    switch try unsigned(1) {
    case 0: false
    case 1: true
    default: throw DamagedRecord()
    }
  }

  /// A finite number.
  ///
  /// - Throws: ``DamagedRecord``.
  package mutating func float() throws(DamagedRecord) -> Float {
    guard let pattern = UInt32(exactly: try bits()), Float(bitPattern: pattern).isFinite else {
      throw DamagedRecord()
    }
    return Float(bitPattern: pattern)
  }

  /// - Throws: ``DamagedRecord``.
  package mutating func blob() throws(DamagedRecord) -> [UInt8] {
    let count = try count()
    return Array(try take(count))
  }

  /// - Throws: ``DamagedRecord``, also for text that is not UTF-8.
  package mutating func text() throws(DamagedRecord) -> String {
    guard let text = String(validating: try blob(), as: UTF8.self) else { throw DamagedRecord() }
    return text
  }

  /// A size as ``ImageSize/checked(width:height:)`` accepts it.
  ///
  /// - Throws: ``DamagedRecord``.
  package mutating func size() throws(DamagedRecord) -> ImageSize {
    guard let size = ImageSize.checked(width: try count(), height: try count()) else {
      throw DamagedRecord()
    }
    return size
  }

  /// A value that may be missing.
  ///
  /// - Throws: ``DamagedRecord``.
  package mutating func optional<Value>(
    _ read: (inout ByteDecoder) throws(DamagedRecord) -> Value
  ) throws(DamagedRecord) -> Value? {
    try bool() ? try read(&self) : nil
  }

  /// - Throws: ``DamagedRecord``.
  package mutating func bitsList() throws(DamagedRecord) -> [UInt64] {
    try list(of: 8).map(\.self)
  }

  /// - Throws: ``DamagedRecord``.
  package mutating func shortList() throws(DamagedRecord) -> [UInt32] {
    try list(of: 4).map { UInt32(truncatingIfNeeded: $0) }
  }

  private mutating func list(of width: Int) throws(DamagedRecord) -> [UInt64] {
    let count = try count()
    guard count <= (bytes.count - place) / width else { throw DamagedRecord() }
    let part = try take(count * width)
    return part.withUnsafeBytes { buffer in
      (0..<count).map { index in
        width == 8
          ? UInt64(littleEndian: buffer.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self))
          : UInt64(
            UInt32(littleEndian: buffer.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self)))
      }
    }
  }

  /// Ends the reading.
  ///
  /// - Throws: ``DamagedRecord`` if there are more bytes.
  package func finish() throws(DamagedRecord) {
    guard place == bytes.count else { throw DamagedRecord() }
  }
}
