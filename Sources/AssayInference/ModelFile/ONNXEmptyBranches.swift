/// Nodes `If` with a branch whose results have no values, as detectors have them for images in which they find nothing.
///
/// OpenVINO 2026.4.1 gives a result of the shape (0) from such a branch as one value 0, so that a box is there where the
/// model found none. Where the condition is that a tensor is empty (`x.numel() == 0` of PyTorch), the other branch is
/// put in place of the node: its result for an empty tensor is empty, too, and OpenVINO computes it right. Any other
/// node of this kind is refused, also in the body of a loop, in a branch and in a function.
/// `Tests/Fixtures/models/make_empty_branch.py` repeats the comparison with ONNX Runtime.
///
/// Source of the field numbers: onnx/onnx.proto of ONNX 1.22.
struct ONNXEmptyBranches {
  private let bytes: [UInt8]
  private let graph: Range<Int>
  /// The nodes of the graph by the names of their results.
  private var producers: [String: ONNXNode] = [:]
  /// The values of one whole number by name.
  private var numbers: [String: Int64] = [:]
  /// The nodes that are replaced, by the start of their field.
  private var replaced: [Int: Branch] = [:]

  /// A branch that takes the place of its node.
  private struct Branch {
    var graph: Range<Int>
    var outputs: [String]
    /// A prefix of the names inside of the branch, which another branch may have, too.
    var prefix: String
  }

  /// Returns the model without such nodes; `nil` if it has none.
  ///
  /// - Parameter bytes: a file that ``ONNXGuard/check(_:)`` has accepted.
  /// - Throws: ``ONNXFault/wrongOperator(node:operator:version:result:remedy:)`` for a node that must stay.
  static func removed(from bytes: [UInt8]) throws(ONNXFault) -> [UInt8]? {
    var graphs: [(field: Range<Int>, inner: Range<Int>)] = []
    var reader = ProtobufReader(bytes, in: bytes.indices)
    while true {
      let start = reader.offset
      guard let field = try reader.next() else { break }
      guard case .bytes(let inner) = field.value else { continue }
      if field.number == 7 { graphs.append((start..<reader.offset, inner)) }
      if field.number == 25 { try check(bytes, inner, nodeField: 7, [], depth: 0) }
    }
    // The parts of a message that is there several times are merged; nobody writes that.
    guard graphs.count == 1, let graph = graphs.first else { return nil }
    let branches = try ONNXEmptyBranches(bytes, graph.inner)
    guard !branches.replaced.isEmpty else { return nil }
    var result = Array(bytes[..<graph.field.lowerBound])
    append(7, try branches.rewritten(), to: &result)
    result += bytes[graph.field.upperBound...]
    return result
  }

  private init(_ bytes: [UInt8], _ graph: Range<Int>) throws(ONNXFault) {
    self.bytes = bytes
    self.graph = graph
    var guarded: [(start: Int, node: ONNXNode)] = []
    var inners: [Range<Int>] = []
    var tensors: [String] = []
    var reader = ProtobufReader(bytes, in: graph)
    while true {
      let start = reader.offset
      guard let field = try reader.next() else { break }
      guard case .bytes(let inner) = field.value else { continue }
      if field.number == 5 { tensors.append(try addNumber(inner, named: nil)) }
      guard field.number == 1 else { continue }
      let node = try ONNXNode(bytes, inner)
      for output in node.outputs where !output.isEmpty { producers[output] = node }
      if case .tensor(let value)? = node.attributes["value"], node.kind == "Constant" {
        _ = try addNumber(value, named: node.outputs.first)
      }
      if node.kind == "If", node.isStandard { guarded.append((start, node)) }
      for case .graph(let inner) in node.attributes.values { inners.append(inner) }
    }
    let constants = Set(producers.filter { $0.value.kind == "Constant" }.keys).union(tensors)
    for inner in inners { try Self.check(bytes, inner, nodeField: 1, constants, depth: 1) }
    for (start, node) in guarded {
      guard case .graph(let then)? = node.attributes["then_branch"],
        case .graph(let other)? = node.attributes["else_branch"]
      else { continue }
      let condition = node.inputs.first ?? ""
      // OpenVINO leaves out a branch that is never taken.
      if producers[condition].map({ $0.kind == "Constant" }) ?? true { continue }
      let (thens, others) = (try Self.areEmpty(bytes, then), try Self.areEmpty(bytes, other))
      guard thens.contains(true) || others.contains(true) else { continue }
      // A result with values can be another one in the other branch.
      guard thens.allSatisfy(\.self), asksForEmptiness(condition), try canMove(other) else {
        throw Self.fault(node)
      }
      replaced[start] = Branch(
        graph: other, outputs: node.outputs, prefix: "assay/if\(replaced.count)/")
    }
  }

