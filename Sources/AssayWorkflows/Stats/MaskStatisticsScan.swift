import AssayCore
import AssayStore
import Foundation

/// Counts a view's regions and measures what they cover.
struct MaskStatisticsScan {
  let catalog: Catalog
  let selection: Selection
  let samples: [SampleRecord]
  let taxonomy: Taxonomy

  /// What the view has of regions; `nil` where it has none.
  ///
  /// - Throws: `StoreError`, ``Interrupted``.
  func run() throws -> MaskStatistics? {
    let counts = try catalog.instanceCounts(in: selection)
    guard counts.categories.contains(where: { $0.images > 0 }) else { return nil }
    // Asked for once, all classes are measured in one walk over the regions.
    _ = try catalog.instanceCounts(in: selection, coverage: true)
    var shown = Array<[Int64]>(repeating: [], count: taxonomy.categories.count)
    let ids = samples.map(\.id)
    for (id, regions) in zip(ids, try catalog.regionCounts(of: ids)) {
      for region in regions { shown[region.category].append(id) }
    }
    let rows = try counts.categories.map { counts in
      let category = taxonomy.categories[counts.category]
      let field = "coverage(\(Self.quoted(category.name)))"
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

  /// A name as the view language quotes it.
  private static func quoted(_ name: String) -> String {
    "\"" + name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}
