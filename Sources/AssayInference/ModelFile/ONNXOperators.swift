/// Finds nodes that OpenVINO computes wrongly without an error.
///
/// Each row of ``rules`` is an operator with attributes for which OpenVINO 2026.4.1 gives other values or
/// another shape than ONNX Runtime 1.32 and the reference implementation of ONNX 1.23;
/// `Tests/Fixtures/models/make_operators.py` repeats the comparison. Source of the field numbers:
/// onnx/onnx.proto of ONNX 1.22.
enum ONNXOperators {
  private struct Rule: Sendable {
    var operators: Set<String>
    /// The operator sets in which the fault exists.
    var versions: ClosedRange<UInt64>
    /// Returns whether a node is computed wrongly.
    var isWrong: @Sendable (ONNXNode, _ shapes: [String: [Int64?]]) -> Bool
    /// The property of the node, after "has Softmax ".
    var property: String
    /// The result of OpenVINO, after "which OpenVINO computes ".
    var result: String
    /// The way to a model without such a node.
    var remedy: String
    /// True if the rule is about whole numbers of 16 bits: those of ONNX Runtime's own domain count, too.
    var isOfWideNumbers = false
  }

  /// The known properties of the values around a node.
  private struct Known {
    var shapes: [String: [Int64?]] = [:]
    /// The constants of whole numbers of 16 bits.
    var wide: Set<String> = []
  }

  private static let newer: UInt64 = .max

