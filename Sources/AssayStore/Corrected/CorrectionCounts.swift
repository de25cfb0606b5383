/// The numbers of corrections.
package struct CorrectionCounts: Hashable, Sendable {
  /// Visits with a net change.
  package var corrections = 0
  /// The samples that have such visits.
  package var samples = 0
  /// Samples that are excluded from evaluation and export.
  package var leftOut = 0
  /// Unresolved branches of entries that were created concurrently.
  package var conflicts = 0
  /// Samples, as the entries name them, whose corrections have an issue.
  package var issues = 0

  package init() {}

  package static func + (a: Self, b: Self) -> Self {
    var sum = a
    sum.corrections += b.corrections
    sum.samples += b.samples
    sum.leftOut += b.leftOut
    sum.conflicts += b.conflicts
    sum.issues += b.issues
    return sum
  }
}
