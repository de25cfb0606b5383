/// The layouts on disk that assay imports. The raw value is the spelling on the command line
/// (`PATH:FORMAT`) and in the catalog.
package enum DatasetFormat: String, CaseIterable, Sendable, Codable {
  /// FER-2013's CSV: `emotion`, `pixels`, `Usage`, in any order.
  case fer
  /// A labeled CSV of pixels: one column of pixels, or one column a pixel (MNIST-CSV style).
  case pixelCSV = "pixel-csv"
  /// A CSV of images with a set of labels each: listed in one column, or a column of 0 and 1 for each class.
  case multiLabelCSV = "multilabel-csv"
  /// COCO's JSON of instances, beside its images or apart from them.
  case coco
  /// CamVid's folders of index PNGs, `train/` and `trainannot/`, or of colors with a label file.
  case camVid = "camvid"
  /// Images and index or binary PNGs of the same names, in folders side by side.
  case masks
  /// PNG and JPEG files in one folder a class, with or without a folder a split above.
  case imageFolder = "image-folder"

  /// True if a sample has a set of labels, possibly empty.
  package var isMultiLabel: Bool { self == .multiLabelCSV }
}
