/// Rejects ONNX files that refer to external data, before OpenVINO follows the references;
/// ``ONNXExternalTensors`` puts such data in place before.
///
/// OpenVINO's reader opens any file, and even any memory address (`*/_ORT_MEM_ADDR_/*`), that a
/// tensor names as its external data. Every tensor of the file is checked, at any nesting level.
/// Source of the field numbers: onnx/onnx.proto of ONNX 1.22.
enum ONNXGuard {
  /// The maximum nesting of messages: the limit of protobuf's own parsers.
  static let depthLimit = 100

  /// Checks every tensor, and checks for cycles and for nodes that OpenVINO computes wrongly.
  ///
  /// - Throws: ``ONNXFault``.
  /// - Complexity: O(number of fields); weights are skipped.
  static func check(_ bytes: [UInt8]) throws(ONNXFault) {
    try visit(.model, bytes, bytes.indices, depth: 0)
    try ONNXCycles.check(bytes)
    try ONNXOperators.check(bytes)
  }

  /// Returns whether a file is a protobuf with a graph in the field that ONNX uses, or the
  /// beginning of one.
  static func looksLikeONNX(_ bytes: [UInt8]) -> Bool {
    guard let fields = topLevel(bytes) else { return false }
    if fields.numbers.contains(7) { return fields.numbers.allSatisfy { $0 <= 64 } }
    return fields.isCut && fields.last == 7
  }

  /// Returns whether a file begins like ONNX and Core ML: with a small version number as field 1.
  static func canBegin(_ head: [UInt8]) -> Bool {
    head.count >= 2 && head[0] == 0x08 && head[1] < 0x80
  }

  /// Returns whether a file is a protobuf with the fields of Core ML: a version, a description, a
  /// model type.
  static func looksLikeCoreML(_ bytes: [UInt8]) -> Bool {
    guard let fields = topLevel(bytes) else { return false }
    return fields.numbers.contains(1) && fields.numbers.contains(2)
      && fields.numbers.contains { $0 >= 200 }
  }

  /// The numbers of the fields of the whole file, the first of which must be a version number;
  /// `nil` if it is not a protobuf.
  private static func topLevel(_ bytes: [UInt8]) -> (
    numbers: Set<Int>, last: Int?, isCut: Bool
  )? {
    guard canBegin(bytes) else { return nil }
    var reader = ProtobufReader(bytes, in: bytes.indices)
    var numbers: Set<Int> = []
    do throws(ONNXFault) {
      while let field = try reader.next() { numbers.insert(field.number) }
      return (numbers, nil, false)
    } catch {
      guard case .truncated(let offset) = error, offset < bytes.count else { return nil }
      return (numbers, Int(bytes[offset] >> 3), true)
    }
  }

  /// The messages on the path from a model to its tensors.
  enum Message {
    case model, training, function, graph, node, attribute, sparseTensor, tensor

    /// The message in field `number`; `nil` if it contains no tensor.
    func child(_ number: Int) -> Message? {
      switch (self, number) {
      case (.model, 7): .graph
      case (.model, 20): .training
      case (.model, 25): .function
      case (.training, 1), (.training, 2): .graph
      case (.function, 7): .node
      case (.function, 11): .attribute
      case (.graph, 1): .node
      case (.graph, 5): .tensor
      case (.graph, 15): .sparseTensor
      case (.node, 5): .attribute
      case (.attribute, 5), (.attribute, 10): .tensor
      case (.attribute, 6), (.attribute, 11): .graph
      case (.attribute, 22), (.attribute, 23): .sparseTensor
      case (.sparseTensor, 1), (.sparseTensor, 2): .tensor
      default: nil
      }
    }
  }

  private static func visit(
    _ message: Message, _ bytes: [UInt8], _ range: Range<Int>, depth: Int
  ) throws(ONNXFault) {
    guard depth < depthLimit else { throw .tooDeep(limit: depthLimit) }
    if message == .tensor { return try visitTensor(bytes, range) }
    var reader = ProtobufReader(bytes, in: range)
    while let field = try reader.next() {
      guard let child = message.child(field.number), case .bytes(let inner) = field.value else {
        continue
      }
      try visit(child, bytes, inner, depth: depth + 1)
    }
  }

  private static func visitTensor(_ bytes: [UInt8], _ range: Range<Int>) throws(ONNXFault) {
    var reader = ProtobufReader(bytes, in: range)
    var name = ""
    var location: String?
    while let field = try reader.next() {
      switch (field.number, field.value) {
      case (8, .bytes(let text)): name = Self.text(bytes, text)
      case (13, .bytes(let entry)):
        location = try self.location(bytes, entry) ?? location ?? ""
      case (13, _): location = location ?? ""
      case (14, .varint(let place)) where place != 0: location = location ?? ""
      default: break
      }
    }
    if let location {
      throw .externalData(tensor: name, location: location, reason: "it is not read from there")
    }
  }

  /// The value of a `StringStringEntryProto` whose key is `location`.
  private static func location(_ bytes: [UInt8], _ range: Range<Int>) throws(ONNXFault) -> String? {
    var reader = ProtobufReader(bytes, in: range)
    var key = ""
    var value = ""
    while let field = try reader.next() {
      guard case .bytes(let inner) = field.value else { continue }
      if field.number == 1 { key = text(bytes, inner) }
      if field.number == 2 { value = text(bytes, inner) }
    }
    return key == "location" ? value : nil
  }

  /// Text of at most 200 bytes, for a message.
  static func text(_ bytes: [UInt8], _ range: Range<Int>) -> String {
    String(decoding: bytes[range].prefix(200), as: UTF8.self)
  }
}

/// The reasons why an ONNX file is not passed to OpenVINO.
package enum ONNXFault: Error, Hashable {
  /// The file ends inside the field that begins at `offset`.
  case truncated(offset: Int)
  /// The bytes at `offset` are not valid protobuf.
  case malformed(offset: Int)
  /// Messages nested deeper than the limit.
  case tooDeep(limit: Int)
  /// A tensor whose values are in another file that is not read, or at a memory address.
  case externalData(tensor: String, location: String, reason: String)
  /// A node that needs its own result, directly or through others, or a function that calls itself.
  case cycle(node: String)
  /// A node that OpenVINO would compute wrongly: the operator with the property that matters, the result of
  /// OpenVINO, and the way to another model.
  case wrongOperator(
    node: String, operator: String, version: Int, result: String, remedy: String)
}
