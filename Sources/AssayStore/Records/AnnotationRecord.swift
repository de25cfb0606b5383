package import AssayCore

/// One imported region of a sample.
package struct AnnotationRecord: Hashable, Sendable {
  /// Its ordinal among the sample's annotations, ascending in source order.
  package var ordinal: Int
  /// The class's ordinal in the dataset's taxonomy.
  package var category: Int
  /// Any shape; ``ShapeKind/label`` only of another annotator.
  package var shape: ShapeKind
  /// True if it represents a crowd of instances.
  package var isCrowd: Bool
  /// The area that the source states, in pixels.
  package var area: Double?
  /// The box as read.
  package var box: Box?
  package var sourceID: SourceID?
  /// Additional fields as one JSON object; `nil` if there are none.
  package var attributes: String?
  /// The packed geometry; `nil` for a box alone, and if it was not requested.
  package var geometry: [UInt8]?

  package init(
    ordinal: Int, category: Int, shape: ShapeKind, isCrowd: Bool = false, area: Double? = nil,
    box: Box? = nil, sourceID: SourceID? = nil, attributes: String? = nil,
    geometry: [UInt8]? = nil
  ) {
    self.ordinal = ordinal
    self.category = category
    self.shape = shape
    self.isCrowd = isCrowd
    self.area = area
    self.box = box
    self.sourceID = sourceID
    self.attributes = attributes
    self.geometry = geometry
  }

  /// The pixels of its region in an image of a size: of its geometry, else of its box; none if it
  /// has neither.
  ///
  /// - Throws: `MaskError` if the geometry is damaged or belongs to another image size.
  package func mask(in size: ImageSize) throws(MaskError) -> Mask {
    if let geometry {
      return try Geometry(shape: shape, packed: geometry, size: size).mask(in: size)
    }
    return box.map { Mask(box: $0, size: size) } ?? Mask(emptyOf: size)
  }
}

/// The counts of one class in a selection.
package struct CategoryInstances: Hashable, Sendable {
  /// The class's ordinal in the dataset's taxonomy.
  package var category: Int
  /// Samples with a region of the class, crowds included.
  package var images = 0
  /// Regions that are not crowds.
  package var instances = 0
  package var crowds = 0
  /// The instances by the area that the source states: below 32² pixels, below 96², and the rest.
  package var small = 0
  package var medium = 0
  package var large = 0
  /// Instances without a stated area.
  package var withoutArea = 0
  /// The mean of the class's coverage over the images that have it and whose size is known; `nil`
  /// if it was not requested, or there are no such images.
  package var meanCoverage: Double?
}

/// The counts of each class in a selection.
package struct InstanceCounts: Hashable, Sendable {
  /// One element per class, in the taxonomy's order, including classes without a region.
  package var categories: [CategoryInstances]
  /// The number of samples in the selection.
  package var images: Int
  /// The number of samples without any region.
  package var imagesWithout: Int
}

/// The counts of one class in one sample.
package struct RegionCount: Hashable, Sendable {
  /// The class's ordinal in the dataset's taxonomy.
  package var category: Int
  /// Regions that are not crowds.
  package var instances: Int
  package var crowds: Int
}
