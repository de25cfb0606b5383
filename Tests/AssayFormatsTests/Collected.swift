import AssayCore
import AssayFormats

/// The complete result of an import, independent of its batches.
struct Collected: Hashable {
  struct Sample: Hashable {
    var key: String
    var location: String?
    var split: String?
    var size: ImageSize?
    var label: String?
    /// The labels of a multi-label dataset, sorted.
    var labels: [String] = []
    var pixels: [UInt8]?
  }

  var samples: [Sample] = []
  var issues: [Issue] = []
  /// The classes in their final order.
  var classes: [String] = []
  var sourceIDs: [SourceID?] = []
  var format: PixelFormat?
  var read = 0
  var rejected = 0
  var run = FinishedImport(outcome: ImportOutcome(), contentHash: nil)

  init(
    _ tree: some SourceTree, as format: DatasetFormat, _ options: ImportOptions = ImportOptions()
  ) throws {
    var categories: [Category] = []
    let importer = Importers.importer(for: format)
    run = try importer.run(tree, options) { batch in
      categories += batch.newCategories
      read += batch.read
      rejected += batch.rejected
      issues += batch.issues
      self.format = batch.pixelFormat
      for sample in batch.samples {
        samples.append(
          Sample(
            key: sample.key, location: sample.location, split: sample.split, size: sample.size,
            label: sample.category.map { categories[$0].name },
            labels: sample.categories.map { categories[$0].name }.sorted(),
            pixels: sample.pixels.map { Array(batch.pixels[$0]) }))
      }
    }
    let order = run.outcome.ordinals.indices.sorted {
      run.outcome.ordinals[$0] < run.outcome.ordinals[$1]
    }
    classes = order.map { categories[$0].name }
    sourceIDs = order.map { categories[$0].sourceID }
  }

  /// Detects the format first.
  init(detecting tree: some SourceTree, _ options: ImportOptions = ImportOptions()) throws {
    try self.init(tree, as: FormatDetector.detect(tree).format, options)
  }

  var labels: [String?] { samples.map(\.label) }
  var splits: [String?] { samples.map(\.split) }
  var keys: [String] { samples.map(\.key) }
  var pixels: [[UInt8]?] { samples.map(\.pixels) }
  var kinds: [IssueKind] { issues.map(\.kind) }

  /// True if read = accepted + rejected, in the outcome and over the batches.
  var isBalanced: Bool {
    run.outcome.read == run.outcome.accepted + run.outcome.rejected && read == run.outcome.read
      && rejected == run.outcome.rejected && samples.count == run.outcome.accepted
      && run.outcome.ordinals.sorted() == Array(run.outcome.ordinals.indices)
  }
}
