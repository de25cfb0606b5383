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
  /// Where the embedded pixels lie in ``ImportedBatch/pixels``; `nil` where there are none.
  package var pixels: Range<Int>?

  package init(
    key: String, location: String? = nil, split: String? = nil, size: ImageSize? = nil,
    category: Int? = nil, pixels: Range<Int>? = nil
  ) {
    self.key = key
    self.location = location
    self.split = split
    self.size = size
    self.category = category
    self.pixels = pixels
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
  package var issues: [Issue] = []
  /// Records read, and those of them that were rejected.
  package var read = 0
  package var rejected = 0
  /// The share of the source that has been read with this batch, in 0...1, for the progress bar.
  package var progress = 0.0

  package init() {}
}

/// What an import came to.
package struct ImportOutcome: Hashable, Sendable {
  package var read = 0
  package var accepted = 0
  package var rejected = 0
  /// For each category, in order of introduction, its final ordinal (a permutation).
  package var ordinals: [Int] = []

  package init() {}
}
