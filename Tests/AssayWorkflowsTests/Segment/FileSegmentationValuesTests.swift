import AssayCore
import AssayImaging
import Foundation
import Testing

import AssayWorkflows

/// Images whose values would change if they were read as 8-bit gray, so that every resulting number
/// would be wrong.
@Suite("Ambiguous values of mask files")
struct FileSegmentationValuesTests {
  /// 4 × 1 pixels of 16 bits, 0 1 2 3; made with Pillow 13.0.0, like the next.
  private static let deep =
    "iVBORw0KGgoAAAANSUhEUgAAAAQAAAABEAAAAACMx4xSAAAAEUlEQVR4nGNkYGBgZGBkYAQAABsABf5fbVgAAAAASUVORK5CYII="
  /// 4 × 1 pixels with a palette of black and dark red, 0 1 1 0.
  private static let painted =
    "iVBORw0KGgoAAAANSUhEUgAAAAQAAAABAQMAAADD8p2OAAAABlBMVEUAAACAAABEUqJPAAAACklEQVR4nGNIAAAAYgBhsZh58gAAAABJRU5ErkJggg=="

  private static func picture(_ base64: String) throws -> Data {
    try #require(Data(base64Encoded: base64))
  }

  private static func gray(_ values: [UInt8]) throws -> Data {
    var raster = Raster<UInt8>(repeating: 0, width: values.count, height: 1)
    raster.elements = values
    return Data(try ImageCodec.encodePNG(raster))
  }

  private func evaluate(
    _ truth: Data, _ result: Data, classes: String? = nil, threshold: Double? = nil
  ) throws -> FileSegmentationResult {
    let root = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: root) }
    for (side, bytes) in [("gt", truth), ("pred", result)] {
      let folder = root.appending(path: side)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try bytes.write(to: folder.appending(path: "a.png"))
    }
    var settings = EvaluationSettings()
    settings.masks.threshold = threshold
    return try FileSegmentation(
      truth: root.appending(path: "gt").path, dt: root.appending(path: "pred").path,
      classes: classes
    ).evaluate(settings)
  }

  @Test("Masks of 16 bits are refused on either side: their upper 8 bits hold no class")
  func deepMasks() throws {
    let labels = try Self.gray([0, 1, 2, 3])
    let deep = try Self.picture(Self.deep)
    #expect(throws: FileSegmentationError.deepMask(file: "pred/a.png", bits: 16)) {
      try evaluate(labels, deep, classes: "4")
    }
    #expect(throws: FileSegmentationError.deepMask(file: "gt/a.png", bits: 16)) {
      try evaluate(deep, labels, classes: "4")
    }
    #expect(throws: FileSegmentationError.deepMask(file: "pred/a.png", bits: 16)) {
      try evaluate(Self.gray([0, 255, 255, 0]), deep)
    }
    // Shades of 16 bits keep their meaning in 8 bits: nothing reaches half of 65,535 here.
    let shades = try evaluate(Self.gray([0, 255, 255, 0]), deep, threshold: 0.5)
    #expect(shades.scores[.meanIoU].value == 0)
  }

  @Test("A result of zeros and ones is a label map, not a mask in which nothing is set")
  func ones() throws {
    let truth = try Self.gray([0, 255, 255, 0])
    #expect(throws: FileSegmentationError.notBinary(file: "pred/a.png", value: 1)) {
      try evaluate(truth, Self.gray([0, 1, 1, 0]))
    }
    #expect(try evaluate(truth, Self.gray([0, 0, 0, 0])).scores[.meanIoU].value == 0)
    // Of 1, 2 and 200 only 200 is at least half of 255.
    let shades = try evaluate(truth, Self.gray([1, 2, 200, 0]))
    #expect(shades.scores[.meanIoU].value == 0.5)
    #expect(
      try evaluate(truth, Self.gray([0, 1, 1, 0]), threshold: 0.5).scores[.meanIoU].value == 0)
  }

  @Test("A result in a palette's colors is no mask in shades of gray")
  func palettes() throws {
    let painted = try Self.picture(Self.painted)
    // Dark red, 128 0 0, is 38 in gray.
    #expect(throws: FileSegmentationError.notBinary(file: "pred/a.png", value: 38)) {
      try evaluate(Self.gray([0, 255, 255, 0]), painted)
    }
    let labels = try evaluate(Self.gray([0, 1, 1, 0]), painted, classes: "2")
    #expect(labels.scores[.miou].value == 1)
  }
}
