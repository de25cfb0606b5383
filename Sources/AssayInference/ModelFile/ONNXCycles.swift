/// Rejects ONNX files in which a node needs its own result, or a function calls itself.
///
/// ONNX forbids both. OpenVINO's reader follows them until memory is exhausted.
/// Source of the field numbers: onnx/onnx.proto of ONNX 1.22.
enum ONNXCycles {
  /// Checks every graph and function of a file that ``ONNXGuard`` has accepted.
  ///
  /// - Throws: ``ONNXFault/cycle(node:)``, and the faults of damaged files.
  /// - Complexity: O(number of fields) times the nesting depth; weights are skipped.
  static func check(_ bytes: [UInt8]) throws(ONNXFault) {
    var functions: [Function] = []
    var reader = ProtobufReader(bytes, in: bytes.indices)
    while let field = try reader.next() {
      guard case .bytes(let inner) = field.value else { continue }
      switch field.number {
      case 7: _ = try Graph(bytes, inner, nodeField: 1, depth: 0)
      case 20:
        var training = ProtobufReader(bytes, in: inner)
        while let part = try training.next() {
          guard part.number == 1 || part.number == 2, case .bytes(let graph) = part.value else {
            continue
          }
          _ = try Graph(bytes, graph, nodeField: 1, depth: 0)
        }
      case 25: functions.append(try Function(bytes, inner))
      default: break
      }
    }
    let places = Dictionary(
      functions.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    let calls = functions.map { function in Set(function.calls.compactMap { places[$0] }) }
    if let place = member(ofCycleIn: calls) { throw .cycle(node: functions[place].name.operation) }
  }

  /// The first element that is on a cycle, or depends on one; `nil` if there is none.
  ///
  /// - Parameter needs: the dependencies of each element.
  private static func member(ofCycleIn needs: [Set<Int>]) -> Int? {
    var followers = [[Int]](repeating: [], count: needs.count)
    var open = needs.map(\.count)
    for (element, needed) in needs.enumerated() {
      for other in needed { followers[other].append(element) }
    }
    var ready = needs.indices.filter { open[$0] == 0 }
    var done = 0
    while let element = ready.popLast() {
      done += 1
      for follower in followers[element] {
        open[follower] -= 1
        if open[follower] == 0 { ready.append(follower) }
      }
    }
    return done == needs.count ? nil : open.firstIndex { $0 > 0 }
  }

  /// The name of an operation or a function.
  private struct Name: Hashable {
    var domain = ""
    var operation = ""
    var overload = ""
  }

  /// A function's name and the operations that its nodes call.
  private struct Function {
    var name = Name()
    var calls: Set<Name>

    init(_ bytes: [UInt8], _ range: Range<Int>) throws(ONNXFault) {
      calls = try Graph(bytes, range, nodeField: 7, depth: 0).calls
      var reader = ProtobufReader(bytes, in: range)
      while let field = try reader.next() {
        guard case .bytes(let inner) = field.value else { continue }
        switch field.number {
        case 1: name.operation = text(bytes, inner)
        case 10: name.domain = text(bytes, inner)
        case 13: name.overload = text(bytes, inner)
        default: break
        }
      }
    }
  }

  /// A graph's nodes, checked, and the values that it needs from outside.
  private struct Graph {
    /// The values that its nodes use but do not define.
    var needs: Set<String> = []
    /// The operations that its nodes and the graphs in them call.
    var calls: Set<Name> = []

    /// - Parameter nodeField: the number of the field with the nodes: 1 for a graph, 7 for a
    ///   function.
    init(
      _ bytes: [UInt8], _ range: Range<Int>, nodeField: Int, depth: Int
    ) throws(ONNXFault) {
      guard depth < ONNXGuard.depthLimit else { throw .tooDeep(limit: ONNXGuard.depthLimit) }
      var nodes: [Node] = []
      var defined: Set<String> = []
      var reader = ProtobufReader(bytes, in: range)
      while let field = try reader.next() {
        guard case .bytes(let inner) = field.value else { continue }
        if field.number == nodeField {
          nodes.append(try Node(bytes, inner, depth: depth))
        } else if nodeField == 1 {
          switch field.number {
          case 5: defined.insert(try name(bytes, inner, field: 8))
          case 11: defined.insert(try name(bytes, inner, field: 1))
          case 12: needs.insert(try name(bytes, inner, field: 1))
          default: break
          }
        }
      }
      var producers: [String: Int] = [:]
      for (place, node) in nodes.enumerated() {
        for output in node.outputs where !output.isEmpty { producers[output] = place }
      }
      let before = nodes.map { node in Set(node.needs.compactMap { producers[$0] }) }
      if let place = member(ofCycleIn: before) {
        throw .cycle(node: nodes[place].title)
      }
      for node in nodes {
        needs.formUnion(node.needs)
        calls.formUnion(node.calls)
      }
      needs.subtract(defined)
      needs = needs.filter { producers[$0] == nil }
    }
  }

  /// A node, with the values used by it and by the graphs in its attributes.
  private struct Node {
    var needs: Set<String> = []
    var outputs: [String] = []
    var calls: Set<Name> = []
    /// The node's name, or its operation if it has none.
    var title: String

    init(_ bytes: [UInt8], _ range: Range<Int>, depth: Int) throws(ONNXFault) {
      var called = Name()
      title = ""
      var reader = ProtobufReader(bytes, in: range)
      while let field = try reader.next() {
        guard case .bytes(let inner) = field.value else { continue }
        switch field.number {
        case 1: needs.insert(text(bytes, inner))
        case 2: outputs.append(text(bytes, inner))
        case 3: title = text(bytes, inner)
        case 4: called.operation = text(bytes, inner)
        case 5:
          var attribute = ProtobufReader(bytes, in: inner)
          while let part = try attribute.next() {
            guard part.number == 6 || part.number == 11, case .bytes(let range) = part.value else {
              continue
            }
            let graph = try Graph(bytes, range, nodeField: 1, depth: depth + 1)
            needs.formUnion(graph.needs)
            calls.formUnion(graph.calls)
          }
        case 7: called.domain = text(bytes, inner)
        case 8: called.overload = text(bytes, inner)
        default: break
        }
      }
      needs.remove("")
      calls.insert(called)
      if title.isEmpty { title = called.operation }
    }
  }

  /// The text in one field of a message; empty if the field is missing.
  private static func name(
    _ bytes: [UInt8], _ range: Range<Int>, field number: Int
  ) throws(ONNXFault) -> String {
    var reader = ProtobufReader(bytes, in: range)
    while let field = try reader.next() {
      if field.number == number, case .bytes(let inner) = field.value { return text(bytes, inner) }
    }
    return ""
  }

  private static func text(_ bytes: [UInt8], _ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }
}
