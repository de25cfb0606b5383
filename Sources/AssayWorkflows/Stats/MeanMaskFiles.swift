import AssayCore
import AssayFormats
import AssayImaging
import AssayReports

/// The files with a view's mean masks: for each class a heat map `mean-mask-X.png` and
/// `mean-mask-X.npy`, float32 of shape (height, width) in 0...1; and `masks.png` with all of them.
package struct MeanMaskFiles {
  /// The sheet with all classes.
  package static let sheetName = "masks.png"

  private let view: String
  private let means: MeanMasks

  package init(view: String, means: MeanMasks) {
    self.view = view
    self.means = means
  }

  /// The files with their names, in the order of the classes; all heat maps share one scale.
  ///
  /// - Throws: `ReportError` if the sheet cannot be drawn, `ImageError`.
  package func all() throws -> [(name: String, bytes: [UInt8])] {
    let sheet = MeanMaskSheet(
      columns: means.rows.map { row in
        MeanMaskSheet.Column(name: row.name, count: row.count, mean: row.mean)
      }, title: "\(view): mean masks")
    var files = [(name: Self.sheetName, bytes: try sheet.png())]
    let stems = FileNames.stems(for: means.rows.map(\.name))
    for (stem, row) in zip(stems, means.rows) {
      let picture = HeatColor.picture(of: row.mean, largest: sheet.scaleEnd)
      files.append(("mean-mask-\(stem).png", try ImageCodec.encodePNG(picture)))
      let shape = [row.mean.height, row.mean.width]
      if let values = NPYFile.bytes(of: row.mean.elements.map(Float.init), shape: shape) {
        files.append(("mean-mask-\(stem).npy", values))
      }
    }
    return files
  }
}
