import AssayCore
import AssayImaging
import AssayStore

/// The sums that the mean images and mean masks of a view need, before any image is read.
struct SumsPlan {
  let view: String
  let selection: Selection
  let samples: [SampleRecord]
  let taxonomy: Taxonomy
  /// The known sizes, most frequent first.
  let sizes: [SizeCount]
  /// The size of the mean images; `nil` if the images are not added up.
  let size: ImageSize?
  /// True if images are resized to ``size``.
  let isResized: Bool
  /// The reason why the images are not added up although there are masks; `nil` if they are.
  let noPixels: String?
  /// The size of the mean masks; `nil` for a view without regions.
  let grid: ImageSize?

  /// - Parameters:
  ///   - resize: the size to resize every image to; `nil` rejects images that differ in size.
  ///   - known: the size of the mean images, if parts state it: `WxH`, empty for none.
  /// - Throws: ``StatisticsError``, `StoreError`, ``Interrupted``.
  init(_ view: String, resize: ImageSize?, in catalog: Catalog, size known: String? = nil) throws {
    self.view = view
    selection = try catalog.resolve(view)
    samples = try catalog.samples(in: selection)
    guard !samples.isEmpty else { throw StatisticsError.noSamples(view: view) }
    taxonomy = try catalog.taxonomy(of: selection.dataset.id)
    sizes = SizeCount.tally(samples)
    isResized = resize != nil
    if selection.dataset.isMultiLabel { throw StatisticsError.setsOfLabels(view: view) }
    let counts = try catalog.instanceCounts(in: selection)
    let hasMasks = counts.categories.contains { $0.images > 0 }
    grid =
      hasMasks
      ? resize ?? MeanMaskScan.grid(for: sizes, classes: taxonomy.categories.count) : nil
    do {
      if resize == nil, sizes.count > 1 {
        throw StatisticsError.sizesDiffer(view: view, sizes: sizes)
      }
      size =
        try known.flatMap(ImageSize.init(text:))
        ?? PixelScan.size(
          of: samples, resize, view: view,
          SampleImages(catalog: catalog, dataset: selection.dataset))
      noPixels = nil
    } catch let error as StatisticsError where hasMasks {
      // The mask statistics are useful without the pixel statistics.
      (size, noPixels) = (nil, "\(error)")
    }
  }

  /// The sums of some of the samples.
  ///
  /// - Parameter positions: the places of these samples in ``samples``.
  /// - Throws: ``StatisticsError``, `StoreError`, `MaskError`, ``Interrupted``.
  func sums(
    of own: [SampleRecord], at positions: [Int]? = nil, _ catalog: Catalog,
    _ progress: any ProgressSink
  ) throws -> StatisticsSums {
    var sums = StatisticsSums(noPixels: noPixels)
    if let grid {
      sums.masks = try MeanMaskScan(
        catalog: catalog, view: view, samples: own, taxonomy: taxonomy, grid: grid
      ).sums(progress)
    }
    guard let size else { return sums }
    do {
      var pixels = try PixelScan(
        catalog: catalog, selection: selection, samples: own, classes: taxonomy.names, size: size,
        isResized: isResized
      ).sums(progress)
      if let positions {
        pixels.leftOut = pixels.leftOut.map {
          .init(position: positions[$0.position], reason: $0.reason)
        }
      }
      sums.pixels = pixels
    } catch let error as StatisticsError where grid != nil && positions == nil {
      // A part without them would not fit those of other machines, which may have more memory.
      sums.noPixels = "\(error)"
    }
    return sums
  }

  /// Sums of no images.
  ///
  /// - Throws: ``StatisticsError/tooLarge(size:classes:bytes:limit:)``.
  func empty() throws(StatisticsError) -> StatisticsSums {
    let classes = taxonomy.names.count
    if let grid { try MeanMaskScan.check(grid, classes: classes, workers: 1) }
    if let size { try PixelScan.check(size, classes: classes, workers: 1) }
    return StatisticsSums(
      pixels: size.map { PixelSums(size: $0, classes: classes + 1) }, noPixels: noPixels,
      masks: grid.map { MaskSums(grid: $0, classes: classes) })
  }

  /// The properties that all parts have in common.
  func facts(
    _ shard: ShardSamples, _ resize: ImageSize?, truth: String, programVersion: String
  ) -> [JSONValue.Member] {
    RecordParts.facts(of: selection.dataset) + [
      .init("view", .string(view)), .init("samples_sha256", .string(shard.hash)),
      .init("classes", .array(taxonomy.names.map { .string($0) })),
      .init("labels_sha256", .string(labelsHash)), .init(PartTruth.fact, .string(truth)),
      .init("resize", JSONValue(resize?.text)), .init("size", JSONValue(size?.text)),
      .init("grid", JSONValue(grid?.text)), .init("versions", ["assay": .string(programVersion)]),
    ]
  }

  /// The hash of the labels of all samples.
  private var labelsHash: String {
    var hash = ContentHash()
    let labels = samples.map { Int64($0.category ?? -1).littleEndian }
    labels.withUnsafeBytes { hash.update($0) }
    return hash.hexadecimal()
  }

  /// Compares the samples and their ground truth with those that parts were made with.
  ///
  /// - Throws: ``PartError``.
  func check(_ parts: RecordParts, truth: String, _ catalog: Catalog) throws(PartError) {
    let dataset = selection.dataset
    try parts.check(dataset, samples, in: catalog)
    let own: [(String, JSONValue)] = [
      ("classes", .array(taxonomy.names.map { .string($0) })),
      ("labels_sha256", .string(labelsHash)),
      (PartTruth.fact, .string(truth)), ("size", JSONValue(size?.text)),
      ("grid", JSONValue(grid?.text)),
    ]
    let differences = own.filter { parts.identity.fact($0.0) != $0.1 }.map(\.0)
    guard differences.isEmpty else {
      throw .otherTruth(
        dataset: dataset.name, folder: parts.path, differences: differences,
        madeWith: parts.text(PartTruth.fact))
    }
  }
}