  private static let rules: [Rule] = [
    Rule(
      operators: ["ReduceL1", "ReduceLogSum", "ReduceLogSumExp"], versions: 13...17,
      isWrong: { node, _ in node.attributes["axes"] != nil },
      property: "with the attribute axes",
      result: "over all axes instead of those that the model states",
      remedy: export(18)),
    Rule(
      operators: ["Softmax"], versions: 11...12,
      isWrong: { node, shapes in
        let axis = node.integer("axis", or: 1)
        guard let shape = shape(around: node, shapes) else { return axis < -1 }
        let place = axis < 0 ? axis + Int64(shape.count) : axis
        guard shape.indices.contains(Int(clamping: place)) else { return false }
        return shape[(Int(place) + 1)...].contains { $0 != 1 }
      },
      property: "with another axis than the last",
      result: "along one axis instead of over that axis and all after it",
      remedy: export(13)),
    Rule(
      operators: ["Softmax"], versions: 11...12,
      // A larger axis is the last one of most models, and 1 that of classes before pixels.
      isWrong: { node, shapes in
        shape(around: node, shapes) == nil && node.integer("axis", or: 1) == 1
      },
      property: "over axis 1 of values whose number of dimensions the file does not show",
      result:
        "along one axis instead of over that axis and all after it if there are more than two",
      remedy: export(13)),
    Rule(
      operators: ["ConvTranspose"], versions: 1...newer,
      isWrong: { node, shapes in
        guard !node.integers("output_shape").isEmpty else { return false }
        let isExplicit = ["", "NOTSET"].contains(node.text("auto_pad"))
        return !isExplicit || node.inputs.first.flatMap { shapes[$0]?.first ?? nil } == nil
      },
      property: "with output_shape and automatic padding or a free batch size",
      result: "with other padding",
      remedy:
        "Export the model with pads and output_padding in place of output_shape, or with a fixed batch size"
    ),
    Rule(
      operators: ["MaxPool"], versions: 10...newer,
      isWrong: { node, _ in
        guard node.integer("ceil_mode", or: 0) == 1 else { return false }
        let kernel = node.integers("kernel_shape")
        let (strides, pads) = (node.integers("strides"), node.integers("pads"))
        let dilations = node.integers("dilations")
        return kernel.indices.contains { axis in
          func value(_ list: [Int64], _ place: Int, _ other: Int64) -> Double {
            Double(list.indices.contains(place) ? list[place] : other)
          }
          let reach = (Double(kernel[axis]) - 1) * value(dilations, axis, 1) + 1
          return reach < value(strides, axis, 1) + value(pads, kernel.count + axis, 0)
        }
      },
      property: "with ceil_mode and a kernel below stride and padding",
      result: "with windows that lie in the padding alone, so that its result can be larger",
      remedy: "Export the model with ceil_mode=False or a larger kernel"),
    Rule(
      operators: ["AveragePool"], versions: 10...newer,
      isWrong: { node, _ in
        node.integer("ceil_mode", or: 0) == 1 && node.integer("count_include_pad", or: 0) == 1
          && node.integers("pads").contains { $0 != 0 }
      },
      property: "with ceil_mode, count_include_pad and padding",
      result: "with another number of pixels under the windows at the edge",
      remedy: "Export the model with ceil_mode=False or count_include_pad=False"),
    Rule(
      operators: ["Resize"], versions: 18...newer,
      isWrong: { node, _ in node.integer("antialias", or: 0) == 1 },
      property: "with antialias", result: "without it where it makes images smaller",
      remedy:
        "Leave resizing out of the model (preprocessing of the manifest has filters with antialias), or export "
        + "it with antialias=False"),
    Rule(
      operators: ["Resize"], versions: 11...newer,
      isWrong: { node, _ in
        node.integer("exclude_outside", or: 0) == 1 && node.text("mode") == "cubic"
      },
      property: "with the mode cubic and exclude_outside",
      result: "with pixels outside of the image",
      remedy: "Export the model without exclude_outside"),
    Rule(
      operators: ["Resize"], versions: 18...newer,
      isWrong: { node, _ in
        ["not_larger", "not_smaller"].contains(node.text("keep_aspect_ratio_policy"))
      },
      property: "with keep_aspect_ratio_policy", result: "without keeping the proportions",
      remedy: "Export the model with the sizes that it needs"),
    Rule(
      operators: ["RoiAlign"], versions: 10...newer,
      isWrong: { node, _ in node.attributes["sampling_ratio"] == nil },
      property: "without sampling_ratio",
      result: "with one point per cell instead of as many as fit",
      remedy: "Export the model with sampling_ratio=0, which is the default that is meant"),
    Rule(
      operators: ["PRelu"], versions: 9...newer,
      isWrong: { node, shapes in
        guard node.inputs.count == 2, let input = shapes[node.inputs[0]], input.count >= 3,
          let slope = shapes[node.inputs[1]], slope.count == 1, let count = slope[0], count > 1
        else { return false }
        return (input[input.count - 1] ?? count) == count && (input[1] ?? count) == count
      },
      property: "with a slope for each column that is as long as the channels",
      result: "with a slope for each channel",
      remedy: "Export the model with slopes of the shape (C, 1, 1) if they belong to channels"),
    Rule(
      operators: ["MaxPool"], versions: 10...newer,
      isWrong: { node, _ in
        ["SAME_UPPER", "SAME_LOWER"].contains(node.text("auto_pad"))
          && node.integers("dilations").contains { $0 != 1 }
      },
      property: "with auto_pad and dilations", result: "with other padding",
      remedy: "Export the model with explicit padding"),
    Rule(
      operators: ["MaxPool"], versions: 8...newer,
      isWrong: { node, _ in
        node.integer("storage_order", or: 0) == 1 && node.outputs.count > 1
          && !node.outputs[1].isEmpty
      },
      property: "with indices in column order", result: "in row order",
      remedy: "Export the model with storage_order=0"),
    Rule(
      operators: ["ReduceL1", "ReduceL2", "ReduceLogSum"], versions: 18...newer,
      isWrong: { node, shapes in
        node.integer("noop_with_empty_axes", or: 0) == 1
          && (node.inputs.count < 2 || node.inputs[1].isEmpty || shapes[node.inputs[1]] == [0])
      },
      property: "with noop_with_empty_axes and no axes", result: "as the values themselves",
      remedy: "Export the model with axes"),
    Rule(
      operators: ["RoiAlign"], versions: 10...newer,
      isWrong: { node, _ in node.text("mode") == "max" },
      property: "with the mode max", result: "as the maximum of interpolated values",
      remedy: "Export the model with the mode avg"),
    Rule(
      operators: ["LpPool"], versions: 18...newer,
      isWrong: { node, _ in node.integer("ceil_mode", or: 0) == 1 },
      property: "with ceil_mode", result: "with other windows at the edge",
      remedy: "Export the model with ceil_mode=False"),
    Rule(
      operators: ["LSTM"], versions: 1...newer,
      isWrong: { node, _ in node.integer("input_forget", or: 0) == 1 },
      property: "with input_forget", result: "with separate gates of input and forgetting",
      remedy: "Train or export it without input_forget"),
    Rule(
      operators: ["LSTM"], versions: 1...newer,
      isWrong: { node, _ in node.inputs.count > 7 && !node.inputs[7].isEmpty },
      property: "with peepholes", result: "without them",
      remedy: "Train or export it without them"),
    Rule(
      operators: ["QuantizeLinear"], versions: 1...newer, isWrong: { _, _ in true },
      property: "to whole numbers of 16 bits", result: "without their limits",
      remedy:
        "Quantize the values between the layers to 8 bits (onnxruntime: activation_type=QuantType.QUInt8), or let ONNX "
        + "Runtime compute the model: --runner, which assay model runner-template --onnxruntime writes",
      isOfWideNumbers: true),
    Rule(
      operators: ["DFT"], versions: 20...newer,
      // Without an axis it is the last but one: the second of three.
      isWrong: { node, shapes in
        node.inputs.count > 2 && !node.inputs[2].isEmpty
          || node.inputs.first.flatMap { shapes[$0] }?.count != 3
      },
      property: "with another axis than 1", result: "along axis 1", remedy: export(17, "or earlier")
    ),
    Rule(
      operators: ["Attention"], versions: 23...newer,
      isWrong: { node, _ in
        ["left_window_size", "right_window_size"].contains { node.integer($0, or: -1) >= 0 }
      },
      property: "with a window", result: "without it",
      remedy: "Export the model with a mask in place of the window"),
    Rule(
      operators: ["Attention"], versions: 23...newer,
      isWrong: { node, _ in
        node.integer("is_causal", or: 0) == 1 && node.inputs.count > 4 && !node.inputs[4].isEmpty
      },
      property: "with is_causal and earlier keys", result: "with another mask",
      remedy: "Export the model with a mask in place of is_causal"),
  ]

