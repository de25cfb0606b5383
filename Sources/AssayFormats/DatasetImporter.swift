package import AssayCore

/// An importer for one dataset layout on disk.
///
/// An importer reads bytes through a ``SourceTree`` and delivers batches; it does not access a
/// catalog. Findings about data are issues in the batches; an error is thrown only if the source as
/// a whole is unreadable.
package protocol DatasetImporter: Sendable {
  /// The format that this importer reads.
  var format: DatasetFormat { get }

  /// A short description of the format: "FER-2013's CSV of 48×48 faces".
  var summary: String { get }

  /// The features by which a source of this format is recognized, one sentence.
  var recognizedBy: String { get }

  /// Checks whether a source looks like this format, with the reason.
  ///
  /// - Throws: if the source cannot be read.
  func probe(_ tree: any SourceTree) throws -> Probe

  /// The contents of a matching folder that would be dropped: label files that the importer does
  /// not read, or folders that are not classes.
  ///
  /// - Throws: if the source cannot be read.
  func companions(in tree: any SourceTree) throws -> Companions?

  /// True if a source can be a single JSON file.
  var readsJSON: Bool { get }

  /// Some of the images that a single JSON file names, if its beginning shows any; empty for other
  /// sources.
  ///
  /// - Throws: if the source cannot be read.
  func someImageNames(in tree: any SourceTree) throws -> [String]

  /// Reads the source and delivers its records in source order.
  ///
  /// The same source gives the same samples, issues and outcome for any number of workers and any
  /// block size; only how the samples are grouped into batches differs.
  /// - Parameter deliver: receives a batch, on the caller's thread; an error that it throws stops
  ///   the run.
  /// - Throws: ``FormatError`` if the source as a whole is not readable as this format; any error
  ///   that the tree or `deliver` throws.
  func run(
    _ tree: any SourceTree, _ options: ImportOptions, deliver: (ImportedBatch) throws -> Void
  ) throws -> FinishedImport
}

extension DatasetImporter {
  package func companions(in tree: any SourceTree) throws -> Companions? { nil }

  package var readsJSON: Bool { format.isCOCO }

  package func someImageNames(in tree: any SourceTree) throws -> [String] {
    guard format.isCOCO, tree.isSingleFile, let file = try tree.files().first else { return [] }
    return try COCOImporter.someFileNames(of: file.path, in: tree)
  }
}

/// The result of checking a source for a format, with the reason.
package struct Probe: Hashable, Sendable {
  package var isMatch: Bool
  /// One clause without a period: "its header has the columns emotion, pixels and Usage".
  package var reason: String

  /// The source has this format.
  package static func match(_ reason: String) -> Probe { Probe(isMatch: true, reason: reason) }

  /// The source does not have this format.
  package static func noMatch(_ reason: String) -> Probe { Probe(isMatch: false, reason: reason) }
}

/// The options of an import.
package struct ImportOptions: Sendable {
  /// The split for samples without a split in the source.
  package var split: String?
  /// Names of the labels 0, 1, 2, …; a label that is neither one of these numbers nor one of these
  /// names is unknown. For sets of labels: all classes by name, in order.
  package var classes: [String]?
  /// The size of embedded pixels; detected if `nil`.
  package var size: ImageSize?
  /// The separator of the labels if a source lists several in one field; detected if `nil`.
  package var labelSeparator: LabelSeparator?
  /// The meaning of the columns in a table of boxes; `nil` if its header tells.
  package var columns: BoxTableColumns?
  /// The unit of the coordinates in a table of boxes; needed with ``columns``.
  package var coordinates: BoxCoordinates?
  /// The folder of the images, if it is not in the source: locations are relative to it.
  package var images: (any SourceTree)?
  /// True if every image is decoded to check that it is readable, if the source lists images.
  package var checksImages: Bool
  /// True if files beside the images that are not read can be ignored.
  package var ignoresCompanions: Bool
  /// The image files that need not be read because an earlier import read them.
  package var known: KnownImages
  /// The person whose annotations are the labels, for sources that name several; by default, the last
  /// submitted annotation is.
  package var annotator: String?
  /// The frames per second of a folder of frames; `nil` if they are not known.
  package var frameRate: Double?
  /// The step between the frames that are taken of a folder of frames, at least 1.
  package var every = 1
  /// The task that the images are labeled for, if they have no annotations; `nil` if it is not stated.
  package var task: ModelTask?
  /// FER+'s votes that replace the labels of FER-2013's CSV.
  package var votes: VoteOptions?
  /// Called again and again where a source is unpacked; an error that it throws ends the import.
  package var checkInterruption: @Sendable () throws -> Void = {}
  /// The number of parsing threads, at least 1.
  package var workers: Int
  /// The number of bytes of text parsed at a time, at least 1; the result does not depend on it.
  package var blockBytes: Int

  package init(
    split: String? = nil, classes: [String]? = nil, size: ImageSize? = nil, workers: Int = 2,
    blockBytes: Int = 1 << 19, images: (any SourceTree)? = nil, checksImages: Bool = false,
    ignoresCompanions: Bool = false, labelSeparator: LabelSeparator? = nil,
    columns: BoxTableColumns? = nil, coordinates: BoxCoordinates? = nil,
    known: KnownImages = KnownImages()
  ) {
    self.known = known
    self.split = split
    self.classes = classes
    self.size = size
    self.workers = max(1, workers)
    self.blockBytes = max(1, blockBytes)
    self.images = images
    self.checksImages = checksImages
    self.ignoresCompanions = ignoresCompanions
    self.labelSeparator = labelSeparator
    self.columns = columns
    self.coordinates = coordinates
  }
}

extension ImportOptions {
  /// An option that some formats have no use for.
  enum Choice {
    case size
    case classes
  }

  /// Refuses options that were given and that a format does not use.
  ///
  /// - Throws: ``FormatError/unusedOption(_:format:)``.
  func refuse(_ choices: [Choice], for format: DatasetFormat) throws(FormatError) {
    for choice in choices {
      switch choice {
      case .size where size != nil: throw .unusedOption("--size", format: format)
      case .classes where classes != nil: throw .unusedOption("--classes", format: format)
      case .size, .classes: break
      }
    }
  }
}

/// A finished import.
package struct FinishedImport: Hashable, Sendable {
  package var outcome: ImportOutcome
  /// The hexadecimal SHA-256 of the source's bytes on disk; `nil` for a folder.
  package var contentHash: String?
  /// The counts of annotations and images, for sources that list them; else `nil`.
  package var lists: ImportedLists?
  /// The number of images in the source that no annotation belongs to, and that are left out.
  package var imagesLeftOut = 0
  /// The numbers of FER+'s votes; `nil` without votes.
  package var votes: VoteCounts?
  /// The JSON files whose content the format has, if others were opened to tell them apart; `nil` for the files that were
  /// read.
  package var jsonFiles: Set<String>?
  /// Notes about the classes and about omitted images, if not obvious; one sentence each, without a
  /// period.
  package var notes: [String] = []

  package init(outcome: ImportOutcome, contentHash: String?, lists: ImportedLists? = nil) {
    self.outcome = outcome
    self.contentHash = contentHash
    self.lists = lists
  }
}

/// The counts for a source that lists annotations and images.
package struct ImportedLists: Hashable, Sendable {
  /// The numbers of annotations that the source lists, and of those that are kept.
  package var annotationsRead = 0
  package var annotationsKept = 0
  /// The numbers of images that are kept, and of those whose file exists.
  package var images = 0
  package var imagesFound = 0

  package init() {}
}
