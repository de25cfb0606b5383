import AssayCore
import AssayImaging
import AssayStore
import AssayTestSupport
import Testing

@testable import AssayWorkflows

/// A catalog in a temporary folder with datasets to merge, and everything that they contain as text.
struct MergeCatalog {
  let folder: TemporaryFolder
  let catalog: Catalog

  init() throws {
    folder = try TemporaryFolder()
    catalog = try Catalog.open(folder.path("assay.db"), .create)
  }

  /// A sample to be added: its annotations are boxes of a class, given by its index.
  struct Draft {
    var key: String
    var split: String?
    var label: Int?
    var labels: [Int] = []
    var boxes: [Int] = []
    var id: Int64?
    /// The gray value of its image, 3 × 2 pixels.
    var gray: UInt8 = 0
  }

  /// Adds a dataset of image files.
  func add(
    _ name: String, _ classes: [Category], _ samples: [Draft], isMultiLabel: Bool = false,
    embedded: PixelFormat? = nil
  ) throws {
    var batch = ImportedBatch()
    batch.newCategories = classes
    for (place, sample) in samples.enumerated() {
      var image = ImportedSample(
        key: sample.key, location: embedded == nil ? sample.key : nil, split: sample.split,
        size: ImageSize(width: 3, height: 2), category: sample.label,
        sourceID: sample.id.map { .integer($0) }, categories: sample.labels)
      if let embedded {
        batch.pixelFormat = embedded
        let bytes = Array(repeating: sample.gray, count: 6 * embedded.channels)
        image.pixels = batch.pixels.count..<(batch.pixels.count + bytes.count)
        batch.pixels += bytes
      } else {
        let raster = Raster<UInt8>(repeating: sample.gray, width: 3, height: 2)
        try folder.write("\(name)/\(sample.key)", ImageCodec.encodePNG(raster))
      }
      batch.samples.append(image)
      for (ordinal, category) in sample.boxes.enumerated() {
        batch.annotations.append(
          ImportedAnnotation(
            sample: place, category: category, ordinal: ordinal, shape: .box, area: 2,
            box: Box(x: 1, y: 0, width: 2, height: 1),
            sourceID: sample.id.map { .integer(10 * $0 + Int64(ordinal)) },
            attributes: "{\"track\":\(place)}"))
      }
    }
    let hasRegions = samples.contains { !$0.boxes.isEmpty }
    let draft = ImportDraft(
      name: name, format: hasRegions ? .coco : isMultiLabel ? .multiLabelCSV : .imageFolder,
      root: folder.path(name), isSingleFile: false, isMultiLabel: isMultiLabel)
    var outcome = ImportOutcome()
    (outcome.read, outcome.accepted) = (samples.count, samples.count)
    outcome.ordinals = Array(classes.indices)
    _ = try catalog.importDataset(draft) { [batch, outcome] writer in
      try writer.write(batch)
      return (outcome, inputHash: nil)
    }
  }

  @discardableResult
  func merge(
    _ views: String..., into name: String = "all", _ change: (inout MergeRequest) -> Void = { _ in }
  ) throws -> MergeSummary {
    var request = MergeRequest(views, name: name)
    change(&request)
    return try DatasetMerge(request, in: catalog).run(progress: NoProgress())
  }

  /// Each sample with its split, size, labels and annotations, without ids.
  func rows(_ view: String) throws -> [String] {
    let selection = try catalog.resolve(view)
    let names = try catalog.taxonomy(of: selection.dataset.id).names
    let samples = try catalog.samples(in: selection)
    var rows = samples.map { sample in
      let labels = (sample.category.map { [$0] } ?? []) + sample.categories
      return
        "\(sample.key) \(sample.split ?? "-") \(sample.size.map { "\($0)" } ?? "-") \(labels.map { names[$0] })"
    }
    try catalog.forEachAnnotations(of: samples.map(\.id), regionsOnly: false) { index, list in
      for item in list {
        let box = item.box.map { "\($0)" } ?? "-"
        rows[index] +=
          " \(names[item.category]) \(item.shape) \(item.isCrowd) \(item.area ?? -1) \(box) "
          + "\(item.attributes ?? "") \(item.geometry ?? [])"
      }
    }
    return rows
  }
}
