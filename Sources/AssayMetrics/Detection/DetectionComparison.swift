package import AssayCore

/// Two detectors over the same images: the paired difference of every score.
package struct DetectionComparison: Sendable, Equatable {
  /// The number of images *n* that both have.
  package let count: Int
  private var numbers: [MetricKind: Difference] = [:]
  private var classNumbers: [MetricKind: [Difference]] = [:]

  /// The keys compared with one number a run, and with one a class. Where errors are given, there are those
  /// of ``ErrorComparison`` besides.
  package static let kinds = DetectionScores.kinds + DetectionErrorKind.allCases.map(\.cost)
  package static let classKinds = DetectionScores.classKinds

  /// The difference under a key with one number a run; `nil` where the key is not compared.
  package subscript(kind: MetricKind) -> Difference? { numbers[kind] }

  /// The differences under a key with one number a class; empty where not compared. Their intervals hold
  /// together.
  package func perClass(_ kind: MetricKind) -> [Difference] { classNumbers[kind] ?? [] }

  /// Compares two tallies whose images are the same, in the same order.
  ///
  /// - Parameters:
  ///   - errors: the errors of both over these images, for their costs.
  ///   - settings: intervals over images, drawn for both alike, and threads; the rest is not looked at.
  /// - Throws: ``MetricError`` where classes, settings, the number of images or a truth differ.
  /// - Complexity: as for the scores of both.
  package init(
    first: DetectionTally, second: DetectionTally,
    errors: (first: ErrorTally, second: ErrorTally)? = nil,
    _ settings: ScoringSettings = ScoringSettings()
  ) throws {
    try Self.check(first, second)
    count = first.count
    let plain = ScoringSettings(intervals: nil, workers: settings.workers)
    let (a, b) = (try DetectionScores(first, plain), try DetectionScores(second, plain))
    let intervals = try settings.intervals.map {
      try DetectionIntervals(
        [first, second], scores: [a, b], $0, workers: settings.workers)
    }
    for kind in DetectionScores.kinds {
      let missing = settings.intervals == nil ? nil : a[kind].missing
      numbers[kind] = Difference(
        a[kind], b[kind], missing == nil ? intervals?.numbers[kind] : nil, missing: missing)
    }
    for kind in DetectionScores.classKinds {
      let known = intervals?.classNumbers[kind]
      classNumbers[kind] = zip(a.perClass(kind), b.perClass(kind)).enumerated().map {
        let missing = settings.intervals == nil ? nil : $1.0.missing
        return Difference(
          $1.0, $1.1, missing == nil ? known?[$0] : nil, missing: missing)
      }.simultaneous()
    }
    if let errors {
      let comparison = try ErrorComparison(errors.first, errors.second, settings)
      for kind in ErrorScores.kinds { numbers[kind] = comparison[kind] }
      for kind in ErrorScores.classKinds { classNumbers[kind] = comparison.perClass(kind) }
    }
  }

  private static func check(
    _ first: DetectionTally, _ second: DetectionTally
  ) throws(MetricError) {
    guard first.classCount == second.classCount else {
      throw .classMismatch(first.classCount, second.classCount)
    }
    guard first.settings == second.settings else { throw .settingsMismatch }
    guard first.count == second.count else { throw .sampleMismatch(first.count, second.count) }
    for index in 0..<first.count where first.truths(index) != second.truths(index) {
      throw .truthMismatch(sample: index)
    }
  }
}

extension DetectionTally {
  /// Of an image the number of objects that must be found, by class and area range, of classes that have
  /// any.
  fileprivate func truths(_ index: Int) -> [Int32: [UInt32]] {
    let areas = columns.areaCount
    let parts = columns.start(index).parts..<columns.start(index + 1).parts
    var truths: [Int32: [UInt32]] = [:]
    for part in parts {
      let counts = columns.countable[part * areas..<(part + 1) * areas]
      if counts.contains(where: { $0 > 0 }) { truths[columns.parts[part].class] = Array(counts) }
    }
    return truths
  }
}
