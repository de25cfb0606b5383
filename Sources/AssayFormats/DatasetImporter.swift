package import AssayCore

/// One layout on disk, read into values.
///
/// An importer reads bytes through a ``SourceTree`` and hands over batches; it knows no catalog.
/// Findings about data are issues in the batches; only what makes the whole source unreadable is
/// thrown.
package protocol DatasetImporter: Sendable {
  /// The format that this importer reads.
  var format: DatasetFormat { get }

  /// The format in a few words: "FER-2013's CSV of 48×48 faces".
  var summary: String { get }

  /// The features by which a source of this format is recognized, one sentence.
  var recognizedBy: String { get }

  /// Checks whether a source looks like this format, with the reason.
  ///
  /// - Throws: where the source cannot be read.
  func probe(_ tree: any SourceTree) throws -> Probe

  /// The contents of a matching folder that would be dropped: label files that the importer does
  /// not read, or folders that are not classes.
  ///
  /// - Throws: where the source cannot be read.
  func companions(in tree: any SourceTree) throws -> Companions?

  /// Reads the source and delivers its records in source order.
  ///
  /// The same source gives the same samples, issues and outcome for any number of workers and any
  /// block size; only how the samples are grouped into batches differs.
  /// - Parameter deliver: takes a batch, on the caller's thread; what it throws ends the run.
  /// - Throws: ``FormatError`` where the source as a whole is not readable as this format; what the
  ///   tree or `deliver` throws.
  func run(
    _ tree: any SourceTree, _ options: ImportOptions, deliver: (ImportedBatch) throws -> Void
  ) throws -> FinishedImport
}

extension DatasetImporter {
  package func companions(in tree: any SourceTree) throws -> Companions? { nil }
}

/// The result of checking a source for a format, with the reason.
package struct Probe: Hashable, Sendable {
  package var isMatch: Bool
  /// One clause without a full stop: "its header has the columns emotion, pixels and Usage".
  package var reason: String

  /// It is this format.
  package static func match(_ reason: String) -> Probe { Probe(isMatch: true, reason: reason) }

  /// It is not this format.
  package static func noMatch(_ reason: String) -> Probe { Probe(isMatch: false, reason: reason) }
}

/// The options of an import.
package struct ImportOptions: Sendable {
  /// The split of the samples that the source gives none.
  package var split: String?
  /// Names of the labels 0, 1, 2, …; a label that is neither one of these numbers nor names is
  /// unknown. Of sets of labels: all classes by name, in their order.
  package var classes: [String]?
  /// The size of embedded pixels; found out where `nil`.
  package var size: ImageSize?
  /// The separator of the labels if a source lists several in one field; detected if `nil`.
  package var labelSeparator: LabelSeparator?
  /// The folder of the images, if it is not in the source: locations are relative to it.
  package var images: (any SourceTree)?
  /// True if every image is decoded to see whether it can be, where the source lists images.
  package var checksImages: Bool
  /// True if files beside the images that are not read were declared to be of no interest.
  package var ignoresCompanions: Bool
  /// Threads that parse, at least 1.
  package var workers: Int
  /// Bytes of text that are parsed at a time, at least 1; the result does not depend on it.
  package var blockBytes: Int

  package init(
    split: String? = nil, classes: [String]? = nil, size: ImageSize? = nil, workers: Int = 2,
    blockBytes: Int = 1 << 19, images: (any SourceTree)? = nil, checksImages: Bool = false,
    ignoresCompanions: Bool = false, labelSeparator: LabelSeparator? = nil
  ) {
    self.split = split
    self.classes = classes
    self.size = size
    self.workers = max(1, workers)
    self.blockBytes = max(1, blockBytes)
    self.images = images
    self.checksImages = checksImages
    self.ignoresCompanions = ignoresCompanions
    self.labelSeparator = labelSeparator
  }
}

/// A finished import.
package struct FinishedImport: Hashable, Sendable {
  package var outcome: ImportOutcome
  /// The hexadecimal SHA-256 of the source's bytes as they lie on disk; `nil` for a folder.
  package var contentHash: String?
  /// The counts of annotations and images, for sources that list them; else `nil`.
  package var lists: ImportedLists?
  /// Notes about the classes and about left out images, if not obvious; one sentence each, without
  /// a full stop.
  package var notes: [String] = []

  package init(outcome: ImportOutcome, contentHash: String?, lists: ImportedLists? = nil) {
    self.outcome = outcome
    self.contentHash = contentHash
    self.lists = lists
  }
}

/// The counts of a source's lists of annotations and images.
package struct ImportedLists: Hashable, Sendable {
  /// Annotations that the source lists, and those of them that are kept.
  package var annotationsRead = 0
  package var annotationsKept = 0
  /// Images that are kept, and those of them whose file is there.
  package var images = 0
  package var imagesFound = 0

  package init() {}
}
