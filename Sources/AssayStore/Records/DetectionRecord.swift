package import AssayCore

/// A detector's output for one sample, to be stored in the catalog.
package struct SampleDetections: Hashable, Sendable {
  package var sample: Int64
  /// In any order; they are stored by descending confidence, with equal ones in the given order.
  package var detections: [Detection]

  package init(sample: Int64, detections: [Detection]) {
    self.sample = sample
    self.detections = detections
  }
}

/// A detection run's stored output for one sample.
package struct DetectionsRecord: Hashable, Sendable {
  package var sample: SampleRecord
  /// By descending confidence; classes are indices into the run's classes.
  package var detections: [Detection]
}
