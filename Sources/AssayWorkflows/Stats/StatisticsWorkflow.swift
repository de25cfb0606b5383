package import AssayCore
package import AssayStore

/// Counts what a view holds, and where asked for takes mean and deviation of its images.
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
  /// - Throws: ``StatisticsError``, `StoreError`, ``Interrupted``.
  package func run(
    _ view: String, withPixels: Bool, resize: ImageSize? = nil
  ) throws -> DatasetStatistics {
    let selection = try catalog.resolve(view)
    let samples = try catalog.samples(in: selection)
    guard !samples.isEmpty else { throw StatisticsError.noSamples(view: view) }
    let names = try catalog.taxonomy(of: selection.dataset.id).names
    let sizes = SizeCount.tally(samples)
    if withPixels, resize == nil, sizes.count > 1 {
      throw StatisticsError.sizesDiffer(view: view, sizes: sizes)
    }
    var statistics = DatasetStatistics(
      view: view, dataset: selection.dataset.name, samples: samples.count,
      balance: ClassBalance(samples, names: names), sizes: sizes, pixels: nil)
    if withPixels {
      let scan = PixelScan(
        catalog: catalog, selection: selection, samples: samples, classes: names, resize: resize)
      statistics.pixels = try scan.run(progress)
    }
    return statistics
  }
}
