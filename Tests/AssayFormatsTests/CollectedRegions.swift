import AssayCore
import AssayFormats

/// The complete result of an import of regions, independent of its batches.
struct CollectedRegions<Region: Hashable>: Hashable {
  struct Sample: Hashable {
    var key: String
    var split: String?
    var size: ImageSize?
    /// The class of the whole image.
    var label: String?
    var regions: [Region] = []
    /// The regions of other annotators.
    var others: [String: [Region]] = [:]
  }

  var samples: [Sample] = []
  var issues: [Issue] = []
  /// The classes in their final order.
  var classes: [Category] = []
  var run = FinishedImport(outcome: ImportOutcome(), contentHash: nil)
  private var read = 0
  private var rejected = 0

  /// - Parameter region: makes a region of an annotation, its class, and its packed geometry with the
  ///   size of its image (`nil` for a box alone); `nil` leaves it out.
  init(
    _ tree: some SourceTree, as format: DatasetFormat, _ options: ImportOptions,
    region: (ImportedAnnotation, String, (bytes: [UInt8], size: ImageSize)?) throws -> Region?
  ) throws {
    var categories: [Category] = []
    var annotators: [String] = []
    run = try Importers.importer(for: format).run(tree, options) { batch in
      categories += batch.newCategories
      annotators += batch.newSets.compactMap { set in
        if case .annotator(let name) = set { name } else { nil }
      }
      read += batch.read
      rejected += batch.rejected
      issues += batch.issues
      samples += batch.samples.map {
        Sample(
          key: $0.key, split: $0.split, size: $0.size,
          label: $0.category.map { categories[$0].name })
      }
      for annotation in batch.annotations {
        var geometry: (bytes: [UInt8], size: ImageSize)?
        if let range = annotation.geometry, let size = samples[annotation.sample].size {
          geometry = (Array(batch.geometry[range]), size)
        }
        let label = categories[annotation.category].name
        if let region = try region(annotation, label, geometry) {
          if let annotator = annotation.set {
            samples[annotation.sample].others[annotators[annotator], default: []].append(region)
          } else {
            samples[annotation.sample].regions.append(region)
          }
        }
      }
    }
    let order = run.outcome.ordinals.indices.sorted {
      run.outcome.ordinals[$0] < run.outcome.ordinals[$1]
    }
    classes = order.map { categories[$0] }
  }

  var names: [String] { classes.map(\.name) }
  var keys: [String] { samples.map(\.key) }
  var kinds: [IssueKind] { issues.map(\.kind) }

  /// Returns whether the outcome agrees with the batches.
  var isOutcomeBalanced: Bool {
    run.outcome.read == run.outcome.accepted + run.outcome.rejected && read == run.outcome.read
      && rejected == run.outcome.rejected && samples.count == run.outcome.accepted
      && run.outcome.ordinals.sorted() == Array(run.outcome.ordinals.indices)
  }
}
