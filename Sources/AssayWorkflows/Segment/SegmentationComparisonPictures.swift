import AssayCore
import AssayReports
package import AssayStore

/// The samples whose masks became worse and better between two runs, as sheets of pictures: the truth, the
/// first run's outline in dashes and the second's.
package struct SegmentationComparisonPictures: LostAndWonPictures {
  /// The most pictures of each kind on a sheet.
  package static let limit = 48
  /// Pixels of a picture's longer side.
  private static let longest = 240
  /// Samples whose masks are in memory at once.
  private static let chunk = 16

  private let catalog: Catalog
  private let pairing: SegmentationPairing

  package init(catalog: Catalog, pairing: SegmentationPairing) {
    self.catalog = catalog
    self.pairing = pairing
  }

  /// - Throws: `ReportError`, `StoreError`, ``RunMasksError``, ``EvaluationError``.
  package func sheets() throws -> (lost: [UInt8]?, won: [UInt8]?) {
    (
      try sheet(of: tiles(lost: true), "lost: lower IoU in \(pairing.second.name)"),
      try sheet(of: tiles(lost: false), "won: higher IoU in \(pairing.second.name)")
    )
  }

  /// - Throws: `ReportError`, `StoreError`, ``RunMasksError``, ``EvaluationError``.
  package func together() throws -> [UInt8] {
    let (lost, won) = (try tiles(lost: true), try tiles(lost: false))
    return try ContactSheet(
      tiles: lost + won,
      title: "\(pairing.first.name) → \(pairing.second.name): \(pairing.comparison.lost.count) "
        + "lost, \(pairing.comparison.won.count) won"
    ).png()
  }

  private func sheet(of tiles: [ContactSheet.Tile], _ title: String) throws -> [UInt8]? {
    tiles.isEmpty ? nil : try ContactSheet(tiles: tiles, title: title).png()
  }

  /// Pictures that cannot be had are left out.
  private func tiles(lost: Bool) throws -> [ContactSheet.Tile] {
    let shown = Array((lost ? pairing.lost : pairing.won).prefix(Self.limit))
    var tiles: [ContactSheet.Tile] = []
    var start = 0
    while start < shown.count {
      try Interruption.check("no sheet was written")
      let end = min(shown.count, start + Self.chunk)
      tiles += try self.tiles(Array(shown[start..<end]), frame: lost ? .wrong : .right)
      start = end
    }
    return tiles
  }

  private func tiles(
    _ indices: [Int], frame: ContactSheet.Frame
  ) throws -> [ContactSheet.Tile] {
    let first = try pairing.first.regions(at: indices, in: catalog)
    let second = try pairing.second.regions(at: indices, in: catalog)
    let images = SampleImages(catalog: catalog, dataset: pairing.first.run.dataset)
    let rasters = try images.rasters(of: indices.map { pairing.samples[$0] })
    return try indices.enumerated().compactMap { place, index -> ContactSheet.Tile? in
      guard let raster = try? rasters[place].get(),
        let masks = masks(first[place], second[place])
      else { return nil }
      let overlay = MaskOverlay.compared(
        truth: masks.truth, first: masks.first, second: masks.second)
      let (a, b) = (pairing.firstScores[index].iou, pairing.secondScores[index].iou)
      let change = "IoU \(NumberText.fixed(a)) → \(NumberText.fixed(b))"
      return ContactSheet.Tile(
        raster: try overlay.drawn(over: raster, longest: Self.longest),
        caption: [
          pairing.labels.isBinary ? change : "\(masks.name): \(change)", pairing.samples[index].key,
        ], frame: frame)
    }
  }

  /// The masks of the class that the two runs disagree about most.
  private func masks(
    _ first: SampleRegions, _ second: SampleRegions
  ) -> (name: String, truth: Mask, first: Mask, second: Mask)? {
    pairing.classes.compactMap { name -> (String, Mask, Mask, Mask)? in
      guard let one = pairing.first.classes.judged.firstIndex(of: name),
        let other = pairing.second.classes.judged.firstIndex(of: name)
      else { return nil }
      return (name, first.truth(of: one), first.predicted[one], second.predicted[other])
    }.max { Self.disagreement($0.2, $0.3) < Self.disagreement($1.2, $1.3) }
  }

  private static func disagreement(_ first: Mask, _ second: Mask) -> Int {
    first.symmetricDifference(second).area
  }
}
