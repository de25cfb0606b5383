import AssayCore
import AssayFormats
import Foundation

/// The kinds of predictions files that other programs write, and their detection.
package enum OutsidePredictions {
  package enum Kind: Hashable, Sendable {
    /// Scores or classes of images: CSV, Parquet, `.npy`, `.npz`.
    case scores
    /// COCO results by ids.
    case cocoResults
    case detections(OutsideDetectionFormat)
    /// A folder of index masks.
    case masks
  }

  /// The kind of a file or folder, from its content.
  ///
  /// - Parameter hasClassNumbers: true if the number of the first class is stated; COCO results are
  ///   then Ultralytics'.
  /// - Throws: `FormatError`, ``SourceError``.
  package static func kind(of path: String, hasClassNumbers: Bool = false) throws -> Kind {
    let tree = try DirectoryTree(path)
    guard tree.isSingleFile else { return try folder(tree) }
    if try DetectionsImport.isResults(path) {
      return try json(tree, hasClassNumbers: hasClassNumbers)
    }
    if try SupervisionTable.isTable(tree) { return .detections(.supervisionTable) }
    return .scores
  }

  private static func folder(_ tree: DirectoryTree) throws -> Kind {
    let files = try tree.files()
    func count(_ suffix: String) -> Int { files.count { $0.path.lowercased().hasSuffix(suffix) } }
    let (images, texts) = (count(".png"), files.count { YOLOResultLabels.isLabel($0.path) })
    switch (images > 0, texts > 0) {
    case (true, false): return .masks
    case (false, true): return .detections(.yoloLabels)
    case (true, true):
      throw FormatError.predictions(
        tree.name,
        problem: "it has \(images) PNG files and \(texts) text files; name the folder of the masks "
          + "or of the labels alone")
    case (false, false):
      let jpegs = count(".jpg") + count(".jpeg")
      throw FormatError.predictions(
        tree.name,
        problem: jpegs > 0
          ? "it has JPEG images and no PNG: JPEG changes the values of masks; save them as PNG"
          : "it has neither PNG masks nor text files with labels")
    }
  }

  /// The number of bytes of a JSON file that decide its kind.
  private static let headLimit = 1 << 16

  private static func json(_ tree: DirectoryTree, hasClassNumbers: Bool) throws -> Kind {
    var head = [UInt8](repeating: 0, count: headLimit)
    let count = try head.withUnsafeMutableBytes { try tree.read(tree.name, at: 0, into: $0) }
    let text = String(decoding: head[..<count], as: UTF8.self)
    let start = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    guard let first = start.first else { return .cocoResults }
    let keys = names(start, limit: 40)
    if first == "{" {
      if keys.first == "classes" || keys.first == "labels", !keys.contains("image_id") {
        return .detections(.fiftyOne)
      }
      if keys.first == "samples", keys.contains("filepath") {
        throw FormatError.predictions(
          tree.name,
          problem:
            "this is a FiftyOne dataset with all its fields; export the field of predictions: "
            + "dataset.export(labels_path=\"labels.json\", dataset_type="
            + "fo.types.FiftyOneImageDetectionDataset, label_field=\"predictions\")")
      }
      return .cocoResults
    }
    if keys.prefix(8).contains("x_min") { return .detections(.supervisionJSON) }
    return hasClassNumbers ? .detections(.ultralytics) : .cocoResults
  }

  /// The texts before a colon at the beginning of a JSON text, at most `limit`.
  private static func names(_ text: Substring, limit: Int) -> [String] {
    var names: [String] = []
    var rest = text
    while names.count < limit, let open = rest.firstIndex(of: "\"") {
      rest = rest[open...].dropFirst()
      guard let close = rest.firstIndex(of: "\"") else { break }
      let name = String(rest[..<close])
      rest = rest[close...].dropFirst()
      if rest.first(where: { !$0.isWhitespace }) == ":" { names.append(name) }
    }
    return names
  }
}

/// A format of detections that other programs write beside COCO results.
package enum OutsideDetectionFormat: Hashable, Sendable {
  /// Ultralytics' `predictions.json`: COCO results with file names without suffix, and class numbers.
  case ultralytics
  /// Ultralytics' folder of text files: `class x y w h confidence`, as shares of the image.
  case yoloLabels
  /// The CSV of supervision's `CSVSink`.
  case supervisionTable
  /// The JSON of supervision's `JSONSink`.
  case supervisionJSON
  /// FiftyOne's `labels.json` (`FiftyOneImageDetectionDataset`).
  case fiftyOne

  package var title: String {
    switch self {
    case .ultralytics: "Ultralytics' predictions.json"
    case .yoloLabels: "a folder of YOLO labels"
    case .supervisionTable: "a table of supervision's CSVSink"
    case .supervisionJSON: "the JSON of supervision's JSONSink"
    case .fiftyOne: "FiftyOne's labels.json"
    }
  }
}
