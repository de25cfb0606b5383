/// The numbers of corrections.
package struct CorrectionCounts: Hashable, Sendable {
  /// Visits with a net change.
  package var corrections = 0
  /// The samples that have such visits.
  package var samples = 0
  /// Samples that are left out of evaluation and export.
  package var leftOut = 0
  /// Branches of entries that were made beside others and are not settled.
  package var conflicts = 0
  /// Places whose corrections do not apply as they stand.
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
