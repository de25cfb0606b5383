import AssayCore
import AssayFormats
import Testing

@Suite("Files that are not COCO")
struct COCOBadFileTests {
  /// A file, and the expected message.
  static let cases: [(String, String)] = [
    (
      "{\"images\":[],\"annotations\":[{\"id\":1,\"image_id\":2}",
      "a.json: broken JSON at byte 49: the file ends there in the middle of a value: it is cut off"
    ),
    (
      "{\"images\":[{\"id\":5 \"file_name\":\"a.jpg\"}],\"annotations\":[]}",
      "a.json: broken JSON at byte 19: a comma, a colon, a quote or a bracket is wrong"
    ),
    (
      "{\"images\":[{\"id\":5,\"file_name\":\"a.jpg\"}],\"annotations\":[{\"id\":01}]}",
      "a.json: broken JSON at byte 62: not a number"
    ),
    (
      "{\"images\":[{\"id\":5,\"file_name\":\"a.jpg\"]],\"annotations\":[]}",
      "a.json: broken JSON at byte 38: the bracket closes another kind (found ']')"
    ),
    (
      "{\"images\":[{\"id\":5,\"file_name\":\"a.jpg\"}],\"annotations\":[]} x",
      "a.json: broken JSON at byte 59: text after the end of the object (found 'x')"
    ),
    (
      "{\"images\":[{\"id\":5,\"file_name\":\"a\\q.jpg\"}],\"annotations\":[]}",
      "a.json: broken JSON at byte 33: a control character or a bad escape in a text"
    ),
    (
      "{\"images\":[{\"id\":5,\"file_name\":\"a.jpg\",\"x\":nul}],\"annotations\":[]}",
      "a.json: broken JSON at byte 43: neither null, true nor false"
    ),
    (
      "{\"info\":{\"a\":tru},\"images\":[{\"id\":5,\"file_name\":\"a.jpg\"}],\"annotations\":[]}",
      "a.json: broken JSON at byte 13: neither null, true nor false"
    ),
    (
      "{\"images\":{\"5\":\"a.jpg\"},\"annotations\":[{\"image_id\":5,\"bbox\":[1,2,3,4]}]}",
      "a.json: 'images' must be a list (byte 10)"
    ),
    (
      "{\"annotations\":[{\"image_id\":5,\"bbox\":[1,2,3,4]}]}",
      "a.json: 'images' is missing, so it is not a COCO file"
    ),
    (
      "{\"shapes\":[]}",
      "a.json: it is a JSON object, but in no format that assay imports\n  lvis: it is not a JSON object with 'images' and 'annotations'\n"
    ),
    (
      "[{\"image_id\":1,\"score\":0.5}]",
      "a.json: it is a JSON list, but in no format that assay imports (a list may be a model's results)\n"
    ),
  ]

  @Test("A person reads what is wrong and where", arguments: cases.indices)
  func messages(place: Int) throws {
    let (text, message) = Self.cases[place]
    let tree = MemoryTree(text, name: "a.json")
    let error = try #require(throws: FormatError.self) {
      let detection = try FormatDetector.detect(tree)
      #expect(detection.format == .coco)
      _ = try COCOCollected(tree)
    }
    #expect("\(error)".hasPrefix(message), "\(error)")
  }

  @Test(
    "A polygon with a comma too many or too few is refused, not read as far as it goes",
    arguments: [
      "[[0,0,9.25,0 9,9]]", "[[0,0,9.25,0,9,9,]]", "[0,0,9,0,9 9]", "[[0,0,9.125,0,9,9,]]",
    ])
  func commas(polygons: String) throws {
    let file = SmallCOCO.file(annotations: SmallCOCO.annotation(["segmentation": polygons]))
    let error = try #require(throws: FormatError.self) {
      _ = try COCOCollected(MemoryTree(file, name: "a.json"))
    }
    #expect("\(error)".hasPrefix("a.json: broken JSON at byte "), "\(error)")
  }

  @Test("Brackets deeper than 64 levels are refused")
  func depth() throws {
    func file(_ levels: Int) -> String {
      let extra = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
      return SmallCOCO.file(annotations: SmallCOCO.annotation(["x": extra]))
    }
    // The object, the list and the annotation are three levels.
    #expect(try COCOCollected(file(61)).regions.count == 1)
    let error = try #require(throws: FormatError.self) { try COCOCollected(file(62)) }
    #expect("\(error)".contains("nested deeper than 64 levels"))
    let deep = try #require(throws: FormatError.self) { try COCOCollected(file(100_000)) }
    #expect("\(deep)".contains("nested deeper than 64 levels"))
  }

  @Test("An element over the limit is refused, not read")
  func large() throws {
    let text = String(repeating: "x", count: 17 << 20)
    let error = try #require(throws: FormatError.self) {
      try COCOCollected(
        SmallCOCO.file(annotations: SmallCOCO.annotation(["x": "\"\(text)\""])))
    }
    #expect("\(error)".contains("longer than 16 MiB, the limit"))
  }

  @Test("Options that mean nothing are refused")
  func options() throws {
    let file = SmallCOCO.file(annotations: SmallCOCO.annotation())
    #expect(throws: FormatError.unusedOption("--classes", format: .coco)) {
      try COCOCollected(file, ImportOptions(classes: ["a"]))
    }
    #expect(throws: FormatError.unusedOption("--size", format: .coco)) {
      try COCOCollected(file, ImportOptions(size: ImageSize(width: 1, height: 1)))
    }
  }

  @Test("Blanks, a byte order mark, and members in any order change nothing")
  func spelling() throws {
    let plain = SmallCOCO.file(annotations: SmallCOCO.annotation())
    let expected = try COCOCollected(plain)
    let spaced = plain.replacing(",", with: " ,\r\n\t").replacing(":", with: " : ")
      .replacing("[", with: "[ ").replacing("]", with: " ]")
    let marked = "\u{FEFF} " + spaced + "\n\n"
    let found = try COCOCollected(marked)
    #expect(found.regions == expected.regions)
    #expect(found.samples == expected.samples)
    let turned = """
      {"categories":[{"id":7,"name":"b"}],"annotations":[\(SmallCOCO.annotation())],"x":"]}",
      "images":[{"id":5,"width":10,"height":5,"file_name":"a.jpg"}]}
      """
    #expect(try COCOCollected(turned).regions == expected.regions)
  }
}
