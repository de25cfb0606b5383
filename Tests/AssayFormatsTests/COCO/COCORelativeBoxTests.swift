import AssayCore
import AssayFormats
import AssayTestSupport
import Foundation
import Testing

@Suite("COCO files with relative boxes")
struct COCORelativeBoxTests {
  private static func file(_ boxes: [String], side: Int = 640, polygon: String = "[]") -> String {
    SmallCOCO.file(
      images: "{\"id\":5,\"width\":\(side),\"height\":\(side),\"file_name\":\"a.jpg\"}",
      annotations: boxes.enumerated().map { place, box in
        SmallCOCO.annotation([
          "id": "\(place + 1)", "bbox": box, "segmentation": polygon, "area": "0.1",
        ])
      }.joined(separator: ","))
  }

  private func refusal(_ text: String) -> String? {
    do {
      _ = try COCOCollected(text)
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test("A file whose boxes are all between 0 and 1 is refused, with the program that converts it")
  func refused() throws {
    let text = try #require(
      refusal(Self.file(["[0.1,0.2,0.5,0.25]", "[0,0,1,1]", "[0.4,0.5,0.6,0.5000001]"])))
    #expect(text.contains("all 3 boxes lie between 0 and 1, in images of up to 640×640"))
    #expect(text.contains("jq '(.images | INDEX(.id))") && text.contains("' a.json > pixels.json"))
    #expect(
      refusal(Self.file(["[0.1,0.2,0.5,0.25]"]))?.contains("its only box lies between") == true)
    #expect(
      refusal(Self.file(["[0.1,0.2,0.3,0.1]"], polygon: "[[0.1,0.2,0.4,0.2,0.4,0.3]]")) != nil)
  }

  @Test("One box of pixels, boxes of whole pixels, and tiny images are read as they are")
  func kept() {
    #expect(refusal(Self.file(["[0.1,0.2,0.5,0.25]", "[0.5,0.5,0.6,0.1]"])) == nil)
    #expect(refusal(Self.file(["[0,0,1,1]"])) == nil)
    #expect(refusal(Self.file(["[0.25,0.25,0.5,0.5]"], side: 8)) == nil)
    #expect(refusal(Self.file([])) == nil)
  }
}
