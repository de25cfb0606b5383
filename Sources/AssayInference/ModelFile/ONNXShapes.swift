/// The shapes of the values of a graph: those that the file states, and what follows for others from the
/// operators that compute them.
///
/// Source: the shape rules of ONNX 1.22's operators.
struct ONNXShapes {
  /// The shape of each value, with `nil` for unknown sides; a value without a known number of dimensions
  /// is missing.
  private(set) var shapes: [String: [Int64?]]
  /// The values of constants that can be sides of shapes.
  private var integers: [String: [Int64]] = [:]

  /// Operators whose result has the shape of their first input.
  private static let keeping: Set<String> = [
    "Abs", "BatchNormalization", "Cast", "Ceil", "Celu", "Clip", "CumSum", "Dropout", "Elu", "Erf",
    "Exp", "Floor", "Gelu", "GroupNormalization", "HardSigmoid", "HardSwish", "Hardmax", "Identity",
    "InstanceNormalization", "LRN", "LayerNormalization", "LeakyRelu", "Log", "LogSoftmax",
    "LpNormalization", "MeanVarianceNormalization", "Mish", "Neg", "PRelu", "Reciprocal", "Relu",
    "Round", "ScatterElements", "ScatterND", "Selu", "Shrink", "Sigmoid", "Sign", "Softmax",
    "Softplus", "Softsign", "Sqrt", "Tanh", "ThresholdedRelu", "Trilu",
  ]
  /// Operators whose result has as many dimensions as their first input.
  private static let resizing: Set<String> = [
    "ConvTranspose", "DepthToSpace", "GridSample", "Pad", "Resize", "SpaceToDepth", "Split", "Tile",
    "TopK", "Upsample",
  ]
  /// Operators of several inputs that are broadcast to one shape.
  private static let broadcasting: Set<String> = [
    "Add", "And", "Div", "Equal", "Greater", "Less", "Max", "Mean", "Min", "Mod", "Mul", "Or",
    "Pow",
    "Sub", "Sum", "Where", "Xor",
  ]
  /// The maximum number of dimensions that is followed.
  private static let limit = 64

  /// The maximum depth of graphs inside of nodes that is followed.
  private static let depthLimit = 4
  private let depth: Int

  /// - Parameter depth: the number of graphs around this one.
  init(_ shapes: [String: [Int64?]], depth: Int = 0) {
    self.shapes = shapes
    self.depth = depth
  }

  mutating func add(_ tensor: ONNXTensor) {
    if let values = tensor.integers { integers[tensor.name] = values }
  }

  /// Adds the shapes of a node's results that are not known yet.
  mutating func add(_ node: ONNXNode, _ bytes: [UInt8]) throws(ONNXFault) {
    guard node.isStandard, let name = node.outputs.first else { return }
    if node.kind == "Constant" {
      if case .tensor(let range)? = node.attributes["value"] {
        let tensor = try ONNXTensor(bytes, range)
        shapes[name] = tensor.shape
        integers[name] = tensor.integers
      } else if case .integers(let values)? = node.attributes["value_ints"] {
        shapes[name] = [Int64(values.count)]
        integers[name] = values
      }
      return
    }
    if node.kind == "If" { return try addBranches(of: node, bytes) }
    let shape = shape(of: node)
    for name in node.kind == "Split" ? node.outputs : [name] where shapes[name] == nil {
      if let shape, shape.count <= Self.limit { shapes[name] = shape }
    }
  }

  /// Adds what the results of both branches of an `If` have in common.
  private mutating func addBranches(of node: ONNXNode, _ bytes: [UInt8]) throws(ONNXFault) {
    guard depth < Self.depthLimit else { return }
    var branches: [[[Int64?]?]] = []
    for name in ["then_branch", "else_branch"] {
      guard case .graph(let range)? = node.attributes[name] else { return }
      branches.append(try ONNXOperators.results(bytes, range, in: shapes, depth: depth + 1))
    }
    for (place, name) in node.outputs.enumerated() where shapes[name] == nil {
      guard branches.allSatisfy({ $0.indices.contains(place) }),
        let first = branches[0][place], let second = branches[1][place],
        first.count == second.count
      else { continue }
      shapes[name] = zip(first, second).map { $0 == $1 ? $0 : nil }
    }
  }

