import AssayTestSupport
import Foundation
import Testing

@testable import AssayCore

/// Comparison with pycocotools 2.0.11, opencv and scipy; Fixtures/masks-algebra/make.py lists the
/// versions.
@Suite("Masks agree with the reference tools")
struct MaskGoldenTests {
  @Test("Polygons fill the same pixels as pycocotools', 6,000 cases")
  func polygons() throws {
    try compare("polygons") { draw in
      let size = draw.size(96)
      return described(Mask(polygons: draw.polygons(size), size: size))
    }
  }

  @Test("Boxes fill the same pixels as pycocotools', 500 cases")
  func boxes() throws {
    try compare("boxes") { draw in
      let size = draw.size(96)
      return described(Mask(polygons: draw.boxes(size), size: size))
    }
  }

  @Test("Codecs, union, intersection, IoU and IoU of a crowd are pycocotools', 4,000 cases")
  func runs() throws {
    try compare("runs") { draw in
      let size = draw.size(40)
      let lists = [draw.runs(size.area), draw.runs(size.area)]
      // Zeros among the runs remain in the string, which is therefore written here by a mask that
      // keeps them.
      let strings = lists.map { Mask(size: size, canonical: $0).compressed }
      let a = try Mask(size: size, compressed: strings[0])
      let b = try Mask(size: size, runs: lists[1])
      #expect(try a == Mask(size: size, runs: lists[0]))
      #expect(try b == Mask(size: size, compressed: strings[1]))
      var parts = strings.map { String(decoding: $0, as: UTF8.self) }
      parts += [described(a), described(b)]
      parts += [described(a.union(b)), described(a.intersection(b))]
      // The reference gives 0 if both are empty.
      parts += [bits(a.iou(with: b) ?? 0), bits(a.iou(ofCrowd: b) ?? 0)]
      return parts.joined(separator: " ")
    }
  }

  @Test("Pixels become the same runs as pycocotools', 1,000 cases")
  func pixels() throws {
    try compare("pixels") { draw in
      let size = draw.size(70)
      let (levels, raster) = draw.labels(size)
      let labels = Mask.labels(of: raster)
      var parts = [string(Mask(raster))]
      for value in 0..<UInt8(levels) {
        let mask = Mask(raster, where: value)
        #expect(labels.first { $0.value == value }?.mask ?? Mask(emptyOf: size) == mask)
        parts.append(string(mask))
      }
      #expect(labels.reduce(0) { $0 + $1.mask.area } == size.area)
      return parts.joined(separator: " ")
    }
  }

  @Test("Morphology, bands, components and holes are opencv's and scipy's, 1,500 cases")
  func shapes() throws {
    try compare("shapes") { draw in
      let size = draw.size(60)
      let raster = draw.shape(size)
      let mask = Mask(raster)
      let steps = 1 + draw.draw(7)
      var parts = [
        mask, mask.eroded(by: steps), mask.dilated(by: steps), mask.opened(by: steps),
        mask.closed(by: steps), mask.boundaryBand(),
      ].map(string)
      for connectivity in [Connectivity.eight, .four] {
        let components = mask.components(connectivity: connectivity)
        parts += ["\(components.count)"] + components.map(string)
        #expect(
          mask.largestComponent(connectivity: connectivity)
            == components.first ?? Mask(emptyOf: size))
      }
      parts.append(string(mask.fillingHoles()))
      return parts.joined(separator: " ")
    }
  }

  private func compare(_ family: String, _ outcome: (inout MaskCases) throws -> String) throws {
    let goldens = try #require(Self.goldens()[family])
    #expect(goldens.hashes.count >= 500)
    var wrong: [Int] = []
    for (offset, hash) in goldens.hashes.enumerated() {
      var draw = MaskCases(seed: goldens.seed + goldens.first + offset)
      if try Self.fold(outcome(&draw)) != hash { wrong.append(goldens.first + offset) }
    }
    #expect(wrong.isEmpty, "\(wrong.count) differ: make.py \(family) \(wrong.prefix(8)) shows them")
  }

  private func described(_ mask: Mask) -> String {
    let box = mask.boundingBox ?? Box(x: 0, y: 0, width: 0, height: 0)
    let numbers = [box.x, box.y, box.width, box.height].map { "\(Int($0))" }
    return "\(string(mask)) \(mask.area) \(numbers.joined(separator: ","))"
  }

  private func string(_ mask: Mask) -> String { String(decoding: mask.compressed, as: UTF8.self) }

  private func bits(_ value: Double) -> String {
    let digits = String(value.bitPattern, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// FNV-1a folded to 32 bits.
  private static func fold(_ text: String) -> UInt32 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return UInt32(truncatingIfNeeded: hash >> 32) ^ UInt32(truncatingIfNeeded: hash)
  }

  /// The seed, the number of the first case, and the hashes for each family.
  private static func goldens() throws -> [String: (seed: Int, first: Int, hashes: [UInt32])] {
    let other = ProcessInfo.processInfo.environment["ASSAY_MASK_GOLDENS"]
    let path =
      other.map { URL(filePath: $0) }
      ?? PackageFolder.fixture("masks-algebra/goldens.txt")
    let lines = try String(contentsOf: path, encoding: .utf8).split(separator: "\n")
    // "# make.py, seed 1 : …", then for each family "polygons 0 6000" and its hashes.
    let seed = try #require(lines.first?.split(separator: " ").lazy.compactMap { Int($0) }.first)
    var families: [String: (seed: Int, first: Int, hashes: [UInt32])] = [:]
    var family = ""
    for line in lines.dropFirst() {
      let words = line.split(separator: " ")
      if words.count == 3, words[0].contains(where: { $0 > "f" }), let first = Int(words[1]) {
        family = String(words[0])
        families[family] = (seed, first, [])
      } else {
        families[family]?.hashes += words.compactMap { UInt32($0, radix: 16) }
      }
    }
    return families
  }
}
