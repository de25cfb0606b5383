import AssayCore
import Testing

@testable import AssayStore

@Suite("Packed bytes")
struct PackedBytesTests {
  private func unpacked(_ bytes: [UInt8]) -> [UInt8]? {
    bytes.withUnsafeBytes { PackedBytes.unpacked($0) }
  }

  @Test("They come back whatever they are", arguments: [0, 1, 255, 256, 5_000])
  func roundTrip(count: Int) {
    var random = SplitMix64(seed: UInt64(count))
    let noise = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    let flat = Array(repeating: UInt8(9), count: count)
    for bytes in [noise, flat] {
      let packed = PackedBytes.packed(bytes)
      #expect(packed.count <= count + 1)
      #expect(unpacked(packed) == bytes)
    }
    // Data that does not get smaller is stored uncompressed.
    #expect(PackedBytes.packed(noise) == [0] + noise)
    if count == 5_000 { #expect(PackedBytes.packed(flat).count < 100) }
  }

  @Test("Anything cut or changed is told, or at least of the right size")
  func damaged() {
    let packed = PackedBytes.packed(Array(repeating: 7, count: 3_000))
    for end in packed.indices { #expect(unpacked(Array(packed[..<end])) == nil) }
    for index in packed.indices {
      var changed = packed
      changed[index] ^= 0x40
      if let bytes = unpacked(changed) { #expect(bytes.count == 3_000) }
    }
  }

  @Test("A count that the stream cannot hold makes no room")
  func hugeCount() {
    let stream = [UInt8](repeating: 0, count: 1_000)
    #expect(unpacked([1, 0xFF, 0xFF, 0xFF, 0xFF] + stream) == nil)
  }
}
