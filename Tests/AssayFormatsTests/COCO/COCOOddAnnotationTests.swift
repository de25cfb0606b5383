import AssayCore
import AssayFormats
import Testing

@Suite("Odd COCO annotations")
struct COCOOddAnnotationTests {
  @Test(
    "Each oddity is an issue with its place, and kept, corrected or left out",
    arguments: OddAnnotation.cases)
  func oddity(_ test: OddAnnotation) throws {
    let found = try COCOCollected(
      SmallCOCO.file(
        annotations: SmallCOCO.annotation(test.changes) + ","
          + SmallCOCO.annotation(["id": "12", "image_id": "6"])))
    let region = found.regions.first { $0.ordinal == 0 }
    #expect(found.odd.map(\.kind) == test.kinds, "\(found.odd)")
    let issue = try #require(
      found.odd.first { $0.message.contains(test.says) }, "\(found.odd.map(\.message))")
    #expect(issue.severity == test.severity)
    #expect(issue.location == IssueLocation(file: "a.json", pointer: test.pointer))
    #expect(region?.shape == test.shape)
    if let region {
      #expect(region.area == test.area)
      #expect(region.box == test.box)
    }
    #expect(found.isBalanced)
  }

  @Test("A box without a segmentation, as files of detectors have, makes no issue")
  func boxAlone() throws {
    for change in [nil, "[]"] as [String?] {
      let found = try COCOCollected(
        SmallCOCO.file(annotations: SmallCOCO.annotation(["segmentation": change])))
      #expect(found.odd.isEmpty, "\(found.odd)")
      #expect(found.regions.map(\.shape) == [.box])
      #expect(found.regions.map(\.box) == [Box(x: 1, y: 1, width: 3, height: 2)])
    }
  }

  @Test("An annotation that is right makes no issue, and keeps what it says")
  func sound() throws {
    let further = [
      "keypoints": "[1, 2, 2,  0,0,0]", "num_keypoints": "1",
      "attributes": "{\"z\": 1.50, \"a\":\"é\\u0041\"}",
    ]
    let found = try COCOCollected(
      SmallCOCO.file(annotations: SmallCOCO.annotation(further)))
    #expect(found.odd.isEmpty)
    #expect(
      found.regions == [
        COCOCollected.Region(
          key: "a.jpg", category: "b", ordinal: 0, shape: .polygon, isCrowd: false, area: 6,
          box: Box(x: 1, y: 1, width: 3, height: 2), id: .integer(11),
          attributes:
            "{\"attributes\":{\"a\":\"éA\",\"z\":1.50},\"keypoints\":[1,2,2,0,0,0],\"num_keypoints\":1}",
          geometry: .polygons([[1, 1, 4, 1, 4, 3, 1, 3]]))
      ])
    #expect(found.categories.map(\.sourceID) == [.integer(1), .integer(7)])
    #expect(found.categories.map(\.supercategory) == ["x", "x"])
    #expect(found.ids == [.integer(5), .integer(6)])
  }

  @Test("Both forms of run lengths are one mask; crowds and holes are kept")
  func runs() throws {
    // Column-major in 10 × 5: 6 background, 3 set, 41 background. As COCO's string: 6, 3, 41 (9 + 32·1).
    let annotations = [
      SmallCOCO.annotation([
        "segmentation": "{\"counts\":[6,3,41],\"size\":[5,10]}", "iscrowd": "1",
      ]),
      SmallCOCO.annotation([
        "id": "12", "segmentation": "{\"size\":[5,10],\"counts\":\"63Y1\"}", "area": nil,
        "bbox": nil,
      ]),
    ]
    let found = try COCOCollected(SmallCOCO.file(annotations: annotations.joined(separator: ",")))
    let mask = try Mask(size: ImageSize(width: 10, height: 5), runs: [6, 3, 41])
    #expect(found.regions.map(\.geometry) == [.mask(mask), .mask(mask)])
    #expect(found.regions.map(\.isCrowd) == [true, false])
    // The second column's rows 1 to 3.
    #expect(found.regions[1].area == 3)
    #expect(found.regions[1].box == Box(x: 1, y: 1, width: 1, height: 3))
  }

  @Test("Coordinates with many digits are kept to the bit")
  func digits() throws {
    let numbers = "0.1234567,1.005,4.1,1e0,4.125,3,-0.0,3.30"
    let found = try COCOCollected(
      SmallCOCO.file(annotations: SmallCOCO.annotation(["segmentation": "[[\(numbers)]]"])))
    guard case .polygons(let polygons)? = found.regions.first?.geometry else {
      throw COCOCollected.Unordered()
    }
    let expected: [Double] = [0.1234567, 1.005, 4.1, 1, 4.125, 3, -0.0, 3.3]
    #expect(polygons.map { $0.map(\.bitPattern) } == [expected.map(\.bitPattern)])
  }

  @Test("A repeated id is reported, and both annotations are kept")
  func repeated() throws {
    let twice = SmallCOCO.annotation() + "," + SmallCOCO.annotation(["image_id": "6"])
    let found = try COCOCollected(SmallCOCO.file(annotations: twice))
    #expect(found.odd.map(\.kind) == [.duplicateID])
    #expect(found.odd.first?.location.pointer == "/annotations/1/id")
    #expect(found.regions.map(\.key) == ["a.jpg", "b.jpg"])
  }

  @Test("Of what a whole file leaves out, some are listed and all counted")
  func counted() throws {
    let many = (0..<350).map { SmallCOCO.annotation(["id": "\($0 + 1)", "area": nil]) }
    let found = try COCOCollected(SmallCOCO.file(annotations: many.joined(separator: ",")))
    #expect(found.odd.count == 101)
    #expect(
      found.odd.last?.message
        == "250 more annotations without 'area' (350 in all) were counted and not listed")
    #expect(found.regions.count == 350)
  }
}
