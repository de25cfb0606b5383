import AssayCore
import Testing

import AssayStore

@Suite("Fields compared with fields, and patterns")
struct FieldComparisonTests {
  /// Six faces, of which two runs predict some; image 4 has no label.
  private func house() throws -> TemporaryCatalog {
    let house = try TemporaryCatalog()
    var faces = sixFaces
    for (place, size) in [(1, 2), (2, 1), (2, 2), (3, 1), (1, 3), (2, 1)].enumerated() {
      faces[place].size = ImageSize(width: size.0, height: size.1)
      faces[place].pixels = nil
    }
    try house.catalog.importFaces(faces)
    // Ids of samples are their keys + 1.
    for (name, classes, scores) in [
      (
        "a", ["sad", "happy", "angry"],
        [
          (1, [0.1, 0.7, 0.2]), (2, [0.6, 0.3, 0.1]), (3, [0.8, 0.1, 0.1]), (4, [0.2, 0.2, 0.6]),
          (5, [0.4, 0.3, 0.3]),
        ]
      ),
      (
        "b", ["angry", "happy", "sad", "calm"],
        [
          (1, [0.0, 0.9, 0.1, 0.0]), (2, [0.0, 0.7, 0.3, 0.0]), (3, [0.0, 0.6, 0.4, 0.0]),
          (4, [0.0, 0.1, 0.1, 0.8]), (6, [0.0, 0.1, 0.9, 0.0]),
        ]
      ),
    ] as [(String, [String], [(Int64, [Float])])] {
      let run = try house.catalog.createRun(
        RunDraft(
          name: name, dataset: 1, view: "faces", classes: classes, samples: scores.map(\.0)))
      try house.catalog.record(
        scores.map { SampleScores(sample: $0.0, scores: $0.1) }, in: run.id)
    }
    return house
  }

  // a predicts: 0 happy, 1 sad, 2 sad, 3 angry, 4 sad, 5 –
  // b predicts: 0 happy, 1 happy, 2 happy, 3 calm, 4 –, 5 sad
  // label:      0 happy, 1 sad, 2 happy, 3 angry, 4 –, 5 sad
  @Test(
    "A comparison with a missing value is false, and its not is true",
    arguments: [
      ("label = run(a).label", ["0", "1", "3"]),
      ("label != run(a).label", ["2"]),
      ("not label = run(a).label", ["2", "4", "5"]),
      ("run(a).label = label", ["0", "1", "3"]),
      ("run(a).label != run(b).label", ["1", "2", "3"]),
      ("run(b).label = run(a).label", ["0"]),
      ("run(a).correct != run(b).correct", ["1", "2", "3"]),
      ("run(a).correct = run(b).correct", ["0"]),
      ("not run(a).correct != run(b).correct", ["0", "4", "5"]),
      ("run(a).confidence > run(b).confidence", ["2"]),
      ("run(a).confidence < run(b).confidence", ["0", "1", "3"]),
      ("run(b).margin <= run(a).margin", ["2"]),
      ("width < height", ["0", "4"]),
      ("width = height", ["2"]),
      ("width >= height and not height = width", ["1", "3", "5"]),
      ("count(happy) = labels", ["0", "2", "4"]),
      ("corrected = reviewed", ["0", "1", "2", "3", "4", "5"]),
      ("corrected != run(a).correct", ["0", "1", "3"]),
      ("label = label", ["0", "1", "2", "3", "5"]),
      ("split = label or split != key", ["0", "1", "2", "3", "4"]),
      ("label = tag or label = note or issue = corrected_by", []),
    ] as [(String, [String])])
  func fields(expression: String, expected: [String]) throws {
    let house = try house()
    #expect(try house.catalog.keys("faces", expression) == expected)
    let rest = try house.catalog.keys("faces", "not (\(expression))")
    #expect((expected + rest).sorted() == ["0", "1", "2", "3", "4", "5"])
  }

  @Test("A name of the dataset comes before a field with the same spelling")
  func names() throws {
    let house = try TemporaryCatalog()
    try house.catalog.importFaces([
      FaceSample(key: "a", split: "label", label: "split"),
      FaceSample(key: "b", split: "label", label: "label"),
      FaceSample(key: "c", split: "key", label: "key"),
    ])
    #expect(try house.catalog.keys("faces", "label = split") == ["a"])
    #expect(try house.catalog.keys("faces", "split = label") == ["a", "b"])
    #expect(try house.catalog.keys("faces", "split = key") == ["c"])
    // A key can be any text, so that a bare word is always one.
    #expect(try house.catalog.keys("faces", "key = split") == [])
  }

