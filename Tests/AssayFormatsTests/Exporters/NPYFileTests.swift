import AssayFormats
import Foundation
import Testing

@Suite("NumPy files")
struct NPYFileTests {
  /// Made by numpy 2.4.6: `np.save(f, np.array([[0, 1.5, -2], [3e-5, 4, 5e30]], np.float32))`,
  /// base64.
  private static let golden = """
    k05VTVBZAQB2AHsnZGVzY3InOiAnPGY0JywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKDIsIDMp
    LCB9ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAoAAAAA
    AADAPwAAAMCCqPs3AACAQHxvfHI=
    """

  @Test("A 2×3 array is the file that numpy writes")
  func golden() throws {
    let bytes = try #require(
      NPYFile.bytes(of: [0, 1.5, -2, 3e-5, 4, 5e30] as [Float], shape: [2, 3]))
    #expect(Data(bytes) == Data(base64Encoded: Self.golden.filter { !$0.isWhitespace }))
  }

  @Test("One axis, none, and an empty one have the shapes that Python writes")
  func shapes() throws {
    for (values, shape, text) in [
      ([Float(1), 2], [2], "(2,)"), ([3], [], "()"), ([], [0, 4], "(0, 4)"),
    ] {
      let bytes = try #require(NPYFile.bytes(of: values, shape: shape))
      let header = String(decoding: bytes.prefix(bytes.count - 4 * values.count), as: UTF8.self)
      #expect(header.contains("'shape': \(text), }"))
      #expect((bytes.count - 4 * values.count) % 64 == 0)
      #expect(header.hasSuffix("\n"))
    }
  }

  @Test("A shape that is not the values' is refused")
  func wrongShape() {
    #expect(NPYFile.bytes(of: [1, 2] as [Float], shape: [3]) == nil)
    #expect(NPYFile.bytes(of: [1, 2] as [Float], shape: [-1, -2]) == nil)
    #expect(NPYFile.bytes(of: [] as [Float], shape: [0, Int.max, Int.max]) != nil)
    #expect(NPYFile.bytes(of: [1] as [Float], shape: [Int.max, Int.max]) == nil)
  }
}
