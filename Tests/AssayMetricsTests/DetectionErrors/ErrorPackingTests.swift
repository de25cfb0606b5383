import AssayCore
import Testing

@testable import AssayMetrics

@Suite struct ErrorPackingTests {
  private func images() throws -> [(image: ImageErrors, classCount: Int)] {
    try (0..<40).flatMap { seed in
      let set = RandomDetections(seed: seed)
      return try set.images.map {
        (try ImageErrors(truth: $0.truth, found: $0.found, set.settings), set.classCount)
      }
    }
  }

  @Test("What was packed is read back without loss")
  func roundTrip() throws {
    for (image, classCount) in try images() {
      #expect(try ImageErrors(packed: image.packed, classCount: classCount) == image)
    }
  }

  @Test("Scores that are no float32 come back to the bit, as do large and negative ones")
  func scores() throws {
    for score in [0.1, 1.0 / 3, 0.5, 1e300, -2.25, -0.1, 0, .leastNonzeroMagnitude] {
      let image = try ImageErrors(
        truth: [], found: [.of([0, 0, 1, 1], score: score)], DetectionSettings())
      let back = try ImageErrors(packed: image.packed, classCount: 1)
      #expect(back.foundScores[0].bitPattern == score.bitPattern)
    }
  }

  @Test("Areas beyond all bounds are kept as the largest there is")
  func areas() throws {
    var truth = TruthObject.of([0, 0, 10, 10])
    truth.area = 1e300
    let image = try ImageErrors(truth: [truth], found: [], DetectionSettings())
    #expect(try ImageErrors(packed: image.packed, classCount: 1) == image)
  }

  @Test("Bytes that were cut off are an error")
  func truncated() throws {
    for (image, classCount) in try images().prefix(12) {
      let bytes = image.packed
      for length in bytes.indices {
        #expect(throws: MetricError.unreadable("the verdicts of an image")) {
          try ImageErrors(packed: Array(bytes[..<length]), classCount: classCount)
        }
      }
      #expect(throws: MetricError.self) {
        try ImageErrors(packed: bytes + [0], classCount: classCount)
      }
    }
  }

  @Test("Bytes that were changed are an error or verdicts that hold together")
  func damaged() throws {
    var random = SplitMix64(seed: 1)
    var (read, refused) = (0, 0)
    for (image, classCount) in try images() {
      let bytes = image.packed
      for _ in 0..<60 {
        var changed = bytes
        for _ in 0...random.next() % 3 {
          changed[Int(random.next() % UInt64(bytes.count))] = UInt8(
            truncatingIfNeeded: random.next())
        }
        guard let image = try? ImageErrors(packed: changed, classCount: classCount) else {
          refused += 1
          continue
        }
        var tally = ErrorTally(classCount: classCount)
        try tally.add(image)
        _ = try ErrorScores(tally)
        _ = ErrorTally.allMistakes(of: tally)
        read += 1
      }
    }
    #expect(read > 100)
    #expect(refused > 100)
  }

  @Test("Anything at all is an error, not a trap")
  func noise() {
    var random = SplitMix64(seed: 2)
    for length in 0..<400 {
      var bytes = (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      if length > 1 { (bytes[0], bytes[1]) = (1, length % 2 == 0 ? 4 : 8) }
      _ = try? ImageErrors(packed: bytes, classCount: 3)
    }
  }

  /// One object of class 0 and detections of it, in packed form.
  private func refuses(
    _ founds: [ImageErrors.Found], _ outcome: TruthObjectVerdict.Outcome = .missed
  )
    -> Bool
  {
    let truth = ImageErrors.Truth(class: 0, outcome: outcome, sizes: 1, area: 1)
    let bytes = ImageErrors(founds: founds, truths: [truth]).packed
    return (try? ImageErrors(packed: bytes, classCount: 2)) == nil
  }

  private func found(
    _ mark: ImageErrors.Mark, class category: Int32 = 0, about truth: Int32 = 0,
    isFixable: Bool = false, takes: Int32 = -1
  ) -> ImageErrors.Found {
    ImageErrors.Found(
      class: category, mark: mark, isFixable: isFixable, truth: truth, overlap: 0.5,
      confusedTruth: takes, sizes: 1, score: 0.5)
  }

  @Test("Verdicts that contradict each other are refused")
  func contradictions() {
    #expect(!refuses([found(.right)]))
    #expect(refuses([found(.right), found(.right)]))
    #expect(refuses([found(.right, class: 1)]))
    #expect(refuses([found(.right)], .ignored))
    #expect(refuses([found(.right, about: -1)]))
    #expect(!refuses([found(.ignored)], .ignored))
    #expect(refuses([found(.ignored)]))
    #expect(!refuses([found(.class, class: 1, isFixable: true)]))
    #expect(refuses([found(.class, isFixable: true)]))
    #expect(refuses([found(.right), found(.class, class: 1, isFixable: true)]))
    #expect(
      refuses([
        found(.class, class: 1, isFixable: true), found(.place, isFixable: true),
      ]))
    #expect(refuses([found(.duplicate, isFixable: true)]))
    #expect(refuses([found(.background)]))
    #expect(!refuses([found(.background, about: -1, takes: 0)]))
    #expect(
      refuses([found(.background, about: -1, takes: 0), found(.background, about: -1, takes: 0)]))
    #expect(refuses([found(.both)]))
  }
}

extension ErrorTally {
  static func allMistakes(of tally: ErrorTally) -> [CostlyMistake] {
    DetectionErrorKind.allCases.flatMap { tally.costliest($0, limit: .max) }
  }
}
