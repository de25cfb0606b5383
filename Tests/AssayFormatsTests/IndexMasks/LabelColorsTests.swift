import AssayCore
import Testing

@testable import AssayFormats

@Suite("Label files")
struct LabelColorsTests {
  private func colors(_ text: String) -> LabelColors {
    LabelColors(Array(text.utf8), file: "label_colors.txt")
  }

  @Test("R G B name, name R G B, blanks, tabs, commas, comments and a header")
  func spellings() {
    let found = colors(
      "# head\n64 0 128\t\tCar\r\n0,64,64,Traffic light\nSky,128,128,128 # blue\n")
    #expect(found.entries.map(\.name) == ["Car", "Traffic light", "Sky"])
    #expect(found.entries.map(\.color) == [0x400080, 0x004040, 0x808080])
    #expect(found.issues.isEmpty)
    #expect(colors("name,r,g,b\nCar,64,0,128\n").entries.map(\.name) == ["Car"])
  }

  @Test("Lines that are no entry, and colors that were there before, are issues with their line")
  func issues() {
    let found = colors("0 0 0 a\n256 0 0 b\n0 0 0 c\n1 2 3\n1 2 3 d\n")
    #expect(found.entries.map(\.name) == ["a", "d"])
    #expect(found.issues.map(\.location.line) == [2, 3, 4])
    #expect(found.issues.map(\.kind) == [.badField, .duplicateID, .badField])
  }

  @Test("No more than 255 classes, whatever the file holds")
  func limit() {
    let text = (0..<400).map { "\($0 / 2) \($0 % 256) 7 class\($0)" }.joined(separator: "\n")
    #expect(colors(text).entries.count == 255)
    #expect(LabelColors([0xFF, 0, 0xFE, 10, 10], file: "x").entries.isEmpty)
  }

  @Test("Every pixel gets its color's place, 255 where there is none")
  func places() throws {
    let raster = try #require(
      Raster<UInt8>(width: 3, height: 1, channels: 3, elements: [0, 0, 1, 9, 9, 9, 1, 0, 0]))
    let found = colors("1 0 0 b\n0 0 1 a\n").places(of: raster)
    #expect(found.raster.elements == [1, 255, 0] && found.unknown == 1)
  }
}

@Suite("Names of values")
struct ClassNamesTests {
  private func names(_ text: String, first: Int? = nil) -> [UInt16: String]? {
    ClassNames(Array(text.utf8), first: first)?.names
  }

  @Test("Names begin at 1, or at 0 where the first is background")
  func start() {
    #expect(names("cat\ndog\n") == [1: "cat", 2: "dog"])
    #expect(names("_background_\ncat\n") == [0: "_background_", 1: "cat"])
    #expect(names("__ignore__\n_background_\ncat") == [0: "_background_", 1: "cat"])
    #expect(names("Sky\r\nCar\r\n", first: 0) == [0: "Sky", 1: "Car"])
  }

  @Test("Values before names are taken as they are")
  func numbered() {
    #expect(names("0: sky\n7 car park\n") == [0: "sky", 7: "car park"])
    #expect(names("3 wheeler\ncar\n") == [1: "3 wheeler", 2: "car"])
    #expect(ClassNames(Array("0: sky\n1: car".utf8))?.hasBackground == false)
    #expect(ClassNames(Array("1: sky\n2: car".utf8))?.hasBackground == true)
  }

  @Test("Files of other things are no lists of names")
  func others() {
    #expect(names("a.png\nb.png\n") == nil)
    #expect(names("\n \n") == nil)
    #expect(ClassNames([0xFF, 0xFE, 0x41]) == nil)
    #expect(names(String(repeating: "x\n", count: 300)) == nil)
  }

  @Test("Values of one name are one class, and what has no name is void")
  func unify() {
    let classes = IndexClasses([1: "cat", 2: "dog", 4: "cat", 5: "Void"], hasBackground: true)
    #expect(classes.categories.keys.sorted() == [1, 2, 5])
    var raster = Raster<UInt8>(repeating: 0, width: 6, height: 1)
    raster.elements = [0, 1, 4, 9, 255, 2]
    var counts = Array(repeating: 0, count: 256)
    for value in raster.elements { counts[Int(value)] += 1 }
    #expect(classes.unify(&raster, counts: counts) == [9])
    #expect(raster.elements == [0, 1, 1, 5, 5, 2])
  }
}
