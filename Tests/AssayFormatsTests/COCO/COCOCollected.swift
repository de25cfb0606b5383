import AssayCore
import AssayFormats

/// The complete result of a COCO import, independent of its batches.
struct COCOCollected: Hashable {
  struct Region: Hashable {
    var key: String
    var category: String
    var ordinal: Int
    var shape: ShapeKind
    var isCrowd: Bool
    var area: Double?
    var box: Box?
    var id: SourceID?
    var attributes: String?
    /// The polygons, or the run lengths; `nil` if there is only a box.
    var geometry: Geometry?
  }

  var samples: [String] = []
  var sizes: [ImageSize?] = []
  var splits: [String?] = []
  var ids: [SourceID?] = []
  var regions: [Region] = []
  var issues: [Issue] = []
  var categories: [Category] = []
  var batchBalance = 0
  var run = FinishedImport(outcome: ImportOutcome(), contentHash: nil)

  /// The labels of each sample, and its further fields.
  var labels: [[String]] = []
  var fields: [String?] = []

  init(
    _ tree: some SourceTree, _ options: ImportOptions = ImportOptions(),
    as format: DatasetFormat = .coco
  ) throws {
    run = try Importers.importer(for: format).run(tree, options) { batch in
      categories += batch.newCategories
      issues += batch.issues
      batchBalance += batch.read - batch.rejected - batch.samples.count
      for sample in batch.samples {
        samples.append(sample.key)
        sizes.append(sample.size)
        splits.append(sample.split)
        ids.append(sample.sourceID)
        labels.append(sample.categories.map { categories[$0].name })
        fields.append(sample.attributes)
      }
      for region in batch.annotations {
        // Regions of samples or classes that are not there yet would be an error in the store.
        guard samples.indices.contains(region.sample), categories.indices.contains(region.category)
        else { throw Unordered() }
        let bytes = region.geometry.map { Array(batch.geometry[$0]) }
        let geometry = try bytes.map {
          try Geometry(
            shape: region.shape, packed: $0,
            size: sizes[region.sample] ?? ImageSize(width: 1, height: 1))
        }
        regions.append(
          Region(
            key: samples[region.sample], category: categories[region.category].name,
            ordinal: region.ordinal, shape: region.shape, isCrowd: region.isCrowd,
            area: region.area, box: region.box, id: region.sourceID,
            attributes: region.attributes, geometry: geometry))
      }
    }
  }

  /// One file named `a.json`.
  init(_ json: String, _ options: ImportOptions = ImportOptions()) throws {
    try self.init(MemoryTree(json, name: "a.json"), options)
  }

  struct Unordered: Error {}

  /// True if the counts are consistent.
  var isBalanced: Bool {
    let outcome = run.outcome
    guard let lists = run.lists else { return false }
    return batchBalance == 0 && outcome.read == outcome.accepted + outcome.rejected
      && outcome.accepted == samples.count
      && lists.annotationsKept == regions.count + labels.joined().count
      && lists.annotationsRead >= lists.annotationsKept && lists.imagesFound <= lists.images
      && outcome.ordinals.sorted() == Array(categories.indices)
      && Set(samples).count == samples.count
      && Set(categories.map(\.name)).count == categories.count
  }

  /// The issues except those that any small file has: no images next to it, no 'info', no
  /// 'licenses'.
  var odd: [Issue] {
    issues.filter { issue in
      !(issue.kind == .missingImage
        && (issue.message.hasPrefix("none of its") || issue.message.hasPrefix("its only image")))
        && !issue.message.hasPrefix("'info'")
    }
  }
}

/// A small COCO file: two images of 10×5, the categories 1 `a` and 7 `b`, and the given members.
enum SmallCOCO {
  static func file(
    images: String = """
    {"id":5,"width":10,"height":5,"file_name":"a.jpg"},{"id":6,"width":10,"height":5,"file_name":"b.jpg"}
    """,
    categories: String = """
    {"id":1,"name":"a","supercategory":"x"},{"id":7,"name":"b","supercategory":"x"}
    """, annotations: String, first: String = ""
  ) -> String {
    """
    {\(first)"images":[\(images)],"annotations":[\(annotations)],"categories":[\(categories)]}
    """
  }

  /// A valid annotation, with some of its fields replaced (`nil` leaves one out).
  static func annotation(_ changes: [String: String?] = [:]) -> String {
    var fields: [(String, String)] = [
      ("id", "11"), ("image_id", "5"), ("category_id", "7"),
      ("segmentation", "[[1,1,4,1,4,3,1,3]]"), ("bbox", "[1,1,3,2]"), ("area", "6"),
      ("iscrowd", "0"),
    ]
    for (name, value) in changes.sorted(by: { $0.key < $1.key }) {
      if let place = fields.firstIndex(where: { $0.0 == name }) {
        if let value { fields[place].1 = value } else { fields.remove(at: place) }
      } else if let value {
        fields.append((name, value))
      }
    }
    return "{" + fields.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
  }
}
