import AssayCore
import AssayImaging
import AssayTestSupport
import Foundation
import Testing

@testable import AssayInference

/// MediaPipe's models for faces with their manifests, against MediaPipe itself (`make_faces.py`).
@Suite("MediaPipe's faces", .openVINO, .serialized)
struct RealFaceDetectorsTests {
  private struct Golden: Decodable {
    struct Canvas: Decodable {
      var source: String
      var width: Int
      var height: Int
      var step: Int
      var x: Int
      var y: Int
    }
    struct Face: Decodable {
      var score: Double
      var box: [Double]
      var keypoints: [Double]
    }
    struct Mesh: Decodable {
      var region: [Float]
      var points: [Double]
    }
    struct Image: Decodable {
      var path: String?
      var canvas: Canvas?
      var width: Int
      var height: Int
      var short: [Face]
      var full: [Face]
      var meshes: [Mesh]
    }
    var images: [Image]
  }

  private static let short = OutsideFiles.path("models/face_detection_short_range.tflite")
  private static let mesh = OutsideFiles.path("models/face_landmark.tflite")
  private static let full = PackageFolder.url(
    ".deps/models/face_detection_full_range_sparse.tflite"
  )
  .path

  private static func model(_ path: String, _ manifest: String) throws -> ValidatedModel {
    try ValidatedModel(
      try ModelFile.read(path),
      manifest: try ModelManifest.read(PackageFolder.url("Datasets/models/\(manifest).yaml").path)
        .manifest)
  }

  private static func photograph(_ path: String) throws -> Raster<UInt8> {
    try ImageCodec.decode([UInt8](try Data(contentsOf: OutsideFiles.url(path))), as: .rgb8)
  }

  /// The images, canvases drawn.
  private static func pictures() throws -> [(golden: Golden.Image, image: NamedRaster)] {
    try GoldenJSON.decode("faces/mediapipe.json", as: Golden.self).images.map { golden in
      let raster: Raster<UInt8>
      if let canvas = golden.canvas {
        let source = try photograph(canvas.source)
        var made = Raster<UInt8>(
          repeating: 128, width: canvas.width, height: canvas.height, channels: 3)
        for y in 0..<min((source.height + canvas.step - 1) / canvas.step, canvas.height - canvas.y)
        {
          for x in 0..<min((source.width + canvas.step - 1) / canvas.step, canvas.width - canvas.x)
          {
            for channel in 0..<3 {
              made[canvas.x + x, canvas.y + y, channel] =
                source[canvas.step * x, canvas.step * y, channel]
            }
          }
        }
        raster = made
      } else {
        raster = try photograph(try #require(golden.path))
      }
      try #require(raster.width == golden.width && raster.height == golden.height)
      return (golden, NamedRaster(golden.path ?? "canvas of \(golden.width)", raster))
    }
  }

  private func expectEqual(
    _ path: String, _ manifest: String, count: Int, _ faces: (Golden.Image) -> [Golden.Face]
  ) throws {
    let model = try Self.model(path, manifest)
    let pictures = try Self.pictures()
    let pool = try DetectorPool(model, workers: 1, probe: [pictures[0].image])
    var worst = (score: 0.0, box: 0.0, point: 0.0)
    var seen = 0
    for (golden, image) in pictures {
      let size = ImageSize(width: golden.width, height: golden.height)
      let plan = model.manifest.input.plan(for: size)
      let found = try pool.answers(worker: 0, of: [image])[0].compactMap {
        $0.detection(through: plan)
      }
      let wanted = faces(golden)
      #expect(found.count == wanted.count, "\(image.name): \(found.count), \(wanted.count)")
      seen += found.count
      for (face, one) in zip(found, wanted) {
        func inside(_ value: Double, _ limit: Int) -> Double { min(max(value, 0), Double(limit)) }
        let edges = [
          inside(one.box[0], size.width), inside(one.box[1], size.height),
          inside(one.box[0] + one.box[2], size.width),
          inside(one.box[1] + one.box[3], size.height),
        ]
        let box = face.box
        let own = [box.x, box.y, box.x + box.width, box.y + box.height]
        let points = face.keypoints.indices.filter { $0 % 3 < 2 }.map { face.keypoints[$0] }
        let goals = one.keypoints.indices.map {
          inside(one.keypoints[$0], $0 % 2 == 0 ? size.width : size.height)
        }
        #expect(points.count == 12 && goals.count == 12)
        worst.score = max(worst.score, abs(face.confidence - one.score))
        for (value, goal) in zip(own, edges) { worst.box = max(worst.box, abs(value - goal)) }
        for (value, goal) in zip(points, goals) {
          worst.point = max(worst.point, abs(value - goal))
        }
      }
    }
    #expect(seen == count)
    #expect(worst.score <= 0.001 && worst.box <= 0.5 && worst.point <= 0.5, "\(worst)")
  }

  @Test(
    "The short-range detector gives MediaPipe's boxes, keypoints and scores",
    .outsideData(
      "faces", "coco/mini/val2017", "models/face_detection_short_range.tflite",
      twin: "CenterHeadTests.decoded"))
  func shortRange() throws {
    try expectEqual(Self.short, "face-short", count: 14) { $0.short }
  }

  @Test(
    "So does the full-range detector",
    .enabled(if: FileManager.default.fileExists(atPath: full), "needs Scripts/models faces"),
    .outsideData("faces", "coco/mini/val2017", twin: "CenterHeadTests.decoded"))
  func fullRange() throws {
    try expectEqual(Self.full, "face-full", count: 19) { $0.full }
  }

  @Test(
    "The mesh of a crop is MediaPipe's",
    .outsideData(
      "faces", "coco/mini/val2017", "models/face_landmark.tflite", twin: "PoseHeadTests.depth"))
  func meshes() throws {
    let model = try Self.model(Self.mesh, "face-mesh")
    var worst = 0.0
    var seen = 0
    for (golden, image) in try Self.pictures() {
      for mesh in golden.meshes {
        let numbers = mesh.region
        let region = WarpRegion(
          x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3],
          rotation: numbers[4])
        let crop = WarpResampler(
          from: ImageSize(width: golden.width, height: golden.height), region: region,
          to: model.manifest.input.size, border: .nearest
        ).resample(image.raster)
        let picture = NamedRaster("crop", crop)
        let pool = try DetectorPool(model, workers: 1, probe: [picture])
        let found = try pool.answers(worker: 0, of: [picture])[0]
        try #require(found.count == 1 && found[0].keypoints.count == 3 * 468)
        #expect(found[0].score >= 0.5)
        for index in 0..<468 {
          let point = region.point(
            x: found[0].keypoints[3 * index] / Double(crop.width),
            y: found[0].keypoints[3 * index + 1] / Double(crop.height))
          worst = max(
            worst, abs(point.x - mesh.points[2 * index]), abs(point.y - mesh.points[2 * index + 1]))
        }
        seen += 1
      }
    }
    #expect(seen == 7)
    #expect(worst <= 1, "\(worst)")
  }
}
