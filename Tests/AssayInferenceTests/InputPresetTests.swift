import AssayCore
import AssayImaging
import Testing

@testable import AssayInference

@Suite("Presets of preprocessing")
struct InputPresetTests {
  private func input(_ keys: String) throws -> ModelInput {
    try ModelManifest(
      yaml: "task: classification\ninput: {\(keys)}\nclasses: [a, b]", path: "m.yaml"
    ).input
  }

  private func expectFault(_ text: String, _ keys: String) {
    let error = #expect(throws: InferenceError.self) { try input(keys) }
    #expect(error.map { "\($0)" }?.contains(text) == true, "\(String(describing: error))")
  }

  @Test("A preset is the same as its keys")
  func same() throws {
    let torchvision = try input(
      "width: 224, height: 224, layout: NCHW, color: rgb, mean: [0.485, 0.456, 0.406], "
        + "std: [0.229, 0.224, 0.225], resize: shorter-crop, shorter: 256, filter: pillow-bilinear")
    #expect(try input("preset: torchvision") == torchvision)
    var timm = torchvision
    timm.filter = .pillowBicubic
    #expect(try input("preset: timm") == timm)
    #expect(
      try input("preset: ultralytics")
        == input(
          "width: 640, height: 640, layout: NCHW, color: rgb, scale: 1/255, offset: 0, resize: letterbox, fill: 114, rounding: nearest"
        ))
    #expect(
      try input("preset: yolox, width: 416, height: 416")
        == input(
          "width: 416, height: 416, layout: NCHW, color: bgr, scale: 1, offset: 0, resize: letterbox, fill: 114, anchor: top-left, rounding: yolox"
        ))
    #expect(
      try input("preset: keras, width: 180, height: 180")
        == input(
          "width: 180, height: 180, layout: NHWC, color: rgb, scale: 1, offset: 0, resize: stretch, filter: bilinear-float"
        ))
  }

  @Test("The manifest's own keys come first, and replace what belongs to them")
  func own() throws {
    let large = try input("preset: timm, width: 288, height: 288, shorter: 288")
    #expect(large.size.width == 288 && large.resize == .shorterCrop(shorter: 288))
    let stretched = try input("preset: torchvision, resize: stretch")
    #expect(stretched.resize == .stretch && stretched.filter == .pillowBilinear)
    let plain = try input("preset: torchvision, scale: 1/255, offset: 0")
    #expect(plain.scale == [1.0 / 255] && plain.offset == [0])
    #expect(try input("preset: ultralytics, colour: bgr").color == .bgr)
    expectFault("“width” is missing", "preset: keras")
    expectFault("did you mean “torchvision”?", "preset: torchvison")
    expectFault("from 300 to 65536", "preset: torchvision, width: 300, height: 300")
    expectFault(
      "another spelling of “scale”", "preset: keras, width: 8, height: 8, scale: 1, mean: 0, std: 1"
    )
    expectFault(
      "belongs to “resize: shorter-crop”", "preset: keras, width: 8, height: 8, shorter: 9")
    expectFault("“std” is [0.0]", "preset: torchvision, mean: 0, std: 0")
  }

  @Test("MediaPipe's preset leaves the range of values open, and its filter fits only its resize")
  func mediapipe() throws {
    let input = try input("preset: mediapipe, width: 128, height: 128, scale: 2/255, offset: -1")
    #expect(input.filter == .warp && input.layout == .nhwc && input.color == .rgb)
    #expect(input.resize == .letterbox(fill: 0, anchor: .center, rounding: .none))
    let values = "scale: 1/255, offset: 0"
    let mask = try self.input(
      "preset: mediapipe, width: 256, height: 256, \(values), resize: stretch")
    #expect(mask.resize == .stretch && mask.filter == .warp)
    expectFault("“scale” is missing", "preset: mediapipe, width: 128, height: 128")
    let sized = "width: 8, height: 8, \(values)"
    expectFault("belong together", "preset: mediapipe, \(sized), rounding: down")
    expectFault("belong together", "preset: mediapipe, \(sized), filter: bilinear")
    expectFault("belong together", "preset: mediapipe, \(sized), resize: center-crop")
    expectFault("in the middle", "preset: mediapipe, \(sized), anchor: top-left")
    expectFault("cannot be combined", "preset: mediapipe, \(sized), multiple: 4")
    let error = #expect(throws: InferenceError.self) {
      try ModelManifest(
        yaml: "task: segmentation\ninput: {preset: mediapipe, \(sized)}\nclasses: [background, a]",
        path: "m.yaml")
    }
    #expect("\(String(describing: error))".contains("by whole pixels"))
  }

  @Test("Mean and deviation are scale and offset of pixels in 0...1")
  func mean() throws {
    let input = try input(
      "width: 1, height: 1, layout: NCHW, color: gray, mean: 0.5, std: 0.25, resize: stretch")
    #expect(abs(input.value(of: 255, channel: 0) - 2) < 1e-12)
    #expect(abs(input.value(of: 0, channel: 0) + 2) < 1e-12)
  }

  @Test(
    "A crop of the shorter side is computed from the original, also of an image of the input's size"
  )
  func shorterCrop() throws {
    let input = try input(
      "width: 4, height: 4, layout: NCHW, color: gray, scale: 1, offset: 0, resize: shorter-crop, shorter: 8, filter: nearest"
    )
    var preprocessor = Preprocessor(input)
    let raster = try #require(
      Raster<UInt8>(width: 4, height: 4, elements: (0..<16).map { UInt8($0) }))
    // Doubled, then the middle of 8 × 8.
    #expect(
      preprocessor.values(of: raster) == [5, 5, 6, 6, 5, 5, 6, 6, 9, 9, 10, 10, 9, 9, 10, 10])
    #expect(preprocessor.kept(raster) == raster)
  }

  @Test("A crop of the stretched image is its middle, also of an image of the input's size")
  func stretchCrop() throws {
    let input = try input(
      "width: 2, height: 4, layout: NCHW, color: gray, scale: 1, offset: 0, resize: stretch-crop, shorter: 8, filter: nearest"
    )
    var preprocessor = Preprocessor(input)
    let wide = try #require(
      Raster<UInt8>(width: 8, height: 2, elements: (0..<16).map { UInt8($0) }))
    // Eight rows, of which each of the two fills four; columns 3 and 4.
    #expect(preprocessor.values(of: wide) == [3, 4, 3, 4, 11, 12, 11, 12])
    #expect(preprocessor.kept(wide) == wide)
  }

  @Test("Without rounding an input has values between the pixels")
  func unrounded() throws {
    let input = try input(
      "width: 2, height: 1, layout: NHWC, color: rgb, scale: 1/2, offset: 1, resize: stretch, filter: bilinear-float"
    )
    var preprocessor = Preprocessor(input)
    let raster = try #require(
      Raster<UInt8>(
        width: 4, height: 1, channels: 3, elements: [0, 10, 1, 1, 10, 2, 2, 20, 3, 3, 40, 4]))
    #expect(preprocessor.values(of: raster) == [1.25, 6, 1.75, 2.25, 16, 2.75])
    #expect(preprocessor.kept(raster) == raster)
  }

  @Test("Detectors and segmenters that do not see the whole image are refused")
  func cropped() {
    for (task, rest, text) in [
      ("detection", "head: yolox", "which a detector"),
      ("segmentation", "", "for segmentation set center-crop"),
    ] {
      let error = #expect(throws: InferenceError.self) {
        try ModelManifest(
          yaml: "task: \(task)\n\(rest)\ninput: {preset: torchvision}\nclasses: [a, b]", path: "m")
      }
      #expect(error.map { "\($0)" }?.contains(text) == true, "\(String(describing: error))")
    }
  }
}
