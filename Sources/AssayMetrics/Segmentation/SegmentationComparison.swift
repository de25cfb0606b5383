package import AssayCore

/// Two segmentation runs on the same samples: the paired difference of every score.
package struct SegmentationComparison: Sendable, Equatable {
  /// The number of samples *n* in both runs.
  package let count: Int
  package let labels: SegmentationLabels
  /// The indices of samples in which the two runs evaluate different pixels (because one of them
  /// crops, for example): part of their difference comes from the pixels.
  package let differentPixels: [Int]
  /// The difference, second − first, of each sample's IoU as in ``SampleMaskScores``; `nil` if
  /// either is undefined.
  package let sampleDifferences: [Double?]
  private var numbers: [MetricKind: Difference] = [:]
  private var classNumbers: [MetricKind: [Difference]] = [:]

  /// The difference of a metric with one value per run; `nil` if the metric is not compared.
  package subscript(kind: MetricKind) -> Difference? { numbers[kind] }

  /// The differences of a metric with one value per class, by label; empty if not compared. Their
  /// intervals are simultaneous.
  package func perClass(_ kind: MetricKind) -> [Difference] { classNumbers[kind] ?? [] }

  /// The samples whose IoU is higher in the first run, and in the second.
  package var lost: [Int] { samples { $0 < 0 } }
  package var won: [Int] { samples { $0 > 0 } }

  /// The compared metrics with one value per class.
  package static var classKinds: [MetricKind] {
    SegmentationScores.classKinds.filter { $0 != .support }
  }

  /// Compares two tallies with the same samples in the same order.
  ///
  /// - Throws: ``MetricError`` if labels, the number of samples, or a ground truth differ.
  /// - Complexity: as for the scores of both.
  package init(
    first: SegmentationTally, second: SegmentationTally, empty: EmptyRule = .undefined,
    _ settings: ScoringSettings = ScoringSettings()
  ) throws {
    guard first.labels == second.labels else { throw MetricError.labelMismatch }
    guard first.count == second.count else {
      throw MetricError.sampleMismatch(first.count, second.count)
    }
    count = first.count
    labels = first.labels
    differentPixels = try Self.differentPixels(first, second)
    var plain = settings
    plain.intervals = nil
    let (a, b) = (
      try SegmentationScores(first, empty: empty, plain),
      try SegmentationScores(second, empty: empty, plain)
    )
    sampleDifferences = zip(a.samples, b.samples).map { first, second in
      guard let first = first.iou, let second = second.iou else { return nil }
      return second - first
    }
    let intervals = try settings.intervals.map {
      try SegmentationIntervals(
        [first, second].map { SegmentationColumns($0, empty: empty) }, $0,
        workers: settings.workers)
    }
    for kind in SegmentationScores.kinds(for: labels) {
      numbers[kind] = Difference(a[kind], b[kind], intervals?.numbers[kind])
    }
    for kind in Self.classKinds {
      let background = labels.evaluated.lowerBound
      let known = intervals?.classNumbers[kind]
      classNumbers[kind] = zip(a.perClass(kind), b.perClass(kind)).enumerated().map {
        Difference($1.0, $1.1, $0 < background ? nil : known?[$0 - background])
      }.simultaneous()
    }
  }

  /// The samples in which the runs evaluate different numbers of pixels; all others must have the
  /// same ground truth.
  private static func differentPixels(
    _ first: SegmentationTally, _ second: SegmentationTally
  ) throws(MetricError) -> [Int] {
    var different: [Int] = []
    for index in 0..<first.count {
      let (a, b) = (first.regions(index), second.regions(index))
      if a.evaluated != b.evaluated {
        different.append(index)
      } else if zip(a.labels, b.labels).contains(where: { $0.truth != $1.truth }) {
        throw .truthMismatch(sample: index)
      }
    }
    return different
  }

  private func samples(_ isIncluded: (Double) -> Bool) -> [Int] {
    sampleDifferences.indices.filter { sampleDifferences[$0].map(isIncluded) ?? false }
  }
}
