/// One sample as an importer hands it over.
package struct ImportedSample: Sendable {
  /// Unique in its dataset: the path relative to the root, or for rows the 0-based record number in
  /// the file, rejected ones counted.
  package var key: String
  /// The file below the root that holds the image; `nil` for embedded pixels.
  package var location: String?
  /// The source's split as it spells it; `nil` where the source has none.
  package var split: String?
  /// The image's size; `nil` where it was not looked at.
  package var size: ImageSize?
  /// The label: an index into the categories that this import has introduced so far; `nil` where
  /// the source gives none.
  package var category: Int?
  /// The labels in a multi-label dataset: indices as ``category``'s, each once, in any order; empty for none,
  /// and in other datasets.
  package var categories: [Int]
  /// The image's id in the source, where it had one (COCO's `id`).
  package var sourceID: SourceID?
  /// The range of the embedded pixels in ``ImportedBatch/pixels``; `nil` if there are none.
  package var pixels: Range<Int>?

  package init(
    key: String, location: String? = nil, split: String? = nil, size: ImageSize? = nil,
    category: Int? = nil, pixels: Range<Int>? = nil, sourceID: SourceID? = nil,
    categories: [Int] = []
  ) {
    self.key = key
    self.location = location
    self.split = split
    self.size = size
    self.category = category
    self.pixels = pixels
    self.categories = categories
    self.sourceID = sourceID
  }
}

/// One region as an importer hands it over.
package struct ImportedAnnotation: Sendable {
  /// The sample: its place among all samples that this import has delivered so far, from 0.
  package var sample: Int
  /// The class: an index into the categories that this import has introduced so far.
  package var category: Int
  /// Its place within its sample's annotations: ascending in file order, unique within the sample (the
  /// 0-based place in the file's list serves).
  package var ordinal: Int
  /// ``ShapeKind/box``, ``ShapeKind/polygon`` or ``ShapeKind/mask``.
  package var shape: ShapeKind
  /// True if it stands for a crowd of instances.
  package var isCrowd: Bool
  /// The area that the source states, in pixels, or what the importer took in its place.
  package var area: Double?
  /// The box as read.
  package var box: Box?
  package var sourceID: SourceID?
  /// The range of its packed ``Geometry`` in ``ImportedBatch/geometry``; `nil` for a box alone.
  package var geometry: Range<Int>?
  /// Further fields (keypoints, ...) as one canonical JSON object; `nil` where there are none.
  package var attributes: String?

  package init(
    sample: Int, category: Int, ordinal: Int, shape: ShapeKind, isCrowd: Bool = false,
    area: Double? = nil, box: Box? = nil, sourceID: SourceID? = nil, geometry: Range<Int>? = nil,
    attributes: String? = nil
  ) {
    self.sample = sample
    self.category = category
    self.ordinal = ordinal
    self.shape = shape
    self.isCrowd = isCrowd
    self.area = area
    self.box = box
    self.sourceID = sourceID
    self.geometry = geometry
    self.attributes = attributes
  }
}

/// A stretch of an import, in source order.
package struct ImportedBatch: Sendable {
  /// Classes seen for the first time, in order of first sight; a class's index is its place among
  /// all that the import has introduced.
  package var newCategories: [Category] = []
  package var samples: [ImportedSample] = []
  /// The embedded pixels of all samples of the batch, one after another.
  package var pixels: [UInt8] = []
  package var pixelFormat: PixelFormat = .gray8
  /// Regions of samples of this batch or of earlier ones.
  package var annotations: [ImportedAnnotation] = []
  /// The packed geometry of all annotations of the batch, one after another.
  package var geometry: [UInt8] = []
  package var issues: [Issue] = []
  /// Records read, and those of them that were rejected.
  package var read = 0
  package var rejected = 0
  /// The share of the source that has been read with this batch, in 0...1, for the progress bar.
  package var progress = 0.0

  package init() {}
}

/// The result of an import.
package struct ImportOutcome: Hashable, Sendable {
  package var read = 0
  package var accepted = 0
  package var rejected = 0
  /// For each category, in order of introduction, its final ordinal (a permutation).
  package var ordinals: [Int] = []

  package init() {}
}
