/// The review status of a sample. The raw value is stored, and is the spelling in JSON.
package enum ReviewStatus: String, CaseIterable, Sendable, Hashable {
  /// No entries yet.
  case open
  /// Changed, but not marked as done.
  case started
  /// The current ground truth was confirmed as correct.
  case done
  /// A reviewer was unsure.
  case unsure
  /// Postponed.
  case skipped
  /// Excluded from evaluation and export.
  case leftOut = "left_out"
}
