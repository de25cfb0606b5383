package import AssayCore

/// All scores of a segmentation run on one set of samples.
///
/// Pooled scores come from the pixels of all samples together, the others are means over samples.
/// With one evaluated class `iou` and `dice` are that class's; with several they sum the classes'
/// pixels before dividing (micro), `miou` and `mdice` are the means over classes, and `sample_miou`
/// and `sample_mdice` the means over samples of each sample's mean over classes. A class that does
/// not occur in any ground truth or prediction of the set is undefined. Definitions: IoU
/// tp/(tp+fp+fn), P. Jaccard (1912), doi:10.1111/j.1469-8137.1912.tb05611.x; Dice 2tp/(2tp+fp+fn),
/// L. Dice (1945), doi:10.2307/1932409; mean class accuracy and frequency-weighted IoU, J. Long et
/// al. (2015), doi:10.1109/CVPR.2015.7298965; boundary IoU, B. Cheng et al. (2021),
/// doi:10.1109/CVPR46437.2021.01508.
package struct SegmentationScores: Sendable, Equatable {
  /// The number of samples *n*.
  package let count: Int
  package let labels: SegmentationLabels
  package let empty: EmptyRule
  /// The confusion matrix in pixels, over all labels, background included.
  package let confusion: ConfusionMatrix
  /// The number of pixels left out.
  package let void: Int
  /// The scores of each sample.
  package let samples: [SampleMaskScores]
  private var numbers: [MetricKind: Score] = [:]
  private var classNumbers: [MetricKind: [Score]] = [:]
  private let sampleNumbers: [MetricKind: [Double?]]

  /// The metrics with one value per run that are available for these labels, in the order of
  /// ``MetricKind/kinds(of:)``.
  package static func kinds(for labels: SegmentationLabels) -> [MetricKind] {
    MetricKind.maskKinds(hasSeveral: !labels.isBinary).filter { !$0.isPerCategory }
  }

  /// The metrics of ``kinds(for:)`` that are means over samples.
  package static func sampleKinds(for labels: SegmentationLabels) -> [MetricKind] {
    SegmentationColumns.sampleKinds(for: labels)
  }

  /// The metrics with one value per class.
  package static var classKinds: [MetricKind] { PooledRegions.classKinds }

  /// The score of a metric with one value per run; undefined for other metrics. Means include the
  /// number of samples or classes that they average over.
  package subscript(kind: MetricKind) -> Score { numbers[kind] ?? .undefined }

  /// The scores of a metric with one value per class, by label, undefined for the background; empty
  /// for other metrics. The support is the number of ground-truth pixels.
  package func perClass(_ kind: MetricKind) -> [Score] { classNumbers[kind] ?? [] }

  /// The values that a mean over samples averages, one per sample; empty for other metrics.
  package func perSample(_ kind: MetricKind) -> [Double?] { sampleNumbers[kind] ?? [] }

  /// Computes the scores of a tally.
  ///
  /// - Throws: `CancellationError` if a worker was stopped.
  /// - Complexity: O(*n* · *k*), with intervals times the number of draws.
  package init(
    _ tally: SegmentationTally, empty: EmptyRule = .undefined,
    _ settings: ScoringSettings = ScoringSettings()
  ) throws {
    let columns = SegmentationColumns(tally, empty: empty)
    count = tally.count
    labels = tally.labels
    self.empty = empty
    confusion = tally.confusion
    void = tally.void
    samples = columns.samples
    sampleNumbers = Dictionary(
      uniqueKeysWithValues: SegmentationColumns.sampleKinds(for: labels).map {
        ($0, columns.values($0))
      })
    for kind in PooledRegions.kinds(for: labels) {
      let defined = columns.pooled.defined(kind)
      numbers[kind] = Score(
        columns.pooled.value(kind), defined: defined,
        total: defined.map { _ in labels.evaluated.count })
    }
    for (kind, values) in sampleNumbers {
      let known = values.compacted()
      numbers[kind] = Score(known.mean(), defined: known.count, total: count)
    }
    for kind in Self.classKinds {
      classNumbers[kind] =
        Array(repeating: .undefined, count: labels.evaluated.lowerBound)
        + columns.pooled.classes.map { Score(PooledRegions.value(kind, of: $0)) }
    }
    if !columns.hasBoundaries {
      for kind in [MetricKind.boundaryIoU, .meanBoundaryIoU] { numbers[kind]?.value = nil }
      classNumbers[.classBoundaryIoU] = labels.names.map { _ in .undefined }
    }
    for measure in columns.lacking { numbers[measure.mean] = nil }
    guard let bootstrap = settings.intervals else { return }
    let intervals = try SegmentationIntervals([columns], bootstrap, workers: settings.workers)
    for (kind, interval) in intervals.numbers where numbers[kind]?.value != nil {
      numbers[kind]?.interval = interval
    }
    for (kind, list) in intervals.classNumbers {
      for (place, label) in labels.evaluated.enumerated()
      where classNumbers[kind]?[label].value != nil {
        classNumbers[kind]?[label].interval = list[place]
      }
    }
  }
}
