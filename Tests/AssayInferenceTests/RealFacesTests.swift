import AssayCore
import AssayTestSupport
import Foundation
import Testing

import AssayInference

/// The real PublicTest faces with the real classifier.
@Suite("FER faces", .openVINO, .serialized)
struct RealFacesTests {
  private static let ferModel = OutsideFiles.path("models/emotion_model_quantized.tflite")
  private static let ferFaces = OutsideFiles.path("fer/fer2013_publictest.csv.gz")

  /// Labels and images of the first `limit` rows.
  private static func faces(limit: Int) throws -> (labels: [Int], faces: [NamedRaster]) {
    let gunzip = Process()
    let output = Pipe()
    gunzip.executableURL = URL(fileURLWithPath: "/bin/gunzip")
    gunzip.arguments = ["-c", ferFaces]
    gunzip.standardOutput = output
    try gunzip.run()
    let bytes = [UInt8](output.fileHandleForReading.readDataToEndOfFile())
    gunzip.waitUntilExit()
    var labels: [Int] = []
    var faces: [NamedRaster] = []
    for line in bytes.split(separator: UInt8(ascii: "\n")).dropFirst().prefix(limit) {
      let fields = line.split(separator: UInt8(ascii: ","))
      let pixels = fields[1].split(separator: UInt8(ascii: " ")).map { digits in
        digits.reduce(0) { $0 * 10 + ($1 >= 0x30 && $1 <= 0x39 ? Int($1 - 0x30) : 0) }
      }
      let raster = try #require(
        Raster(width: 48, height: 48, elements: pixels.map { UInt8(clamping: $0) }))
      labels.append(Int(fields[0].first ?? 0x30) - 0x30)
      faces.append(NamedRaster("\(faces.count)", raster))
    }
    return (labels, faces)
  }

  private static func model() throws -> ValidatedModel {
    let path = PackageFolder.url("Datasets/models/fer.yaml").path
    return try ValidatedModel(
      try ModelFile.read(ferModel), manifest: try ModelManifest.read(path).manifest)
  }

  @Test(
    "The classifier is right for 58.5 % ± 0.3 of the 3,589 PublicTest faces",
    .outsideData(
      "models/emotion_model_quantized.tflite", "fer/fer2013_publictest.csv.gz",
      twin: "ModelPoolTests.answers"))
  func accuracy() throws {
    let (labels, faces) = try Self.faces(limit: .max)
    #expect(faces.count == 3_589)
    let pool = try ClassifierPool(try Self.model(), workers: 1, probe: faces)
    let rows = try pool.answers(worker: 0, of: faces)
    let right = zip(labels, rows).filter { label, row in
      row.indices.max { row[$0] < row[$1] } == label
    }
    let accuracy = Double(right.count) / 3_589
    #expect(abs(accuracy - 0.585) <= 0.003, "\(accuracy)")
    try pool.verify(Array(faces[3_000..<3_004]), expected: Array(rows[3_000..<3_004]))
  }

  @Test(
    "Batches of 1, 16 and 64 and a second worker give the same bits",
    .outsideData(
      "models/emotion_model_quantized.tflite", "fer/fer2013_publictest.csv.gz",
      twin: "PredictionTests.determinism"))
  func sameBits() throws {
    let faces = try Self.faces(limit: 130).faces
    let classifier = try Self.model()
    var first: [[UInt32]]?
    for (batch, workers) in [(1, 1), (16, 1), (64, 2)] {
      let pool = try ClassifierPool(classifier, workers: workers, batch: batch, probe: faces)
      #expect(pool.batch == batch)
      for worker in 0..<workers {
        let bits = try pool.answers(worker: worker, of: faces).map { $0.map(\.bitPattern) }
        if first == nil { first = bits }
        #expect(bits == first, "batch \(batch), worker \(worker)")
      }
    }
  }

  @Test(
    "A manifest of another size is refused with both shapes",
    .outsideData(
      "models/emotion_model_quantized.tflite", twin: "ModelSignatureTests.input"))
  func wrongSize() throws {
    var manifest = try Self.model().manifest
    manifest.input.size = ImageSize(width: 48, height: 48)
    let wrong = manifest
    let error = #expect(throws: InferenceError.self) {
      try ValidatedModel(try ModelFile.read(Self.ferModel), manifest: wrong)
    }
    #expect(error.map { "\($0)" }?.contains("[N, 48, 48, 1]") == true)
    #expect(error.map { "\($0)" }?.contains("[1, 64, 64, 1]") == true)
  }
}
