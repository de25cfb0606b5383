/// The size in bytes and the modification time of a file, in nanoseconds since 1970.
package struct FileStamp: Hashable, Sendable {
  package var size: Int
  package var modified: Int64

  /// The time of a file that changed so shortly before it was read that the time does not tell a later change: the
  /// next import reads it again.
  package static let unsettled = Int64.min

  package init(size: Int, modified: Int64) {
    self.size = size
    self.modified = modified
  }
}

/// One sample as delivered by an importer.
package struct ImportedSample: Sendable {
  /// Unique in its dataset: the path relative to the root, or for rows the 0-based record number in
  /// the file, counting rejected ones.
  package var key: String
  /// The file below the root that holds the image; `nil` for embedded pixels.
  package var location: String?
  /// The source's split as it spells it; `nil` if the source has none.
  package var split: String?
  /// The image's size; `nil` if it was not read.
  package var size: ImageSize?
  /// The label: an index into the categories that this import has introduced so far; `nil` if the
  /// source has none.
  package var category: Int?
  /// The labels in a multi-label dataset: indices like ``category``, each once, in any order; empty
  /// for none, and in other datasets.
  package var categories: [Int]
  /// The image's id in the source, if it has one (COCO's `id`).
  package var sourceID: SourceID?
  /// The image file as it was read, so that a later import does not have to read it if it is the
  /// same; `nil` for embedded pixels, and for files that are always read again.
  package var stamp: FileStamp?
  /// The SHA-256 of the image file, hexadecimal; `nil` if it was not computed.
  package var contentHash: String?
  /// The range of the embedded pixels in ``ImportedBatch/pixels``; `nil` if there are none.
  package var pixels: Range<Int>?
  /// Additional fields of the image (LVIS's `neg_category_ids`, …) as one canonical JSON object; `nil`
  /// if there are none.
  package var attributes: String?

  package init(
    key: String, location: String? = nil, split: String? = nil, size: ImageSize? = nil,
    category: Int? = nil, pixels: Range<Int>? = nil, sourceID: SourceID? = nil,
    categories: [Int] = [], stamp: FileStamp? = nil, attributes: String? = nil
  ) {
    self.stamp = stamp
    self.key = key
    self.location = location
    self.split = split
    self.size = size
    self.category = category
    self.pixels = pixels
    self.categories = categories
    self.sourceID = sourceID
    self.attributes = attributes
  }
}

/// One region as delivered by an importer.
package struct ImportedAnnotation: Sendable {
  /// The sample: its index among all samples that this import has delivered so far, from 0.
  package var sample: Int
  /// The class: an index into the categories that this import has introduced so far.
  package var category: Int
  /// Its position within its sample's annotations: ascending in file order, unique within the
  /// sample (such as the 0-based index in the file's list).
  package var ordinal: Int
  /// Any shape; ``ShapeKind/label`` only of another set: of an annotator with the ordinal 0, of votes with the number
  /// of the option.
  package var shape: ShapeKind
  /// The annotation set that it belongs to, if it is not among the dataset's labels: an index into the sets that this
  /// import has introduced so far; `nil` for the dataset's labels.
  package var set: Int?
  /// True if it represents a crowd of instances.
  package var isCrowd: Bool
  /// The area that the source states, in pixels, or the importer's substitute.
  package var area: Double?
  /// The box as read.
  package var box: Box?
  package var sourceID: SourceID?
  /// The range of its packed ``Geometry`` in ``ImportedBatch/geometry``; `nil` for a box alone.
  package var geometry: Range<Int>?
  /// Additional fields (keypoints, ...) as one canonical JSON object; `nil` if there are none.
  package var attributes: String?

  package init(
    sample: Int, category: Int, ordinal: Int, shape: ShapeKind, isCrowd: Bool = false,
    area: Double? = nil, box: Box? = nil, sourceID: SourceID? = nil, geometry: Range<Int>? = nil,
    attributes: String? = nil, set: Int? = nil
  ) {
    self.sample = sample
    self.category = category
    self.ordinal = ordinal
    self.shape = shape
    self.set = set
    self.isCrowd = isCrowd
    self.area = area
    self.box = box
    self.sourceID = sourceID
    self.geometry = geometry
    self.attributes = attributes
  }
}

/// An annotation set beside the dataset's labels.
package enum ImportedSet: Hashable, Sendable {
  /// A person's annotations of images whose labels are someone else's. Its classes are those of the dataset.
  case annotator(String)
  /// The votes of several people for each image: labels with the attribute `votes`, their number. It has the options as
  /// classes of its own.
  case votes(options: [String])
}

/// A part of an import, in source order.
package struct ImportedBatch: Sendable {
  /// Newly introduced classes, in order of first occurrence; a class's index is its position among
  /// all classes that the import has introduced.
  package var newCategories: [Category] = []
  /// The annotation sets beside the dataset's labels, in order of first occurrence; indexed like the classes.
  package var newSets: [ImportedSet] = []
  package var samples: [ImportedSample] = []
  /// The concatenated embedded pixels of all samples of the batch.
  package var pixels: [UInt8] = []
  package var pixelFormat: PixelFormat = .gray8
  /// Regions of samples of this batch or of earlier ones.
  package var annotations: [ImportedAnnotation] = []
  /// The concatenated packed geometry of all annotations of the batch.
  package var geometry: [UInt8] = []
  package var issues: [Issue] = []
  /// The numbers of records read and rejected.
  package var read = 0
  package var rejected = 0
  /// The share of the source that has been read including this batch, in 0...1, for the progress
  /// bar.
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
