import AssayCore
import AssayFormats
import AssayStore
import AssayTestSupport
import Foundation
import Testing

@testable import AssayWorkflows

@Suite("Poses and rotated boxes on the way to YOLO")
struct PoseConversionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func convert(
    _ source: String, to format: ExportFormat, _ name: String, variant: String? = nil
  ) throws -> ConversionSummary {
    var export = DatasetExportRequest(format)
    if let variant {
      let isSet = export.setVariant(variant)
      try #require(isSet)
    }
    var request = ConversionRequest(
      sources: [ImportRequest(source)], export: export, folder: folder.path(name))
    request.verifies = true
    return try DatasetConversion(request, version: "test").run(progress: NoProgress())
  }

  private func write(_ files: [String: String?]) throws {
    let png = try Data(contentsOf: PackageFolder.fixture("image-folder/classes/cat/1.png"))
    for (path, text) in files {
      let url = folder.url.appending(path: path)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try (text.map { Data($0.utf8) } ?? png).write(to: url)
    }
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOfFile: folder.path(path), encoding: .utf8)
  }

  /// The fields of the classes of a source.
  private func classes(_ source: String) throws -> [String?] {
    let database = folder.path(UUID().uuidString + ".db")
    var request = ImportRequest(source)
    request.name = "set"
    _ = try DatasetImport(request).run(catalogPath: database, progress: NoProgress())
    let catalog = try Catalog.open(database, .readOnly)
    return try catalog.taxonomy(of: catalog.dataset(named: "set").id).categories.map(\.attributes)
  }

  @Test("Names of keypoints and their mirrored order come back from YOLO")
  func names() throws {
    try write([
      "pose/data.yaml": """
      train: images
      names: [cat, "dog: \\"big\\""]
      kpt_shape: [2, 3]
      flip_idx: [1, 0]
      kpt_names: {0: [left, "right: #2"], 1: [nose, tail]}
      """,
      "pose/images/1.png": nil,
      "pose/labels/1.txt": "0 0.5 0.5 0.5 0.5 0.5 0.5 2 0 0 0\n1 0.5 0.5 1 1 0.5 0.5 1 1 1 2\n",
    ])
    let summary = try convert(folder.path("pose"), to: .yolo, "out")
    #expect(summary.lost == 0)
    #expect(summary.export.survey.losses.counts[.classFields] == nil)
    #expect(
      try text("out/data.yaml").hasSuffix(
        """
        kpt_shape: [2, 3]
        flip_idx: [1, 0]
        kpt_names:
          0: ["left", "right: #2"]
          1: ["nose", "tail"]
        nc: 2
        names:
          0: "cat"
          1: "dog: \\"big\\""

        """))
    let expected = [
      #"{"keypoints":["left","right: #2"],"flip_idx":[1,0]}"#,
      #"{"keypoints":["nose","tail"],"flip_idx":[1,0]}"#,
    ]
    #expect(try classes(folder.path("pose")) == expected)
    #expect(try classes(folder.path("out")) == expected)
  }

  @Test("COCO's names become kpt_names; edges, and names of another number, are announced")
  func coco() throws {
    try write([
      "coco/a.json": """
      {"images":[{"id":1,"file_name":"1.png","width":3,"height":2}],
       "categories":[{"id":1,"name":"person","keypoints":["l","r"],"skeleton":[[1,2]]},
        {"id":2,"name":"hand","keypoints":["tip"]},{"id":3,"name":"foot","keypoints":["a","b"]},
        {"id":4,"name":"car"}],
       "annotations":[{"id":1,"image_id":1,"category_id":1,"bbox":[0,0,2,2],"area":4,"iscrowd":0,
         "keypoints":[1,1,2,0,0,0],"num_keypoints":1},
        {"id":2,"image_id":1,"category_id":2,"bbox":[0,0,1,2],"area":2,"iscrowd":0,
         "keypoints":[1,1,2],"num_keypoints":1}]}
      """,
      "coco/1.png": nil,
    ])
    let summary = try convert(folder.path("coco:coco"), to: .yolo, "out")
    #expect(summary.lost == 0)
    // The edges of person, and the one name of hand.
    #expect(summary.export.survey.losses.counts[.classFields] == 2)
    let data = try text("out/data.yaml")
    #expect(
      data.contains(
        "kpt_shape: [2, 3]\nkpt_names:\n  0: [\"l\", \"r\"]\n  2: [\"a\", \"b\"]\nnc: 4\n"),
      "\(data)")
    #expect(!data.contains("flip_idx"))
    // Boxes have no keypoints.
    let boxes = try convert(folder.path("coco:coco"), to: .yolo, "boxes", variant: "detect")
    #expect(boxes.export.survey.losses.counts[.classFields] == 3)
    #expect(try !text("boxes/data.yaml").contains("kpt_"))
  }

  @Test("Oriented boxes go through CVAT and back without a loss of their rotation")
  func rotated() throws {
    try write([
      "obb/data.yaml": "train: images\nnames: [car]\n", "obb/images/1.png": nil,
      "obb/labels/1.txt": "0 0.5 0.1 0.8 0.55 0.5 1 0.2 0.55\n",
    ])
    // A box of 3×2 pixels: these corners are one only in it.
    try write(["obb/labels/1.txt": Self.line(x: 1.5, y: 1, width: 1.2, height: 0.4, degrees: 30)])
    let cvat = try convert(folder.path("obb"), to: .cvat, "cvat")
    #expect(cvat.lost == 0)
    #expect(try text("cvat/annotations.xml").contains("rotation=\"30\""))
    let yolo = try convert(folder.path("cvat"), to: .yolo, "yolo", variant: "obb")
    #expect(yolo.lost == 0)
    #expect(yolo.export.survey.losses.attributes["rotation"] == nil)
    // A box around it is not rotated.
    let boxes = try convert(folder.path("cvat"), to: .yolo, "boxes", variant: "detect")
    #expect(boxes.export.survey.losses.attributes["rotation"] == 1)
  }

  /// The line of a rotated box in an image of 3×2 pixels.
  private static func line(
    x: Double, y: Double, width: Double, height: Double, degrees: Double
  ) -> String {
    let angle = degrees * Double.pi / 180
    let corners = [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)].map { sx, sy in
      let (dx, dy) = (sx * width / 2, sy * height / 2)
      let px = x + dx * cos(angle) - dy * sin(angle)
      let py = y + dx * sin(angle) + dy * cos(angle)
      return String(format: "%.12f %.12f", px / 3, py / 2)
    }
    return "0 " + corners.joined(separator: " ") + "\n"
  }
}
