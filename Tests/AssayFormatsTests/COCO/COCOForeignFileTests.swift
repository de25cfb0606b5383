import AssayCore
import Testing

@testable import AssayFormats

@Suite("Files of COCO's family with rules of their own")
struct COCOForeignFileTests {
  private static let images = #""images":[{"id":1,"file_name":"a.jpg","width":9,"height":9}"#
  private static let categories = #""categories":[{"id":1,"name":"a"}]"#
  private static let box =
    #"{"id":1,"image_id":1,"category_id":1,"bbox":[1,1,3,3],"area":9,"iscrowd":0}"#

  /// A ground-truth file, and the text that identifies it.
  struct Case: Sendable, CustomTestStringConvertible {
    var text: String
    var kind: COCOForeignFile.Kind
    var pointer: String
    var testDescription: String { pointer + " \(kind)" }
  }

  static let truths: [Case] = [
    Case(
      text: "{\(images),{\"id\":2,\"file_name\":\"b.jpg\",\"width\":9,\"height\":9,"
        + "\"neg_category_ids\":[]}],\(categories),\"annotations\":[\(box)]}",
      kind: .lvis, pointer: "/images/1"),
    Case(
      text: "{\(images),{\"id\":2,\"file_name\":\"b.jpg\",\"width\":9,\"height\":9,"
        + "\"not_exhaustive_category_ids\":[1]}],\(categories),\"annotations\":[\(box)]}",
      kind: .lvis, pointer: "/images/1"),
    Case(
      text: "{\(images)],\(categories),\"annotations\":[\(box),"
        + #"{"id":2,"image_id":1,"category_id":1,"bbox":[1,1,3,3, 0.5 ],"area":9,"iscrowd":0}]}"#,
      kind: .orientedBoxes, pointer: "/annotations/1/bbox"),
    Case(
      text: "{\(images)],\(categories),\"annotations\":[\(box),"
        + #"{"image_id":1,"file_name":"a.png","segments_info":[{"id":1,"category_id":1}]}]}"#,
      kind: .panoptic, pointer: "/annotations/1"),
  ]

