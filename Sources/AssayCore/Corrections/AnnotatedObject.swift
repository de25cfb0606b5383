/// One object of a sample's ground truth, imported or corrected.
package struct AnnotatedObject: Hashable, Sendable {
  /// The identifier in corrections: ``CorrectionTarget/annotation(set:sourceID:occurrence:)`` or
  /// ``CorrectionTarget/made(entry:occurrence:)``.
  package var target: CorrectionTarget
  /// The class's name.
  package var category: String
  /// Any shape except ``ShapeKind/label``.
  package var shape: ShapeKind
  /// True if it represents a crowd of instances.
  package var isCrowd: Bool
  /// In pixels: as the source states it, or the pixel count after a correction.
  package var area: Double?
  /// As the source states it, or the bounding box of the pixels after a correction.
  package var box: Box?
  package var sourceID: SourceID?
  /// Additional fields of the source as one JSON object.
  package var attributes: String?
  /// The packed ``Geometry``; `nil` for a box alone.
  package var geometry: [UInt8]?
  /// True if users created it, or changed its pixels or its class.
  package var isChanged: Bool

  package init(
    target: CorrectionTarget, category: String, shape: ShapeKind, isCrowd: Bool = false,
    area: Double? = nil, box: Box? = nil, sourceID: SourceID? = nil, attributes: String? = nil,
    geometry: [UInt8]? = nil, isChanged: Bool = false
  ) {
    self.target = target
    self.category = category
    self.shape = shape
    self.isCrowd = isCrowd
    self.area = area
    self.box = box
    self.sourceID = sourceID
    self.attributes = attributes
    self.geometry = geometry
    self.isChanged = isChanged
  }

  /// An object whose region is a mask.
  package init(
    target: CorrectionTarget, category: String, mask: Mask, isCrowd: Bool = false,
    sourceID: SourceID? = nil, attributes: String? = nil, isChanged: Bool = false
  ) {
    self.init(
      target: target, category: category, shape: .mask, isCrowd: isCrowd, area: Double(mask.area),
      box: mask.boundingBox, sourceID: sourceID, attributes: attributes,
      geometry: mask.compressed, isChanged: isChanged)
  }

  /// The pixels of its region in an image of a size: of its geometry, else of its box; none if it
  /// has neither.
  ///
  /// - Throws: ``MaskError`` if the geometry is damaged or belongs to another image size.
  package func mask(in size: ImageSize) throws(MaskError) -> Mask {
    if let geometry {
      return try Geometry(shape: shape, packed: geometry, size: size).mask(in: size)
    }
    return box.map { Mask(box: $0, size: size) } ?? Mask(emptyOf: size)
  }
}
