import AssayCore
package import AssayReports
package import AssayStore

extension SegmentationPairing {
  /// The most pictures of each kind on a sheet.
  private static let pictureLimit = 48
  /// Pixels of a picture's longer side.
  private static let longest = 240

  package func titles(first: String, second: String) -> (lost: String, won: String) {
    ("lost: lower IoU in \(second)", "won: higher IoU in \(second)")
  }

  /// The ground truth, the first run's outline in dashes and the second's.
  package func tiles(
    lost: Bool, of samples: [SampleRecord], _ dataset: DatasetRecord, in catalog: Catalog
  ) throws -> [ContactSheet.Tile] {
    let shown = (lost ? self.lost : won).prefix(Self.pictureLimit)
    return try ComparisonPictures.tiles(
      of: Array(shown), SampleImages(catalog: catalog, dataset: dataset), sample: { samples[$0] },
      read: { try regions($0, in: catalog) }
    ) { index, regions, raster in
      guard let masks = masks(regions.first, regions.second) else { return nil }
      let overlay = MaskOverlay.compared(
        truth: masks.truth, first: masks.first, second: masks.second)
      let (a, b) = (firstScores[index].iou, secondScores[index].iou)
      let change = "IoU \(NumberText.fixed(a)) → \(NumberText.fixed(b))"
      return ContactSheet.Tile(
        raster: try overlay.drawn(over: raster, longest: Self.longest),
        caption: [
          labels.isBinary ? change : "\(masks.name): \(change)", samples[index].key,
        ], frame: lost ? .wrong : .right)
    }
  }

  private func regions(
    _ indices: [Int], in catalog: Catalog
  ) throws -> [(first: SampleRegions, second: SampleRegions)] {
    Array(
      zip(try first.regions(at: indices, in: catalog), try second.regions(at: indices, in: catalog))
    )
  }

  /// The masks of the class that the two runs disagree about most.
  private func masks(
    _ first: SampleRegions, _ second: SampleRegions
  ) -> (name: String, truth: Mask, first: Mask, second: Mask)? {
    classes.compactMap { name -> (String, Mask, Mask, Mask)? in
      guard let one = self.first.content.classes.judged.firstIndex(of: name),
        let other = self.second.content.classes.judged.firstIndex(of: name)
      else { return nil }
      return (name, first.truth(of: one), first.predicted[one], second.predicted[other])
    }.max { Self.disagreement($0.2, $0.3) < Self.disagreement($1.2, $1.3) }
  }

  private static func disagreement(_ first: Mask, _ second: Mask) -> Int {
    first.symmetricDifference(second).area
  }
}
