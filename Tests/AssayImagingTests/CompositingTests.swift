import AssayCore
import AssayTestSupport
import Testing

import AssayImaging

@Suite("Drawing through a matte")
struct CompositingTests {
  @Test("Each pixel is below + (above − below) · matte/255 · opacity, rounded")
  func formula() throws {
    let above = SeededPhoto.raster(seed: 3)
    let size = ImageSize(width: above.width, height: above.height)
    let under = Orientation.upMirrored.apply(to: SeededPhoto.raster(seed: 4))
    try #require(under.width == size.width && under.channels == 3)
    var matte = Raster<UInt8>(repeating: 0, width: size.width, height: size.height)
    for place in matte.elements.indices { matte.elements[place] = UInt8(place * 7 & 255) }
    for opacity in [0, 0.35, 1] {
      var drawn = under
      Compositing.draw(above, through: matte, opacity: opacity, over: &drawn)
      for place in drawn.elements.indices {
        let (low, high) = (Double(under.elements[place]), Double(above.elements[place]))
        let exact = low + (high - low) * Double(matte.elements[place / 3]) / 255 * opacity
        #expect(abs(Double(drawn.elements[place]) - exact) <= 0.51)
      }
    }
    var whole = under
    let full = Raster<UInt8>(repeating: 255, width: size.width, height: size.height)
    Compositing.draw(above, through: full, opacity: 1, over: &whole)
    #expect(whole == above)
  }

  @Test("A matte is 0 up to the low probability, 255 from the high one, and linear between them")
  func matte() throws {
    let size = ImageSize(width: 8, height: 2)
    let cells = try #require(
      Raster<UInt8>(width: 8, height: 2, elements: (0..<16).map { UInt8($0 * 17) }))
    let field = ProbabilityMap(cells, plan: ResizePlan(.stretch, from: size, to: size)).field()
    let matte = field.matte(from: 0.25, to: 0.75)
    for place in 0..<16 {
      let exact = min(max((Double(place * 17) / 255 - 0.25) / 0.5, 0), 1) * 255
      #expect(abs(Double(matte.elements[place]) - exact) <= 0.51)
    }
    #expect(field.matte(from: 0, to: 1) == cells)
  }

  @Test("Pixels outside of the model's input have no opacity")
  func outside() {
    let size = ImageSize(width: 12, height: 4)
    let cells = Raster<UInt8>(repeating: 255, width: 4, height: 4)
    let plan = ResizePlan(.centerCrop, from: size, to: ImageSize(width: 4, height: 4))
    let matte = ProbabilityMap(cells, plan: plan).field().matte(from: 0.25, to: 0.75)
    for y in 0..<4 {
      for x in 0..<12 { #expect(matte[x, y] == ((4..<8).contains(x) ? 255 : 0)) }
    }
  }
}
