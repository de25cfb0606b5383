package import AssayCore
package import AssayStore

/// Counts what a view holds, and where asked for takes mean and deviation of its images, and the mean masks of
/// its regions.
package struct StatisticsWorkflow: Sendable {
  private let catalog: Catalog
  private let progress: any ProgressSink

  package init(catalog: Catalog, progress: any ProgressSink = NoProgress()) {
    self.catalog = catalog
    self.progress = progress
  }

  /// - Parameters:
  ///   - view: a dataset, a view, or a part of either.
  ///   - withPixels: whether to read the images.
  ///   - resize: the size to bring every image to; `nil` refuses images that differ in size.
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
      // The masks are worth having without.
      statistics.noPixels = "\(error)"
    }
    return statistics
  }
}
