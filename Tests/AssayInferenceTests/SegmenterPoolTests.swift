import AssayCore
import AssayImaging
import AssayTestSupport
import Foundation
import Testing

import AssayInference

@Suite("Running a segmentation model", .openVINO)
struct SegmenterPoolTests {
  /// A 4 × 4 image whose pixel (x, y) is `start` + 16y + 4x.
  private func picture(_ start: Int) throws -> NamedRaster {
    let pixels = (0..<16).map { UInt8(start + 4 * $0) }
    return NamedRaster("\(start)", try #require(Raster(width: 4, height: 4, elements: pixels)))
  }

  @Test(
    "All output orders give the same map",
    arguments: ["mask_nchw", "mask_nhwc", "mask_flat", "mask_fixed", "mask_open"])
  func orders(_ name: String) throws {
    let model = try Fixture.mask(name + ".onnx")
    #expect(model.maps?.size == ImageSize(width: 4, height: 4))
    let pool = try SegmenterPool(model, workers: 2, batch: 3, probe: [try picture(0)])
    let pictures = try [0, 60, 120, 190].map(picture)
    for worker in 0..<2 {
      let answers = try pool.answers(worker: worker, of: pictures)
      // x/255 comes back as x: ⌊255 · x/255 + ½⌋.
      #expect(answers.map { $0.cells.map(\.elements) } == pictures.map { [$0.raster.elements] })
    }
  }

  @Test("An output half as large has a map half as large")
  func half() throws {
    let pool = try SegmenterPool(
      try Fixture.mask("mask_half.onnx"), workers: 1, probe: [try picture(0)])
    let map = try pool.answers(worker: 0, of: [try picture(0)])[0].cells[0]
    // Pixels 0, 4, 16, 20 have the mean 10; then 18, 42, 50.
    #expect(map.width == 2 && map.height == 2 && map.elements == [10, 18, 42, 50])
  }

  @Test("Logits need a sigmoid, and probabilities must not have one")
  func activation() throws {
    let probe = [try picture(0), try picture(190)]
    let pool = try SegmenterPool(
      try Fixture.mask("mask_logits.onnx", Fixture.maskManifest(activation: .sigmoid)),
      workers: 1, probe: probe)
    // 8 · x/255 − 4 ≥ 0 from x = 127.5 on.
    let map = try pool.answers(worker: 0, of: [try picture(100)])[0].cells[0]
    #expect(map.elements.map { $0 >= 128 } == (0..<16).map { 100 + 4 * $0 >= 128 })
    let plain = try SegmenterPool(try Fixture.mask("mask_logits.onnx"), workers: 1, probe: probe)
    #expect(throws: InferenceError.self) { try plain.answers(worker: 0, of: probe) }
    let error = #expect(throws: InferenceError.self) {
      try SegmenterPool(
        try Fixture.mask("mask_nchw.onnx", Fixture.maskManifest(activation: .sigmoid)),
        workers: 1, probe: probe)
    }
    #expect(error.map { "\($0)" }?.contains("activation: none") == true)
  }

  @Test("Of several classes every map is kept", arguments: ["mask_classes", "mask_classes_nhwc"])
  func several(_ name: String) throws {
    let manifest = Fixture.maskManifest(classes: ["thing", "background", "third"])
    let pool = try SegmenterPool(
      try Fixture.mask(name + ".onnx", manifest), workers: 1, probe: [try picture(0)])
    let picture = try picture(60)
    let maps = try pool.answers(worker: 0, of: [picture])[0]
    let inverse = picture.raster.elements.map { 255 - $0 }
    #expect(
      maps.cells.map(\.elements)
        == [picture.raster.elements, inverse, [UInt8](repeating: 128, count: 16)])
  }

  @Test("A model that mixes the samples of a batch is detected, with the index")
  func mixing() throws {
    let model = try Fixture.mask("mask_mixes.onnx")
    let probe = [try picture(0), try picture(190)]
    let error = #expect(throws: InferenceError.self) {
      try SegmenterPool(model, workers: 2, batch: 4, probe: probe)
    }
    #expect(error.map { "\($0)" }?.contains("at index 0 of 16") == true)
    let pool = try SegmenterPool(model, workers: 2, batch: 1, probe: probe)
    var outputs = try pool.outputs(worker: 1, of: probe)
    try pool.verify(probe, expected: outputs)
    outputs[1][7] = outputs[1][7].nextUp
    let wrong = outputs
    #expect(throws: InferenceError.self) { try pool.verify(probe, expected: wrong) }
  }

  @Test("An unclear order is settled by the manifest")
  func unclear() throws {
    let classes = ["a", "b", "c", "d"]
    #expect(throws: InferenceError.self) {
      try Fixture.mask("mask_unclear.onnx", Fixture.maskManifest(classes: classes))
    }
    let manifest = Fixture.maskManifest(outputLayout: .nchw, classes: classes)
    #expect(try Fixture.mask("mask_unclear.onnx", manifest).maps?.order == .nchw)
  }

  @Test("A reader of another task is refused")
  func otherTask() throws {
    let model = try Fixture.mask("mask_nchw.onnx")
    #expect(throws: InferenceError.self) {
      try ClassifierPool(model, workers: 1, probe: [try picture(0)])
    }
    #expect(throws: InferenceError.self) {
      try SegmenterPool(try Fixture.tiny("tiny.onnx"), workers: 1, probe: [])
    }
  }
}
