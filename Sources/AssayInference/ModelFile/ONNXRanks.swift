/// The numbers of dimensions, and sides of length 1, of values whose shape a file does not state, from the
/// operators that compute them.
///
/// Source: the shape rules of ONNX 1.22's operators.
enum ONNXRanks {
  /// Operators whose result has the shape of their first input.
  private static let keeping: Set<String> = [
    "Abs", "BatchNormalization", "Cast", "Ceil", "Celu", "Clip", "CumSum", "Dropout", "Elu", "Erf",
    "Exp", "Floor", "Gelu", "GroupNormalization", "HardSigmoid", "HardSwish", "Identity",
    "InstanceNormalization", "LayerNormalization", "LeakyRelu", "Log", "LogSoftmax", "Mish", "Neg",
    "PRelu", "Relu", "Round", "Selu", "Sigmoid", "Softmax", "Softplus", "Softsign", "Sqrt", "Tanh",
  ]
  /// Operators on images: a side of length 1 stays 1.
  private static let windowed: Set<String> = [
    "AveragePool", "Conv", "LpPool", "MaxPool",
  ]
  /// Operators whose result has as many dimensions as their first input.
  private static let resizing: Set<String> = [
    "Concat", "ConvTranspose", "DepthToSpace", "Pad", "Resize", "Slice", "SpaceToDepth", "Tile",
    "Upsample",
  ]
  /// Operators of several inputs that are broadcast to one shape.
  private static let broadcasting: Set<String> = [
    "Add", "Div", "Max", "Mean", "Min", "Mul", "Pow", "Sub", "Sum", "Where",
  ]

  /// The shape of a node's first result, with `nil` for unknown sides; `nil` if nothing is known.
  ///
  /// An input without a known shape counts as a single number.
  static func shape(of node: ONNXNode, _ shapes: [String: [Int64?]]) -> [Int64?]? {
    guard node.isStandard else { return nil }
    let known = node.inputs.map { shapes[$0] }
    let shape = known.first ?? nil
    let first = shape?.count
    if keeping.contains(node.kind) { return shape }
    if windowed.contains(node.kind) { return shape.map { $0.map { $0 == 1 ? 1 : nil } } }
    if resizing.contains(node.kind) { return unknown(first) }
    if broadcasting.contains(node.kind) { return broadcast(known.compactMap(\.self)) }
    switch node.kind {
    case "Flatten", "Gemm": return unknown(2)
    case "GlobalAveragePool", "GlobalLpPool", "GlobalMaxPool":
      return first.map { count in (0..<count).map { $0 < 2 ? nil : 1 } }
    case "MatMul":
      guard known.count == 2, let a = known[0]?.count, let b = known[1]?.count, a > 1, b > 1 else {
        return nil
      }
      return unknown(max(a, b))
    case "Reshape":
      // A constant of the new sides has one dimension, as long as there are sides.
      guard node.inputs.count > 1, let sides = shapes[node.inputs[1]], sides.count == 1 else {
        return nil
      }
      return unknown(sides[0].flatMap { (0...64).contains($0) ? Int($0) : nil })
    case "Squeeze", "Unsqueeze":
      guard let first, let count = axes(of: node, shapes) else { return nil }
      let rank = node.kind == "Squeeze" ? first - count : first + count
      return rank >= 0 ? unknown(rank) : nil
    case "Transpose":
      let order = node.integers("perm")
      return order.isEmpty ? unknown(first) : unknown(order.count)
    default: return nil
    }
  }

  /// The number of axes that a node states as attribute or as a constant.
  private static func axes(of node: ONNXNode, _ shapes: [String: [Int64?]]) -> Int? {
    let stated = node.integers("axes")
    if !stated.isEmpty { return stated.count }
    guard node.inputs.count > 1, let shape = shapes[node.inputs[1]], shape.count == 1 else {
      return nil
    }
    return shape[0].flatMap { (0...64).contains($0) ? Int($0) : nil }
  }

  private static func broadcast(_ shapes: [[Int64?]]) -> [Int64?]? {
    guard let rank = shapes.map(\.count).max(), rank > 0 else { return nil }
    return (0..<rank).map { place in
      let sides = shapes.compactMap { shape -> Int64?? in
        let index = place - (rank - shape.count)
        return index >= 0 ? .some(shape[index]) : nil
      }
      return sides.contains(nil) ? nil : sides.compactMap(\.self).first { $0 != 1 } ?? 1
    }
  }

  private static func unknown(_ rank: Int?) -> [Int64?]? {
    guard let rank, (0...64).contains(rank) else { return nil }
    return Array(repeating: nil, count: rank)
  }
}
