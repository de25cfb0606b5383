import AssayCore
import AssayFormats

/// A tree of each format, to check that no importer claims those of another.
enum FixtureTrees {
  /// Paths below `Tests/Fixtures` and their formats.
  static let all: [(path: String, format: DatasetFormat)] = [
    ("fer/fer2013.csv", .fer), ("fer/fer2013.csv.gz", .fer),
    ("pixel-csv/mnist_header.csv", .pixelCSV), ("pixel-csv/no_header.csv", .pixelCSV),
    ("multilabel-csv/columns.csv", .multiLabelCSV), ("multilabel-csv/list.csv", .multiLabelCSV),
    ("frames/film", .frames), ("mnist/plain", .mnist), ("mnist/letters", .mnist),
    ("mnist/kaggle", .mnist),
    ("cifar/ten", .cifar), ("cifar/hundred", .cifar), ("cifar/stl", .cifar),
    ("goldens/data/street", .coco), ("coco/polygons.json", .coco),
    ("yolo/ultralytics", .yolo), ("yolo/roboflow", .yolo), ("yolo/darknet", .yolo),
    ("yolo/loose", .yolo), ("yolo/segment", .yolo), ("yolo/pose", .yolo), ("yolo/turned", .yolo),
    ("imagenet/kaggle", .imageNet), ("imagenet/caffe", .imageNet), ("imagenet/tiny", .imageNet),
    ("imagenet/lists", .imageNet), ("imagenet/folders", .imageNet),
    ("celeba", .celebA), ("celeba-faces", .celebAFaces), ("lfw/original", .lfw),
    ("lfw/datumaro", .lfw), ("hf-imagefolder/labels", .hfImageFolder),
    ("hf-imagefolder/objects", .hfImageFolder), ("parquet/classes", .parquet),
    ("parquet/boxes", .parquet), ("parquet/fastparquet", .parquet),
    ("parquet-labels/sets", .parquetLabels), ("tfrecord/detection", .tfRecord),
    ("tfrecord/imagenet", .tfRecord), ("tfrecord/datasets", .tfRecord),
    ("tfrecord/segmentation", .tfRecord), ("camvid/index", .camVid),
    ("camvid/colors", .camVid),
    ("ade20k/scenes", .ade20k), ("ade20k/lists", .ade20k), ("ground-truth/boxes", .groundTruth),
    ("ground-truth/classes", .groundTruth),
    ("ground-truth-labels/sets", .groundTruthLabels), ("masks/binary", .masks),
    ("masks/index", .masks), ("image-folder/classes", .imageFolder),
    ("image-folder/splits", .imageFolder),
  ]

  /// The trees that detection gives another format than theirs, one text each.
  static func wronglyDetected() throws -> [String] {
    try all.compactMap { path, format in
      let found = try FormatDetector.detect(FileTree(fixture: path), ignoresCompanions: true).format
      return found == format ? nil : "\(path): \(found.rawValue)"
    }
  }

  /// The trees of other formats that an importer claims.
  static func claimed(by format: DatasetFormat) throws -> [String] {
    let importer = Importers.importer(for: format)
    return try all.filter { $0.format != format }.map(\.path).filter { path in
      // Importers of text refuse binary files.
      (try? importer.probe(FileTree(fixture: path)).isMatch) == true
    }
  }
}
