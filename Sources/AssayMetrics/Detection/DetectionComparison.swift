package import AssayCore

/// Two detectors on the same images: the paired difference of every score.
package struct DetectionComparison: Sendable, Equatable {
  /// The number of images *n* in both.
  package let count: Int
  private var numbers: [MetricKind: Difference] = [:]
  private var classNumbers: [MetricKind: [Difference]] = [:]

  /// The compared metrics with one value per run and with one value per class. If errors are given,
  /// the metrics of ``ErrorComparison`` are compared too.
  package static func kinds(_ overlap: OverlapKind) -> [MetricKind] {
    DetectionScores.kinds(overlap) + DetectionErrorKind.allCases.map(\.cost)
  }
  package static let classKinds = DetectionScores.classKinds

  /// The difference of a metric with one value per run; `nil` if the metric is not compared.
  package subscript(kind: MetricKind) -> Difference? { numbers[kind] }

  /// The differences of a metric with one value per class; empty if not compared. Their intervals
  /// are simultaneous.
  package func perClass(_ kind: MetricKind) -> [Difference] { classNumbers[kind] ?? [] }

  /// Compares two tallies with the same images in the same order.
  ///
  /// - Parameters:
  ///   - errors: the errors of both on these images, for their ΔAP.
  ///   - settings: intervals over images, with the same draws for both, and threads; the rest is
  ///     ignored.
  /// - Throws: ``MetricError`` if classes, settings, the number of images or a ground-truth object
  ///   differ.
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
    for kind in a.kinds {
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

  /// Checks that two tallies are of the same images and objects, matched with the same settings.
  static func check(
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
  /// The number of objects in an image that must be found, by class and area range, for classes
  /// that have any.
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
