import AssayCore
import AssayReports
package import AssayStore

/// The regressions and improvements between two runs as image sheets.
package struct ComparisonPictures {
  private let catalog: Catalog
  private let comparison: Comparison

  package init(catalog: Catalog, comparison: Comparison) {
    self.catalog = catalog
    self.comparison = comparison
  }

  /// The PNG of the regressions and the PNG of the improvements; `nil` if there are none.
  ///
  /// - Throws: `ReportError`, `StoreError`, ``Interrupted``, ``RunMasksError``, ``EvaluationError``.
  package func sheets() throws -> (lost: [UInt8]?, won: [UInt8]?) {
    let titles = comparison.details.own.titles(first: comparison.first, second: comparison.second)
    return (try sheet(lost: true, titles.lost), try sheet(lost: false, titles.won))
  }

  /// One PNG of both, regressions first.
  ///
  /// - Throws: the errors of ``sheets()``.
  package func together() throws -> [UInt8] {
    let own = comparison.details.own
    return try png(
      tiles(lost: true) + tiles(lost: false),
      "\(comparison.first) → \(comparison.second): regressions \(own.changes.lost), "
        + "improvements \(own.changes.won)")
  }

  private func sheet(lost: Bool, _ title: String) throws -> [UInt8]? {
    let tiles = try tiles(lost: lost)
    return tiles.isEmpty ? nil : try png(tiles, title)
  }

  private func png(_ tiles: [ContactSheet.Tile], _ title: String) throws -> [UInt8] {
    var sheet = ContactSheet(tiles: tiles, title: title)
    sheet.sides = comparison.details.own.legend(
      first: comparison.first, second: comparison.second)
    return try sheet.png()
  }

  private func tiles(lost: Bool) throws -> [ContactSheet.Tile] {
    try comparison.details.own.tiles(
      lost: lost, of: comparison.samples, comparison.dataset, in: catalog)
  }

  /// Makes the images of some samples, a few at a time, because each is in memory with everything
  /// that is drawn on it.
  ///
  /// - Parameters:
  ///   - read: reads the overlays for the images of some elements, in their order.
  ///   - draw: draws on an image; `nil` leaves the image out, like an image that cannot be read.
  static func tiles<Element, Drawn>(
    of elements: [Element], _ images: SampleImages, sample: (Element) -> SampleRecord,
    read: ([Element]) throws -> [Drawn],
    draw: (Element, Drawn, Raster<UInt8>) throws -> ContactSheet.Tile?
  ) throws -> [ContactSheet.Tile] {
    let chunk = 16
    var tiles: [ContactSheet.Tile] = []
    for start in stride(from: 0, to: elements.count, by: chunk) {
      try Interruption.check("no sheet was written")
      let some = Array(elements[start..<min(elements.count, start + chunk)])
      let rasters = try images.rasters(of: some.map(sample))
      for ((element, drawn), raster) in zip(zip(some, try read(some)), rasters) {
        guard let raster = try? raster.get() else { continue }
        if let tile = try draw(element, drawn, raster) { tiles.append(tile) }
      }
    }
    return tiles
  }
}
