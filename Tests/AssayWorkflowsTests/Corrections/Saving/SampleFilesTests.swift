import AssayCore
import AssayImaging
import Foundation
import Testing

import AssayWorkflows

/// Masks in files, and typed names.
struct SampleFilesTests {
  private func mask(_ raster: Raster<UInt8>, name: String = "m.png") throws -> Mask {
    let path = FileManager.default.temporaryDirectory.appending(
      path: "assay-\(UUID().uuidString)-\(name)")
    defer { try? FileManager.default.removeItem(at: path) }
    let bytes =
      name.hasSuffix(".jpg")
      ? try ImageCodec.encodeJPEG(raster) : try ImageCodec.encodePNG(raster)
    try Data(bytes).write(to: path)
    return try MaskFile.read(path.path)
  }

  @Test("A mask is what is not 0, in gray or in three equal channels")
  func read() throws {
    let expected = try SegmentCatalog.mask([".#", "#."])
    for inside: UInt8 in [1, 128, 255] {
      let gray = try #require(Raster(width: 2, height: 2, elements: [0, inside, inside, 0]))
      #expect(try mask(gray) == expected)
      let pixels = gray.elements.flatMap { [$0, $0, $0] }
      #expect(
        try mask(#require(Raster(width: 2, height: 2, channels: 3, elements: pixels))) == expected)
    }
    #expect(try mask(Raster(repeating: 255, width: 2, height: 2)).area == 4)
    #expect(try mask(Raster(repeating: 0, width: 2, height: 2)).isEmpty)
  }

  @Test("A mask of 16 bits counts in full: values below 256 are not lost")
  func wide() throws {
    let high = Raster<UInt8>(repeating: 0, width: 2, height: 2)
    for inside: UInt8 in [0, 1, 255] {
      let low = try #require(Raster(width: 2, height: 2, elements: [0, inside, inside, 0]))
      let path = FileManager.default.temporaryDirectory.appending(
        path: "assay-\(UUID().uuidString).png")
      defer { try? FileManager.default.removeItem(at: path) }
      try Data(ImageCodec.encodeWidePNG(high: high, low: low)).write(to: path)
      let expected =
        inside == 0
        ? Mask(emptyOf: ImageSize(width: 2, height: 2)) : try SegmentCatalog.mask([".#", "#."])
      #expect(try MaskFile.read(path.path) == expected)
    }
  }

  @Test("The error for a file that is not a mask says why and what to do")
  func refused() throws {
    func refusal(_ raster: Raster<UInt8>?, _ name: String = "m.png") throws -> String {
      do {
        return "\(try mask(#require(raster), name: name))"
      } catch let error as MaskFileError {
        return "\(error)"
      }
    }
    #expect(
      try refusal(Raster(width: 2, height: 2, elements: [0, 128, 255, 7]))
        .contains("4 different values (0, 7, 128, 255)"))
    #expect(
      try refusal(Raster(width: 2, height: 1, elements: [3, 9])).contains("2 different values"))
    #expect(
      try refusal(Raster(width: 1, height: 1, channels: 3, elements: [1, 2, 3]))
        .contains("in color"))
    #expect(
      try refusal(Raster(repeating: 0, width: 8, height: 8), "m.jpg").contains("is a JPEG"))
    #expect(throws: MaskFileError.self) { try MaskFile.read("/nowhere.png") }
    #expect(throws: MaskFileError.self) { try MaskFile.read("/") }
  }

  @Test("A sample's name ends its dataset at the first colon")
  func sampleName() {
    let name = SampleName("street:a b/c:d.png")
    #expect(name?.dataset == "street")
    #expect(name?.key == "a b/c:d.png")
    for text in ["street", "street:", ":a", ""] { #expect(SampleName(text) == nil) }
  }

  @Test("Objects are named by id, by place without one, and by the entry that made them")
  func objectName() throws {
    let world = try CorrectionFixture()
    let added = try world.add(.add(category: "car", world.mask("...#", "....")))
    let names = added.truth.objects.map { ObjectName.text($0.target, in: added.truth.history) }
    #expect(names == ["#0", "@1"])
    #expect(ObjectName.target("@1", in: added.truth) == .made(entry: added.entry.uuid))
    #expect(ObjectName.target("@2", in: added.truth) == nil)
    #expect(
      ObjectName.text(
        .annotation(set: "labels", sourceID: .integer(7), occurrence: 1), in: []) == "7#1")
  }
}
