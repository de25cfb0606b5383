package import AssayCore
package import AssayStore
import Foundation

/// Counts the contents of a view, and on request computes the mean and standard deviation of its
/// images, and the mean masks of its regions.
package struct StatisticsWorkflow: Sendable {
  private let catalog: Catalog
  private let progress: any ProgressSink

  package init(catalog: Catalog, progress: any ProgressSink = NoProgress()) {
    self.catalog = catalog
    self.progress = progress
  }

  /// - Parameters:
  ///   - view: a dataset, a view, or a part of either.
  ///   - withPixels: true to read the images.
  ///   - resize: the size to resize every image to; `nil` rejects images that differ in size.
  /// - Throws: ``StatisticsError``, `StoreError`, `MaskError`, ``Interrupted``.
  package func run(
    _ view: String, withPixels: Bool, resize: ImageSize? = nil
  ) throws -> DatasetStatistics {
    let selection = try catalog.resolve(view)
    let samples = try catalog.samples(in: selection)
    guard !samples.isEmpty else { throw StatisticsError.noSamples(view: view) }
    let taxonomy = try catalog.taxonomy(of: selection.dataset.id)
    let sizes = SizeCount.tally(samples)
    var statistics = DatasetStatistics(
      view: view, dataset: selection.dataset.name, samples: samples.count,
      balance: ClassBalance(
        samples, names: taxonomy.names, isMultiLabel: selection.dataset.isMultiLabel), sizes: sizes,
      pixels: nil)
    statistics.masks = try MaskStatisticsScan(
      catalog: catalog, selection: selection, samples: samples, taxonomy: taxonomy
    ).run()
    guard withPixels else { return statistics }
    if selection.dataset.isMultiLabel { throw StatisticsError.setsOfLabels(view: view) }
    if statistics.masks != nil {
      let grid = resize ?? MeanMaskScan.grid(for: sizes, classes: taxonomy.categories.count)
      statistics.masks?.means = try MeanMaskScan(
        catalog: catalog, view: view, samples: samples, taxonomy: taxonomy, grid: grid
      ).run(progress)
    }
    do {
      if resize == nil, sizes.count > 1 {
        throw StatisticsError.sizesDiffer(view: view, sizes: sizes)
      }
      let scan = PixelScan(
        catalog: catalog, selection: selection, samples: samples, classes: taxonomy.names,
        resize: resize)
      statistics.pixels = try scan.run(progress)
    } catch let error as StatisticsError where statistics.masks != nil {
      // The mask statistics are useful without the pixel statistics.
      statistics.noPixels = "\(error)"
    }
    return statistics
  }
}

/// Counts a view's regions and measures their coverage.
struct MaskStatisticsScan {
  let catalog: Catalog
  let selection: Selection
  let samples: [SampleRecord]
  let taxonomy: Taxonomy

  /// Computes the region statistics of the view; `nil` if it has no regions.
  ///
  /// - Throws: `StoreError`, ``Interrupted``.
  func run() throws -> MaskStatistics? {
    let counts = try catalog.instanceCounts(in: selection)
    guard counts.categories.contains(where: { $0.images > 0 }) else { return nil }
    // Requesting it once measures all classes in a single pass over the regions.
    _ = try catalog.instanceCounts(in: selection, coverage: true)
    var shown = Array<[Int64]>(repeating: [], count: taxonomy.categories.count)
    let ids = samples.map(\.id)
    for (id, regions) in zip(ids, try catalog.regionCounts(of: ids)) {
      for region in regions { shown[region.category].append(id) }
    }
    let rows = try counts.categories.map { counts in
      let category = taxonomy.categories[counts.category]
      let field = "coverage(\(QueryWords.spelled(category.name)))"
      let shown = shown[counts.category]
      try Interruption.check()
      let values = try shown.isEmpty ? [] : catalog.numbers([field], of: shown, in: selection)
      return MaskStatistics.Row(
        category: category, counts: counts,
        coverage: MaskStatistics.Spread(values.compactMap { $0[0] }))
    }
    return MaskStatistics(
      classes: rows, images: counts.images, imagesWithout: counts.imagesWithout)
  }
}
