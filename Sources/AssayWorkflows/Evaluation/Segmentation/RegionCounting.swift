import AssayCore
import AssayMetrics
import AssayStore

/// Makes the ground-truth and predicted masks of samples, and counts their pixels. Safe to use from
/// several threads.
struct RegionCounting: Sendable {
  /// The counts of one sample.
  struct Counted: Sendable {
    var pixels: SegmentedSample
    var centerOffset: Double?
    /// The counts at each threshold of the sweep, without boundaries.
    var sweep: [SegmentedSample]
  }

  let catalog: Catalog
  let masks: RunMasks
  let classes: SegmentationClasses
  let settings: MaskSettings
  /// Additional thresholds to count at.
  var sweep: [Double] = []

  /// Counts some samples, in their order.
  ///
  /// - Throws: ``EvaluationError/damaged(sample:reason:)``, ``RunMasksError``, `MetricError`,
  ///   `StoreError`.
  func count(_ samples: [SampleRecord]) throws -> [Counted] {
    try map(samples) { stored, truth in
      // One map resized to the image serves all thresholds.
      let fields = sweep.isEmpty ? nil : try stored.fields()
      let prediction =
        try fields?.masks(threshold: settings.threshold)
        ?? stored.masks(threshold: settings.threshold)
      let regions = SampleRegions(truth, prediction, classes, settings.cleanup)
      return Counted(
        pixels: try regions.counted(classes.labels, withBoundary: settings.hasBoundary),
        centerOffset: classes.labels.isBinary ? regions.predicted[0].relativeCenterOffset : nil,
        sweep: try sweep.compactMap { threshold in
          guard let prediction = fields?.masks(threshold: threshold) else { return nil }
          return try SampleRegions(truth, prediction, classes, settings.cleanup)
            .counted(classes.labels, withBoundary: false)
        })
    }
  }

  /// The regions of some samples, in their order.
  ///
  /// - Throws: the errors of ``count(_:)``.
  func regions(of samples: [SampleRecord]) throws -> [SampleRegions] {
    try map(samples) { stored, truth in
      SampleRegions(
        truth, try stored.masks(threshold: settings.threshold), classes, settings.cleanup)
    }
  }

  private func map<Value>(
    _ samples: [SampleRecord], _ body: (StoredMasks, SampleTruth) throws -> Value
  ) throws -> [Value] {
    var truths: [SampleTruth?] = samples.map { _ in nil }
    try catalog.forEachAnnotations(
      of: samples.map(\.id), categories: classes.needed
    ) { index, annotations in
      guard let size = samples[index].size else { return }
      do throws(MaskError) {
        truths[index] = try SampleTruth(annotations, of: size, classes)
      } catch {
        throw EvaluationError.damaged(sample: samples[index].key, reason: "\(error)")
      }
    }
    // Only one sample's maps are in memory at a time: those of a batch could fill it.
    var values: [Value?] = samples.map { _ in nil }
    try masks.forEachStored(of: samples) { index, stored in
      if let truth = truths[index] { values[index] = try body(stored, truth) }
    }
    return try zip(samples, values).map { sample, value in
      guard let value else {
        throw EvaluationError.damaged(
          sample: sample.key, reason: "the run has neither a map nor a mask of it")
      }
      return value
    }
  }
}
