import AssayCore
import AssayFormats
import AssayImaging
import AssayTestSupport
import Foundation
import Testing

@Suite("Damaged sets of masks")
struct MaskMutationTests {
  private struct Seed {
    var format: DatasetFormat
    var files: [(path: String, bytes: [UInt8])]
  }

  private static let seeds: [Seed] = [
    ("camvid/index", .camVid), ("camvid/colors", .camVid), ("masks/binary", .masks),
    ("masks/index", .masks), ("masks/one-folder", .masks), ("masks/turned", .masks),
    ("masks/wide", .masks), ("masks/wide-unnamed", .masks), ("bdd100k/bitmasks", .bdd100k),
    ("bdd100k/bitmasks-plain", .bdd100k),
  ].map { path, format in
    let tree = FileTree(fixture: path)
    let files = (try? tree.files()) ?? []
    return Seed(
      format: format,
      files: files.map { ($0.path, (try? tree.readAll($0.path, limit: 1 << 20)) ?? []) })
  }

  private static func mutate(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      guard !bytes.isEmpty else { return }
      let place = Int.random(in: 0..<bytes.count, using: &random)
      let end = min(bytes.count, place + Int.random(in: 1...20, using: &random))
      switch Int.random(in: 0..<7, using: &random) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 2: bytes.insert(Array("0 \n/.\"\t,".utf8)[place % 8], at: place)
      case 3: bytes.removeSubrange(place..<end)
      case 4: bytes.insert(contentsOf: bytes[place..<end], at: place)
      case 5: bytes[place] = [0, 0xFF, 0x7F, 0x80][place % 4]
      default: bytes.removeSubrange(place...)
      }
    }
  }

  /// Updates the checksums of a PNG's chunks to their contents, so that damage reaches the pixels.
  private static func mend(_ bytes: inout [UInt8]) {
    guard bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) else { return }
    var position = 8
    while position + 12 <= bytes.count {
      let length = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
      guard length <= bytes.count - position - 12 else { return }
      let end = position + 8 + length
      var sum: UInt32 = 0xFFFF_FFFF
      for byte in bytes[position + 4..<end] {
        sum ^= UInt32(byte)
        for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
      }
      sum = ~sum
      for place in 0..<4 {
        bytes[end + place] = UInt8(truncatingIfNeeded: sum >> (24 - 8 * UInt32(place)))
      }
      position = end + 4
    }
  }

  /// The number of rounds: 6,000 in a normal run; `ASSAY_LONG_TESTS=1` makes it 120,000.
  private static let rounds =
    LongTests.areOn ? 120_000 : 6_000

  @Test("Damaged masks, images, lists and label files are imported in part or refused")
  func mutations() throws {
    #expect(Self.seeds.allSatisfy { $0.files.count >= 4 })
    var random = SplitMix64(seed: 1103)
    var imported = 0
    var regions = 0
    for round in 0..<Self.rounds {
      let seed = Self.seeds[round % Self.seeds.count]
      var files = seed.files
      let place = Int.random(in: 0..<files.count, using: &random)
      Self.mutate(&files[place].bytes, &random)
      if round % 2 == 0 { Self.mend(&files[place].bytes) }
      // A repaired header can request 100 megapixels of nothing, which is correct but slow.
      if let size = try? ImageCodec.header(of: files[place].bytes).size, size.area > 1 << 20 {
        continue
      }
      let tree = MemoryTree(
        folder: Dictionary(uniqueKeysWithValues: files.map { ($0.path, $0.bytes) }))
      do {
        let detected = round % 3 == 0 ? try FormatDetector.detect(tree).format : seed.format
        guard [.camVid, .masks, .bdd100k].contains(detected) else { continue }
        let found = try CollectedMasks(tree, as: detected, ImportOptions(workers: 1))
        imported += 1
        #expect(found.isBalanced)
        for sample in found.samples {
          let areas = sample.regions.reduce(0) { $0 + $1.mask.area }
          #expect(areas <= sample.size?.area ?? 0 && sample.regions.allSatisfy { !$0.mask.isEmpty })
          regions += sample.regions.count
        }
      } catch is FormatError {
        continue
      }
    }
    #expect(imported > Self.rounds / 2 && regions > Self.rounds)
  }
}