  /// The shape of a node's first input, or of its result if that is one; `nil` if neither is known.
  private static func shape(
    around node: ONNXNode, _ shapes: [String: [Int64?]]
  ) -> [Int64?]? {
    node.inputs.first.flatMap { shapes[$0] } ?? node.outputs.first.flatMap { shapes[$0] }
  }

  private static func export(_ version: Int, _ others: String = "or later") -> String {
    "Export the model with operator set \(version) \(others) (torch.onnx.export: opset_version=\(version)), or convert "
      + "it with onnx.version_converter"
  }

  /// Checks every node of the graph, of graphs inside of nodes, and of functions.
  ///
  /// - Throws: ``ONNXFault/wrongOperator(node:operator:version:result:remedy:)``, and the faults of damaged
  ///   files.
  static func check(_ bytes: [UInt8]) throws(ONNXFault) {
    var reader = ProtobufReader(bytes, in: bytes.indices)
    var version: UInt64 = 0
    while let field = try reader.next() {
      guard field.number == 8, case .bytes(let range) = field.value else { continue }
      // The last one counts, in OpenVINO and in ONNX Runtime.
      if let stated = try self.version(bytes, range) { version = stated }
    }
    let rules = rules.filter { $0.versions.contains(version) }
    guard !rules.isEmpty else { return }
    try visit(.model, bytes, bytes.indices, rules, Known(), version, depth: 0)
  }

