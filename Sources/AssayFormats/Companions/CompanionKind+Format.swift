import AssayCore

extension CompanionKind {
  /// The format that imports files of this kind; `nil` if there is none.
  var format: DatasetFormat? {
    switch name {
    case Self.yolo.name, "YOLO data files (data.yaml)", "YOLO data files (Darknet)": .yolo
    case Self.voc.name: .voc
    case Self.groundTruth.name: .groundTruth
    case "CVAT annotations (XML)": .cvat
    case "LabelMe annotations (JSON)", "LabelMe annotations (XML)": .labelMe
    case "Cityscapes polygons": .cityscapes
    case "Datumaro annotations": .datumaro
    case "VoTT annotations": .voTT
    case "Create ML annotations": .createML
    case "Label Studio annotations": .labelStudio
    case "COCO annotations", "COCO captions", "COCO panoptic annotations": .coco
    case "LVIS annotations": .lvis
    case "KITTI labels": .kitti
    case "Open Images annotations (CSV)": .openImages
    case "CelebA annotations", "CelebA annotations (CSV)": .celebA
    case "LFW annotations": .lfw
    case "Hugging Face image-folder metadata": .hfImageFolder
    case "Parquet tables": .parquet
    case "TFRecord files": .tfRecord
    case "IDX files (MNIST, EMNIST)": .mnist
    case "CIFAR batches (binary)": .cifar
    default: nil
    }
  }
}
