/// The change that an entry makes to one label of a sample that has a set of labels.
///
/// Edits of different classes commute, and so do two equal edits: if two people each add a label, both labels
/// are kept, whoever saves first.
package struct LabelEdit: Hashable, Sendable {
  /// The class's name.
  package var category: String
  /// True if the label is added.
  package var isAddition: Bool

  /// Reads an entry's columns; `nil` for every other entry, and for one that resolves a conflict.
  package init?(kind: String, target: String, payload: String) {
    guard target == CorrectionTarget.label.text,
      let kind = CorrectionKind(rawValue: kind), kind == .add || kind == .remove,
      let payload = try? JSONValue(parsing: payload),
      CorrectionMetadata(payload).resolves.isEmpty,
      let category = payload["category"]?.text, !category.isEmpty
    else { return nil }
    self.category = category
    isAddition = kind == .add
  }

  /// Returns whether both edits lead to the same labels in either order.
  package func commutes(with other: LabelEdit) -> Bool {
    category != other.category || isAddition == other.isAddition
  }
}
