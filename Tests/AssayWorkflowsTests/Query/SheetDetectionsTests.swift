import AssayCore
import AssayImaging
import AssayReports
import AssayStore
import Foundation
import Testing

@testable import AssayWorkflows

@Suite struct SheetDetectionsTests {
  private func world() throws -> DetectCatalog {
    let world = try DetectCatalog.small()
    for name in ["a.png", "b.png"] {
      let raster = Raster<UInt8>(repeating: 120, width: 100, height: 100, channels: 3)
      try Data(ImageCodec.encodePNG(raster)).write(to: world.folder.appending(path: name))
    }
    try world.save()
    return world
  }

  private func found(_ world: DetectCatalog, _ expression: String?) throws -> FoundSamples {
    try SampleSearch(catalog: world.catalog).search(expression, in: "set", limit: nil)
  }

  private func drawn(
    _ world: DetectCatalog, _ expression: String
  ) throws -> [String: SheetDetections.Drawn] {
    let found = try found(world, expression)
    let detections = try SheetDetections(catalog: world.catalog, found: found)
    let drawn = try detections.drawn(found.samples, in: world.catalog)
    return Dictionary(uniqueKeysWithValues: zip(found.samples.map(\.key), drawn))
  }

  @Test("What is wrong or missed of the run asked about stands out, what is right is thin")
  func wrong() throws {
    let drawn = try drawn(world(), "run(r).false_positives >= 0")
    // From 0.3 on: one cat is correct, one cat is detected as a dog; that cat and the dog are not
    // found.
    let first = try #require(drawn["a.png"])
    #expect(first.caption == "1 correct, 1 wrong, 2 missed")
    #expect(
      first.objects.filter { !$0.isFaint }.map { "\($0.side) \($0.name)" } == [
        "prediction dog", "truth cat", "truth dog",
      ])
    #expect(first.objects.count { $0.isFaint } == 2)
    #expect(try #require(drawn["b.png"]).caption == "0 correct, 0 wrong, 0 missed")
  }

  @Test("The least score asked about decides what is drawn")
  func score() throws {
    let drawn = try drawn(world(), "run(r, score: 0.1).false_positives >= 0")
    #expect(try #require(drawn["a.png"]).caption == "1 correct, 2 wrong, 2 missed")
    #expect(try #require(drawn["b.png"]).caption == "0 correct, 1 wrong, 0 missed")
  }

  @Test("Of two runs the first is what the second is compared with")
  func two() throws {
    let world = try world()
    try world.results(world.write("other.json", DetectCatalog.smallResults), as: "s")
    try world.save("s")
    let found = try found(
      world, "run(r).false_negatives > 0 and run(s).false_negatives > 0")
    let detections = try SheetDetections(catalog: world.catalog, found: found)
    #expect(detections.sides.map(\.name) == ["ground truth", "r", "s"])
    let drawn = try detections.drawn(found.samples, in: world.catalog)
    #expect(drawn[0].objects.count { $0.side == .earlier } == 2)
  }

  @Test("A sheet about a run names truth and run; one about the data draws boxes by class")
  func sheets() throws {
    let world = try world()
    for expression in [nil, "run(r).false_positives > 0"] {
      let sheet = try SampleSheet(catalog: world.catalog, found: found(world, expression)).draw()
      #expect(sheet.pictures == (expression == nil ? 2 : 1))
      let picture = try ImageCodec.decode(sheet.png, as: .rgb8)
      func has(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Bool {
        (0..<picture.width * picture.height).contains { pixel in
          picture.elements[pixel * 3] == red && picture.elements[pixel * 3 + 1] == green
            && picture.elements[pixel * 3 + 2] == blue
        }
      }
      // The orange of predictions; the first class's color.
      #expect(has(0xD5, 0x5E, 0x00) == (expression != nil))
      #expect(has(0xE6, 0x9F, 0x00) == (expression == nil))
    }
  }
}
