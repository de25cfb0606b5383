/// The operators that compute the outputs of an ONNX file: whether the model ends in a sigmoid or a softmax of its
/// own.
///
/// Source of the field numbers: onnx/onnx.proto of ONNX 1.22.
struct ONNXOutputs {
  /// The operator of each output, by the output's name; those that only change the shape or the element type are
  /// passed over.
  private(set) var operators: [String: String] = [:]

  /// Operators that give the values that they get.
  private static let passing: Set<String> = [
    "Identity", "Reshape", "Squeeze", "Unsqueeze", "Flatten", "Transpose", "Cast", "Dropout",
  ]
  /// The maximum number of operators that are passed over.
  private static let depthLimit = 64

  /// - Parameter bytes: a file that ``ONNXGuard/check(_:)`` has accepted.
  /// - Complexity: O(number of fields); weights are skipped.
  init(_ bytes: [UInt8]) {
    var graph: Range<Int>?
    var reader = ProtobufReader(bytes, in: bytes.indices)
    while let field = try? reader.next() {
      if field.number == 7, case .bytes(let range) = field.value { graph = range }
    }
    guard let graph else { return }
    var makers: [String: (kind: String, input: String)] = [:]
    var outputs: [String] = []
    reader = ProtobufReader(bytes, in: graph)
    while let field = try? reader.next() {
      guard case .bytes(let range) = field.value else { continue }
      if field.number == 1, let node = try? ONNXNode(bytes, range), node.isStandard {
        for output in node.outputs { makers[output] = (node.kind, node.inputs.first ?? "") }
      }
      if field.number == 12, let name = Self.name(bytes, range) { outputs.append(name) }
    }
    for output in outputs {
      var name = output
      for _ in 0..<Self.depthLimit {
        guard let maker = makers[name] else { break }
        guard Self.passing.contains(maker.kind) else {
          operators[output] = maker.kind
          break
        }
        name = maker.input
      }
    }
  }

  private static func name(_ bytes: [UInt8], _ range: Range<Int>) -> String? {
    var reader = ProtobufReader(bytes, in: range)
    while let field = try? reader.next() {
      if field.number == 1, case .bytes(let inner) = field.value {
        return String(decoding: bytes[inner], as: UTF8.self)
      }
    }
    return nil
  }
}

extension Activation {
  /// The operator of a model's output that has applied a function already, so that this one would be the second;
  /// `nil` if there is none.
  func repeated(by kind: String?) -> String? {
    guard let kind, self == .sigmoid || self == .softmax else { return nil }
    return ["Sigmoid", "HardSigmoid", "Softmax"].contains(kind) ? kind : nil
  }
}
