import AssayCore
import AssayImaging
import AssayTestSupport
import Foundation
import Testing

import AssayInference

/// The real person model on real images.
@Suite("The person model", .openVINO, .serialized)
struct RealPeopleTests {
  static let converted = PackageFolder.url(".deps/models/selfie_segmentation.tflite").path
  static let reference = OutsideFiles.path("models/selfie_segmentation.xml")

  private func model(_ path: String) throws -> ValidatedModel {
    let manifest = PackageFolder.url("Datasets/models/selfie.yaml").path
    return try ValidatedModel(
      try ModelFile.read(path), manifest: try ModelManifest.read(manifest).manifest)
  }

  private func pictures(_ count: Int) throws -> [NamedRaster] {
    let folder = OutsideFiles.url("coco/mini/val2017")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    return try names.prefix(count).map { name in
      let bytes = [UInt8](try Data(contentsOf: folder.appending(path: name)))
      return NamedRaster(name, try ImageCodec.decode(bytes, as: .rgb8))
    }
  }

  @Test(
    "It takes one image at a time, and a second worker gives the same bits",
    .outsideData(
      "models/selfie_segmentation.xml", "coco/mini/val2017", twin: "SegmenterPoolTests.orders"))
  func sameBits() throws {
    let model = try model(Self.reference)
    #expect(model.maps?.size == ImageSize(width: 256, height: 256) && model.maps?.classes == 1)
    let pictures = try pictures(6)
    let pool = try SegmenterPool(model, workers: 2, batch: 4, probe: pictures)
    let first = try pool.outputs(worker: 0, of: pictures)
    #expect(try pool.outputs(worker: 1, of: pictures) == first)
    try pool.verify(pictures, expected: first)
    let maps = try pool.answers(worker: 0, of: pictures)
    #expect(maps.allSatisfy { $0.cells.count == 1 && $0.cells[0].width == 256 })
  }

  @Test(
    "What Scripts/models converts gives the same bits as the conversion by OpenVINO's own program",
    .enabled(if: FileManager.default.fileExists(atPath: converted), "needs Scripts/models selfie"),
    .outsideData(
      "models/selfie_segmentation.xml", "coco/mini/val2017", twin: "ModelPoolTests.answers"))
  func conversion() throws {
    let pictures = try pictures(12)
    let pools = try [Self.converted, Self.reference].map {
      try SegmenterPool(try model($0), workers: 1, probe: [pictures[0]])
    }
    let outputs = try pools.map { try $0.outputs(worker: 0, of: pictures) }
    #expect(outputs[0] == outputs[1])
  }
}
