import AssayCore
import AssayReports
package import AssayStore

/// The samples that were lost and won between two runs, as sheets of pictures.
package struct ComparisonPictures: LostAndWonPictures {
  /// The most pictures of each kind on a sheet.
  package static let limit = 96

  private let catalog: Catalog
  private let pairing: RunPairing

  package init(catalog: Catalog, pairing: RunPairing) {
    self.catalog = catalog
    self.pairing = pairing
  }

  /// The PNG of the lost samples and of the won ones, those with the surest wrong answer first; `nil` where
  /// there are none.
  ///
  /// - Throws: `ReportError`, `StoreError`.
  package func sheets() throws -> (lost: [UInt8]?, won: [UInt8]?) {
    (
      try sheet(of: tiles(lost: true), "lost: only \(pairing.first.name) is right"),
      try sheet(of: tiles(lost: false), "won: only \(pairing.second.name) is right")
    )
  }

  /// The PNG of both, lost ones first.
  ///
  /// - Throws: `ReportError`, `StoreError`.
  package func together() throws -> [UInt8] {
    let (lost, won) = (try tiles(lost: true), try tiles(lost: false))
    return try ContactSheet(
      tiles: lost + won,
      title: "\(pairing.first.name) → \(pairing.second.name): "
        + "\(pairing.comparison.lost.count) lost, \(pairing.comparison.won.count) won"
    ).png()
  }

  private func sheet(of tiles: [ContactSheet.Tile], _ title: String) throws -> [UInt8]? {
    tiles.isEmpty ? nil : try ContactSheet(tiles: tiles, title: title).png()
  }

  /// Pictures that cannot be had are left out.
  private func tiles(lost: Bool) throws -> [ContactSheet.Tile] {
    let (wrong, indices) =
      lost
      ? (pairing.secondTally, pairing.comparison.lost)
      : (pairing.firstTally, pairing.comparison.won)
    let shown = indices.sorted {
      (-wrong.confidences[$0], $0) < (-wrong.confidences[$1], $1)
    }.prefix(Self.limit)
    let images = SampleImages(catalog: catalog, dataset: pairing.first.run.dataset)
    let rasters = try images.rasters(of: shown.map { pairing.samples[$0] })
    return zip(shown, rasters).compactMap { index, raster in
      guard let raster = try? raster.get() else { return nil }
      let (a, b) = (pairing.firstTally[index], pairing.secondTally[index])
      return ContactSheet.Tile(
        raster: raster,
        caption: [
          "\(pairing.classes[a.predicted]) → \(pairing.classes[b.predicted])",
          "truth \(pairing.classes[a.truth]), \(pairing.samples[index].key)",
        ], frame: lost ? .wrong : .right)
    }
  }
}
