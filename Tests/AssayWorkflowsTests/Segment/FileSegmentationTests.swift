import AssayCore
import AssayImaging
import AssayMetrics
import AssayTestSupport
import Foundation
import Testing

import AssayWorkflows

/// Small mask files; the expected scores are from numpy and pycocotools
/// (Tests/Fixtures/metrics/make_segmentation_files.py).
@Suite("Evaluating masks in files")
struct FileSegmentationTests {
  static let folder = PackageFolder.fixture("metrics/segmentation").path

  static func expected(_ name: String) throws -> JSONValue {
    let bytes = try Data(contentsOf: URL(filePath: folder + "/expected.json"))
    return try #require(try JSONValue(parsing: String(decoding: bytes, as: UTF8.self))[name])
  }

  private func evaluate(
    _ name: String, classes: String? = nil, _ change: (inout EvaluationSettings) -> Void = { _ in }
  ) throws -> FileSegmentationResult {
    var settings = EvaluationSettings()
    change(&settings)
    return try FileSegmentation(
      truth: Self.folder + "/\(name)/gt", dt: Self.folder + "/\(name)/pred", classes: classes
    ).evaluate(settings)
  }

  private func agree(_ value: Double?, _ golden: JSONValue?) -> Bool {
    guard let value, let golden = golden?.double else { return value == nil && golden == .null }
    return abs(value - golden) <= 1e-12
  }

  @Test("Label maps score what numpy counts", arguments: ["5", "a,b,c,d,e"])
  func labels(_ classes: String) throws {
    let expected = try Self.expected("labels")
    let result = try evaluate("labels", classes: classes) { $0.masks.ignored = ["255"] }
    #expect(result.content == .labels)
    #expect(result.files == ["a", "b", "deep/c", "deep/d"])
    let rows = try #require(expected["confusion"]?.elements).map {
      ($0.elements ?? []).compactMap(\.double).map { Int($0) }
    }
    #expect(result.scores.confusion.rows == rows)
    for kind in [MetricKind.pixelAccuracy, .miou, .sampleMIoU] {
      #expect(agree(result.scores[kind].value, expected[kind.rawValue]), "\(kind)")
    }
    for kind in [MetricKind.classIoU, .classDice] {
      let values = try #require(expected[kind.rawValue]?.elements)
      #expect(values.count == 5)
      for (score, value) in zip(result.scores.perClass(kind), values) {
        #expect(agree(score.value, value), "\(kind)")
      }
    }
    // 4 pixels of “b” have the value 7, which is not declared as void.
    #expect(result.notes.contains { $0.hasPrefix("4 ground-truth pixels in 1 file") })
    #expect(result.scores[.miou].interval == nil)
  }

  @Test("Binary masks of 0 and 255 are seen without classes; results may be shades of gray")
  func binary() throws {
    let expected = try Self.expected("binary")
    let result = try evaluate("binary")
    #expect(result.content == .binary)
    for kind in [MetricKind.meanIoU, .meanDice, .iou, .dice, .meanHausdorff95] {
      #expect(agree(result.scores[kind].value, expected[kind.rawValue]), "\(kind)")
    }
    #expect(result.scores.count == 5 && result.scores[.meanIoU].defined == 4)
    let one = try evaluate("binary") { $0.masks.empty = .one }
    #expect(one.scores[.meanIoU].defined == 5)
    let all = try evaluate("binary") { $0.masks.threshold = 0 }
    #expect(all.scores[.meanIoU].value == 1, "from 0 on every pixel is set")
  }

  @Test("With a threshold, the ground truth can be in shades of gray, too")
  func thresholds() throws {
    let paths = [Self.folder + "/binary/pred", Self.folder + "/binary/gt"]
    #expect(throws: FileSegmentationError.self) {
      try FileSegmentation(truth: paths[0], dt: paths[1]).evaluate(EvaluationSettings())
    }
    var settings = EvaluationSettings()
    settings.masks.threshold = 0.5
    let turned = try FileSegmentation(truth: paths[0], dt: paths[1]).evaluate(settings)
    let straight = try evaluate("binary")
    #expect(turned.scores[.meanIoU] == straight.scores[.meanIoU])
  }

  @Test("COCO files are united per image, of one category or of all", arguments: ["person", ""])
  func coco(_ category: String) throws {
    let expected = try #require(try Self.expected("coco")[category])
    let result = try FileSegmentation(
      truth: Self.folder + "/coco-truth.json", dt: Self.folder + "/coco-results.json",
      classes: category.isEmpty ? nil : category
    ).evaluate(EvaluationSettings())
    #expect(result.content == .coco && result.files == ["3.jpg", "1.jpg", "9.jpg", "4.jpg"])
    #expect(agree(result.scores[.meanIoU].value, expected["mean_iou"]))
    #expect(agree(result.scores[.meanDice].value, expected["mean_dice"]))
    #expect(result.scores[.meanIoU].defined == expected["defined"]?.double.map { Int($0) })
    #expect(throws: FileSegmentationError.unknownCategory("persom", known: ["person", "dog"])) {
      try FileSegmentation(
        truth: Self.folder + "/coco-truth.json", dt: Self.folder + "/coco-results.json",
        classes: "persom"
      ).evaluate(EvaluationSettings())
    }
  }

  @Test("Intervals are made where they are asked for, a few samples get Student's t")
  func intervals() throws {
    let result = try evaluate("binary") { $0.intervals = true }
    #expect(result.scores[.meanIoU].interval?.method == .student)
  }

  @Test("Label maps without classes are no binary masks")
  func noClasses() {
    #expect(throws: FileSegmentationError.self) { try evaluate("labels") }
  }

  @Test("A result beyond the classes is an error, a truth beyond them a note")
  func beyond() throws {
    #expect(throws: FileSegmentationError.valueBeyond(file: "pred/a.png", value: 3, classes: 3)) {
      try evaluate("labels", classes: "3")
    }
    let four = try evaluate("labels", classes: "4")
    #expect(four.notes.contains { $0.contains("(7, 255)") })
    #expect(four.scores.void == 4 + 3 * 40 + 3 * 9)
  }

  @Test("What cannot be asked of label maps is refused by name")
  func refused() {
    #expect(throws: FileSegmentationError.notForLabels(option: "threshold")) {
      try evaluate("labels", classes: "5") { $0.masks.threshold = 0.3 }
    }
    #expect(throws: FileSegmentationError.badIgnored("sky", classes: ["a", "b", "c", "d", "e"])) {
      try evaluate("labels", classes: "a,b,c,d,e") { $0.masks.ignored = ["sky"] }
    }
    for classes in ["0", "257", "a,,b", "a,a", "/no/such/file"] {
      #expect(throws: FileSegmentationError.self, "\(classes)") {
        try evaluate("labels", classes: classes)
      }
    }
    #expect(
      throws: FileSegmentationError.folderAndFile(
        truth: Self.folder, results: Self.folder + "/coco-results.json")
    ) {
      try FileSegmentation(truth: Self.folder, dt: Self.folder + "/coco-results.json")
        .evaluate(EvaluationSettings())
    }
  }
}

