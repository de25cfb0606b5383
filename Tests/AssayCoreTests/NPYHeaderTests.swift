import AssayCore
import AssayTestSupport
import Foundation
import Testing

@Suite("Headers of NumPy arrays")
struct NPYHeaderTests {
  static func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: PackageFolder.fixture("npy/\(name).npy")))
  }

  static func header(_ bytes: [UInt8]) throws -> (header: NPYHeader, length: Int) {
    let length = try NPYHeader.length(of: bytes)
    return (try NPYHeader(Array(bytes.prefix(length))), length)
  }

  @Test("NumPy's own files of every type: the shape, the type, and all remaining bytes are values")
  func types() throws {
    for element in NPYHeader.Element.allCases {
      let bytes = try Self.bytes(element == .bool ? "bool" : element.rawValue)
      let (header, length) = try Self.header(bytes)
      #expect(header == NPYHeader(element: element, shape: [2, 3]))
      #expect(header.byteCount == bytes.count - length)
    }
  }

  @Test(
    "Other shapes and versions",
    arguments: [
      ("scalar", []), ("empty", [0, 6]), ("one", [5]), ("version2", [2, 3]), ("version3", [2, 3]),
    ])
  func shapes(_ name: String, _ shape: [Int]) throws {
    let bytes = try Self.bytes(name)
    let (header, length) = try Self.header(bytes)
    #expect(header == NPYHeader(element: .f4, shape: shape))
    #expect(header.byteCount == bytes.count - length)
  }

  @Test(
    "What is not read, with the reason",
    arguments: [
      ("fortran", "numpy.ascontiguousarray"), ("big_endian", "newbyteorder"),
      ("object", "never read"), ("text", "element type “<U2”"), ("fields", "damaged header"),
    ])
  func refused(_ name: String, _ text: String) throws {
    let bytes = try Self.bytes(name)
    let fault = #expect(throws: NPYFault.self) { try Self.header(bytes) }
    #expect(fault?.description.contains(text) == true, "\(fault?.description ?? "")")
  }

  @Test("Written headers are NumPy's own, byte for byte")
  func written() throws {
    for (name, element, shape) in [
      ("f4", .f4, [2, 3]), ("u1", .u1, [2, 3]), ("one", .f4, [5]), ("scalar", .f4, []),
    ] as [(String, NPYHeader.Element, [Int])] {
      let bytes = try Self.bytes(name)
      let length = try NPYHeader.length(of: bytes)
      #expect(NPYHeader(element: element, shape: shape).bytes == Array(bytes.prefix(length)))
    }
    #expect(NPYHeader(element: .f4, shape: [-1]).bytes == nil)
    #expect(NPYHeader(element: .f4, shape: [1 << 40, 1 << 40]).byteCount == nil)
  }

  @Test("Damaged headers are read or refused")
  func damage() throws {
    let whole = try Self.bytes("f4")
    var random = SplitMix64(seed: 7)
    var read = 0
    for _ in 0..<20_000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<128, using: &random)
        bytes[place] = UInt8.random(in: 0...255, using: &random)
      }
      bytes.removeLast(Int.random(in: 0...bytes.count, using: &random))
      if let header = try? Self.header(bytes).header {
        read += 1
        #expect(header.byteCount != nil && header.shape.allSatisfy { $0 >= 0 })
      }
    }
    #expect(read > 0 && read < 20_000)
  }
}
