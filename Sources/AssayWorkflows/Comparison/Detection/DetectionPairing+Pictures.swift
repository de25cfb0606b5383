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
    return try ComparisonPictures.tiles(
      of: Array(shown), SampleImages(catalog: catalog, dataset: dataset),
      sample: { samples[$0.sample] }, read: { try objects($0.map(\.sample), in: catalog) }
    ) { change, objects, raster in
      let drawing = ObjectChangeDrawing(
        change: change, size: samples[change.sample].size, classes: classes,
        first: objects.first, second: objects.second, overlap: matching.overlap)
      return ContactSheet.Tile(
        raster: try drawing.drawn(over: raster, longest: Self.longest),
        caption: [drawing.caption, samples[change.sample].key], frame: lost ? .wrong : .right)
    }
  }

  private func objects(
    _ indices: [Int], in catalog: Catalog
  ) throws -> [(first: SampleObjects, second: SampleObjects)] {
    Array(
      zip(try first.objects(at: indices, in: catalog), try second.objects(at: indices, in: catalog))
    )
  }
}
