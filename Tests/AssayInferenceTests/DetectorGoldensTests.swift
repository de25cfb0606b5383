import AssayCore
import AssayImaging
import AssayTestSupport
import Foundation
import Testing

@testable import AssayInference

/// The output of `plain_detector.py`.
struct DetectorGoldens: Decodable {
  /// A detection as output by the plain decoder.
  struct Found: Decodable, CustomStringConvertible {
    var detection: Detection

    init(from decoder: any Decoder) throws {
      var row = try decoder.unkeyedContainer()
      let number = try row.decode(Int.self)
      let score = try row.decode(Double.self)
      let box = Box(
        x: try row.decode(Double.self), y: try row.decode(Double.self),
        width: try row.decode(Double.self), height: try row.decode(Double.self))
      let scores = try row.decode([[Double]].self).map {
        Detection.ClassScore(class: Int($0[0]), score: Float($0[1]))
      }
      detection = Detection(class: number, confidence: score, box: box, scores: scores)
    }

    var description: String { "\(detection)" }
  }

  struct Model: Decodable {
    var name: String
    var model: String
    var manifest: String
    var size: [Int]
    var pictures: [[Found]]
  }

  struct Numbers: Decodable {
    var name: String
    var manifest: String
    var size: [Int]
    var shape: [Int]
    var outputs: [Float]
    var found: [Found]
  }

  var models: [Model]
  var numbers: [Numbers]

  static func read() throws -> DetectorGoldens { try GoldenJSON.decode("models/detections.json") }
}

/// Checks that detections equal those of the plain decoder, within its 9 digits.
func expectSame(_ own: [Detection], _ golden: [DetectorGoldens.Found], _ name: String) {
  #expect(own.count == golden.count, "\(name)")
  for (own, golden) in zip(own, golden.map(\.detection)) {
    #expect(own.class == golden.class, "\(name)")
    #expect(abs(own.confidence - golden.confidence) < 2e-6, "\(name)")
    let pairs = [
      (own.box.x, golden.box.x), (own.box.y, golden.box.y), (own.box.width, golden.box.width),
      (own.box.height, golden.box.height),
    ]
    #expect(pairs.allSatisfy { abs($0 - $1) < 1e-3 }, "\(name): \(own.box), \(golden.box)")
    #expect(own.scores.map(\.class) == golden.scores.map(\.class), "\(name)")
    #expect(
      zip(own.scores, golden.scores).allSatisfy { abs($0.score - $1.score) < 2e-6 }, "\(name)")
  }
}

@Suite("Detections against a plain decoder")
struct DetectorGoldensTests {
  @Test("Every box order, unit and layout gives the plain decoder's boxes")
  func numbers() throws {
    let cases = try DetectorGoldens.read().numbers
    #expect(cases.count == 16)
    for golden in cases {
      let manifest = try ModelManifest(yaml: golden.manifest, path: "m.yaml")
      let output = TensorSignature(name: "y", element: "f32", shape: golden.shape)
      let reader = DetectionReader(
        try BoxTensorLayout(of: [output], manifest), try #require(manifest.detector), manifest)
      #expect(reader.layout.rows == 14 && reader.layout.count == golden.outputs.count)
      let plan = ResizePlan(
        .stretch, from: ImageSize(width: golden.size[0], height: golden.size[1]),
        to: manifest.input.size)
      let found = try reader.answer(of: golden.outputs, sample: "s")
        .compactMap { $0.detection(through: plan) }
      expectSame(found, golden.found, golden.name)
    }
  }

  /// `picture` of `plain_detector.py`.
  static func picture(_ number: Int, _ size: ImageSize) -> NamedRaster {
    var raster = Raster<UInt8>(
      repeating: 0, width: size.width, height: size.height, channels: 3)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let place = 3 * (y * size.width + x)
        raster.elements[place] = UInt8((5 * x + 3 * y + 40 * number) & 255)
        raster.elements[place + 1] = UInt8((2 * x + 7 * y + 90 * number) & 255)
        raster.elements[place + 2] = UInt8((x * y / 16 + 9 * number) & 255)
      }
    }
    return NamedRaster("\(number)", raster)
  }

  @Test(
    "Real models give the plain decoder's boxes, one output or two, whatever the input's size",
    .openVINO)
  func models() throws {
    let cases = try DetectorGoldens.read().models
    #expect(cases.count == 6)
    for golden in cases {
      let manifest = try ModelManifest(yaml: golden.manifest, path: "m.yaml")
      let model = try ValidatedModel(
        try ModelFile.read(Fixture.path(golden.model)), manifest: manifest)
      let size = ImageSize(width: golden.size[0], height: golden.size[1])
      let pictures = golden.pictures.indices.map { Self.picture($0, size) }
      let pool = try DetectorPool(model, workers: 2, batch: 2, probe: pictures)
      try pool.readProbe()
      let plan = ResizePlan(manifest.input.resize, from: size, to: manifest.input.size)
      for worker in 0..<2 {
        for (answer, found) in zip(try pool.answers(worker: worker, of: pictures), golden.pictures)
        {
          expectSame(answer.compactMap { $0.detection(through: plan) }, found, golden.name)
        }
      }
    }
  }
}
