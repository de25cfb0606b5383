package import AssayCore
import AssayMetrics

/// The truth of one sample beside what a run predicts, as masks of the sample's size.
package struct SampleRegions: Sendable {
  package let truth: SampleTruth
  /// One mask a judged class, in their order; disjoint.
  package let predicted: [Mask]
  /// The pixels that are not judged: left out by the source, or outside what the model has seen.
  package let void: Mask?

  /// - Parameters:
  ///   - predicted: what the run says, with masks of the truth's size.
  ///   - cleanup: is applied to the judged classes' masks.
  init(
    _ truth: SampleTruth, _ predicted: PredictedMasks, _ classes: SegmentationClasses,
    _ cleanup: MaskCleanup
  ) {
    self.truth = truth
    var masks = [Mask](
      repeating: Mask(emptyOf: truth.size), count: classes.labels.judged.count)
    for (ordinal, mask) in predicted.masks where ordinal < classes.runLabels.count {
      let label = classes.runLabels[ordinal]
      if label > 0 { masks[label - 1] = mask }
    }
    self.predicted = cleanup.applied(to: masks)
    switch (truth.void, predicted.void) {
    case (let left?, let unseen?): void = left.union(unseen)
    case (let left, let unseen): void = left ?? unseen
    }
  }

  /// The true pixels of a judged class, by its place among them; those left out may be among them.
  package func truth(of place: Int) -> Mask { truth.mask(of: place + 1) }

  /// The pixel counts that every score is made of.
  ///
  /// - Throws: `MetricError`.
  func counted(
    _ labels: SegmentationLabels, withBoundary: Bool
  ) throws(MetricError) -> SegmentedSample {
    guard var columns = truth.columns else {
      return try SegmentedSample(
        truth: truth.mask(of: 1), predicted: predicted[0], void: void, boundary: withBoundary)
    }
    var answer = LabelColumns(truth.size)
    for (place, mask) in predicted.enumerated() { answer.paint(mask, UInt8(place + 1)) }
    if let void { columns.paint(void, .max) }
    return try SegmentedSample(
      truth: columns.transposed, predicted: answer.transposed, labels: labels,
      void: void == nil ? nil : .max, boundary: withBoundary)
  }
}
