import AssayCore

/// An image of a YOLO dataset, or a label file without an image.
struct YOLOItem: Sendable {
  enum Kind: Sendable {
    /// The index of an image.
    case image(Int32)
    /// An image that a list names and that does not exist; the index in ``YOLOLayout/missing``.
    case missing(Int32)
    /// A label file without an image.
    case label
  }

  var kind: Kind
  /// The index of the label file; -1 for none.
  var label: Int32
  /// The index of the split; -1 for none.
  var split: Int16
}
