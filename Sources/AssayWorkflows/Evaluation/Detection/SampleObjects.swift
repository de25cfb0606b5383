package import AssayCore
package import AssayStore

/// The objects and detections of one sample with what became of each.
package struct SampleObjects: Sendable, Hashable {
  package var sample: SampleRecord
  /// Those of judged classes, in the order of the source; a match's annotation is their ordinal.
  package var truths: [AnnotationRecord]
  /// The most confident first; a match's prediction is their place. Classes are the run's.
  package var detections: [Detection]
  package var matches: [MatchRecord]
}
