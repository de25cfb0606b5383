package import AssayCore
import AssayMetrics

/// The ground truth and the prediction of one sample, as masks of the sample's size.
package struct SampleRegions: Sendable {
  package let truth: SampleTruth
  /// One mask per evaluated class, in the order of the classes; disjoint.
  package let predicted: [Mask]
  /// The pixels that are not evaluated: ignored by the source, or outside the area that the model
  /// has seen.
  package let void: Mask?

  /// - Parameters:
  ///   - predicted: the run's masks, which have the size of the ground truth.
  ///   - cleanup: is applied to the masks of the evaluated classes.
  init(
    _ truth: SampleTruth, _ predicted: PredictedMasks, _ classes: SegmentationClasses,
    _ cleanup: MaskCleanup
  ) {
    self.truth = truth
    var masks = [Mask](
      repeating: Mask(emptyOf: truth.size), count: classes.labels.evaluated.count)
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

  /// The true pixels of an evaluated class, by its index; may include ignored pixels.
  package func truth(of place: Int) -> Mask { truth.mask(of: place + 1) }

  /// The pixel counts that every score is computed from.
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