  private static func visit(
    _ message: ONNXGuard.Message, _ bytes: [UInt8], _ range: Range<Int>, _ rules: [Rule],
    _ outer: Known, _ version: UInt64, depth: Int
  ) throws(ONNXFault) {
    guard depth < ONNXGuard.depthLimit else { throw .tooDeep(limit: ONNXGuard.depthLimit) }
    if message == .node {
      let node = try ONNXNode(bytes, range)
      if let rule = rules.first(where: {
        $0.operators.contains(node.kind)
          && (node.isStandard || $0.isOfWideNumbers && node.domain == "com.microsoft")
          && (!$0.isOfWideNumbers || isWide(node, outer.wide)) && $0.isWrong(node, outer.shapes)
      }) {
        throw .wrongOperator(
          node: node.name, operator: "\(node.kind) \(rule.property)",
          version: Int(clamping: version),
          result: rule.result, remedy: rule.remedy)
      }
    }
    var known = outer
    if message == .graph {
      try addShapes(bytes, range, to: &known.shapes)
      try addComputedShapes(bytes, range, to: &known.shapes)
      try addWideNumbers(bytes, range, to: &known.wide)
    }
    var reader = ProtobufReader(bytes, in: range)
    while let field = try reader.next() {
      // OpenVINO does not read the graphs of training.
      guard let child = message.child(field.number), child != .training,
        case .bytes(let inner) = field.value
      else { continue }
      try visit(child, bytes, inner, rules, known, version, depth: depth + 1)
    }
  }

  /// The element types UINT16 and INT16 of `TensorProto`.
  private static let wideTypes: Set<UInt64> = [4, 5]

  /// Returns whether a node quantizes to whole numbers of 16 bits: those of its zero point, or the type that it states.
  private static func isWide(_ node: ONNXNode, _ wide: Set<String>) -> Bool {
    wideTypes.contains(UInt64(bitPattern: node.integer("output_dtype", or: 0)))
      || node.inputs.count > 2 && wide.contains(node.inputs[2])
  }

  /// Adds the names of a graph's constants of whole numbers of 16 bits.
  private static func addWideNumbers(
    _ bytes: [UInt8], _ range: Range<Int>, to names: inout Set<String>
  ) throws(ONNXFault) {
    var reader = ProtobufReader(bytes, in: range)
    while let field = try reader.next() {
      guard case .bytes(let inner) = field.value else { continue }
      if field.number == 5 {
        let tensor = try ONNXTensor(bytes, inner)
        if wideTypes.contains(tensor.elementType) { names.insert(tensor.name) }
      } else if field.number == 1 {
        let node = try ONNXNode(bytes, inner)
        guard node.kind == "Constant", case .tensor(let value)? = node.attributes["value"],
          wideTypes.contains(try ONNXTensor(bytes, value).elementType)
        else { continue }
        names.formUnion(node.outputs)
      }
    }
  }

  /// The version of an `OperatorSetIdProto` of ONNX's own operators; `nil` for those of other domains.
  private static func version(
    _ bytes: [UInt8], _ range: Range<Int>
  ) throws(ONNXFault) -> UInt64? {
    var reader = ProtobufReader(bytes, in: range)
    var domain = ""
    var version: UInt64 = 0
    while let field = try reader.next() {
      switch (field.number, field.value) {
      case (1, .bytes(let inner)): domain = ONNXGuard.text(bytes, inner)
      case (2, .varint(let value)): version = value
      default: break
      }
    }
    return domain.isEmpty || domain == "ai.onnx" ? version : nil
  }

  // MARK: Shapes

