package import AssayCore

/// What a detector says about one sample, on its way into the catalog.
package struct SampleDetections: Hashable, Sendable {
  package var sample: Int64
  /// In any order; they are kept with the highest confidence first, equal ones in the order given.
  package var detections: [Detection]

  package init(sample: Int64, detections: [Detection]) {
    self.sample = sample
    self.detections = detections
  }
}

/// What a run of detection says about one sample.
package struct DetectionsRecord: Hashable, Sendable {
  package var sample: SampleRecord
  /// The highest confidence first; classes are indices into the run's classes.
  package var detections: [Detection]
}
