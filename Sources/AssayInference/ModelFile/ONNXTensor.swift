/// The shape of a constant of an ONNX graph, and its values if they can be sides of a shape.
///
/// Source of the field numbers: `TensorProto` in onnx/onnx.proto of ONNX 1.22.
struct ONNXTensor {
  private(set) var name = ""
  private(set) var shape: [Int64?] = []
  /// The number of the element type, as in `TensorProto.DataType`.
  private(set) var elementType: UInt64 = 0
  /// The values of a list of up to 64 whole numbers of 64 bits in the file; `nil` for others.
  private(set) var integers: [Int64]?

  /// - Throws: the faults of damaged files.
  init(_ bytes: [UInt8], _ range: Range<Int>) throws(ONNXFault) {
    var reader = ProtobufReader(bytes, in: range)
    var values: [Int64] = []
    var raw: Range<Int>?
    while let field = try reader.next() {
      switch (field.number, field.value) {
      case (1, .varint(let side)): shape.append(Int64(bitPattern: side))
      case (1, .bytes(let inner)):
        var packed = ProtobufReader(bytes, in: inner)
        while let side = try packed.number() { shape.append(Int64(bitPattern: side)) }
      case (2, .varint(let value)): elementType = value
      case (7, .varint(let value)) where values.count <= Self.limit:
        values.append(Int64(bitPattern: value))
      case (7, .bytes(let inner)) where inner.count <= 640:
        var packed = ProtobufReader(bytes, in: inner)
        while let value = try packed.number() { values.append(Int64(bitPattern: value)) }
      case (8, .bytes(let inner)): name = String(decoding: bytes[inner], as: UTF8.self)
      case (9, .bytes(let inner)): raw = inner
      default: break
      }
    }
    // INT64.
    guard elementType == 7 else { return }
    if let raw, raw.count.isMultiple(of: 8), raw.count <= 512 {
      values = stride(from: raw.lowerBound, to: raw.upperBound, by: 8).map { start in
        Int64(
          bitPattern: bytes[start..<start + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) })
      }
    }
    var count: Int64 = 1
    for case let side? in shape {
      guard (0...Int64(Self.limit)).contains(side) else { return }
      count *= side
      guard count <= Int64(Self.limit) else { return }
    }
    if Int64(values.count) == count { integers = values }
  }

  /// The maximum number of values that are kept.
  private static let limit = 64
}
