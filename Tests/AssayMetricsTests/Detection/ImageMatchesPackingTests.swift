import AssayCore
import Testing

@testable import AssayMetrics

@Suite struct ImageMatchesPackingTests {
  private static func matches() throws -> [ImageMatches] {
    try (UInt64(0)..<30).flatMap { seed in
      let tally = try RandomCOCO(seed: seed, .box).tally()
      return (0..<tally.count).map { tally[$0] }
    }
  }

  @Test("Packing and reading back is the identity")
  func identity() throws {
    for matches in try Self.matches() {
      #expect(try ImageMatches(packed: matches.packed, DetectionSettings()) == matches)
    }
  }

  @Test("Bytes of other thresholds or area ranges are an error")
  func otherSettings() throws {
    let matches = try Self.matches()[0]
    var fewer = DetectionSettings()
    fewer.iouThresholds = [0.5]
    var sizes = DetectionSettings()
    sizes.areaRanges = [AreaRange("all", 0, 1e10)]
    for settings in [fewer, sizes] {
      #expect(throws: MetricError.unreadable("the matches of an image")) {
        try ImageMatches(packed: matches.packed, settings)
      }
    }
  }

  @Test(
    "Bytes that were cut off or added to are an error, changed ones an error or matches that can be scored"
  )
  func damaged() throws {
    var random = SplitMix64(seed: 5)
    for matches in try Self.matches() where matches.results.count > 2 {
      let bytes = matches.packed
      #expect(throws: MetricError.self) {
        try ImageMatches(packed: Array(bytes.dropLast()), DetectionSettings())
      }
      #expect(throws: MetricError.self) {
        try ImageMatches(packed: bytes + [0], DetectionSettings())
      }
      for _ in 0..<10 {
        var changed = bytes
        changed[random.nextIndex(below: bytes.count)] = UInt8(random.nextIndex(below: 256))
        guard let read = try? ImageMatches(packed: changed, DetectionSettings()),
          let last = read.columns.parts.last, last.class < 8
        else { continue }
        var tally = try DetectionTally(classCount: 8)
        for _ in 0..<Bootstrap.leastSamples { try tally.add(read) }
        let scores = try DetectionScores(
          tally, ScoringSettings(intervals: Bootstrap(draws: 8), workers: 1))
        #expect(scores[.ap].value.map { (0...1).contains($0) } ?? true)
      }
    }
  }

  @Test("Anything at all is an error, not a trap")
  func noise() {
    var random = SplitMix64(seed: 6)
    for _ in 0..<500 {
      let bytes = (0..<random.nextIndex(below: 60)).map { _ in
        UInt8(random.nextIndex(below: 256))
      }
      #expect(throws: MetricError.self) {
        try ImageMatches(packed: [1, 8] + bytes, DetectionSettings())
      }
    }
  }
}