  private static func fault(_ node: ONNXNode) -> ONNXFault {
    .wrongOperator(
      node: node.name, operator: "If with a branch whose result has no values", version: 0,
      result: "with one value 0 in place of none",
      remedy: "Export it without the branch for empty tensors")
  }

  /// Refuses nodes with an empty branch in a graph that is part of a node, or in a function.
  ///
  /// - Parameters:
  ///   - nodeField: the field of the nodes.
  ///   - constants: the names of constant values around it.
  private static func check(
    _ bytes: [UInt8], _ graph: Range<Int>, nodeField: Int, _ constants: Set<String>, depth: Int
  ) throws(ONNXFault) {
    guard depth < ONNXGuard.depthLimit else { throw .tooDeep(limit: ONNXGuard.depthLimit) }
    var constants = constants
    var nodes: [ONNXNode] = []
    var reader = ProtobufReader(bytes, in: graph)
    while let field = try reader.next() {
      guard case .bytes(let inner) = field.value else { continue }
      if field.number == nodeField {
        let node = try ONNXNode(bytes, inner)
        if node.kind == "Constant" { constants.formUnion(node.outputs) }
        nodes.append(node)
      } else if field.number == 5, nodeField == 1 {
        constants.insert(try ONNXTensor(bytes, inner).name)
      }
    }
    for node in nodes {
      let inners = node.attributes.values.compactMap {
        if case .graph(let inner) = $0 { inner } else { nil }
      }
      if node.kind == "If", node.isStandard, !constants.contains(node.inputs.first ?? "") {
        for inner in inners where try areEmpty(bytes, inner).contains(true) { throw fault(node) }
      }
      for inner in inners {
        try check(bytes, inner, nodeField: 1, constants, depth: depth + 1)
      }
    }
  }

  /// Keeps the value of a tensor with one whole number, and returns the tensor's name.
  private mutating func addNumber(
    _ range: Range<Int>, named name: String?
  ) throws(ONNXFault) -> String {
    let tensor = try ONNXTensor(bytes, range)
    if let values = tensor.integers, values.count == 1 { numbers[name ?? tensor.name] = values[0] }
    return tensor.name
  }

  /// Returns for each result of a branch true if it is known to have no values.
  private static func areEmpty(
    _ bytes: [UInt8], _ branch: Range<Int>
  ) throws(ONNXFault) -> [Bool] {
    try ONNXOperators.results(bytes, branch, in: [:], depth: 1).map { $0?.contains(0) ?? false }
  }

  /// The maximum number of nodes that only pass a value on which are followed.
  private static let stepLimit = 16

  /// The node that computes a value, before its type is changed.
  private func source(of name: String) -> ONNXNode? {
    var node = producers[name]
    for _ in 0..<Self.stepLimit {
      guard let passing = node, ["Cast", "Identity"].contains(passing.kind) else { return node }
      node = passing.inputs.first.flatMap { producers[$0] }
    }
    return nil
  }

  /// Returns whether a condition is that the number of a tensor's values is 0.
  private func asksForEmptiness(_ name: String) -> Bool {
    guard let node = source(of: name), node.kind == "Equal", node.inputs.count == 2 else {
      return false
    }
    let sides = node.inputs
    return (numbers[sides[1]] == 0 && isCount(sides[0]))
      || (numbers[sides[0]] == 0 && isCount(sides[1]))
  }

