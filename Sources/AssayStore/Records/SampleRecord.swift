package import AssayCore

/// One image of a dataset.
package struct SampleRecord: Hashable, Sendable {
  package var id: Int64
  /// Unique in its dataset: the path relative to the root, or the 0-based record number.
  package var key: String
  /// The file below the dataset's root; `nil` for embedded pixels.
  package var location: String?
  /// The source's split, as the source spells it.
  package var split: String?
  /// `nil` if the image was never read.
  package var size: ImageSize?
  /// The label's ordinal in the dataset's taxonomy; `nil` without a label, and in a multi-label dataset.
  package var category: Int?
  /// The labels' ordinals in a multi-label dataset, or of the labels beside regions (shape `tag`),
  /// ascending; empty for none.
  package var categories: [Int]
  /// The image's id in the source, if it has one.
  package var sourceID: SourceID?

  package init(
    id: Int64, key: String, location: String? = nil, split: String? = nil, size: ImageSize? = nil,
    category: Int? = nil, sourceID: SourceID? = nil, categories: [Int] = []
  ) {
    self.id = id
    self.key = key
    self.location = location
    self.split = split
    self.size = size
    self.category = category
    self.categories = categories
    self.sourceID = sourceID
  }
}

/// A number or a text to sort samples by, as spelled in an expression: `run(r1).center_offset`, `key`.
package struct SampleOrder: Hashable, Sendable {
  package var field: String
  /// True if the largest comes first; samples without a value come last either way.
  package var isDescending: Bool

  package init(field: String, isDescending: Bool = false) {
    self.field = field
    self.isDescending = isDescending
  }
}

/// A resolved VIEW argument: a dataset, one of its parts, and an expression.
package struct Selection: Hashable, Sendable {
  /// As typed: `faces`, `faces/validation`, `happyfew`, `happyfew/test`.
  package var name: String
  package var dataset: DatasetRecord
  /// The requested parts: of the dataset, of the saved view, or both; a sample is in all of them.
  package var parts: [String]
  /// The saved view's expression; `nil` for a whole dataset or part.
  package var expression: String?
  /// True if samples that users excluded from evaluation and export are included when a corrected
  /// ground truth is read; with the imported ground truth they always are.
  package var includesLeftOut = false
}

/// A saved view.
package struct ViewRecord: Hashable, Sendable {
  package var id: Int64
  package var name: String
  package var dataset: String
  /// The parts of the dataset that it is limited to, if it was saved so; a sample is in all of
  /// them.
  package var parts: [String]
  package var expression: String
}

/// A partition: a division of a dataset that is not from its source.
package struct PartitionRecord: Hashable, Sendable {
  package var id: Int64
  package var name: String
  package var seed: UInt64
  /// The rule that created it, as JSON text.
  package var rule: String
  /// Its parts in the given order, with the number of samples in each.
  package var parts: [PartCount]
}

/// The size of one part of a partition.
package struct PartCount: Hashable, Sendable {
  package var part: String
  package var count: Int
}