  /// Adds the stated shapes of the values of a graph; `nil` for a side that is free.
  private static func addShapes(
    _ bytes: [UInt8], _ range: Range<Int>, to shapes: inout [String: [Int64?]]
  ) throws(ONNXFault) {
    var reader = ProtobufReader(bytes, in: range)
    while let field = try reader.next() {
      guard case .bytes(let value) = field.value else { continue }
      if field.number == 5 {
        let tensor = try ONNXTensor(bytes, value)
        shapes[tensor.name] = tensor.shape
      }
      // Inputs, outputs and value_info.
      guard (11...13).contains(field.number) else { continue }
      var name = ""
      var type: Range<Int>?
      var inner = ProtobufReader(bytes, in: value)
      while let field = try inner.next() {
        guard case .bytes(let range) = field.value else { continue }
        if field.number == 1 { name = String(decoding: bytes[range], as: UTF8.self) }
        if field.number == 2 { type = range }
      }
      if let type, let shape = try shape(bytes, type) { shapes[name] = shape }
    }
  }

  /// Adds what is known of the shapes of results that the file does not state.
  private static func addComputedShapes(
    _ bytes: [UInt8], _ range: Range<Int>, to shapes: inout [String: [Int64?]], depth: Int = 0
  ) throws(ONNXFault) {
    var found = ONNXShapes(shapes, depth: depth)
    var reader = ProtobufReader(bytes, in: range)
    while let field = try reader.next() {
      guard field.number == 5, case .bytes(let inner) = field.value else { continue }
      found.add(try ONNXTensor(bytes, inner))
    }
    reader = ProtobufReader(bytes, in: range)
    while let field = try reader.next() {
      guard field.number == 1, case .bytes(let inner) = field.value else { continue }
      try found.add(ONNXNode(bytes, inner), bytes)
    }
    shapes = found.shapes
  }

  /// The shapes of the results of a graph inside of a node, in their order; `nil` for one that is not known.
  ///
  /// - Parameters:
  ///   - outer: the shapes of the values around it.
  ///   - depth: the number of graphs around it.
  static func results(
    _ bytes: [UInt8], _ range: Range<Int>, in outer: [String: [Int64?]], depth: Int
  ) throws(ONNXFault) -> [[Int64?]?] {
    var shapes = outer
    try addShapes(bytes, range, to: &shapes)
    try addComputedShapes(bytes, range, to: &shapes, depth: depth)
    var results: [[Int64?]?] = []
    var reader = ProtobufReader(bytes, in: range)
    while let field = try reader.next() {
      guard field.number == 12, case .bytes(let value) = field.value else { continue }
      let name = try member(1, bytes, value).map { String(decoding: bytes[$0], as: UTF8.self) }
      results.append(name.flatMap { shapes[$0] })
    }
    return results
  }

  /// The shape of a `TypeProto` of a tensor; `nil` if it states none.
  private static func shape(_ bytes: [UInt8], _ range: Range<Int>) throws(ONNXFault) -> [Int64?]? {
    guard let tensor = try member(1, bytes, range), let shape = try member(2, bytes, tensor) else {
      return nil
    }
    var sides: [Int64?] = []
    var reader = ProtobufReader(bytes, in: shape)
    while let field = try reader.next() {
      guard field.number == 1, case .bytes(let side) = field.value else { continue }
      var length: Int64?
      var inner = ProtobufReader(bytes, in: side)
      while let field = try inner.next() {
        if field.number == 1, case .varint(let value) = field.value {
          length = Int64(bitPattern: value)
        }
      }
      sides.append(length)
    }
    return sides
  }

  /// The last message in a field.
  private static func member(
    _ number: Int, _ bytes: [UInt8], _ range: Range<Int>
  ) throws(ONNXFault) -> Range<Int>? {
    var reader = ProtobufReader(bytes, in: range)
    var found: Range<Int>?
    while let field = try reader.next() {
      if field.number == number, case .bytes(let inner) = field.value { found = inner }
    }
    return found
  }
}
