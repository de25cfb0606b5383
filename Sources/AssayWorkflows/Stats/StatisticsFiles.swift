import AssayCore
import AssayFormats
import AssayImaging
import AssayReports

/// The files with a view's pixel statistics: for each class with images and for all together
/// `mean-X.png`, `mean-X.npy`, `deviation-X.png`, `deviation-X.npy`, and `classes.png` with all of
/// them.
///
/// All means share one gray scale, and all deviations another. The `.npy` files contain float32 of
/// shape (height, width) for gray and (height, width, 3) for color.
package struct StatisticsFiles {
  /// The sheet with all classes.
  package static let sheetName = "classes.png"

  private let view: String
  private let pixels: PixelStatistics

  package init(view: String, pixels: PixelStatistics) {
    self.view = view
    self.pixels = pixels
  }

  /// The files with their names, in the order of the classes.
  ///
  /// - Throws: `ReportError` if the sheet cannot be drawn, `ImageError`.
  package func all() throws -> [(name: String, bytes: [UInt8])] {
    let present = pixels.classes.compactMap { row in row.moments.map { (row.name, $0) } }
    let stems = FileNames.stems(for: present.map(\.0), taken: ["all"])
    var files = [(Self.sheetName, try sheet(present))]
    for (stem, moments) in zip(["all"] + stems, [pixels.all] + present.map(\.1)) {
      files += try Self.pair("mean-\(stem)", moments.mean, pixels.meanScale)
      files += try Self.pair("deviation-\(stem)", moments.deviation, pixels.deviationScale)
    }
    return files
  }

  private func sheet(_ classes: [(String, Moments)]) throws -> [UInt8] {
    let columns = (classes + [("all", pixels.all)]).map { name, moments in
      MeanFaceSheet.Column(
        name: name, count: moments.count, mean: moments.mean, deviation: moments.deviation)
    }
    return try MeanFaceSheet(columns: columns, title: "\(view): mean and standard deviation").png()
  }

  private static func pair(
    _ name: String, _ raster: Raster<Double>, _ scale: Scaling
  ) throws -> [(String, [UInt8])] {
    let shape =
      raster.channels == 1
      ? [raster.height, raster.width] : [raster.height, raster.width, raster.channels]
    var files = [(name + ".png", try ImageCodec.encodePNG(scale.apply(to: raster)))]
    if let values = NPYFile.bytes(of: raster.elements.map(Float.init), shape: shape) {
      files.append((name + ".npy", values))
    }
    return files
  }
}
