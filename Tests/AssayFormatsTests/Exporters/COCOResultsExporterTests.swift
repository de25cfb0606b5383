import AssayCore
import AssayFormats
import Testing

@Suite("COCO results")
struct COCOResultsExporterTests {
  @Test("A result is a line with ids as they were, size as height and width, and compressed runs")
  func write() throws {
    // Column by column: 2 background, 3 set, 1 background. pycocotools 2.0.11 compresses [2, 3, 1] to "231".
    let size = ImageSize(width: 3, height: 2)
    let mask = try Mask(size: size, runs: [2, 3, 1])
    var exporter = COCOResultsExporter()
    var bytes: [UInt8] = []
    exporter.begin(&bytes)
    exporter.write(
      image: .integer(9_007_199_254_740_993), category: .integer(1), mask: mask, score: 0.75,
      to: &bytes)
    exporter.write(
      image: .text("a \"b\".png"), category: .text("1"), mask: mask, score: 1, to: &bytes)
    exporter.end(&bytes)
    let text = String(decoding: bytes, as: UTF8.self)
    let lines = text.split(separator: "\n")
    #expect(lines.count == 4 && lines.first == "[" && lines.last == "]")
    #expect(
      lines[1]
        == #"{"image_id":9007199254740993,"category_id":1,"segmentation":{"size":[2,3],"counts":"231"},"score":0.75},"#
    )
    #expect(lines[2].hasPrefix(#"{"image_id":"a \"b\".png","category_id":"1","#))
  }

  @Test("No result is an empty list")
  func none() throws {
    let exporter = COCOResultsExporter()
    var bytes: [UInt8] = []
    exporter.begin(&bytes)
    exporter.end(&bytes)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(try JSONValue(parsing: text).elements?.isEmpty == true)
  }
}