  @Test(
    "Ground truth of LVIS, of oriented boxes and of panoptic maps is refused", arguments: truths)
  func truth(_ file: Case) {
    let expected = COCOForeignFile(file: "gt.json", pointer: file.pointer, kind: file.kind)
    let tree = MemoryTree(Array(file.text.utf8), name: "gt.json")
    for regions in [false, true] {
      #expect(throws: expected) {
        try COCOTruthReader(tree, workers: 2).read(regions: regions)
      }
    }
    #expect(throws: expected) { try COCOCollected(tree) }
  }

  @Test("Keypoints are one issue of a file that counts them; names and skeletons are kept")
  func keypointIssues() throws {
    let keypoints = #","keypoints":[1,1,2],"num_keypoints":1}"#
    let person =
      #""categories":[{"id":1,"name":"a","skeleton":[[1,1]],"keypoints":["nose"]},{"id":2,"name":"b"}]"#
    let annotations = [
      "\(Self.box.dropLast())\(keypoints)",
      "\(Self.box.dropLast())\(keypoints)".replacing(#""id":1,"image"#, with: #""id":2,"image"#),
      #"{"id":3,"image_id":1,"category_id":1,"bbox":[1,1,3,3],"area":9,"iscrowd":0,"keypoints":[]}"#,
    ]
    let text = "{\(Self.images)],\(person),\"annotations\":[\(annotations.joined(separator: ","))]}"
    let found = try COCOCollected(MemoryTree(Array(text.utf8), name: "person_keypoints.json"))
    let issues = found.issues.filter { $0.kind == .unsupportedField }
    #expect(issues.map(\.severity) == [.warning])
    #expect(issues.map(\.location.pointer) == ["/annotations"])
    #expect(issues[0].message.hasPrefix("2 annotations have 'keypoints': they are kept"))
    #expect(issues[0].message.contains("not evaluated"))
    #expect(found.regions.count == 3)
    #expect(
      found.categories.map(\.attributes) == [#"{"keypoints":["nose"],"skeleton":[[1,1]]}"#, nil])
    #expect(
      found.regions.map(\.attributes) == [
        #"{"keypoints":[1,1,2],"num_keypoints":1}"#, #"{"keypoints":[1,1,2],"num_keypoints":1}"#,
        #"{"keypoints":[]}"#,
      ])
  }

  @Test("A list of keypoints of another length than its category names is an issue")
  func keypointCounts() throws {
    let person = #""categories":[{"id":1,"name":"a","keypoints":["nose","tail"]}]"#
    let lists = ["[1,1,2,3,3,2]", "[1,1,2]", "[]", "null", "[ 1 , 1 ,2,3,3,2,5,5,2 ]"]
    let annotations = lists.enumerated().map { place, list in
      "\(Self.box.dropLast()),\"keypoints\":\(list)}".replacing(
        #""id":1,"image"#, with: "\"id\":\(place + 1),\"image")
    }
    let text = "{\(Self.images)],\(person),\"annotations\":[\(annotations.joined(separator: ","))]}"
    let found = try COCOCollected(MemoryTree(Array(text.utf8), name: "person_keypoints.json"))
    #expect(
      found.issues.filter { $0.message.contains("names 2 keypoints") }.map(\.location.pointer) == [
        "/annotations/1/keypoints", "/annotations/4/keypoints",
      ])
  }

  @Test("Keypoints in the ground truth are fine")
  func keypointsOfTruth() throws {
    let text =
      "{\(Self.images)],\(Self.categories),\"annotations\":[\(Self.box.dropLast()),"
      + #""keypoints":[1,1,2],"num_keypoints":1}]}"#
    let tree = MemoryTree(Array(text.utf8), name: "gt.json")
    #expect(try COCOTruthReader(tree, workers: 1).read(regions: true).count == 1)
    #expect(try COCOCollected(tree).regions.count == 1)
  }

  private static let result = #"{"image_id":1,"category_id":1,"bbox":[1,1,3,3],"score":0.5}"#

  @Test(
    "Results with keypoints, oriented boxes or panoptic segments are refused, wherever they stand",
    arguments: [
      (#""bbox":[1,1,3,3],"score":1,"keypoints":[1,2,3]"#, "keypoints", ""),
      (#""score":1,"keypoints":[1,2,3]"#, "keypoints", ""),
      (#""score":1,"bbox":[1,1,3,3,90]"#, "found 5", "/bbox"),
      (#""score":1,"segments_info":[]"#, "segments_info", ""),
    ])
  func results(_ members: String, _ word: String, _ member: String) throws {
    let odd = "{\"image_id\":1,\"category_id\":1,\(members)}"
    for before in [0, 1, 40] {
      let list =
        "[" + (Array(repeating: Self.result, count: before) + [odd]).joined(separator: ",") + "]"
      for text in [list, "{\"annotations\":\(list)}"] {
        let root = text.hasPrefix("[") ? "" : "/annotations"
        do {
          _ = try ResultsText.read(text, pieceBytes: 256)
          Issue.record("they are read")
        } catch let error as COCOForeignFile {
          #expect(error.pointer == "\(root)/\(before)\(member)")
          #expect(error.description.contains(word))
        }
      }
    }
  }

  @Test("Results with null keypoints, or whose keypoints are ignored on demand, are read")
  func ignoredKeypoints() throws {
    let null = #"[{"image_id":1,"category_id":1,"bbox":[1,1,3,3],"score":1,"keypoints":null}]"#
    #expect(try ResultsText.read(null).count == 1)
    let both = #"[{"image_id":1,"category_id":1,"bbox":[1,1,3,3],"score":1,"keypoints":[1,1,2]}]"#
    let read = { (text: String) in
      try COCOResultsReader(MemoryTree(Array(text.utf8), name: "dt.json"), workers: 1)
        .read(ignoresKeypoints: true)
    }
    #expect(try read(both).count == 1)
    let alone = #"[{"image_id":1,"category_id":1,"score":1,"keypoints":[1,1,2]}]"#
    #expect(throws: COCOForeignFile.self) { try read(alone) }
  }
}
