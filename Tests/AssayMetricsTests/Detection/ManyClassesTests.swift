import AssayCore
import Testing

import AssayMetrics

/// Files can list many classes and have objects of a few.
@Suite("Many classes of which most do not occur")
struct ManyClassesTests {
  private static let classCount = 50_000

  /// Images with an object each, every second one found, of one class with a high index.
  private static func tallies(class category: Int, of classCount: Int) throws -> (
    DetectionTally, ErrorTally
  ) {
    let box = Box(x: 0, y: 0, width: 10, height: 10)
    let settings = DetectionSettings()
    var tally = try DetectionTally(classCount: classCount, settings)
    var errors = ErrorTally(classCount: classCount, settings)
    for image in 0..<Bootstrap.leastSamples {
      let truth = [TruthObject(class: category, box: box, area: 100)]
      let place = image.isMultiple(of: 2) ? box : Box(x: 50, y: 50, width: 10, height: 10)
      let found = [
        FoundObject(class: category, score: 1 - Double(image) / 1000, box: place, area: 100)
      ]
      try tally.add(ImageMatches(truth: truth, found: found, settings))
      try errors.add(ImageErrors(truth: truth, found: found, settings))
    }
    return (tally, errors)
  }

  @Test("They take no part in scores and their intervals")
  func scores() throws {
    let settings = ScoringSettings(intervals: Bootstrap(draws: 64), workers: 1)
    let (few, fewErrors) = try Self.tallies(class: 1, of: 2)
    let (many, manyErrors) = try Self.tallies(class: 40_000, of: Self.classCount)
    let (small, large) = (
      try DetectionScores(few, settings), try DetectionScores(many, settings)
    )
    for kind in DetectionScores.kinds(.box) {
      #expect(small[kind].value == large[kind].value)
      #expect(small[kind].interval == large[kind].interval)
    }
    #expect(large.perClass(.perCategoryAP)[40_000] == small.perClass(.perCategoryAP)[1])
    #expect(large.perClass(.perCategoryAP)[40_000].interval != nil)
    #expect(large.perClass(.perCategoryAP)[0].value == nil)
    let (one, other) = (
      try ErrorScores(fewErrors, settings), try ErrorScores(manyErrors, settings)
    )
    for kind in ErrorScores.kinds { #expect(one[kind] == other[kind]) }
    for kind in ErrorScores.classKinds {
      #expect(one.perClass(kind)[1] == other.perClass(kind)[40_000])
    }
    #expect(other.perClass(.f1)[40_000].interval != nil)
    #expect(other.perClass(.f1)[0].value == nil)
  }

  @Test("A confusion matrix is made up to a limit of classes, and scores go on without it")
  func confusion() throws {
    let limit = ErrorScores.confusionLimit
    #expect(try ErrorScores(ErrorTally(classCount: limit)).confusion?.classCount == limit + 1)
    #expect(try ErrorScores(ErrorTally(classCount: limit + 1)).confusion == nil)
    let (_, errors) = try Self.tallies(class: 40_000, of: Self.classCount)
    #expect(try ErrorScores(errors).confusion == nil)
  }
}
