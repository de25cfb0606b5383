import AssayCore
package import AssayReports
package import AssayStore

extension DetectionPairing {
  /// The most pictures of each kind on a sheet.
  private static let pictureLimit = 48
  /// Pixels of a picture's longer side.
  private static let longest = 240

  package func titles(first: String, second: String) -> (lost: String, won: String) {
    ("lost: only \(first) found it", "won: only \(second) found it")
  }

  package func legend(first: String, second: String) -> [(side: BoxOverlay.Side, name: String)] {
    [(.truth, "truth"), (.earlier, "A: \(first) (dashes)"), (.prediction, "B: \(second)")]
  }

  /// Each object with what either run says about it.
  package func tiles(
    lost: Bool, of samples: [SampleRecord], _ dataset: DatasetRecord, in catalog: Catalog
  ) throws -> [ContactSheet.Tile] {
    let shown = (lost ? self.lost : won).prefix(Self.pictureLimit)
    return try ComparisonPictures.tiles(of: Array(shown)) { changes in
      try tiles(of: changes, dataset, frame: lost ? .wrong : .right, in: catalog)
    }
  }

  private func tiles(
    of changes: [ObjectChange], _ dataset: DatasetRecord, frame: ContactSheet.Frame,
    in catalog: Catalog
  ) throws -> [ContactSheet.Tile] {
    let indices = changes.map(\.sample)
    let first = try first.objects(at: indices, in: catalog)
    let second = try second.objects(at: indices, in: catalog)
    let images = SampleImages(catalog: catalog, dataset: dataset)
    let rasters = try images.rasters(of: indices.map { samples[$0] })
    return try changes.enumerated().compactMap { place, change -> ContactSheet.Tile? in
      guard let raster = try? rasters[place].get() else { return nil }
      let drawing = ObjectChangeDrawing(
        change: change, size: samples[change.sample].size, classes: classes,
        first: first[place], second: second[place], overlap: matching.overlap)
      return ContactSheet.Tile(
        raster: try drawing.drawn(over: raster, longest: Self.longest),
        caption: [drawing.caption, samples[change.sample].key], frame: frame)
    }
  }
}
