import AssayCore
import AssayImaging
import AssayMetrics
import AssayStore
import Foundation
import Testing

@testable import AssayReports
@testable import AssayWorkflows

@Suite("Pictures of objects lost and won")
struct DetectionComparisonPicturesTests {
  /// The catalog of the comparison's tests with gray images: `a.png` exists, `b.png` does not.
  private func pairing() throws -> (world: DetectCatalog, pairing: ComparedRuns<DetectionPairing>) {
    let world = try DetectCatalog.small()
    try world.results(
      world.write("second.json", DetectionComparerTests.secondResults), as: "s")
    let png = try AssayPNG.bytes(Raster(repeating: 128, width: 100, height: 100))
    try Data(png).write(to: world.folder.appending(path: "a.png"))
    let pairing = try Comparer<ObjectDetection>(catalog: world.catalog).compare(
      "r", "s", EvaluationSettings())
    return (world, pairing)
  }

  private func drawing(
    _ change: ObjectChange, _ world: DetectCatalog, _ pairing: ComparedRuns<DetectionPairing>
  ) throws -> ObjectChangeDrawing {
    return ObjectChangeDrawing(
      change: change, size: pairing.samples[change.sample].size, classes: pairing.classes,
      first: try pairing.first.objects(at: [change.sample], in: world.catalog)[0],
      second: try pairing.second.objects(at: [change.sample], in: world.catalog)[0],
      overlap: pairing.matching.overlap)
  }

  @Test("There is a sheet of the lost, one of the won, and one of both; the same each time")
  func sheets() throws {
    let (world, pairing) = try pairing()
    let pictures = ComparisonPictures(catalog: world.catalog, comparison: pairing.whole)
    let sheets = try pictures.sheets()
    let lost = try AssayPNG.stored(try #require(sheets.lost))
    #expect(lost.channels == 3 && lost.width >= 320)
    #expect(sheets.won != nil && sheets.won != sheets.lost)
    let both = try pictures.together()
    #expect(try AssayPNG.stored(both).width > 2 * 128)
    #expect(try pictures.together() == both)
  }

  @Test("A caption says the class and what either run says of the object")
  func captions() throws {
    let (world, pairing) = try pairing()
    #expect(try drawing(pairing.lost[0], world, pairing).caption == "cat: 0.90 → 0.10")
    #expect(try drawing(pairing.won[0], world, pairing).caption == "cat: as dog 0.80 → 0.70")
    var change = pairing.lost[0]
    change.second = ObjectAnswer(.place, prediction: 0, category: 0, confidence: 0.9, iou: 0.25)
    #expect(try drawing(change, world, pairing).caption == "cat: 0.90 → IoU 0.25")
    change.second = ObjectAnswer(.both, prediction: 0, category: 1, confidence: 0.9, iou: 0.2)
    #expect(try drawing(change, world, pairing).caption == "cat: 0.90 → as dog, IoU 0.20")
    change.second = ObjectAnswer(.nothing)
    #expect(try drawing(change, world, pairing).caption == "cat: 0.90 → –")
  }

  @Test("The truth is blue, the second run orange and the first black and white, around the object")
  func colors() throws {
    let (world, pairing) = try pairing()
    // Boxes in the same place hide each other: the ground truth at 60, the first run's at 62, the
    // second's at 58.
    var change = pairing.won[0]
    change.first.prediction = 0
    change.second.prediction = 0
    var drawing = try drawing(change, world, pairing)
    drawing.first.detections[0].box = Box(x: 62, y: 10, width: 20, height: 20)
    drawing.second.detections[0].box = Box(x: 58, y: 10, width: 20, height: 20)
    let picture = try drawing.drawn(
      over: Raster(repeating: 128, width: 100, height: 100), longest: 240)
    // Enlarged by an integer factor.
    #expect(picture.width > 100)
    var colors: Set<RGB> = []
    for pixel in stride(from: 0, to: picture.elements.count, by: 3) {
      colors.insert(
        RGB(
          picture.elements[pixel], picture.elements[pixel + 1], picture.elements[pixel + 2]))
    }
    for color in [Ink.truth.light, Ink.prediction.light, RGB(0, 0, 0), RGB(255, 255, 255)] {
      #expect(colors.contains(color), "\(color.css)")
    }
  }

  @Test("Where no picture can be had there is no sheet")
  func noPictures() throws {
    let (world, pairing) = try pairing()
    try FileManager.default.removeItem(at: world.folder.appending(path: "a.png"))
    let sheets = try ComparisonPictures(catalog: world.catalog, comparison: pairing.whole).sheets()
    #expect(sheets.lost == nil && sheets.won == nil)
  }
}
