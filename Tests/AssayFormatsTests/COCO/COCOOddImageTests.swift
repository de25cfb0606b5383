import AssayCore
import AssayFormats
import AssayTestSupport
import Foundation
import Testing

@Suite("Odd COCO images and categories")
struct COCOOddImageTests {
  private func collected(
    images: String, annotations: String = SmallCOCO.annotation()
  ) throws -> COCOCollected {
    try COCOCollected(SmallCOCO.file(images: images, annotations: annotations))
  }

  private static let fine = "{\"id\":5,\"width\":10,\"height\":5,\"file_name\":\"a.jpg\"}"

  /// An invalid property of an image: the image, the issue's kind, whether it is left out, its
  /// location and its message.
  static let cases: [(String, IssueKind, Bool, String, String)] = [
    ("{\"id\":6,\"width\":10,\"height\":5}", .badField, true, "/images/1/file_name", "is missing"),
    ("7", .badField, true, "/images/1", "is not an object"),
    (
      "{\"id\":6,\"width\":10,\"height\":5,\"file_name\":\"../b.jpg\"}", .outsideRoot, true,
      "/images/1/file_name", "is outside the image folder"
    ),
    (
      "{\"id\":6,\"width\":10,\"height\":5,\"file_name\":\"/data/b.jpg\"}", .outsideRoot, true,
      "/images/1/file_name", "is outside the image folder"
    ),
    (
      "{\"id\":6,\"width\":10,\"height\":5,\"file_name\":\"C:\\\\x\\\\b.jpg\"}", .outsideRoot, true,
      "/images/1/file_name", "is outside the image folder"
    ),
    (
      "{\"id\":6,\"width\":60000,\"height\":60000,\"file_name\":\"b.jpg\"}", .imageTooLarge, true,
      "/images/1", "60000×60000 is more than 100 megapixels"
    ),
    (
      "{\"id\":5,\"width\":10,\"height\":5,\"file_name\":\"b.jpg\"}", .duplicateID, true,
      "/images/1/id", "another image has this id"
    ),
    (
      "{\"id\":6,\"width\":10,\"height\":5,\"file_name\":\"a.jpg\"}", .duplicateID, false,
      "/images/1/file_name", "kept as a.jpg#2"
    ),
    (
      "{\"width\":10,\"height\":5,\"file_name\":\"b.jpg\"}", .missingField, false, "/images/1/id",
      "no annotation can refer to it"
    ),
    (
      "{\"id\":\"six\",\"width\":10,\"height\":5,\"file_name\":\"b.jpg\"}", .badField, false,
      "/images/1/id", "its id is a text"
    ),
    (
      "{\"id\":6,\"height\":5,\"file_name\":\"b.jpg\"}", .missingField, false, "/images/1",
      "'width' is missing; kept without a size"
    ),
    (
      "{\"id\":6,\"width\":0,\"height\":5,\"file_name\":\"b.jpg\"}", .badField, false, "/images/1",
      "0×5 is not a valid size"
    ),
    (
      "{\"id\":6,\"width\":NaN,\"height\":5,\"file_name\":\"b.jpg\"}", .badField, false,
      "/images/1", "NaN or infinite"
    ),
    (
      "{\"id\":6,\"width\":\"10\",\"height\":5.0,\"file_name\":\"b.jpg\"}", .badField, false,
      "/images/1", "taken as 10×5"
    ),
  ]

  @Test("Each oddity of an image is an issue with its place", arguments: cases.indices)
  func oddity(place: Int) throws {
    let (image, kind, isLeftOut, pointer, says) = Self.cases[place]
    let found = try collected(images: Self.fine + "," + image)
    let issue = try #require(found.odd.first, "\(image)")
    #expect(found.odd.map(\.kind) == [kind], "\(found.odd)")
    #expect(issue.severity == (isLeftOut ? .error : .warning))
    #expect(issue.location.pointer == pointer)
    #expect(issue.message.contains(says), "\(issue.message)")
    #expect(found.samples.count == (isLeftOut ? 1 : 2))
    #expect(found.run.outcome.rejected == (isLeftOut ? 1 : 0))
    #expect(found.isBalanced)
  }

