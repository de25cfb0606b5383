import AssayCore
import AssayTestSupport
import Foundation
import Testing

@testable import AssayMetrics

/// The stored data of an image can be damaged in the catalog.
@Suite("Damaged matches and verdicts")
struct PackedMatchesMutationTests {
  static let rounds =
    LongTests.areOn ? 300_000 : 3_000

  /// Bytes of lengths and numbers with extreme values.
  private static let spice: [[UInt8]] = [
    [0], [1], [0x7F], [0x80], [0xFF], [0x80, 0x01], [0xFF, 0xFF, 0xFF, 0xFF, 0x07],
    [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01],
    // Infinity, NaN, the smallest positive number and −0 as float32.
    [0, 0, 0x80, 0x7F], [0, 0, 0xC0, 0x7F], [1, 0, 0, 0], [0, 0, 0, 0x80],
  ]

  private static func mutate(_ bytes: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
    var bytes = bytes
    for _ in 0...random.nextIndex(below: 3) where !bytes.isEmpty {
      let place = random.nextIndex(below: bytes.count)
      let end = min(bytes.count, place + 1 + random.nextIndex(below: 12))
      let added = spice[random.nextIndex(below: spice.count)]
      switch random.nextIndex(below: 7) {
      case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
      case 1: bytes[place] ^= 1 << UInt8(random.nextIndex(below: 8))
      case 2: bytes.replaceSubrange(place..<min(bytes.count, place + added.count), with: added)
      case 3: bytes.insert(contentsOf: added, at: place)
      case 4: bytes.removeSubrange(place..<end)
      case 5: bytes.insert(contentsOf: bytes[place..<end], at: place)
      default: bytes.removeSubrange(place...)
      }
    }
    return bytes
  }

  /// Returns whether a score is undefined or in its valid range.
  private func isSound(_ score: Score) -> Bool {
    score.value.map { (0...1).contains($0) } ?? true
  }

  @Test("Matches are refused, or can be scored, looked at and packed again")
  func matches() throws {
    var random = SplitMix64(seed: 21)
    let seeds = try (UInt64(0)..<24).flatMap { seed in
      let tally = try RandomCOCO(seed: seed, .box).tally()
      return (0..<tally.count).map { tally[$0].packed }
    }
    let matcher = try DetectionMatcher(DetectionSettings())
    let settings = ScoringSettings(intervals: Bootstrap(draws: 8), workers: 1)
    var (read, refused) = (0, 0)
    for round in 0..<Self.rounds {
      let bytes = Self.mutate(seeds[random.nextIndex(below: seeds.count)], &random)
      guard let matches = try? matcher.matches(packed: bytes) else {
        refused += 1
        continue
      }
      read += 1
      #expect(try matcher.matches(packed: matches.packed) == matches)
      for result in matches.results { #expect(result.score.isFinite) }
      var tally = try DetectionTally(classCount: 8)
      // A class that the evaluation does not have.
      guard (try? tally.add(matches)) != nil, round.isMultiple(of: 4) else { continue }
      for _ in 1..<Bootstrap.leastSamples { try tally.add(matches) }
      let scores = try DetectionScores(tally, settings)
      for kind in DetectionScores.kinds(.box) where !isSound(scores[kind]) {
        Issue.record("\(kind) is \(scores[kind]) of \(bytes)")
        return
      }
      _ = scores.precisionRecall()
    }
    #expect(read > Self.rounds / 20)
    #expect(refused > Self.rounds / 20)
  }

  @Test("Verdicts are refused, or can be scored, listed and packed again")
  func errors() throws {
    var random = SplitMix64(seed: 22)
    let seeds = try (0..<24).flatMap { seed in
      let set = RandomDetections(seed: seed)
      return try set.images.map {
        (
          bytes: try ImageErrors(truth: $0.truth, found: $0.found, set.settings).packed,
          classCount: set.classCount
        )
      }
    }
    var (read, refused) = (0, 0)
    for _ in 0..<Self.rounds {
      let seed = seeds[random.nextIndex(below: seeds.count)]
      let bytes = Self.mutate(seed.bytes, &random)
      guard let image = try? ImageErrors(packed: bytes, classCount: seed.classCount) else {
        refused += 1
        continue
      }
      read += 1
      #expect(try ImageErrors(packed: image.packed, classCount: seed.classCount) == image)
      var tally = ErrorTally(classCount: seed.classCount)
      try tally.add(image)
      let scores = try ErrorScores(tally)
      for kind in ErrorScores.kinds where !isSound(scores[kind]) {
        Issue.record("\(kind) is \(scores[kind]) of \(bytes)")
        return
      }
      #expect(scores.confusion?.classCount == seed.classCount + 1)
      _ = ErrorTally.allMistakes(of: tally)
      _ = (image.foundVerdicts, image.truthVerdicts)
    }
    #expect(read > Self.rounds / 20)
    #expect(refused > Self.rounds / 20)
  }
}
