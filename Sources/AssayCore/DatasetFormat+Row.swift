/// The facts about each format that other rooms ask for: one row per format.
extension DatasetFormat {
  /// The annotations that samples of a format have.
  private enum Content {
    /// A label of the whole image.
    case label
    /// A set of labels of the whole image, possibly empty.
    case labels
    /// Boxes, polygons, masks and other shapes.
    case regions
  }

  /// The place of a source's images.
  private enum ImagePlace {
    /// In the source itself: files below its root, or embedded pixels.
    case inside
    /// Named by a CSV: relative to the folder of the CSV, or to another one.
    case namedByTable
    /// Named by COCO's JSON: in a folder beside it, or in another one.
    case namedByCOCO
  }

  /// One row per format.
  private var row: (content: Content, images: ImagePlace) {
    switch self {
    case .fer: (.label, .inside)
    case .pixelCSV: (.label, .inside)
    case .multiLabelCSV: (.labels, .namedByTable)
    case .csv: (.regions, .namedByTable)
    case .frames: (.regions, .inside)
    case .mnist: (.label, .inside)
    case .cifar: (.label, .inside)
    case .lvis: (.regions, .namedByCOCO)
    case .coco: (.regions, .namedByCOCO)
    case .cocoLabels: (.labels, .namedByCOCO)
    case .datumaro: (.regions, .inside)
    case .yolo: (.regions, .inside)
    case .cityscapes: (.regions, .inside)
    case .ade20k: (.regions, .inside)
    case .voc: (.regions, .inside)
    case .kitti: (.regions, .inside)
    case .cvat: (.regions, .inside)
    case .openImages: (.regions, .inside)
    case .labelMe: (.regions, .inside)
    case .imageNet: (.label, .inside)
    case .celebA: (.labels, .inside)
    case .celebAFaces: (.regions, .inside)
    case .lfw: (.regions, .inside)
    case .hfImageFolder: (.regions, .inside)
    case .parquet: (.regions, .inside)
    case .parquetLabels: (.labels, .inside)
    case .tfRecord: (.regions, .inside)
    case .createML: (.regions, .inside)
    case .labelStudio: (.regions, .inside)
    case .voTT: (.regions, .inside)
    case .bdd100k: (.regions, .inside)
    case .via: (.regions, .inside)
    case .supervisely: (.regions, .inside)
    case .groundTruth: (.regions, .inside)
    case .groundTruthLabels: (.labels, .inside)
    case .webDataset: (.regions, .inside)
    case .camVid: (.regions, .inside)
    case .masks: (.regions, .inside)
    case .imageFolder: (.label, .inside)
    }
  }

  /// True if samples have regions; false if they only have labels of the whole image.
  package var hasRegions: Bool { row.content == .regions }

  /// True if a sample has a set of labels, possibly empty.
  package var isMultiLabel: Bool { row.content == .labels }

  /// True if its images can be without annotations, so that `--task` and `--classes` state what is labeled in them.
  package var isUnlabeled: Bool { self == .frames || self == .imageFolder }

  /// True if a pixel has at most one class: the regions are those of a mask of numbers or colors.
  package var isLabelMap: Bool { self == .camVid || self == .masks }

  /// True if its file lists images that can be in another folder (`--images`).
  package var listsImages: Bool { row.images != .inside }

  /// True for a CSV that lists images.
  package var isTableOfImages: Bool { row.images == .namedByTable }

  /// True for Parquet files with the images in them.
  package var isParquet: Bool { self == .parquet || self == .parquetLabels }

  /// True if the images are in the rows of the source's files.
  package var embedsImages: Bool { isParquet || self == .tfRecord }

  /// True if the annotations name the people who made them.
  package var namesAnnotators: Bool { self == .labelStudio }

  /// True for COCO's JSON and its kin.
  package var isCOCO: Bool { row.images == .namedByCOCO }
}
