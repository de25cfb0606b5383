import AssayCore
import AssayImaging
import Testing

import AssayInference

@Suite("Preprocessing")
struct PreprocessorTests {
  private func input(
    _ color: ModelInput.Color, _ layout: ModelInput.Layout, scale: [Double] = [1],
    offset: [Double] = [0]
  ) -> ModelInput {
    ModelInput(
      size: ImageSize(width: 2, height: 1), layout: layout, color: color, scale: scale,
      offset: offset)
  }

  // Two pixels: (1, 2, 3) and (4, 5, 6).
  private func rgb() throws -> Raster<UInt8> {
    try #require(Raster(width: 2, height: 1, channels: 3, elements: [1, 2, 3, 4, 5, 6]))
  }

  @Test("Layout and order of the channels")
  func order() throws {
    let raster = try rgb()
    for (color, layout, expected) in [
      (ModelInput.Color.rgb, ModelInput.Layout.nhwc, [1, 2, 3, 4, 5, 6]),
      (.bgr, .nhwc, [3, 2, 1, 6, 5, 4]), (.rgb, .nchw, [1, 4, 2, 5, 3, 6]),
      (.bgr, .nchw, [3, 6, 2, 5, 1, 4]),
    ] {
      var preprocessor = Preprocessor(input(color, layout))
      #expect(preprocessor.values(of: raster) == expected.map(Float.init))
    }
  }

  @Test("Scale and offset hold for the tensor's channels")
  func scale() throws {
    var preprocessor = Preprocessor(
      input(.bgr, .nhwc, scale: [1, 10, 100], offset: [0, 0.5, -1]))
    // Blue 3·1, green 2·10 + ½, red 1·100 − 1.
    #expect(Array(preprocessor.values(of: try rgb()).prefix(3)) == [3, 20.5, 99])
  }

  @Test("Black and white become exactly −1 and 1 with 2/255 and −1")
  func ends() throws {
    var preprocessor = Preprocessor(
      input(.gray, .nhwc, scale: [2.0 / 255], offset: [-1]))
    let raster = try #require(Raster<UInt8>(width: 2, height: 1, elements: [0, 255]))
    #expect(preprocessor.values(of: raster) == [-1, 1])
  }

  @Test("Gray is repeated for color models, color reduced for gray ones")
  func convert() throws {
    let gray = try #require(Raster<UInt8>(width: 2, height: 1, elements: [7, 9]))
    var color = Preprocessor(input(.rgb, .nhwc))
    #expect(color.values(of: gray) == [7, 7, 7, 9, 9, 9])
    var reduced = Preprocessor(input(.gray, .nhwc))
    // (19595·1 + 38470·2 + 7471·3 + 32768) >> 16 = 151,716 >> 16 = 2; then 5.
    #expect(reduced.values(of: try rgb()) == [2, 5])
  }

  @Test("Sizes can change from image to image")
  func sizes() throws {
    var preprocessor = Preprocessor(input(.gray, .nhwc))
    let constant = { Raster<UInt8>(repeating: $0, width: $1, height: $2) }
    #expect(preprocessor.values(of: constant(9, 5, 3)) == [9, 9])
    #expect(preprocessor.values(of: constant(8, 4, 4)) == [8, 8])
    #expect(preprocessor.values(of: constant(7, 5, 3)) == [7, 7])
  }

  @Test("A letterbox keeps its fill out of the picture's scale")
  func letterbox() throws {
    var wide = input(.gray, .nhwc, scale: [2])
    wide.resize = .letterbox(fill: 50, anchor: .topLeft)
    var preprocessor = Preprocessor(wide)
    // A square in a 2 × 1 box: one pixel of it, then the fill, both multiplied by 2.
    #expect(preprocessor.values(of: Raster(repeating: 10, width: 4, height: 4)) == [20, 100])
  }
}
