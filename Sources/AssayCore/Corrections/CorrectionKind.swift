/// The kinds of entries of the ledger.
///
/// The ledger stores it as text without a check: a reader keeps an entry with an unknown kind, and
/// skips it on replay.
package enum CorrectionKind: String, CaseIterable, Sendable, Hashable {
  /// Changes the sample's label, or an object's category.
  case label
  /// Adds and removes pixels of a category's whole region, or of one object.
  case mask
  /// Replaces an object's box, or its polygons.
  case outline
  /// Sets or removes fields of an object: its attributes, its keypoints.
  case attributes
  /// Adds a new object, or one more label to a sample that has a set of labels.
  case add
  /// Removes an object, or one label of a set.
  case remove
  /// Confirms that the ground truth is correct.
  case accept
  /// Replaces the ground truth with a run's mask, label or set of labels.
  case take
  /// Excludes the sample from evaluation and export, with a reason.
  case reject
  /// The reviewer was unsure.
  case unsure
  /// The image is unusable; it is excluded as with ``reject``.
  case bad
  /// The reviewer postponed the sample.
  case skip
  /// A comment on the sample or an entry.
  case note
  /// Deactivates an earlier entry.
  case undo
  /// Reactivates an undone entry.
  case redo
  /// Assigns the corrections of another sample identity (a renamed dataset) to this sample.
  case adopt
  /// Applies the changes of a conflict's branch to the ground truth, in addition to those of the main branch.
  case merge
  /// Gives the sample a tag.
  case tag
  /// Removes a tag from the sample.
  case untag
  /// Sets a custom field of the sample, or removes it.
  case field

  /// True if an entry of this kind can change the ground truth, or whether the sample counts.
  package var changesTruth: Bool {
    switch self {
    case .label, .mask, .outline, .attributes, .add, .remove, .take, .reject, .bad, .merge: true
    case .accept, .unsure, .skip, .note, .undo, .redo, .adopt, .tag, .untag, .field: false
    }
  }

  /// True for entries about tags and custom fields, which say nothing about the ground truth: whoever
  /// made an entry on a state without them saw the same ground truth.
  package var isSampleEdit: Bool { self == .tag || self == .untag || self == .field }

  /// True if "undo" without a named entry undoes entries of this kind.
  package var isUndone: Bool { changesTruth || self == .accept || self == .unsure }
}