  @Test("Parts of partitions, as any and by name")
  func parts() throws {
    let house = try house()
    _ = try house.catalog.addPartition(
      of: 1, named: "folds", seed: 1, rule: "{}", members: [("fit", [1, 3]), ("held", [2, 4])])
    #expect(try house.catalog.keys("faces", "split = part(folds)") == [])
    #expect(try house.catalog.keys("faces", "split != part(folds)") == ["0", "1", "2", "3"])
    #expect(try house.catalog.keys("faces", "not split = part") == ["0", "1", "2", "3", "4", "5"])
    #expect(try house.catalog.keys("faces", "part(folds) = part") == ["0", "1", "2", "3"])
    #expect(try house.catalog.keys("faces", "part like \"h?ld\"") == ["1", "3"])
    #expect(try house.catalog.keys("faces", "part(folds) not like \"h*\"") == ["0", "2", "4", "5"])
  }

  @Test("In a multi-label dataset a field equals one of the labels; != is refused")
  func labelSets() throws {
    let house = try TemporaryCatalog()
    try house.catalog.importSets(
      [
        ("dog", nil, ["dog", "cat"]), ("cat", nil, ["dog"]), ("bird", nil, []),
        ("x", nil, ["cat", "bird"]),
      ], classes: ["dog", "cat", "bird"])
    #expect(try house.catalog.keys("tags", "label = key") == ["dog"])
    #expect(try house.catalog.keys("tags", "not label = key") == ["cat", "bird", "x"])
    #expect(try house.catalog.keys("tags", "label like \"?????\"") == [])
    #expect(try house.catalog.keys("tags", "label like \"b*\"") == ["x"])
    #expect(try house.catalog.keys("tags", "not label like \"*a*\"") == ["cat", "bird"])
    let error = #expect(throws: StoreError.self) { try house.catalog.keys("tags", "label != key") }
    guard case .expression(let fault)? = error else {
      Testing.Issue.record("\(String(describing: error))")
      return
    }
    #expect(
      fault.message == "a sample of “tags” can have several labels; use “not … = …” instead of “!=”"
    )
  }

  @Test(
    "An error has its place",
    arguments: [
      (
        "label = width", 8,
        "fields of different kinds cannot be compared: “label” is text, “width” is a number"
      ),
      ("label = wdth", 8, "“faces” has no class “wdth”"),
      ("label = 'width'", 8, "“faces” has no class “width”"),
      ("label != tag", 9, "a sample can have several of these; use “not … = …” instead of “!=”"),
      ("label = run(c).label", 12, "unknown run “c”"),
      (
        "width < run(a).iou", 12,
        "run “a” (classification) has no field .iou; its fields are .correct, .label, .confidence, .margin, .accepted"
      ),
      ("split = part(fold)", 13, "“faces” has no partition “fold”"),
      ("tag = hard", 6, "there are no tags yet; `assay tag` adds one"),
    ] as [(String, Int, String)])
  func errors(expression: String, offset: Int, message: String) throws {
    let house = try house()
    let error = #expect(throws: StoreError.self) {
      try house.catalog.keys("faces", expression)
    }
    guard case .expression(let fault)? = error else {
      Testing.Issue.record("\(String(describing: error))")
      return
    }
    #expect(fault.offset == offset)
    #expect(fault.message == message)
  }

  @Test("A pattern selects what a plain matcher selects, whatever the texts are")
  func patterns() throws {
    let alphabet = ["a", "b", "[", "]", "^", "-", "*", "?", "é", "%", "_", "'", "\\", "A", "/"]
    var random = SplitMix64(seed: 15)
    func text(_ limit: Int, wild: Bool) -> String {
      (0..<Int.random(in: 1...limit, using: &random)).map { _ in
        wild && Int.random(in: 0..<3, using: &random) == 0
          ? ["*", "?"][Int.random(in: 0..<2, using: &random)]
          : alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
      }.joined()
    }
    let house = try TemporaryCatalog()
    let keys = Array(Set((0..<300).map { _ in text(5, wild: false) })).sorted()
    try house.catalog.importFaces(
      keys.map {
        FaceSample(key: $0, split: $0, label: $0, size: .init(width: 1, height: 1), pixels: nil)
      })
    let selection = try house.catalog.resolve("faces")
    var found = 0
    for _ in 0..<300 {
      let pattern = text(5, wild: true)
      let quoted = pattern.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
      let expected = keys.filter {
        Self.matches(Array($0.unicodeScalars)[...], Array(pattern.unicodeScalars)[...])
      }
      for field in ["key", "label", "split"] {
        let actual = try house.catalog.samples(in: selection, where: "\(field) like '\(quoted)'")
        #expect(actual.map(\.key) == expected, "\(field) like \(pattern)")
      }
      found += expected.count
    }
    #expect(found > 1_000)
  }

  private static func matches(
    _ text: ArraySlice<Unicode.Scalar>, _ pattern: ArraySlice<Unicode.Scalar>
  ) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    if first == "*" {
      return matches(text, pattern.dropFirst())
        || (!text.isEmpty && matches(text.dropFirst(), pattern))
    }
    guard let next = text.first, first == "?" || first == next else { return false }
    return matches(text.dropFirst(), pattern.dropFirst())
  }
}
