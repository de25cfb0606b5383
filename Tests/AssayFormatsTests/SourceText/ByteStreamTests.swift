import AssayCore
import AssayTestSupport
import Foundation
import Testing

@testable import AssayFormats

@Suite("Packed files")
struct ByteStreamTests {
  private static func fixture(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: PackageFolder.fixture("fer/\(name)")))
  }

  /// The text, the damage and the hash, read in pieces of a given size.
  private func read(
    _ bytes: [UInt8], piece: Int
  ) throws -> (text: [UInt8], damage: String?, hash: String?) {
    let tree = MemoryTree(bytes)
    var stream = try ByteStream(tree, tree.files()[0], hashing: true)
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: piece)
    while true {
      let count = try buffer.withUnsafeMutableBytes { try stream.read(into: $0) }
      text += buffer.prefix(count)
      if count < piece { return (text, stream.damage, stream.contentHash()) }
    }
  }

  @Test(
    "One member or many, in pieces of any size: the text and the file's hash",
    arguments: [1, 7, 64, 100_000])
  func members(piece: Int) throws {
    let plain = try Self.fixture("fer2013.csv")
    for name in ["fer2013.csv", "fer2013.csv.gz", "members.csv.gz"] {
      let bytes = try Self.fixture(name)
      let found = try read(bytes, piece: piece)
      #expect(found.text == plain)
      #expect(found.damage == nil)
      #expect(found.hash == ContentHash.of(bytes))
    }
  }

  @Test("Padding with zeros behind the data is no damage, other bytes are")
  func trailing() throws {
    let bytes = try Self.fixture("members.csv.gz")
    let plain = try Self.fixture("fer2013.csv")
    let padded = try read(bytes + [0, 0, 0, 0], piece: 64)
    #expect(padded.text == plain)
    #expect(padded.damage == nil)
    #expect(padded.hash == ContentHash.of(bytes + [0, 0, 0, 0]))
    let followed = try read(bytes + Array("more".utf8), piece: 64)
    #expect(followed.text == plain)
    #expect(followed.damage == "there is other data after the gzip data")
  }

  @Test("A cut file gives what can be unpacked, and says that it ends early")
  func truncated() throws {
    let bytes = try Self.fixture("members.csv.gz")
    let plain = try Self.fixture("fer2013.csv")
    for count in [3, 20, 100, bytes.count - 1] {
      let found = try read(Array(bytes.prefix(count)), piece: 64)
      #expect(plain.starts(with: found.text))
      #expect(found.damage == "the gzip data is truncated")
    }
  }

  @Test("A wrong checksum is damage behind data that are all there")
  func checksum() throws {
    var bytes = try Self.fixture("fer2013.csv.gz")
    bytes[bytes.count - 8] ^= 1
    let found = try read(bytes, piece: 64)
    #expect(found.damage?.contains("incorrect data check") == true)
    #expect(try found.text == Self.fixture("fer2013.csv"))
  }
}
