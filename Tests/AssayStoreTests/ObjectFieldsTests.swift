import AssayCore
import Testing

@testable import AssayStore

@Suite("Objects in expressions")
struct ObjectFieldsTests {
  private let house: TemporaryCatalog
  private var catalog: Catalog { house.catalog }

  /// Three images with annotations, and a run on them whose detections have attributes.
  init() throws {
    house = try TemporaryCatalog()
    let drafts: [[RegionDraft]] = [
      [
        RegionDraft(
          "person", box: (0, 0, 10, 20),
          attributes: #"{"pose":"Left","age":30,"truncated":true,"tags":{"hat":1}}"#),
        RegionDraft("person", box: (0, 0, 30, 40), area: 900, attributes: #"{"pose":"Right"}"#),
        RegionDraft("dog", box: (5, 5, 10, 10), isCrowd: true),
      ],
      [
        RegionDraft(
          "dog", box: (0, 0, 4, 4), attributes: #"{"a.b":"x","age":"30","truncated":false}"#)
      ],
      [],
    ]
    let dataset = try catalog.importRegions(
      drafts.enumerated().map { place, regions in
        RegionSample(
          key: "\(place)", size: ImageSize(width: 100, height: 100), regions: regions)
      }
    ).dataset
    let run = try catalog.createRun(
      RunDraft(
        name: "det", task: .detection, dataset: dataset.id, view: "coco",
        settings: #"{"decision":{"accept":{"face":0.6,"dog":null}}}"#,
        classes: ["face", "dog"], samples: [1, 2]))
    func found(_ ordinal: Int, _ confidence: Double, _ side: Double, _ attributes: String?)
      -> Detection
    {
      Detection(
        class: ordinal, confidence: confidence,
        box: Box(x: 1, y: 2, width: side, height: 2 * side), attributes: attributes)
    }
    try catalog.record(
      [
        SampleDetections(
          sample: 1,
          detections: [
            found(0, 0.9, 10, #"{"label":"happy","score":0.8,"scores":{"happy":0.8,"sad":0.2}}"#),
            found(0, 0.5, 5, #"{"label":"sad","score":0.9,"qualifies":false}"#),
            found(1, 0.4, 3, nil),
          ]),
        SampleDetections(sample: 2, detections: []),
      ], in: run.id)
  }

  private func numbers(_ field: String) throws -> [Double?] {
    try catalog.numbers([field], of: [1, 2, 3], in: try catalog.resolve("coco")).map { $0[0] }
  }

  @Test(
    "Ground truth",
    arguments: [
      ("class = person", [2, 0, 0]), ("class in (person, dog)", [3, 1, 0]),
      ("class like \"*o*\"", [3, 1, 0]), ("not class = person", [1, 1, 0]),
      ("class != person", [1, 1, 0]),
      ("width > 10", [1, 0, 0]), ("height in 10..20", [2, 0, 0]), ("x = 5 and y = 5", [1, 0, 0]),
      // The region's area where the source states one, else the box's.
      ("area = 900", [1, 0, 0]), ("area < 201", [2, 1, 0]),
      ("crowd = true", [1, 0, 0]), ("crowd = false", [2, 1, 0]),
      ("pose = Left", [1, 0, 0]), ("pose != Left", [1, 0, 0]), ("not pose = Left", [2, 1, 0]),
      ("pose in (Left, Right)", [2, 0, 0]), ("pose like \"?eft\"", [1, 0, 0]),
      // A number is compared with numbers, and for equality with texts that are spelled so.
      ("age = 30", [1, 1, 0]), ("age = \"30\"", [0, 1, 0]), ("age >= 30", [1, 0, 0]),
      ("age in 20..40", [1, 0, 0]), ("age in (30, 31)", [1, 1, 0]),
      ("truncated = true", [1, 0, 0]), ("truncated = false", [0, 1, 0]),
      ("tags.hat = 1", [1, 0, 0]), ("a.b = x", [0, 1, 0]),
      ("(class = dog or pose = Left) and width <= 10", [2, 1, 0]),
      ("class = person and pose = Left and age > 20", [1, 0, 0]),
    ] as [(String, [Double?])])
  func truth(condition: String, expected: [Double?]) throws {
    #expect(try numbers("objects(\(condition))") == expected)
  }

  @Test(
    "A run",
    arguments: [
      ("class = face", [2, 0, nil]), ("confidence >= 0.5", [2, 0, nil]),
      ("label = happy", [1, 0, nil]), ("label = happy and score > 0.85", [0, 0, nil]),
      ("label in (happy, sad) and score > 0.85", [1, 0, nil]),
      ("scores.happy > 0.7", [1, 0, nil]), ("qualifies = false", [1, 0, nil]),
      ("area = 200", [1, 0, nil]), ("crowd = true", [0, 0, nil]),
      ("attribute(label) = sad", [1, 0, nil]), ("class like \"*\"", [3, 0, nil]),
      // The decision accepts faces from 0.6 on, and no dog.
      ("accepted = true", [1, 0, nil]), ("accepted = false", [2, 0, nil]),
      ("accepted = false and class = face and x = 1", [1, 0, nil]),
      ("not accepted = true and confidence in 0.3..0.95", [2, 0, nil]),
    ] as [(String, [Double?])])
  func run(condition: String, expected: [Double?]) throws {
    #expect(try numbers("run(det).objects(\(condition))") == expected)
  }

  @Test("Comparisons, sorting and spellings")
  func comparisons() throws {
    let selection = try catalog.resolve("coco")
    func keys(_ text: String) throws -> [Int64] {
      try catalog.samples(in: selection, where: text, limit: nil).map(\.id)
    }
    #expect(try keys("objects(pose = Left) > 0") == [1])
    #expect(try keys("run(det).objects(class = dog) = objects(class = dog)") == [1])
    // A sample that the run does not have is in neither view.
    #expect(try keys("run(det).objects(class = dog) >= 0") == [1, 2])
    #expect(try keys("not run(det).objects(class = dog) >= 0") == [3])
    let text =
      "objects(class = person and (\"a b\" = \"x y\" or not age in 2..3) and attribute(width) != 4) > 0"
    let parsed = try ViewExpression.parse(text)
    #expect(parsed.subjects.map(\.description) == [String(text.dropLast(4))])
    #expect(
      try ViewExpression.parse("\(parsed.subjects[0]) > 0").subjects[0].description
        == parsed.subjects[0].description)
  }

  @Test(
    "Refusals",
    arguments: [
      (
        "objects(clas = person) > 0",
        "no object of “coco” has an attribute “clas”; did you mean “class”?"
      ),
      ("objects(pos = Left) > 0", "did you mean “pose”?"),
      ("objects(class = cat) > 0", "has no class “cat”"),
      ("run(det).objects(class = cat) > 0", "run “det” has no class “cat”"),
      ("run(det).objects(labell = x) > 0", "did you mean “label”?"),
      ("objects(confidence > 0.5) > 0", "ground truth has no confidence"),
      ("objects(accepted = true) > 0", "ground truth is not accepted by a model"),
      ("run(det).objects(accepted = 1) > 0", "“true” or “false”"),
      ("objects(pose > 3) > 0", "“pose” of “coco” has no numbers"),
      ("objects(pose > Left) > 0", "“>” compares numbers"),
      ("objects(class > 3) > 0", "“>” compares numbers"),
      ("objects(width like \"3\") > 0", "“like” matches texts"),
      ("objects(class = person", "expected “and”, “or” or “)”, found the end"),
      ("objects > 0", "as in objects(class = person and width > 20)"),
      ("objects(\"a\\\"b\" = 1) > 0", "quotation marks"),
      ("run(det, iou: 0.5).objects(class = dog) > 0", "has its own condition"),
      ("run(none).objects(class = dog) > 0", "unknown run “none”"),
      ("objects(crowd = maybe) > 0", "expected “true” or “false”"),
      ("objects(x in (1, 2) > 0", "expected"),
      (
        "objects(" + String(repeating: "(", count: 70) + "x = 1) > 0",
        "nested deeper than 64 levels"
      ),
    ])
  func refusals(text: String, message: String) throws {
    let error = try #require(throws: StoreError.self) {
      _ = try catalog.samples(in: try catalog.resolve("coco"), where: text, limit: nil)
    }
    #expect("\(error)".contains(message), "\(error)")
  }
}
