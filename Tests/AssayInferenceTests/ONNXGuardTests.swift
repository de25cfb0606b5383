import AssayCore
import Foundation
import Testing

@testable import AssayInference

@Suite("The guard before ONNX")
struct ONNXGuardTests {
  private func bytes(_ name: String) throws -> [UInt8] {
    try FileBytes.all(of: Fixture.path(name), limit: 1 << 20)
  }

  @Test("A model in one piece passes")
  func whole() throws {
    try ONNXGuard.check(try bytes("tiny.onnx"))
    #expect(ModelFormat.detect(try bytes("tiny.onnx")) == .onnx)
  }

  @Test(
    "A tensor that lies elsewhere is refused, with its name and place",
    arguments: [
      ("external.onnx", "w", "weights.bin"), ("address.onnx", "w", "*/_ORT_MEM_ADDR_/*"),
      ("nested_external.onnx", "w2", "weights.bin"),
    ])
  func external(_ name: String, _ tensor: String, _ location: String) throws {
    let bytes = try bytes(name)
    #expect(
      throws: ONNXFault.externalData(
        tensor: tensor, location: location, reason: "it is not read from there")
    ) {
      try ONNXGuard.check(bytes)
    }
  }

  @Test(
    "A node that needs its own result is refused by name, also in a branch or as a function",
    arguments: [
      ("cycle.onnx", "first"), ("cycle_inside.onnx", "inner"), ("calls_itself.onnx", "Again"),
    ])
  func cycle(_ name: String, _ node: String) throws {
    let bytes = try bytes(name)
    #expect(throws: ONNXFault.cycle(node: node)) { try ONNXGuard.check(bytes) }
  }

  @Test(
    "Loops, branches and nodes in any order are not cycles",
    arguments: ["loop_forever.onnx", "loop_on_white.onnx", "huge.onnx", "detect_yolox.onnx"])
  func noCycle(_ name: String) throws {
    try ONNXGuard.check(try bytes(name))
    // graph { node { input "b" output "c" } node { input "a" output "b" } }, the later one first.
    let nodes: [UInt8] = [
      0x0A, 6, 0x0A, 1, 0x62, 0x12, 1, 0x63, 0x0A, 6, 0x0A, 1, 0x61, 0x12, 1, 0x62,
    ]
    try ONNXGuard.check([0x3A, UInt8(nodes.count)] + nodes)
  }

  @Test("A location without an entry, and an entry without a location, are refused")
  func partial() {
    // graph (7) { initializer (5) { data_location (14) = 1 } }, and { external_data (13) {} }
    let external = ONNXFault.externalData(
      tensor: "", location: "", reason: "it is not read from there")
    #expect(throws: external) { try ONNXGuard.check([0x3A, 4, 0x2A, 2, 0x70, 1]) }
    #expect(throws: external) { try ONNXGuard.check([0x3A, 4, 0x2A, 2, 0x6A, 0]) }
    #expect(throws: Never.self) { try ONNXGuard.check([0x3A, 4, 0x2A, 2, 0x70, 0]) }
  }

  @Test("A cut file tells where it ends")
  func cut() throws {
    let whole = try bytes("tiny.onnx")
    #expect(throws: ONNXFault.self) { try ONNXGuard.check(Array(whole.dropLast(20))) }
    // A length of five with two bytes left.
    #expect(throws: ONNXFault.truncated(offset: 0)) { try ONNXGuard.check([0x3A, 5, 0, 0]) }
  }

  @Test("Groups, field 0 and endless numbers are damage")
  func malformed() {
    #expect(throws: ONNXFault.malformed(offset: 0)) { try ONNXGuard.check([0x0B]) }
    #expect(throws: ONNXFault.malformed(offset: 0)) { try ONNXGuard.check([0x00, 0]) }
    #expect(throws: ONNXFault.malformed(offset: 11)) {
      try ONNXGuard.check([0x08] + [UInt8](repeating: 0xFF, count: 12))
    }
    // A length beyond any Int.
    #expect(throws: ONNXFault.truncated(offset: 0)) {
      try ONNXGuard.check([0x3A] + [UInt8](repeating: 0xFF, count: 9) + [1])
    }
  }

  @Test("Graphs within graphs end at the depth limit")
  func deep() {
    // Each level wraps: graph (7 or 6) { node (1) { attribute (5) { graph (6) … } } }.
    var bytes: [UInt8] = []
    for _ in 0..<60 {
      for tag: UInt8 in [0x32, 0x2A, 0x0A] { bytes = [tag] + length(bytes.count) + bytes }
    }
    bytes = [0x3A] + length(bytes.count - 2) + bytes.dropFirst(bytes[1] < 0x80 ? 2 : 3)
    let file = bytes
    #expect(throws: ONNXFault.self) { try ONNXGuard.check(file) }
  }

  private func length(_ count: Int) -> [UInt8] {
    count < 0x80 ? [UInt8(count)] : [UInt8(count & 0x7F) | 0x80, UInt8(count >> 7)]
  }

  @Test("Twenty thousand damaged files never crash the guard or the detection")
  func mutations() throws {
    var random = SplitMix64(seed: 7)
    var refused = 0
    for name in ["tiny.onnx", "nested_external.onnx"] {
      let whole = try bytes(name)
      for _ in 0..<12_000 {
        var bytes = whole
        for _ in 0..<Int.random(in: 1...6, using: &random) {
          let place = Int.random(in: 0..<bytes.count, using: &random)
          switch Int.random(in: 0..<4, using: &random) {
          case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
          case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
          case 2: bytes.insert(0xFF, at: place)
          default: bytes.removeSubrange(place..<min(bytes.count, place + 3))
          }
          if bytes.isEmpty { bytes = [0] }
        }
        do { try ONNXGuard.check(bytes) } catch { refused += 1 }
        _ = ModelFormat.detect(bytes)
        _ = ModelFormat.foreignName(bytes)
      }
    }
    #expect(refused > 12_000)
  }
}
