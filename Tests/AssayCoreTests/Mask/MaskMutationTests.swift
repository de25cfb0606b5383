import AssayTestSupport
import Foundation
import Testing

import AssayCore

/// Seeded damage to small valid inputs: the result is one of our errors or a valid value, never a
/// trap or a hang. `ASSAY_LONG_TESTS=1` makes 120,000 mutations of each.
@Suite("Damaged masks")
struct MaskMutationTests {
  private static let count =
    LongTests.areOn ? 120_000 : 6_000

  private func mutated(_ bytes: [UInt8], _ draw: inout MaskCases) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<1 + draw.draw(4) {
      let place = draw.draw(bytes.count + 1)
      switch draw.draw(5) {
      case 0 where place < bytes.count: bytes[place] = UInt8(draw.draw(256))
      case 1 where place < bytes.count: bytes[place] ^= 1 << UInt8(draw.draw(8))
      case 2 where place < bytes.count: bytes.remove(at: place)
      case 3: bytes.insert(UInt8(48 + draw.draw(64)), at: place)
      default: bytes.removeSubrange(place...)
      }
    }
    return bytes
  }

  private func isSound(_ mask: Mask) -> Bool {
    mask.runs.reduce(0) { $0 + Int($1) } == mask.size.area
      && !mask.runs.dropFirst().contains(0)
      && (try? Mask(size: mask.size, compressed: mask.compressed)) == mask
  }

  @Test("Compressed strings")
  func strings() {
    var sound = 0
    for number in 0..<Self.count {
      var draw = MaskCases(seed: number)
      let size = draw.size(40)
      let bytes = mutated(Mask(draw.shape(size)).compressed, &draw)
      do {
        let mask = try Mask(size: size, compressed: bytes)
        #expect(isSound(mask))
        sound += 1
      } catch {
        #expect(!error.description.isEmpty)
      }
    }
    #expect(sound > 0 && sound < Self.count)
  }

  @Test("Run lengths")
  func runs() {
    let odd: [UInt32] = [0, 1, 0x7FFF_FFFF, 0x8000_0000, .max]
    var sound = 0
    for number in 0..<Self.count {
      var draw = MaskCases(seed: number)
      let size = draw.size(20)
      var runs = draw.runs(size.area)
      for _ in 0..<draw.draw(3) {
        let place = draw.draw(runs.count)
        switch draw.draw(3) {
        case 0: runs[place] = odd[draw.draw(odd.count)]
        case 1: runs.insert(0, at: place)
        default: runs[place] &+= 1
        }
      }
      if let mask = try? Mask(size: size, runs: runs) {
        #expect(isSound(mask))
        sound += 1
      }
    }
    #expect(sound > 0 && sound < Self.count)
  }

  @Test("Packed geometry")
  func geometry() {
    var sound = 0
    for number in 0..<Self.count {
      var draw = MaskCases(seed: number)
      let size = draw.size(40)
      let bytes = mutated(Geometry.polygons(draw.polygons(size)).packed, &draw)
      if let geometry = try? Geometry(shape: .polygon, packed: bytes, size: size) {
        // Whatever the numbers are now, they can be converted to a mask.
        #expect(isSound(geometry.mask(in: size)))
        sound += 1
      }
    }
    #expect(sound > 0 && sound < Self.count)
  }

  @Test("Polygons of any bits")
  func polygons() {
    for number in 0..<Self.count {
      var draw = MaskCases(seed: number)
      let size = draw.size(40)
      var polygons = draw.polygons(size)
      for _ in 0..<1 + draw.draw(3) {
        let index = draw.draw(polygons.count)
        let place = draw.draw(polygons[index].count)
        let high = UInt64(draw.draw(1 << 32)) << 32
        switch draw.draw(3) {
        case 0: polygons[index][place] = Double(bitPattern: high | UInt64(draw.draw(1 << 32)))
        case 1: polygons[index][place] *= [1e3, 1e6, 1e9, -1e9, 1e300][draw.draw(5)]
        default: polygons[index].remove(at: place)
        }
        if polygons[index].isEmpty { polygons[index] = [0] }
      }
      #expect(isSound(Mask(polygons: polygons, size: size)))
    }
  }
}
