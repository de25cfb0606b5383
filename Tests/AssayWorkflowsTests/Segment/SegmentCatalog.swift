import AssayCore
import AssayImaging
import AssayStore
import AssayTestSupport
import Foundation

import AssayWorkflows

/// A catalog in its own folder with images whose regions are annotated and predicted.
///
/// Masks are drawn: one string per row, a letter for each class, `.` for none.
final class SegmentCatalog {
  private let temporary: TemporaryFolder
  let folder: URL
  let catalog: Catalog

  init() throws {
    temporary = try TemporaryFolder()
    folder = temporary.url
    catalog = try Catalog.open(folder.appending(path: "assay.db").path, .create)
  }

  /// One region of an image: its class, and a drawing in which `#` is set.
  struct Region {
    var category: Int
    var rows: [String]
    var isCrowd = false
  }

  static func mask(_ rows: [String], where letter: Character = "#") throws -> Mask {
    let elements = rows.flatMap { $0.map { $0 == letter ? UInt8(1) : 0 } }
    guard let raster = Raster(width: rows[0].count, height: rows.count, elements: elements) else {
      throw MaskError.damaged
    }
    return Mask(raster)
  }

  /// Imports images `0.png`, `1.png`, … of one size, the first half in split `train`, others in
  /// `val`.
  @discardableResult
  func importPictures(
    _ pictures: [[Region]], size: ImageSize, classes: [Category], as name: String = "set",
    replace: Bool = false
  ) throws -> DatasetRecord {
    let draft = ImportDraft(
      name: name, format: .coco, root: folder.path, isSingleFile: false, replace: replace)
    return try catalog.importDataset(draft) { writer in
      var batch = ImportedBatch()
      batch.newCategories = classes
      for (index, regions) in pictures.enumerated() {
        batch.samples.append(
          ImportedSample(
            key: "\(index).png", location: "\(index).png",
            split: 2 * index < pictures.count ? "train" : "val", size: size))
        for (ordinal, region) in regions.enumerated() {
          let mask = try Self.mask(region.rows)
          let start = batch.geometry.count
          batch.geometry += mask.compressed
          batch.annotations.append(
            ImportedAnnotation(
              sample: index, category: region.category, ordinal: ordinal, shape: .mask,
              isCrowd: region.isCrowd, area: Double(mask.area), box: mask.boundingBox,
              geometry: start..<batch.geometry.count))
        }
      }
      try writer.write(batch)
      var outcome = ImportOutcome()
      (outcome.read, outcome.accepted) = (pictures.count, pictures.count)
      outcome.ordinals = Array(classes.indices)
      return (outcome, nil)
    }.dataset
  }

  /// A run on all samples whose maps have the size of the images, so that a map's cell is a pixel.
  ///
  /// - Parameter maps: one value per cell, 0...255, for each sample and class; `nil` leaves a
  ///   sample pending.
  @discardableResult
  func run(
    _ name: String, over dataset: String = "set", classes: [String], threshold: Double? = 0.5,
    background: Int? = nil, input: ImageSize, resize: ResizeRule = .stretch, keepsMaps: Bool = true,
    _ maps: [[[UInt8]]?]
  ) throws -> RunRecord {
    let selection = try catalog.resolve(dataset)
    let samples = try catalog.samples(in: selection)
    let recipe = SegmentationRecipe(
      precision: "f32", keepsMaps: keepsMaps, threshold: threshold, background: background,
      input: input, resize: resize)
    let run = try catalog.createRun(
      RunDraft(
        name: name, task: .segmentation, dataset: selection.dataset.id, view: dataset,
        settings: recipe.settings, classes: classes, samples: samples.map(\.id)))
    let results = zip(samples, maps).compactMap { sample, maps -> SampleMasks? in
      guard let maps, let size = sample.size else { return nil }
      let layers = maps.map { values in
        ProbabilityMap(
          Raster(width: input.width, height: input.height, elements: values)
            ?? Raster(repeating: 0, width: input.width, height: input.height),
          plan: recipe.plan(for: size))
      }
      let masks = layers.enumerated().map { ordinal, layer in
        let mask = layer.mask(threshold: threshold ?? 0.5)
        return MaskPrediction(
          class: ordinal, area: mask.area, meanInside: nil, meanDistance: layer.meanDistance,
          counts: keepsMaps ? nil : mask.compressed)
      }
      return SampleMasks(
        sample: sample.id, masks: masks,
        maps: keepsMaps
          ? maps.enumerated().map {
            ProbabilityMapRecord(
              class: $0, width: input.width, height: input.height, bytes: $1)
          } : [])
    }
    try catalog.record(results, in: run.id)
    return try catalog.run(named: name)
  }

  /// Values of a map from a drawing: `#` is 255, a digit *d* is 25 · *d*, the rest 0.
  static func map(_ rows: String...) -> [UInt8] {
    rows.flatMap { row in
      row.map { letter in
        letter == "#" ? 255 : UInt8(letter.wholeNumberValue.map { 25 * $0 } ?? 0)
      }
    }
  }

  /// The mean of some numbers.
  static func mean(_ values: Double...) -> Double { values.reduce(0, +) / Double(values.count) }

  /// Four images of 4 × 2 with a class `person`, the last of which has none, and two runs.
  ///
  /// The IoUs of `r1` are 4/4, 2/6, 0/4 and undefined.
  static func small() throws -> SegmentCatalog {
    let world = try SegmentCatalog()
    let size = ImageSize(width: 4, height: 2)
    try world.importPictures(
      [
        [Region(category: 0, rows: ["##..", "##.."])],
        [
          Region(category: 0, rows: ["##..", "...."]),
          Region(category: 0, rows: ["....", "##.."], isCrowd: true),
        ],
        [Region(category: 1, rows: ["####", "####"])],
        [],
      ], size: size, classes: [Category(name: "person"), Category(name: "car")])
    try world.run(
      "r1", classes: ["person"], input: size,
      [
        [map("##..", "##..")], [map(".##.", ".##.")], [map("##..", "##..")],
        [map("1111", "1111")],
      ])
    try world.run(
      "r2", classes: ["person"], input: size,
      [
        [map("###.", "##..")], [map("##..", "##6.")], [map("....", "....")],
        [map("....", "....")],
      ])
    return world
  }
}
