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

  @Test("Keypoints are no issue; they, their names and skeletons are kept")
  func keptKeypoints() throws {
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
    #expect(found.issues.filter { $0.kind == .unsupportedField }.isEmpty)
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
    "Results with oriented boxes or panoptic segments are refused, wherever they stand",
    arguments: [
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

  @Test(
    "Keypoints of results are read, whatever else they have; those that cannot be used have no values"
  )
  func keypointsOfResults() throws {
    let start = #"{"image_id":1,"category_id":1,"score":1"#
    let lists =
      [
        ("", nil), (#","keypoints":null"#, nil), (#","keypoints":[]"#, nil),
        (#","keypoints":[1, 2.5 ,0]"#, [1, 2.5, 0]), (#","keypoints":[1,2]"#, []),
        (#","keypoints":[1,NaN,2]"#, []), (#","keypoints":[1,-Infinity,2]"#, []),
        (#","keypoints":[1,"2",2]"#, []), (#","keypoints":[[1,2,3]]"#, []),
        (#","keypoints":{"a":[1]}"#, []), (#","keypoints":"abc""#, []),
        (#","keypoints":[1e308,-1e308,2]"#, [1e308, -1e308, 2]),
        (#","bbox":[1,2,3,4],"keypoints":[1,2,3,4,5,6]"#, [1, 2, 3, 4, 5, 6]),
        (#","keypoints":[1e999,0,2]"#, []),
        (",\"keypoints\":[\(Array(repeating: "1", count: 3003).joined(separator: ","))]", []),
      ] as [(String, [Double]?)]
    let text = "[" + lists.map { start + $0.0 + "}" }.joined(separator: ",") + "]"
    let results = try ResultsText.read(text, pieceBytes: 64)
    #expect(results.count == lists.count && !results.first.hasKeypoints)
    for (place, list) in lists.enumerated() {
      #expect(results.flags[place].contains(.keypoints) == (list.1 != nil), "\(list.0)")
      #expect(results.keypoints[place] == list.1 ?? [], "\(list.0)")
    }
    #expect(results.extent(at: 3) == Box(x: 1, y: 2.5, width: 0, height: 0))
    #expect(results.extent(at: 12) == Box(x: 1, y: 2, width: 3, height: 3))
    #expect(results.extent(at: 0) == nil && results.extent(at: 4) == nil)
    #expect(throws: FormatError.self) {
      try ResultsText.read("[\(start),\"keypoints\":[1,2,}]", pieceBytes: 64)
    }
    #expect(throws: FormatError.self) {
      try ResultsText.read("[\(start),\"keypoints\":[1 2,3]}]", pieceBytes: 64)
    }
  }

  @Test("Keypoints of annotations are read with their stated number")
  func keypointsOfAnnotations() throws {
    let members = [
      "", #","keypoints":[1,1,2],"num_keypoints":1"#, #","num_keypoints":0"#,
      #","num_keypoints":true,"keypoints":[1,1,2,3,3,0]"#, #","keypoints":[1]"#,
    ]
    let list = members.map { "\(Self.box.dropLast())\($0)}" }.joined(separator: ",")
    let text = "{\(Self.images)],\(Self.categories),\"annotations\":[\(list)]}"
    let truth = try COCOTruthReader(MemoryTree(Array(text.utf8), name: "gt.json"), workers: 2)
      .read(regions: false)
    #expect(truth.keypoints == [[], [1, 1, 2], [], [1, 1, 2, 3, 3, 0], []])
    #expect(truth.flags.map { $0.contains(.keypoints) } == [false, true, false, true, true])
    #expect(truth.labeledCounts.map { $0.isNaN ? -1 : $0 } == [-1, 1, 0, -1, -1])
  }
}
