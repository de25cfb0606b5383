/// A node of an ONNX graph with what decides how it is computed, read from a `NodeProto`.
///
/// Source of the field numbers: onnx/onnx.proto of ONNX 1.22.
struct ONNXNode {
  enum Attribute {
    case integer(Int64)
    case text(String)
    case integers([Int64])
    /// The bytes of a `TensorProto`.
    case tensor(Range<Int>)
    /// The bytes of a `GraphProto`.
    case graph(Range<Int>)
    /// A number or list of others.
    case other
  }

  private(set) var name = ""
  /// The operator, such as `Softmax`.
  private(set) var kind = ""
  private(set) var domain = ""
  /// The names of the values; empty for an optional one that is left out.
  private(set) var inputs: [String] = []
  private(set) var outputs: [String] = []
  private(set) var attributes: [String: Attribute] = [:]

  /// - Throws: the faults of damaged files.
  init(_ bytes: [UInt8], _ range: Range<Int>) throws(ONNXFault) {
    var reader = ProtobufReader(bytes, in: range)
    while let field = try reader.next() {
      guard case .bytes(let inner) = field.value else { continue }
      switch field.number {
      case 1: inputs.append(String(decoding: bytes[inner], as: UTF8.self))
      case 2: outputs.append(String(decoding: bytes[inner], as: UTF8.self))
      case 3: name = ONNXGuard.text(bytes, inner)
      case 4: kind = ONNXGuard.text(bytes, inner)
      case 5:
        let (name, value) = try Self.attribute(bytes, inner)
        attributes[name] = value
      case 7: domain = ONNXGuard.text(bytes, inner)
      default: break
      }
    }
  }

  /// True for an operator of ONNX itself.
  var isStandard: Bool { domain.isEmpty || domain == "ai.onnx" }

  /// The value of an attribute that is a whole number; `fallback` if it is not stated.
  func integer(_ name: String, or fallback: Int64) -> Int64 {
    if case .integer(let value)? = attributes[name] { value } else { fallback }
  }

  /// The value of an attribute that is a text; empty if it is not stated.
  func text(_ name: String) -> String {
    if case .text(let value)? = attributes[name] { value } else { "" }
  }

  /// The value of an attribute that is a list of whole numbers; empty if it is not stated.
  func integers(_ name: String) -> [Int64] {
    if case .integers(let values)? = attributes[name] { values } else { [] }
  }

  private static func attribute(
    _ bytes: [UInt8], _ range: Range<Int>
  ) throws(ONNXFault) -> (name: String, value: Attribute) {
    var reader = ProtobufReader(bytes, in: range)
    var name = ""
    var value = Attribute.other
    var list: [Int64] = []
    while let field = try reader.next() {
      switch (field.number, field.value) {
      case (1, .bytes(let inner)): name = ONNXGuard.text(bytes, inner)
      case (3, .varint(let number)): value = .integer(Int64(bitPattern: number))
      case (4, .bytes(let inner)): value = .text(ONNXGuard.text(bytes, inner))
      case (5, .bytes(let inner)): value = .tensor(inner)
      case (6, .bytes(let inner)): value = .graph(inner)
      case (8, .varint(let number)): list.append(Int64(bitPattern: number))
      case (8, .bytes(let inner)):
        var packed = ProtobufReader(bytes, in: inner)
        while let number = try packed.number() { list.append(Int64(bitPattern: number)) }
      default: break
      }
    }
    return (name, list.isEmpty ? value : .integers(list))
  }
}
