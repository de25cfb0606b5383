/// An image of a Pascal VOC dataset, or an annotation without one.
struct VOCItem: Sendable {
  enum Kind: Sendable {
    /// The index of an image.
    case image(Int32)
    /// An image that an annotation or a mask describes and that does not exist; the index in
    /// ``VOCLayout/missing``.
    case missing(Int32)
    /// An annotation that cannot be used; the index in ``VOCLayout/rejections``.
    case rejected(Int32)
  }

  var kind: Kind
  /// The index of the XML file; -1 for none.
  var xml: Int32 = -1
  /// The indices of the masks; -1 for none.
  var classMask: Int32 = -1
  var objectMask: Int32 = -1
  /// The index of the split; -1 for none.
  var split: Int16 = -1
}