  /// The shape of a node's first result; `nil` if nothing is known.
  ///
  /// An input of an operator that broadcasts counts as a single number if its shape is not known.
  private func shape(of node: ONNXNode) -> [Int64?]? {
    let known = node.inputs.map { shapes[$0] }
    let first = known.first ?? nil
    if Self.keeping.contains(node.kind) { return first }
    if Self.resizing.contains(node.kind) { return unknown(first?.count) }
    if Self.broadcasting.contains(node.kind) { return Self.broadcast(known.compactMap(\.self)) }
    if node.kind.hasPrefix("Reduce") { return reduced(node, first) }
    switch node.kind {
    case "AveragePool", "LpPool", "MaxPool":
      return first.flatMap { windows(node, $0, $0.count > 1 ? $0[1] : nil) }
    case "Conv":
      guard let first, first.count > 2, known.count > 1 else { return nil }
      return windows(node, first, known[1]?.first ?? nil)
    case "Concat": return concatenated(node, known)
    case "Einsum":
      let parts = node.text("equation").split(separator: ">", omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[1].contains(".") else { return nil }
      return unknown(parts[1].count { $0 != " " })
    case "Expand":
      guard let first, let sides = listLength(node, 1) else { return nil }
      return unknown(max(first.count, sides))
    case "Flatten", "Gemm": return unknown(2)
    case "GRU", "LSTM", "RNN": return unknown(4)
    case "Gather":
      guard let first, known.count > 1, let second = known[1], !first.isEmpty else { return nil }
      return first.count == 1 ? second : unknown(first.count - 1 + second.count)
    case "GatherElements": return known.count > 1 ? known[1] : nil
    case "GlobalAveragePool", "GlobalLpPool", "GlobalMaxPool":
      return first.map { shape in shape.indices.map { $0 < 2 ? shape[$0] : 1 } }
    case "MatMul":
      guard known.count == 2, let a = known[0]?.count, let b = known[1]?.count, a > 0, b > 0 else {
        return nil
      }
      return unknown(max(a, b) - (a == 1 ? 1 : 0) - (b == 1 ? 1 : 0))
    case "Reshape":
      guard node.inputs.count > 1, let count = listLength(node, 1) else { return nil }
      return integers[node.inputs[1]].map { $0.map { $0 > 0 ? $0 : nil } } ?? unknown(count)
    case "Slice": return sliced(node, first)
    case "Shape": return first.map { [Int64($0.count)] }
    case "Squeeze", "Unsqueeze": return squeezed(node, first)
    case "Transpose":
      let order = node.integers("perm")
      guard let first else { return order.isEmpty ? nil : unknown(order.count) }
      if order.isEmpty { return first.reversed() }
      return order.map {
        first.indices.contains(Int(clamping: $0)) ? first[Int(clamping: $0)] : nil
      }
    default: return nil
    }
  }

  /// The number of elements of an input that is a list.
  private func listLength(_ node: ONNXNode, _ input: Int) -> Int? {
    guard node.inputs.indices.contains(input), let shape = shapes[node.inputs[input]],
      shape.count == 1
    else { return nil }
    return shape[0].flatMap { (0...Int64(Self.limit)).contains($0) ? Int($0) : nil }
  }

  /// The axes that a node states as attribute or as a constant, from 0; `nil` if they are not known.
  private func axes(of node: ONNXNode, rank: Int) -> [Int]? {
    var stated = node.integers("axes")
    if stated.isEmpty {
      guard node.inputs.count > 1, let values = integers[node.inputs[1]] else { return nil }
      stated = values
    }
    return stated.map { Int(clamping: $0 < 0 ? $0 &+ Int64(rank) : $0) }
  }

  /// The shape of a part of a value.
  private func sliced(_ node: ONNXNode, _ shape: [Int64?]?) -> [Int64?]? {
    guard let shape else { return nil }
    // Operator sets before 10 have attributes.
    func list(_ name: String, _ input: Int) -> [Int64]? {
      let stated = node.integers(name)
      guard stated.isEmpty, node.inputs.indices.contains(input) else { return stated }
      return node.inputs[input].isEmpty ? [] : integers[node.inputs[input]]
    }
    guard let starts = list("starts", 1), let ends = list("ends", 2), let axes = list("axes", 3),
      let steps = list("steps", 4), starts.count == ends.count,
      axes.isEmpty || axes.count == starts.count, steps.isEmpty || steps.count == starts.count
    else { return unknown(shape.count) }
    var result = shape
    for place in starts.indices {
      let stated = axes.isEmpty ? Int64(place) : axes[place]
      let axis = Int(clamping: stated < 0 ? stated &+ Int64(shape.count) : stated)
      guard shape.indices.contains(axis) else { return unknown(shape.count) }
      result[axis] =
        steps.isEmpty || steps[place] == 1
        ? Self.length(from: starts[place], to: ends[place], of: shape[axis]) : nil
    }
    return result
  }

  /// The length of a part of a side; `nil` if it depends on a side that is not known.
  private static func length(from start: Int64, to end: Int64, of side: Int64?) -> Int64? {
    if let side, side >= 0 {
      func place(_ value: Int64) -> Int64 { min(max(value < 0 ? value &+ side : value, 0), side) }
      return max(0, place(end) - place(start))
    }
    // The first or the last place, or one between them, of any side that has it.
    if (start < 0) == (end < 0), start < .max, end == start + 1 { return 1 }
    return start == -1 && end >= Int64(Int32.max) ? 1 : nil
  }

  private func squeezed(_ node: ONNXNode, _ shape: [Int64?]?) -> [Int64?]? {
    guard let shape else { return nil }
    let isSqueeze = node.kind == "Squeeze"
    let count = node.integers("axes").isEmpty ? listLength(node, 1) : node.integers("axes").count
    guard let count else { return nil }
    let rank = isSqueeze ? shape.count - count : shape.count + count
    guard rank >= 0, rank <= Self.limit,
      let axes = axes(of: node, rank: isSqueeze ? shape.count : rank), Set(axes).count == count
    else { return rank >= 0 ? unknown(rank) : nil }
    if isSqueeze { return shape.indices.filter { !axes.contains($0) }.map { shape[$0] } }
    var rest = shape[...]
    return (0..<rank).map { axes.contains($0) ? 1 : rest.popFirst() ?? nil }
  }

  private func reduced(_ node: ONNXNode, _ shape: [Int64?]?) -> [Int64?]? {
    guard let shape else { return nil }
    let keeps = node.integer("keepdims", or: 1) == 1
    guard let axes = axes(of: node, rank: shape.count) else {
      return keeps ? unknown(shape.count) : nil
    }
    if keeps { return shape.indices.map { axes.contains($0) ? 1 : shape[$0] } }
    return shape.indices.filter { !axes.contains($0) }.map { shape[$0] }
  }

  private func concatenated(_ node: ONNXNode, _ known: [[Int64?]?]) -> [Int64?]? {
    guard let first = known.compactMap(\.self).first else { return nil }
    let axis = node.integer("axis", or: 0)
    let place = Int(clamping: axis < 0 ? axis + Int64(first.count) : axis)
    guard first.indices.contains(place) else { return nil }
    var result = first
    // A list of scalars that were made lists of one, as shapes are put together.
    let sides = known.map { shape in shape.flatMap { $0.indices.contains(place) ? $0[place] : nil }
    }
    result[place] = sides.contains(nil) ? nil : sides.compactMap(\.self).reduce(0) { $0 &+ $1 }
    return result
  }

  /// The shape of a result of windows that move over an image.
  private func windows(_ node: ONNXNode, _ shape: [Int64?], _ channels: Int64?) -> [Int64?]? {
    guard shape.count > 2 else { return unknown(shape.count) }
    var kernel = node.integers("kernel_shape")
    if kernel.isEmpty, node.inputs.count > 1, let weights = shapes[node.inputs[1]],
      weights.count > 2
    {
      kernel = weights.dropFirst(2).compactMap(\.self)
    }
    let (strides, dilations) = (node.integers("strides"), node.integers("dilations"))
    let (pads, padding) = (node.integers("pads"), node.text("auto_pad"))
    let isPlain = node.integer("ceil_mode", or: 0) == 0
    func value(_ list: [Int64], _ place: Int, _ other: Int64) -> Int64 {
      list.indices.contains(place) ? min(max(list[place], 0), 1 << 20) : other
    }
    let sides = (0..<shape.count - 2).map { axis -> Int64? in
      let stride = value(strides, axis, 1)
      guard isPlain, stride > 0, let side = shape[axis + 2], (1...1 << 20).contains(side),
        kernel.indices.contains(axis)
      else { return nil }
      if padding.hasPrefix("SAME") { return (side + stride - 1) / stride }
      let reach = (value(kernel, axis, 1) - 1) * value(dilations, axis, 1) + 1
      let around =
        padding == "VALID" ? 0 : value(pads, axis, 0) + value(pads, kernel.count + axis, 0)
      let room = side + around - reach
      return room >= 0 ? room / stride + 1 : nil
    }
    return [shape[0], channels] + sides
  }

  private static func broadcast(_ shapes: [[Int64?]]) -> [Int64?]? {
    guard let rank = shapes.map(\.count).max() else { return nil }
    return (0..<rank).map { place in
      let sides = shapes.compactMap { shape -> Int64?? in
        let index = place - (rank - shape.count)
        return index >= 0 ? .some(shape[index]) : nil
      }
      return sides.contains(nil) ? nil : sides.compactMap(\.self).first { $0 != 1 } ?? 1
    }
  }

  private func unknown(_ rank: Int?) -> [Int64?]? {
    guard let rank, (0...Self.limit).contains(rank) else { return nil }
    return Array(repeating: nil, count: rank)
  }
}
