import AssayCore
import Testing

@testable import AssayReports

@Suite struct LabelMapTests {
  @Test("Background is pale, each label its class's color, void is striped in two grays")
  func colors() {
    var labels = Raster<UInt8>(repeating: 0, width: 12, height: 1)
    labels[1, 0] = 1
    labels[2, 0] = 2
    for x in 3..<12 { labels[x, 0] = LabelMap.void }
    let picture = LabelMap.picture(of: labels)
    func color(_ x: Int) -> RGB { RGB(picture[x, 0, 0], picture[x, 0, 1], picture[x, 0, 2]) }
    #expect(color(0) == ClassColor.background)
    #expect(color(1) == ClassColor.of(0))
    #expect(color(2) == ClassColor.of(1))
    #expect(Set((3..<12).map(color)) == [ClassColor.void.0, ClassColor.void.1])
  }

  @Test("Without background label 0 is the first class")
  func noBackground() {
    let picture = LabelMap.picture(
      of: Raster<UInt8>(repeating: 0, width: 1, height: 1), hasBackground: false)
    #expect(RGB(picture[0, 0, 0], picture[0, 0, 1], picture[0, 0, 2]) == ClassColor.of(0))
  }

  @Test("Twenty-eight classes have colors of their own")
  func distinct() {
    #expect(Set((0..<28).map(ClassColor.of)).count == 28)
    #expect(Set((0..<MaskOverlay.distinctColors).map(ClassColor.of)).count == 7)
  }
}
