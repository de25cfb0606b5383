package import AssayMetrics
package import AssayStore

/// A run's samples with their detections matched to the truth: what every score, slice and comparison of
/// detectors is a reduction of.
package struct DetectedRun: Sendable {
  package var run: RunRecord
  /// The stored evaluation that it was read from; `nil` where it was judged just now.
  package var evaluation: EvaluationRecord?
  /// As asked for, or as they were kept.
  package var settings: EvaluationSettings
  package var recipe: DetectionRecipe
  /// What detections were matched with; what overlaps is decided.
  package var matching: DetectionSettings
  package var classes: DetectionClasses
  /// In ascending order of the ids in the source, as COCO's evaluation takes them; those without one last.
  package var samples: [SampleRecord]
  /// The matches of each sample, in the same order.
  package var tally: DetectionTally
  /// The verdicts on each sample, in the same order.
  package var errors: ErrorTally
  package var leftOut: JudgedRun.LeftOut
  /// Detections of classes that are not judged; 0 where the matches were read from the catalog.
  package var strangers = 0
  /// The matches as the reference has them, where an annotation has the id 0: it counts that as never found.
  /// `nil` where there is none, or where that is asked for.
  package var reference: DetectionTally?
  /// The rows to be stored, a list a sample; empty where they are in the catalog.
  var rows: [[MatchRecord]] = []

  /// `r1`, or `r1@strict` where it was read from a stored evaluation.
  package var name: String { run.name + (evaluation.map { "@\($0.name)" } ?? "") }

  /// Some of the samples, given by their indices in ascending order.
  package func selecting(_ indices: [Int]) -> DetectedRun {
    var part = self
    part.samples = indices.map { samples[$0] }
    part.tally = tally.selecting(indices)
    part.reference = reference?.selecting(indices)
    part.errors = errors.selecting(indices)
    part.rows = rows.isEmpty ? [] : indices.map { rows[$0] }
    return part
  }

  /// What was found and missed in each sample, at the working IoU and score.
  package var counts: [ObjectCounts] {
    samples.indices.map { ObjectCounts(errors[$0], from: matching.workingScore) }
  }
}
