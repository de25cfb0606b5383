package import AssayCore

/// The formats with a ``DatasetExporter``. The raw value is the spelling on the command line, and that
/// of the ``DatasetFormat`` that reads the files back, except for ``cocoPanoptic``.
package enum ExportFormat: String, CaseIterable, Sendable {
  case coco
  case yolo
  case voc
  case createML = "createml"
  case cvat
  case labelStudio = "label-studio"
  case csv
  case datumaro
  case hfImageFolder = "hf-imagefolder"
  case imageFolder = "image-folder"
  case multiLabelCSV = "multilabel-csv"
  case masks
  case cocoPanoptic = "coco-panoptic"
  case webDataset = "webdataset"

  /// The format that reads it back; `nil` if this version has no importer for it.
  package func importFormat(_ variant: ExportVariant?) -> DatasetFormat? {
    if self == .cocoPanoptic { return .coco }
    return variant == .classify ? .imageFolder : DatasetFormat(rawValue: rawValue)
  }

  /// True if the images are in archives, so that they can only be copied.
  package var isSharded: Bool { self == .webDataset }

  /// The variants that can be chosen; empty if the format has only one form.
  package var variants: [ExportVariant] { self == .yolo ? ExportVariant.allCases : [] }
}

/// The tasks that YOLO's labels have a form for.
package enum ExportVariant: String, CaseIterable, Sendable {
  /// Boxes.
  case detect
  /// Polygons.
  case segment
  /// Boxes with keypoints.
  case pose
  /// Rotated boxes as four corners.
  case obb
  /// Class folders.
  case classify
}