  private func isCount(_ name: String) -> Bool {
    guard let node = source(of: name) else { return false }
    return node.kind == "Size"
      || node.kind == "ReduceProd"
        && node.inputs.first.flatMap { producers[$0] }?.kind == "Shape"
  }

  /// Returns whether a branch consists of nodes without graphs of their own, and of plain tensors.
  private func canMove(_ branch: Range<Int>) throws(ONNXFault) -> Bool {
    var reader = ProtobufReader(bytes, in: branch)
    while let field = try reader.next() {
      guard case .bytes(let inner) = field.value else { continue }
      // Sparse tensors.
      if field.number == 15 { return false }
      guard field.number == 1 else { continue }
      let holdsGraph = try ONNXNode(bytes, inner).attributes.values.contains {
        if case .graph = $0 { true } else { false }
      }
      if holdsGraph { return false }
    }
    return true
  }

  // MARK: Writing

  private static func append(_ field: Int, _ content: some Collection<UInt8>, to out: inout [UInt8])
  {
    out += ProtobufWriting.header(field, count: content.count)
    out += content
  }

  /// The graph with the branches in place of their nodes.
  private func rewritten() throws(ONNXFault) -> [UInt8] {
    var out: [UInt8] = []
    var reader = ProtobufReader(bytes, in: graph)
    while true {
      let start = reader.offset
      guard try reader.next() != nil else { return out }
      if let branch = replaced[start] {
        try append(branch, to: &out)
      } else {
        out += bytes[start..<reader.offset]
      }
    }
  }

  /// Appends the nodes and tensors of a branch; its results get the names of those of the node.
  private func append(_ branch: Branch, to out: inout [UInt8]) throws(ONNXFault) {
    var (nodes, tensors, results) = ([Range<Int>](), [Range<Int>](), [String]())
    var names: [String: String] = [:]
    var reader = ProtobufReader(bytes, in: branch.graph)
    while let field = try reader.next() {
      guard case .bytes(let inner) = field.value else { continue }
      switch field.number {
      case 1:
        nodes.append(inner)
        for name in try ONNXNode(bytes, inner).outputs where !name.isEmpty {
          names[name] = branch.prefix + name
        }
      case 5:
        tensors.append(inner)
        let name = try ONNXTensor(bytes, inner).name
        names[name] = branch.prefix + name
      case 12: results.append(try text(1, in: inner))
      default: break
      }
    }
    for tensor in tensors { Self.append(5, try renamed(tensor, [8], names), to: &out) }
    for node in nodes { Self.append(1, try renamed(node, [1, 2], names), to: &out) }
    for (inner, outer) in zip(results, branch.outputs) where !outer.isEmpty {
      var node: [UInt8] = []
      Self.append(1, (names[inner] ?? inner).utf8, to: &node)
      Self.append(2, outer.utf8, to: &node)
      Self.append(4, "Identity".utf8, to: &node)
      Self.append(1, node, to: &out)
    }
  }

  /// A message with other names in some of its fields.
  private func renamed(
    _ message: Range<Int>, _ fields: Set<Int>, _ names: [String: String]
  ) throws(ONNXFault) -> [UInt8] {
    var out: [UInt8] = []
    var reader = ProtobufReader(bytes, in: message)
    while true {
      let start = reader.offset
      guard let field = try reader.next() else { return out }
      if fields.contains(field.number), case .bytes(let inner) = field.value,
        let name = names[String(decoding: bytes[inner], as: UTF8.self)]
      {
        Self.append(field.number, name.utf8, to: &out)
      } else {
        out += bytes[start..<reader.offset]
      }
    }
  }

  /// The last text in a field of a message; empty if there is none.
  private func text(_ number: Int, in message: Range<Int>) throws(ONNXFault) -> String {
    var text = ""
    var reader = ProtobufReader(bytes, in: message)
    while let field = try reader.next() {
      if field.number == number, case .bytes(let inner) = field.value {
        text = String(decoding: bytes[inner], as: UTF8.self)
      }
    }
    return text
  }
}
