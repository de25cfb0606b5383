import AssayCore
import AssayTestSupport
import Foundation
import Testing

@testable import AssayInference

/// Single nodes, with the models of `make_operators.py`.
@Suite("Operators that OpenVINO computes wrongly")
struct ONNXOperatorsTests {
  @Test(
    "Operators that OpenVINO computes otherwise than ONNX Runtime are refused, their neighbors are not"
  )
  func operators() throws {
    let folder = Fixture.path("operators")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    #expect(names.count { $0.hasPrefix("wrong_") } == 29 && names.count == 59)
    for name in names where name.hasSuffix(".onnx") {
      let bytes = try FileBytes.all(of: folder + "/" + name, limit: 1 << 20)
      guard name.hasPrefix("wrong_") else {
        try ONNXGuard.check(bytes)
        continue
      }
      let error = #expect(throws: ONNXFault.self, "\(name)") { try ONNXGuard.check(bytes) }
      guard case .wrongOperator(let node, let kind, _, _, _)? = error else { continue }
      let words = name.split(separator: "_")
      #expect(node == "inner" && kind.lowercased().hasPrefix(words[1].split(separator: ".")[0]))
      #expect(
        "\(ONNXFault.wrongOperator(node: node, operator: kind, version: 11, result: "r", remedy: "m"))"
          .contains("(node “inner”), which OpenVINO computes r: its results would be wrong. m;"))
    }
  }
}
