import AssayCore
@testable import AssayFormats
import AssayTestSupport
import Foundation
import Testing

/// Every tree of the fixtures against every importer: `Tests/Fixtures/formats/confusion.txt`.
@Suite("Detection of every tree by every importer")
struct FormatConfusionTests {
  @Test("The images of every tree alone fit only importers that are asked for images alone")
  func images() throws {
    var count = 0
    for tree in FixtureTree.all {
      let suffixes = [".png", ".jpg", ".jpeg"]
      let paths = try tree.content.isSingleFile ? [] : tree.content.files().map(\.path)
      let images = paths.filter { path in
        suffixes.contains { path.lowercased().hasSuffix($0) }
      }
      guard !images.isEmpty else { continue }
      count += 1
      let alone = MemoryTree(
        folder: Dictionary(
          uniqueKeysWithValues: try images.map {
            ($0, try tree.content.readAll($0, limit: 1 << 22))
          }))
      let fitting = Importers.all.filter { (try? $0.probe(alone).isMatch) == true }.map(\.format)
      #expect(Set(fitting).isSubset(of: FormatDetector.ofImagesAlone), "\(tree.path)")
    }
    #expect(count > 60)
  }

  /// The result of detection: a format, or the kind of the refusal.
  private static func detected(_ tree: some SourceTree) -> String {
    do {
      return try FormatDetector.detect(tree).format.rawValue
    } catch let error as FormatError {
      switch error {
      case .companions(_, let format, let found):
        return found.datasets.isEmpty
          ? "refused: \(format.rawValue) would lose annotations" : "refused: several datasets"
      default: return "refused"
      }
    } catch {
      return "refused"
    }
  }

  @Test("No tree is taken for another format; ASSAY_REWRITE_GOLDENS=1 writes the table")
  func fixtures() throws {
    var lines = "tree | detected | importers that would take it too\n"
    for tree in FixtureTree.all {
      let detected = Self.detected(tree.content)
      let isRight = detected == tree.format.rawValue || detected.hasPrefix("refused")
      #expect(isRight, "\(tree.path) is detected as \(detected)")
      let others = Importers.all.filter { importer in
        importer.format.rawValue != detected
          && (try? importer.probe(tree.content).isMatch) == true
      }
      lines += "\(tree.path) | \(detected) | "
      lines += others.map(\.format.rawValue).joined(separator: ", ") + "\n"
    }
    let golden = PackageFolder.fixture("formats/confusion.txt")
    if ProcessInfo.processInfo.environment["ASSAY_REWRITE_GOLDENS"] != nil {
      try Data(lines.utf8).write(to: golden)
    } else {
      #expect(try String(contentsOf: golden, encoding: .utf8) == lines)
    }
  }

  /// The real trees, and what each must be detected as; `nil` for a refusal.
  private static let real: [(path: String, format: DatasetFormat?)] = [
    ("formats", nil), ("formats/camvid_dataset", .camVid), ("formats/coco_dataset", nil),
    ("formats/coco_dataset/coco", .coco), ("formats/coco_dataset/coco_captions", .coco),
    ("formats/coco_dataset/coco_image_info", .coco),
    ("formats/coco_dataset/coco_instances", .coco),
    ("formats/coco_dataset/coco_labels", .cocoLabels),
    ("formats/coco_dataset/coco_panoptic", .coco),
    ("formats/coco_dataset/coco_person_keypoints", .coco),
    ("formats/coco_dataset/coco_roboflow", .coco), ("formats/coco_dataset/coco_stuff", .coco),
    ("formats/coco_dataset/mmdet_coco", .coco), ("formats/voc_dataset", nil),
    ("formats/voc_dataset/voc_dataset1", .voc), ("formats/voc_dataset/voc_dataset2", .voc),
    ("formats/yolo_dataset", nil), ("formats/yolo_dataset/annotations", .yolo),
    ("formats/yolo_dataset/labels", .yolo), ("formats/yolo_dataset/strict", .yolo),
    ("formats/mnist_csv_dataset/mnist_train.csv", .pixelCSV),
    ("formats/mnist_csv_dataset", .pixelCSV), ("camvid", .camVid),
    ("coco/mini", .coco), ("fer/fer2013_publictest.csv.gz", .fer), ("fer/folders", .imageFolder),
  ]

  @Test(
    "Real trees are detected as what they are, and folders of several are refused",
    .outsideData("formats", twin: "FormatConfusionTests.fixtures"))
  func realTrees() {
    for (path, format) in Self.real {
      let detected = Self.detected(FileTree(outside: path))
      if let format {
        #expect(detected == format.rawValue, "\(path)")
      } else {
        #expect(detected.hasPrefix("refused"), "\(path) is detected as \(detected)")
      }
    }
  }
}
