/// Finds nodes that OpenVINO computes wrongly without an error.
///
/// OpenVINO 2026.4.1 ignores the attribute `axes` of ReduceL1, ReduceLogSum and ReduceLogSumExp in the
/// operator sets 13 to 17, and reduces over all axes; compared with ONNX Runtime 1.30. In earlier and
/// later sets, in which `axes` is an attribute or an input, both agree. Source of the field numbers:
/// onnx/onnx.proto of ONNX 1.22.
enum ONNXReductions {
  private static let operators: Set<String> = ["ReduceL1", "ReduceLogSum", "ReduceLogSumExp"]
  private static let versions: ClosedRange<UInt64> = 13...17

  /// Checks every node of the graph, of graphs inside of nodes, and of functions.
  ///
  /// - Throws: ``ONNXFault/wrongReduction(node:operator:version:)``, and the faults of damaged files.
  static func check(_ bytes: [UInt8]) throws(ONNXFault) {
    var reader = ProtobufReader(bytes, in: bytes.indices)
    var version: UInt64 = 0
    while let field = try reader.next() {
      guard field.number == 8, case .bytes(let range) = field.value else { continue }
      version = max(version, try self.version(bytes, range))
    }
    guard versions.contains(version) else { return }
    try visit(.model, bytes, bytes.indices, version, depth: 0)
  }

  private static func visit(
    _ message: ONNXGuard.Message, _ bytes: [UInt8], _ range: Range<Int>, _ version: UInt64,
    depth: Int
  ) throws(ONNXFault) {
    guard depth < ONNXGuard.depthLimit else { throw .tooDeep(limit: ONNXGuard.depthLimit) }
    if message == .node { try checkNode(bytes, range, version) }
    var reader = ProtobufReader(bytes, in: range)
    while let field = try reader.next() {
      // OpenVINO does not read the graphs of training.
      guard let child = message.child(field.number), child != .training,
        case .bytes(let inner) = field.value
      else { continue }
      try visit(child, bytes, inner, version, depth: depth + 1)
    }
  }

  private static func checkNode(
    _ bytes: [UInt8], _ range: Range<Int>, _ version: UInt64
  ) throws(ONNXFault) {
    var reader = ProtobufReader(bytes, in: range)
    var (name, kind, domain) = ("", "", "")
    var hasAxes = false
    while let field = try reader.next() {
      guard case .bytes(let inner) = field.value else { continue }
      switch field.number {
      case 3: name = ONNXGuard.text(bytes, inner)
      case 4: kind = ONNXGuard.text(bytes, inner)
      case 5: if try self.name(bytes, inner) == "axes" { hasAxes = true }
      case 7: domain = ONNXGuard.text(bytes, inner)
      default: break
      }
    }
    guard hasAxes, operators.contains(kind), domain.isEmpty || domain == "ai.onnx" else { return }
    throw .wrongReduction(node: name, operator: kind, version: Int(version))
  }

  /// The version of an `OperatorSetIdProto` of ONNX's own operators; 0 for those of other domains.
  private static func version(
    _ bytes: [UInt8], _ range: Range<Int>
  ) throws(ONNXFault) -> UInt64 {
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
    return domain.isEmpty || domain == "ai.onnx" ? version : 0
  }

  /// The name of an `AttributeProto`.
  private static func name(_ bytes: [UInt8], _ range: Range<Int>) throws(ONNXFault) -> String {
    var reader = ProtobufReader(bytes, in: range)
    while let field = try reader.next() {
      if field.number == 1, case .bytes(let inner) = field.value {
        return ONNXGuard.text(bytes, inner)
      }
    }
    return ""
  }
}