@Suite("Images of two folders that do not fit")
struct FileSegmentationPairsTests {
  /// Two folders of gray images, each with a name and a width.
  private func folders(_ truth: [(String, Int)], _ results: [(String, Int)]) throws -> URL {
    let root = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    for (side, files) in [("gt", truth), ("pred", results)] {
      for (name, width) in files {
        let file = root.appending(path: side).appending(path: name)
        try FileManager.default.createDirectory(
          at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        let raster = Raster<UInt8>(repeating: 255, width: width, height: 3)
        try Data(ImageCodec.encodePNG(raster)).write(to: file)
      }
    }
    return root
  }

  private func evaluate(
    _ root: URL, ignoresMissing: Bool = false
  ) throws -> FileSegmentationResult {
    var settings = EvaluationSettings()
    settings.ignoresMissing = ignoresMissing
    return try FileSegmentation(
      truth: root.appending(path: "gt").path, dt: root.appending(path: "pred").path
    ).evaluate(settings)
  }

  @Test("A ground-truth file without a result is an error, or left out on request")
  func missing() throws {
    let root = try folders([("a.png", 4), ("b.png", 4)], [("a.png", 4), ("c.png", 4)])
    defer { try? FileManager.default.removeItem(at: root) }
    #expect(
      throws: FileSegmentationError.missingResults(
        ["b"], total: 1, folder: root.appending(path: "pred").path)
    ) { try evaluate(root) }
    let result = try evaluate(root, ignoresMissing: true)
    #expect(result.files == ["a"] && result.notes.count == 2)
  }

  @Test("Another size names the file and both sizes")
  func sizes() throws {
    let root = try folders([("x/a.png", 4)], [("x/a.png", 5)])
    defer { try? FileManager.default.removeItem(at: root) }
    #expect(
      throws: FileSegmentationError.sizes(
        file: "x/a", truth: ImageSize(width: 4, height: 3), result: ImageSize(width: 5, height: 3))
    ) { try evaluate(root) }
  }

  @Test("Folders without images, and names that differ in their ending, are errors")
  func names() throws {
    let root = try folders([("a.png", 4), ("a.PNG", 4)], [("a.png", 4)])
    defer { try? FileManager.default.removeItem(at: root) }
    #expect(throws: FileSegmentationError.self) { try evaluate(root) }
    let empty = try folders([("a.txt", 4)], [("a.png", 4)])
    defer { try? FileManager.default.removeItem(at: empty) }
    #expect(
      throws: FileSegmentationError.noPictures(folder: empty.appending(path: "gt").path)
    ) { try evaluate(empty) }
  }

  @Test("A damaged image is named")
  func damaged() throws {
    let root = try folders([("a.png", 4)], [("a.png", 4)])
    defer { try? FileManager.default.removeItem(at: root) }
    let file = root.appending(path: "pred/a.png")
    try Data(contentsOf: file).prefix(40).write(to: file)
    let error = #expect(throws: FileSegmentationError.self) { try evaluate(root) }
    #expect(error.map { "\($0)".hasPrefix("pred/a.png: ") } ?? false)
  }
}
