import Testing

@testable import AssayInference

@Suite("Branches of ONNX files without values")
struct ONNXEmptyBranchesTests {
  private func field(_ number: Int, _ content: [UInt8]) -> [UInt8] {
    ProtobufWriting.header(number, count: content.count) + content
  }

  private func text(_ number: Int, _ text: String) -> [UInt8] { field(number, Array(text.utf8)) }

  private func node(
    _ kind: String, _ inputs: [String], _ output: String, _ attributes: [UInt8] = []
  ) -> [UInt8] {
    field(1, inputs.flatMap { text(1, $0) } + text(2, output) + text(4, kind) + attributes)
  }

  /// A constant list of zeros of 64 bits, or one number without `count`.
  private func constant(_ name: String, count: UInt8?) -> [UInt8] {
    let shape: [UInt8] = count.map { [0x08, $0] } ?? []
    let values = field(9, [UInt8](repeating: 0, count: 8 * Int(count ?? 1)))
    return node(
      "Constant", [], name, field(5, text(1, "value") + field(5, shape + [0x10, 7] + values)))
  }

  /// A model with a node `If` whose condition is the value `condition`.
  private func model(
    _ nodes: [UInt8], condition: String, then: [UInt8?], otherwise: [UInt8?]
  ) -> [UInt8] {
    func branch(_ name: String, _ counts: [UInt8?]) -> [UInt8] {
      let names = counts.indices.map { "v\($0)" }
      let graph =
        zip(names, counts).flatMap { constant($0, count: $1) }
        + names.flatMap { field(12, text(1, $0)) }
      return field(5, text(1, name) + field(6, graph))
    }
    let outputs = then.indices.dropFirst().flatMap { text(2, "y\($0)") }
    return field(
      7,
      nodes
        + node(
          "If", [condition], "y0",
          outputs + branch("then_branch", then) + branch("else_branch", otherwise)))
  }

  private var isEmpty: [UInt8] {
    node("Shape", ["x"], "sides") + node("ReduceProd", ["sides"], "count")
      + constant("zero", count: nil) + node("Equal", ["count", "zero"], "is_empty")
  }

  @Test("The other branch takes the place of a node whose condition is that a tensor is empty")
  func replaced() throws {
    let bytes = model(isEmpty, condition: "is_empty", then: [0], otherwise: [3])
    try ONNXGuard.check(bytes)
    let found = try #require(try ONNXEmptyBranches.removed(from: bytes))
    try ONNXGuard.check(found)
    let words = String(decoding: found, as: UTF8.self)
    #expect(!words.contains("then_branch") && words.contains("assay/if0/v0"))
    #expect(try ONNXEmptyBranches.removed(from: found) == nil)
  }

  @Test("Branches that both have values stay as they are")
  func kept() throws {
    let bytes = model(isEmpty, condition: "is_empty", then: [1], otherwise: [3])
    #expect(try ONNXEmptyBranches.removed(from: bytes) == nil)
  }

  @Test("A second result with values, an empty other branch, and another condition are refused")
  func refused() {
    for bytes in [
      model(isEmpty, condition: "is_empty", then: [0, 1], otherwise: [3, 1]),
      model(isEmpty, condition: "is_empty", then: [3], otherwise: [0]),
      model(node("Less", ["x", "z"], "less"), condition: "less", then: [0], otherwise: [3]),
    ] {
      #expect(throws: ONNXFault.self) { try ONNXEmptyBranches.removed(from: bytes) }
    }
  }

  @Test("A condition behind very many nodes does not exhaust the stack")
  func longChain() {
    let chain = (0..<200_000).flatMap {
      node("Cast", [$0 == 0 ? "is_empty" : "c\($0 - 1)"], "c\($0)")
    }
    let bytes = model(isEmpty + chain, condition: "c199999", then: [0], otherwise: [3])
    #expect(throws: ONNXFault.self) { try ONNXEmptyBranches.removed(from: bytes) }
  }
}
