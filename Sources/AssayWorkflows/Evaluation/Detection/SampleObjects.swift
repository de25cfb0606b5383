package import AssayCore
package import AssayStore

/// The objects and detections of one sample with their outcomes.
package struct SampleObjects: Sendable, Hashable {
  package var sample: SampleRecord
  /// The annotations of evaluated classes, in the order of the source; a match refers to them by
  /// ordinal.
  package var truths: [AnnotationRecord]
  /// The detections, highest score first; a match refers to them by index. Their classes are the
  /// run's.
  package var detections: [Detection]
  package var matches: [MatchRecord]
}
