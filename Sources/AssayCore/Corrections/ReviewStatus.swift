/// The review status of a sample. The raw value is stored, and is the spelling in JSON.
package enum ReviewStatus: String, CaseIterable, Sendable, Hashable {
  /// Nobody has done anything to it.
  case open
  /// Something was changed, and nobody has said that this was all.
  case started
  /// Somebody has said that the truth is right as it stands now.
  case done
  /// Somebody could not tell.
  case unsure
  /// Somebody left it for later.
  case skipped
  /// It is left out of evaluation and export.
  case leftOut = "left_out"
}
