import AssayCore
package import AssayReports
package import AssayStore

extension ClassificationPairing {
  /// The most pictures of each kind on a sheet.
  private static let pictureLimit = 96

  package func titles(first: String, second: String) -> (lost: String, won: String) {
    ("lost: only \(first) is right", "won: only \(second) is right")
  }

  /// Those with the most confident wrong answer first.
  package func tiles(
    lost: Bool, of samples: [SampleRecord], _ dataset: DatasetRecord, in catalog: Catalog
  ) throws -> [ContactSheet.Tile] {
    let (wrong, indices) =
      lost ? (secondTally, comparison.lost) : (firstTally, comparison.won)
    let shown = indices.sorted {
      (-wrong.confidences[$0], $0) < (-wrong.confidences[$1], $1)
    }.prefix(Self.pictureLimit)
    return try ComparisonPictures.tiles(
      of: Array(shown), SampleImages(catalog: catalog, dataset: dataset), sample: { samples[$0] },
      read: { $0 }
    ) { index, _, raster in
      let (a, b) = (firstTally[index], secondTally[index])
      return ContactSheet.Tile(
        raster: raster,
        caption: [
          "\(classes[a.predicted]) → \(classes[b.predicted])",
          "truth \(classes[a.truth]), \(keys[index])",
        ], frame: lost ? .wrong : .right)
    }
  }
}
