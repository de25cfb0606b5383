/// The layouts on disk that assay imports. The raw value is the spelling on the command line
/// (`PATH:FORMAT`) and in the catalog.
package enum DatasetFormat: String, CaseIterable, Sendable, Codable {
  /// FER-2013's CSV: `emotion`, `pixels`, `Usage`, in any order.
  case fer
  /// A labelled CSV of pixels: one column of pixels, or one column a pixel (MNIST-CSV style).
  case pixelCSV = "pixel-csv"
  /// PNG and JPEG files in one folder a class, with or without a folder a split above.
  case imageFolder = "image-folder"
}
