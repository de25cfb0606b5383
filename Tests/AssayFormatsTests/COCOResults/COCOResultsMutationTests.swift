import AssayCore
import AssayTestSupport
import Foundation
import Testing

import AssayFormats

@Suite("Damaged results and truths")
struct COCOResultsMutationTests {
  static let rounds =
    LongTests.areOn ? 200_000 : 4_000

  private static let spice = [
    "[", "]", "{", "}", "\"", ",", ":", "\\", "-", "NaN", "null", "1e999", "},{", "} , {", "[{",
    "}]",
    "\"}, {\"", "{}", "[]", "true", "\"a\"", "0", "99999999999999999999", "\u{FEFF}", "\n", "é",
  ].map { Array($0.utf8) }

  private static func mutate(_ bytes: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      let other = Int.random(in: place..<min(bytes.count, place + 40), using: &random)
      let added = spice[Int.random(in: 0..<spice.count, using: &random)]
      switch Int.random(in: 0..<6, using: &random) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes.replaceSubrange(place...place, with: added)
      case 2: bytes.insert(contentsOf: added, at: place)
      case 3: bytes.removeSubrange(place...other)
      case 4: bytes.insert(contentsOf: bytes[place...other], at: place)
      default: bytes.removeSubrange(place...)
      }
    }
    return bytes
  }

  private func outcome(_ bytes: [UInt8], pieceBytes: Int) -> [String] {
    do {
      return try ResultsText.read(bytes, pieceBytes: pieceBytes, workers: 1).summary
    } catch {
      return ["error: \(error)"]
    }
  }

  @Test("Cut anywhere, a damaged list reads the same or is refused with the same words")
  func results() {
    var random = SplitMix64(seed: 11)
    let text = Array(ResultsText.tricky.utf8)
    for _ in 0..<Self.rounds {
      let bytes = Self.mutate(text, &random)
      let whole = outcome(bytes, pieceBytes: 1 << 20)
      let size = Int.random(in: 1...120, using: &random)
      if outcome(bytes, pieceBytes: size) != whole {
        Issue.record("pieces of \(size): \(String(decoding: bytes, as: UTF8.self))")
        return
      }
    }
  }

  @Test("What Python's json refuses as a list is never read")
  func refused() {
    for text in [
      "[{},]", "[,{}]", "[{} {}]", "[{}", "[{}]]", "[{}],", "[[{}]", "[{}}]", "[{\"a\"}]",
      "[{\"a\":}]",
      "[{\"a\":1,}]", "[{a:1}]", "[{'a':1}]", "[{\"a\":01}]", "[{\"a\":1.}]", "[{\"a\":+1}]",
      "[nul]",
      "[{\"a\":\"\t\"}]", "[\"a]", "[{\"a\":\"\\q\"}]", "[1 2]", "[{}] x", "[-]", "[{\"a\":tru}]",
    ] {
      for size in [1, 1 << 20] {
        #expect(throws: FormatError.self, "\(text)") {
          try ResultsText.read(text, pieceBytes: size)
        }
      }
    }
  }

  @Test("A damaged truth is read in part or refused, with and without regions")
  func truth() throws {
    var random = SplitMix64(seed: 12)
    let fixture = PackageFolder.fixture("coco/odd.json")
    let seed = Array(try Data(contentsOf: fixture))
    for _ in 0..<Self.rounds / 4 {
      let bytes = Self.mutate(seed, &random)
      for regions in [true, false] {
        let reader = try? COCOTruthReader(MemoryTree(bytes, name: "gt.json"), workers: 1)
        guard let truth = try? reader?.read(regions: regions) else { continue }
        #expect(truth.boxes.count == truth.count && truth.flags.count == truth.count)
        #expect(truth.imageNumbers.allSatisfy { $0 < Int32(truth.images.count) })
        #expect(truth.categoryNumbers.allSatisfy { $0 < Int32(truth.categories.count) })
        for place in 0..<truth.count {
          _ = try? truth.region(at: place)?.mask(in: ImageSize(width: 30, height: 20))
        }
      }
    }
  }
}