  @Test("Annotations of an image that is left out are left out with it")
  func orphans() throws {
    let found = try collected(
      images: Self.fine + ",{\"id\":6,\"width\":10,\"height\":5,\"file_name\":\"../b.jpg\"}",
      annotations: SmallCOCO.annotation(["image_id": "6"]))
    #expect(found.odd.map(\.kind) == [.outsideRoot, .unknownReference])
    #expect(
      found.odd.last?.message
        == "annotation 11: its image 6 was left out, so the annotation is left out too")
    #expect(found.regions.isEmpty)
  }

  @Test("A hundred thousand images of one name are told apart in no time")
  func manyOfOneName() throws {
    let images = (0..<100_000).map {
      "{\"id\":\($0),\"width\":1,\"height\":1,\"file_name\":\"a\"}"
    }
    let found = try collected(images: images.joined(separator: ","))
    #expect(found.samples.last == "a#100000")
    #expect(found.odd.count == 10_001 + 1)
  }

  @Test("Sizes that are missing are taken from the files; names are corrected if possible")
  func files() throws {
    let png = Array(
      try Data(
        contentsOf: PackageFolder.fixture("image-folder/classes/cat/1.png")))
    let json = SmallCOCO.file(
      images: """
        {"id":5,"file_name":"a.png"},{"id":6,"file_name":"sub\\\\b.png","width":1,"height":1},
        {"id":7,"file_name":"/home/me/set/images/c.png","width":1,"height":1}
        """, annotations: "")
    let found = try COCOCollected(
      MemoryTree(folder: [
        "x.json": Array(json.utf8), "images/a.png": png, "images/sub/b.png": png,
        "images/c.png": png,
      ]))
    #expect(found.samples == ["images/a.png", "images/sub/b.png", "images/c.png"])
    #expect(found.sizes[0] != nil)
    #expect(
      found.odd.map(\.kind) == [.missingField, .badField, .imageSize, .badField, .imageSize])
    #expect(
      found.odd[1].message.contains(
        "uses backslashes instead of slashes; taken as images/sub/b.png"))
    #expect(found.odd[3].message.contains("is an absolute path; taken as images/c.png"))
    #expect(found.run.lists?.imagesFound == 3)
  }

  @Test("Checked images are decoded: those that cannot be, and those of another size, are told")
  func checked() throws {
    let png = Array(
      try Data(
        contentsOf: PackageFolder.fixture("image-folder/classes/cat/1.png")))
    let json = SmallCOCO.file(
      images: """
        {"id":5,"file_name":"a.png","width":999,"height":1},
        {"id":6,"file_name":"b.png","width":1,"height":1}
        """, annotations: "")
    let tree = MemoryTree(folder: [
      "x.json": Array(json.utf8), "a.png": png, "b.png": Array(png.dropLast(20)),
    ])
    // The header tells the size without decoding, and not that the image is cut.
    let plain = try COCOCollected(tree)
    #expect(plain.odd.map(\.kind) == [.imageSize, .imageSize])
    #expect(
      plain.run.notes == [
        "the stated size was compared with the image file for 2 of 2 images: 2 differ"
      ])
    let found = try COCOCollected(tree, ImportOptions(checksImages: true))
    #expect(found.odd.map(\.kind) == [.imageSize, .unreadableImage])
    #expect(found.odd[0].message.contains("and its annotations are for 999×1; kept"))
    #expect(found.run.notes.isEmpty)
  }

  @Test(
    "Of many images a sample is compared, the same for any number of workers, and the note says so")
  func comparedSizes() throws {
    let count = 2_500
    func tree(_ wrong: Set<Int>) -> MemoryTree {
      var files: [String: [UInt8]] = [:]
      let images = (0..<count).map { place -> String in
        files["images/\(place).png"] = DatasetLayout.png
        return "{\"id\":\(place),\"width\":\(wrong.contains(place) ? 4 : 3),\"height\":2,"
          + "\"file_name\":\"\(place).png\"}"
      }
      files["x.json"] = Array(
        SmallCOCO.file(images: images.joined(separator: ","), annotations: "").utf8)
      return MemoryTree(folder: files)
    }
    let fine = try COCOCollected(tree([]))
    #expect(fine.odd.isEmpty)
    #expect(
      fine.run.notes == [
        "the stated size was compared with the image file for 1000 of 2500 images: none differs; "
          + "--check-images compares all"
      ])
    // Any 2 of 5 neighbors are not all missed.
    let odd = try COCOCollected(tree(Set(0..<count)), ImportOptions(workers: 1))
    #expect(odd.odd.count == 1_000)
    #expect(
      try COCOCollected(tree(Set(0..<count)), ImportOptions(workers: 3, blockBytes: 999)).odd
        == odd.odd)
  }

  @Test("Odd categories are told; each id of one name is a class of its own")
  func categories() throws {
    let found = try COCOCollected(
      SmallCOCO.file(
        categories: """
          {"id":7,"name":"b"},{"id":9,"name":"b"},{"id":7,"name":"c"},{"name":"d"},{"id":"x","name":"e"},
          {"id":3},{"id":0,"name":"zero"}
          """,
        annotations: SmallCOCO.annotation(["category_id": "9"]) + ","
          + SmallCOCO.annotation(["id": "12", "category_id": "\"7\""])))
    #expect(found.categories.map(\.name) == ["b", "b (id 9)", "e", "category 3", "zero"])
    #expect(found.regions.map(\.category) == ["b (id 9)", "b"])
    #expect(
      found.odd.map(\.location.pointer) == [
        "/categories/2/id", "/categories/3/id", "/categories/4/id", "/categories/5/name",
        "/categories/1/name", "/annotations/1/category_id",
      ])
  }

  @Test("Missing info and licenses are told once")
  func information() throws {
    let found = try COCOCollected(SmallCOCO.file(annotations: SmallCOCO.annotation()))
    #expect(found.issues.count { $0.message.hasPrefix("'info' and 'licenses' are missing") } == 1)
    let whole = try COCOCollected(
      SmallCOCO.file(annotations: SmallCOCO.annotation(), first: "\"info\":{},\"licenses\":[],"))
    #expect(!whole.issues.contains { $0.message.contains("licenses") })
  }

  @Test("Further fields of an image are kept, but not those of its origin")
  func furtherFields() throws {
    let fields = """
      {"id":5,"width":10,"height":5,"file_name":"a.jpg","license":1,"coco_url":"u","flickr_url":"f",
      "date_captured":"2013","subject":"s1","z":{"b":1e400,"a":[1.50,NaN,-1E+999,1e-400,1e308]},"subject":"s2"}
      """
    let found = try collected(images: fields)
    #expect(found.fields == [#"{"subject":"s2","z":{"a":[1.50,null,null,1e-400,1e308],"b":null}}"#])
    let nulled = found.issues.filter { $0.message.contains("is NaN or infinite") }
    #expect(nulled.map { "\($0.kind) \($0.location)" } == ["badField a.json#/images/0"])
  }
}
