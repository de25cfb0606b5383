import AssayCore
import AssayReports
package import AssayStore

/// The objects that were lost and won between two detectors, as sheets of pictures: each object with what
/// either says about it.
package struct DetectionComparisonPictures: LostAndWonPictures {
  /// The most pictures of each kind on a sheet.
  package static let limit = 48
  /// Pixels of a picture's longer side.
  private static let longest = 240
  /// Samples whose pictures are in memory at once.
  private static let chunk = 16

  private let catalog: Catalog
  private let pairing: DetectionPairing

  package init(catalog: Catalog, pairing: DetectionPairing) {
    self.catalog = catalog
    self.pairing = pairing
  }

  /// What lines and frames mean.
  package static let legend =
    "truth blue, A black and white dashes, B orange; framed orange where lost, blue where won"

  /// - Throws: `ReportError`, `StoreError`, ``Interrupted``, and as ``EvaluatedRun/objects(at:in:)``.
  package func sheets() throws -> (lost: [UInt8]?, won: [UInt8]?) {
    (
      try sheet(of: tiles(lost: true), "lost: only \(pairing.first.name) found it"),
      try sheet(of: tiles(lost: false), "won: only \(pairing.second.name) found it")
    )
  }

  /// - Throws: as ``sheets()``.
  package func together() throws -> [UInt8] {
    let (lost, won) = (try tiles(lost: true), try tiles(lost: false))
    return try sheet(
      lost + won,
      "\(pairing.first.name) → \(pairing.second.name): \(pairing.lost.count) lost, "
        + "\(pairing.won.count) won")
  }

  private func sheet(of tiles: [ContactSheet.Tile], _ title: String) throws -> [UInt8]? {
    tiles.isEmpty ? nil : try sheet(tiles, title)
  }

  private func sheet(_ tiles: [ContactSheet.Tile], _ title: String) throws -> [UInt8] {
    var sheet = ContactSheet(tiles: tiles, title: title)
    sheet.sides = [
      (.truth, "truth"), (.earlier, "A: \(pairing.first.name) (dashes)"),
      (.prediction, "B: \(pairing.second.name)"),
    ]
    return try sheet.png()
  }

  /// Pictures that cannot be had are left out.
  private func tiles(lost: Bool) throws -> [ContactSheet.Tile] {
    let shown = Array((lost ? pairing.lost : pairing.won).prefix(Self.limit))
    var tiles: [ContactSheet.Tile] = []
    for start in stride(from: 0, to: shown.count, by: Self.chunk) {
      try Interruption.check("no sheet was written")
      let end = min(shown.count, start + Self.chunk)
      tiles += try self.tiles(of: Array(shown[start..<end]), frame: lost ? .wrong : .right)
    }
    return tiles
  }

  private func tiles(
    of changes: [ObjectChange], frame: ContactSheet.Frame
  ) throws -> [ContactSheet.Tile] {
    let indices = changes.map(\.sample)
    let first = try pairing.first.objects(at: indices, in: catalog)
    let second = try pairing.second.objects(at: indices, in: catalog)
    let images = SampleImages(catalog: catalog, dataset: pairing.first.run.dataset)
    let rasters = try images.rasters(of: indices.map { pairing.samples[$0] })
    return try changes.enumerated().compactMap { place, change -> ContactSheet.Tile? in
      guard let raster = try? rasters[place].get() else { return nil }
      let drawing = ObjectChangeDrawing(
        change: change, size: pairing.samples[change.sample].size, classes: pairing.classes,
        first: first[place], second: second[place], overlap: pairing.matching.overlap)
      return ContactSheet.Tile(
        raster: try drawing.drawn(over: raster, longest: Self.longest),
        caption: [drawing.caption, pairing.samples[change.sample].key], frame: frame)
    }
  }
}
