import Foundation
import Testing

@testable import AssayReports

@Suite struct HeatMapTests {
  private func map(_ counts: [[Int]], classes: [String]? = nil) -> HeatMap {
    HeatMap(
      name: "confusion", title: "Confusion", summary: "A matrix",
      classes: classes ?? counts.indices.map { "class \($0)" }, counts: counts,
      anchor: { truth, prediction in "cell-\(truth)-\(prediction)" })
  }

  @Test("A cell's strength rises with its share of the row, from nothing to the full hue")
  func strength() {
    let strengths = stride(from: 0.0, through: 1, by: 0.01).map(HeatMap.strength)
    #expect(strengths.first == 0)
    #expect(strengths.last == 1)
    #expect(zip(strengths, strengths.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test("Every count is written, and only cells with samples lead somewhere")
  func links() {
    let svg = map([[7, 0], [2, 5]]).figure(width: 720).svg(summary: "", style: "wide")
    for text in [">7</text>", ">0</text>", ">2</text>", ">5</text>"] { #expect(svg.contains(text)) }
    #expect(svg.components(separatedBy: "<a href=").count - 1 == 3)
    #expect(!svg.contains("#cell-0-1"))
    #expect(svg.contains("class 1 → class 0: 2 samples, 0.286 of all class 1"))
  }

  @Test("The ink flips where the cell is strong, and both inks can be read there")
  func ink() {
    for step in 0...100 {
      let strength = Double(step) / 100
      let cell = Ink.accent.light.mixed(over: Ink.surface.light, opacity: strength)
      #expect(contrast(cell, HeatInk(strength: strength).light.light) > 3.9)
      let dark = Ink.accent.dark.mixed(over: Ink.surface.dark, opacity: strength)
      let onDark = HeatInk(strength: strength) == .weak ? Ink.text.dark : Ink.inverse.dark
      #expect(contrast(dark, onDark) > 3.8)
    }
  }

  @Test("Many classes keep a readable size: the figure gets wider than its page")
  func manyClasses() {
    let counts = (0..<80).map { row in (0..<80).map { $0 == row ? 50 : 0 } }
    let figure = map(counts).figure(width: 720)
    #expect(figure.keepsSize)
    #expect(figure.width > 80 * 14)
    #expect(!map([[1, 0], [0, 1]]).figure(width: 328).keepsSize)
  }

  @Test("No classes, an empty row and one class draw without a fault")
  func edges() {
    #expect(map([]).figure(width: 720).marks.isEmpty)
    #expect(map([[0, 0], [0, 3]]).figure(width: 328).height > 0)
    #expect(map([[4]]).figure(width: 720).width == 720)
  }

  /// The contrast of two colors as defined by WCAG 2, in 1...21.
  private func contrast(_ a: RGB, _ b: RGB) -> Double {
    func luminance(_ color: RGB) -> Double {
      func linear(_ value: UInt8) -> Double {
        let share = Double(value) / 255
        return share <= 0.03928 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
      }
      return 0.2126 * linear(color.red) + 0.7152 * linear(color.green)
        + 0.0722 * linear(color.blue)
    }
    let (low, high) = (min(luminance(a), luminance(b)), max(luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)
  }
}
