import AssayCore
import AssayFormats
import AssayStore
import AssayTestSupport
import Foundation
import Testing

@testable import AssayWorkflows

@Suite("Changing shapes on the way to a format")
struct ShapeConversionTests {
  private func convert(
    _ source: String, to format: ExportFormat, _ shapes: ShapeChoice?, _ folder: String
  ) throws -> ConversionSummary {
    var export = DatasetExportRequest(format)
    export.shapes = shapes
    var request = ConversionRequest(
      sources: [ImportRequest(source)], export: export, folder: folder)
    request.verifies = true
    return try DatasetConversion(request, version: "test").run(progress: NoProgress())
  }

  private func random(_ seed: UInt64, _ folder: TemporaryFolder) throws -> String {
    var dataset = RandomDataset(seed: seed, folder: folder.url.appending(path: "source"))
    try dataset.write(keypoints: false)
    return folder.path("source:coco")
  }

  /// The shapes of a folder's objects, and the pixels of each object in order.
  private func objects(_ source: String, _ folder: TemporaryFolder) throws -> [(ShapeKind, Mask)] {
    let database = folder.path(UUID().uuidString + ".db")
    var request = ImportRequest(source)
    request.name = "set"
    _ = try DatasetImport(request).run(catalogPath: database, progress: NoProgress())
    let catalog = try Catalog.open(database, .readOnly)
    let samples = try catalog.samples(in: catalog.resolve("set"))
    var found: [(ShapeKind, Mask)] = []
    try catalog.forEachAnnotations(of: samples.map(\.id)) { index, list in
      for item in list {
        let size = samples[index].size ?? ImageSize(width: 1, height: 1)
        found.append((item.shape, try item.mask(in: size)))
      }
    }
    return found
  }

  @Test(
    "Exact polygons have the pixels of the masks, in every format with polygons", arguments: [1, 2])
  func exact(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let source = try random(seed, folder)
    for format in [ExportFormat.coco, .yolo, .datumaro, .cvat, .labelStudio] {
      let summary = try convert(
        source, to: format, .polygons(tolerance: 0), folder.path(format.rawValue))
      #expect(summary.lost == 0, "\(summary.export.verification?.differences.prefix(3) ?? [])")
      let shapes = summary.export.shapes
      #expect(shapes["iou"]?["min"] == 1.0 && shapes["iou"]?["p5"] == 1.0, "\(format)")
      #expect(shapes["vertices"]?["before"] == shapes["vertices"]?["after"])
      #expect(summary.certificate["target"]?["shapes"] == shapes)
    }
    // Crowds stay masks.
    let before = try objects(source, folder)
    let after = try objects(folder.path("coco:coco"), folder)
    #expect(before.map(\.1) == after.map(\.1))
    #expect(before.contains { $0.0 == .mask })
    let crowds = after.count { $0.0 == .mask }
    #expect(crowds < before.count { $0.0 == .mask })
  }

  @Test("A tolerance costs IoU, which is measured on the polygons that are written")
  func tolerance() throws {
    let folder = try TemporaryFolder()
    let source = try random(3, folder)
    let summary = try convert(source, to: .coco, .polygons(tolerance: 1.5), folder.path("out"))
    #expect(summary.lost == 0)
    let before = try objects(source, folder)
    let after = try objects(folder.path("out:coco"), folder)
    let ious = zip(before, after).filter { $0.0 == .mask && $1.0 == .polygon }.map {
      $1.1.iou(with: $0.1) ?? 1
    }
    let shapes = summary.export.shapes
    let mean = try #require(shapes["iou"]?["mean"]?.double)
    #expect(!ious.isEmpty && abs(ious.reduce(0, +) / Double(ious.count) - mean) < 1e-9)
    #expect(shapes["iou"]?["min"]?.double == ious.min())
    #expect(mean < 1)
    #expect(summary.export.shapesText?.contains("tolerance 1.5 px, IoU mean 0.") == true)
  }

  @Test("Boxes are the extent of masks and polygons; masks have the pixels of polygons")
  func boxesAndMasks() throws {
    let folder = try TemporaryFolder()
    let source = try random(4, folder)
    let boxes = try convert(source, to: .coco, .boxes, folder.path("boxes"))
    #expect(boxes.lost == 0 && boxes.export.shapes["unchanged"] == 0)
    #expect(try objects(folder.path("boxes:coco"), folder).allSatisfy { $0.0 == .box })
    let masks = try convert(source, to: .coco, .masks, folder.path("masks"))
    #expect(masks.lost == 0)
    let before = try objects(source, folder)
    let after = try objects(folder.path("masks:coco"), folder)
    #expect(before.map(\.1) == after.map(\.1))
    #expect(!after.contains { $0.0 == .polygon && $0.1.area > 0 })
    // YOLO's detection form follows from the boxes.
    let yolo = try convert(source, to: .yolo, .boxes, folder.path("yolo"))
    #expect(yolo.lost == 0)
    #expect(try objects(folder.path("yolo:yolo"), folder).allSatisfy { $0.0 == .box })
  }

  @Test(
    "Outlines of real masks keep their properties",
    .outsideData("coco/mini", twin: "ShapeConversionTests.tolerance"))
  func real() throws {
    let folder = try TemporaryFolder()
    let source = OutsideFiles.path("coco/mini")
    var last = 1.0
    for tolerance in [0, 1, 3] as [Double] {
      let masks = try convert(source, to: .coco, .masks, folder.path("masks"))
      #expect(masks.lost == 0)
      let summary = try convert(
        folder.path("masks:coco"), to: .coco, .polygons(tolerance: tolerance),
        folder.path("out\(Int(tolerance))"))
      #expect(summary.lost == 0)
      let mean = try #require(summary.export.shapes["iou"]?["mean"]?.double)
      #expect(tolerance == 0 ? mean == 1 : mean < last && mean > 0.8)
      last = mean
    }
  }
}
