/// Writes Thrift's compact protocol.
///
/// Source: Apache Thrift, "Thrift Compact protocol encoding".
struct ThriftWriter {
  private(set) var bytes: [UInt8] = []
  /// The number of the last field of each open structure.
  private var last = [0]

  private mutating func varint(_ value: UInt64) {
    var value = value
    while value >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: value) | 0x80)
      value >>= 7
    }
    bytes.append(UInt8(value))
  }

  private mutating func zigzag(_ value: Int) {
    varint(UInt64(bitPattern: Int64((value << 1) ^ (value >> 63))))
  }

  private mutating func head(_ id: Int, _ kind: ThriftReader.Kind) {
    let step = id - last[last.count - 1]
    // Fields are written in ascending order.
    if (1...15).contains(step) {
      bytes.append(UInt8(step) << 4 | kind.rawValue)
    } else {
      bytes.append(kind.rawValue)
      zigzag(id)
    }
    last[last.count - 1] = id
  }

  mutating func integer(_ id: Int, _ value: Int, is64: Bool = false) {
    head(id, is64 ? .int64 : .int32)
    zigzag(value)
  }

  mutating func text(_ id: Int, _ text: String) {
    head(id, .binary)
    element(text)
  }

  mutating func structure(_ id: Int, _ body: (inout ThriftWriter) -> Void) {
    head(id, .structure)
    element(body)
  }

  mutating func list(_ id: Int, _ kind: ThriftReader.Kind, count: Int) {
    head(id, .list)
    if count < 15 {
      bytes.append(UInt8(count) << 4 | kind.rawValue)
    } else {
      bytes.append(0xF0 | kind.rawValue)
      varint(UInt64(count))
    }
  }

  /// An element of a list, or the whole message.
  mutating func element(_ body: (inout ThriftWriter) -> Void) {
    last.append(0)
    body(&self)
    last.removeLast()
    bytes.append(0)
  }

  mutating func element(_ value: Int) { zigzag(value) }

  mutating func element(_ text: String) {
    varint(UInt64(text.utf8.count))
    bytes += Array(text.utf8)
  }
}
