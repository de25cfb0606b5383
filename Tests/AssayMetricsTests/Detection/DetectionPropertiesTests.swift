import AssayCore
import Testing

import AssayMetrics

/// The properties of every detection metric, tested on the table of all metrics.
@Suite("Properties of every metric of objects")
struct DetectionPropertiesTests {
  private static let kinds = MetricKind.kinds(of: .detection).filter {
    !DetectionScores.isAbsent($0, .box)
  }

  /// All values of a metric: one, or one per class.
  private func values(
    _ kind: MetricKind, classCount: Int, _ images: [RandomDetections.Image]
  ) throws -> [Double?] {
    let settings = DetectionSettings()
    var (matches, errors) = (
      try DetectionTally(classCount: classCount, settings),
      ErrorTally(classCount: classCount, settings)
    )
    for image in images {
      try matches.add(ImageMatches(truth: image.truth, found: image.found, settings))
      try errors.add(ImageErrors(truth: image.truth, found: image.found, settings))
    }
    var plain = ScoringSettings(intervals: nil)
    plain.decision = AcceptanceRule(thresholds: Array(repeating: 0, count: classCount))
    if ErrorScores.kinds.contains(kind) || ErrorScores.classKinds.contains(kind) {
      let scores = try ErrorScores(errors, plain)
      return kind.isPerCategory ? scores.perClass(kind).map(\.value) : [scores[kind].value]
    }
    let scores = try DetectionScores(matches, plain)
    return kind.isPerCategory ? scores.perClass(kind).map(\.value) : [scores[kind].value]
  }

  @Test("Every value lies in its range", arguments: kinds)
  func range(_ kind: MetricKind) throws {
    for seed in [1, 2, 3, 5, 6, 7] {
      let set = RandomDetections(seed: seed)
      for value in try values(kind, classCount: set.classCount, set.images) {
        #expect(kind.facts.range.contains(value ?? kind.facts.range.lowerBound))
      }
    }
  }

  @Test("Each object found once and with certainty has the best value", arguments: kinds)
  func perfect(_ kind: MetricKind) throws {
    guard let isBetterHigher = kind.isBetterHigher else { return }
    let sizes = [10, 50, 120]
    let images = (0..<3).map { category in
      var image = RandomDetections.Image()
      for (place, size) in sizes.enumerated() {
        let box = [200 * place, 0, size, size]
        image.truth.append(.of(box, class: category))
        image.found.append(.of(box, class: category, score: 1))
      }
      return image
    }
    // Of three objects of a class in an image one detection finds one.
    let best = isBetterHigher ? kind == .ar1 ? 1.0 / 3 : 1 : 0
    for value in try values(kind, classCount: 3, images) {
      #expect(Goldens.agree(value, best), "\(value as Any)")
    }
  }

  @Test("Without images nothing but counts and costs has a value", arguments: kinds)
  func empty(_ kind: MetricKind) throws {
    let isNeverUndefined = kind.facts.use(in: .detection)?.undefined == nil
    for value in try values(kind, classCount: 2, []) {
      #expect(value == (isNeverUndefined ? 0 : nil))
    }
  }
}
