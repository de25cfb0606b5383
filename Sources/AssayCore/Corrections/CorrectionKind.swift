/// The kinds of entries of the ledger.
///
/// The ledger stores it as text without a check: a reader keeps an entry whose kind it does not know, and
/// skips it on replay.
package enum CorrectionKind: String, CaseIterable, Sendable, Hashable {
  /// The sample's label, or an object's category, is another one.
  case label
  /// Pixels of a category's whole region, or of one object, are added and removed.
  case mask
  /// A new object, or one more label of a sample that has a set of labels.
  case add
  /// An object is taken away, or one of a set of labels.
  case remove
  /// The truth is right as it stands.
  case accept
  /// A run's mask, label or set of labels becomes the truth.
  case take
  /// The sample is left out of evaluation and export, with a reason.
  case reject
  /// The person could not tell.
  case unsure
  /// The image cannot be used; it is left out as with ``reject``.
  case bad
  /// The person left the sample for later.
  case skip
  /// Words about the sample or an entry.
  case note
  /// An earlier entry no longer counts.
  case undo
  /// An undone entry counts again.
  case redo
  /// The corrections of another place (a dataset that was renamed) are this sample's.
  case adopt

  /// True if an entry of this kind can change what the truth is, or whether the sample counts.
  package var changesTruth: Bool {
    switch self {
    case .label, .mask, .add, .remove, .take, .reject, .bad: true
    case .accept, .unsure, .skip, .note, .undo, .redo, .adopt: false
    }
  }

  /// True if "undo" without naming an entry takes back one of this kind.
  package var isUndone: Bool { changesTruth || self == .accept || self == .unsure }
}
