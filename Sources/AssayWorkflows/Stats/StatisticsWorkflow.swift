package import AssayCore
package import AssayStore
import Foundation

/// Counts the contents of a view, and on request computes the mean and standard deviation of its
/// images, and the mean masks of its regions.
package struct StatisticsWorkflow: Sendable {
  let catalog: Catalog
  let progress: any ProgressSink

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
    guard withPixels else {
      let selection = try catalog.resolve(view)
      let samples = try catalog.samples(in: selection)
      guard !samples.isEmpty else { throw StatisticsError.noSamples(view: view) }
      return try counts(
        view, selection, samples, try catalog.taxonomy(of: selection.dataset.id),
        SizeCount.tally(samples))
    }
    let plan = try SumsPlan(view, resize: resize, in: catalog)
    return try statistics(plan, plan.sums(of: plan.samples, catalog, progress))
  }

  /// The counts, which need no image.
  private func counts(
    _ view: String, _ selection: Selection, _ samples: [SampleRecord], _ taxonomy: Taxonomy,
    _ sizes: [SizeCount]
  ) throws -> DatasetStatistics {
    var statistics = DatasetStatistics(
      view: view, dataset: selection.dataset.name, samples: samples.count,
      balance: ClassBalance(
        samples, names: taxonomy.names, isMultiLabel: selection.dataset.isMultiLabel), sizes: sizes,
      pixels: nil)
    statistics.kinds = try catalog.annotationKinds(in: selection)
    statistics.masks = try MaskStatisticsScan(
      catalog: catalog, selection: selection, samples: samples, taxonomy: taxonomy
    ).run()
    return statistics
  }

  /// The statistics of a view with the sums of its images and masks.
  ///
  /// - Throws: ``StatisticsError/noImage(view:firstReason:)``, `StoreError`, ``Interrupted``.
  func statistics(_ plan: SumsPlan, _ sums: StatisticsSums) throws -> DatasetStatistics {
    var statistics = try counts(
      plan.view, plan.selection, plan.samples, plan.taxonomy, plan.sizes)
    if let masks = sums.masks {
      let rows = plan.taxonomy.names.enumerated().compactMap { place, name -> MeanMasks.Row? in
        guard let mean = masks.mean(of: place) else { return nil }
        return MeanMasks.Row(name: name, count: masks.images[place], mean: mean)
      }
      statistics.masks?.means = MeanMasks(
        grid: masks.grid, rows: rows, leftOut: plan.samples.count { $0.size == nil })
    }
    statistics.noPixels = sums.noPixels
    guard let pixels = sums.pixels, sums.noPixels == nil else { return statistics }
    let result = PixelStatistics(
      pixels, classes: plan.taxonomy.names, isResized: plan.isResized,
      keys: { plan.samples[$0].key })
    if let result {
      statistics.pixels = result
    } else {
      let error = StatisticsError.noImage(
        view: plan.view, firstReason: pixels.leftOut.first?.reason ?? "it has no images")
      guard sums.masks != nil else { throw error }
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
