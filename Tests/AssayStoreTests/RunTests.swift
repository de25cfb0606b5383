import AssayCore
import Testing

@testable import AssayStore

@Suite("Models and runs")
struct RunTests {
  private let draft = ModelDraft(
    name: "fer", hash: "00ff", task: .classification, path: "/m/fer.onnx", manifest: "task: x\n")

  private func run(
    _ house: TemporaryCatalog, name: String? = "r1", settings: String = "{}",
    classes: [String] = ["sad", "happy", "angry"], samples: [Int64] = [3, 1, 2, 5, 6]
  ) throws -> RunRecord {
    let model = try house.catalog.addModel(draft)
    let dataset = try house.catalog.dataset(named: "faces")
    return try house.catalog.createRun(
      RunDraft(
        name: name, model: model.id, dataset: dataset.id, view: "faces/train", settings: settings,
        versions: #"{"openvino":"1"}"#, classes: classes, samples: samples))
  }

  @Test("A model comes back as it was registered; the same again is the same, another is refused")
  func models() throws {
    let house = try TemporaryCatalog()
    let model = try house.catalog.addModel(draft)
    #expect(try house.catalog.model(named: "fer") == model)
    #expect(try house.catalog.addModel(draft) == model)
    #expect(try house.catalog.models() == [model])
    var other = draft
    other.hash = "11"
    #expect(throws: StoreError.nameTaken(.model, "fer")) { try house.catalog.addModel(other) }
    #expect(
      throws: StoreError.unknownName(.model, "fear", suggestion: "fer", known: ["fer"])
    ) { try house.catalog.model(named: "fear") }
  }

  @Test("A run is created with all its samples pending, in its own order")
  func create() throws {
    let house = try TemporaryCatalog()
    try house.catalog.importFaces(sixFaces)
    let run = try run(house)
    #expect(run.model?.name == "fer")
    #expect(run.classes == ["sad", "happy", "angry"])
    #expect((run.total, run.done, run.failed) == (5, 0, 0))
    #expect(run.datasetVersion == 1)
    #expect(try house.catalog.run(named: "r1") == run)
    #expect(try house.catalog.runs() == [run])
    #expect(try house.catalog.pending(of: run.id).map(\.sample) == [3, 1, 2, 5, 6])
    #expect(try house.catalog.pending(of: run.id).map(\.position) == [0, 1, 2, 3, 4])
  }

  @Test("A run without a name is MODEL-VIEW, then -2")
  func names() throws {
    let house = try TemporaryCatalog()
    try house.catalog.importFaces(sixFaces)
    #expect(try run(house, name: nil).name == "fer-faces-train")
    #expect(try run(house, name: nil).name == "fer-faces-train-2")
    #expect(try run(house, name: nil).name == "fer-faces-train-3")
    #expect(throws: StoreError.nameTaken(.run, "fer-faces-train-2")) {
      try run(house, name: "fer-faces-train-2")
    }
    #expect(throws: StoreError.badName("a b")) { try run(house, name: "a b") }
    #expect(throws: StoreError.duplicateClass("a")) {
      try run(house, name: "r", classes: ["a", "b", "a"])
    }
    let imported = try house.catalog.createRun(
      RunDraft(dataset: 1, view: "glad", classes: ["a"], samples: []))
    #expect(imported.name == "imported-glad")
    #expect(imported.model == nil)
  }

  @Test("The same model, settings and samples find the earlier run, anything else does not")
  func find() throws {
    let house = try TemporaryCatalog()
    try house.catalog.importFaces(sixFaces)
    let run = try run(house)
    let model = try #require(run.model).id
    func find(_ settings: String = "{}", _ samples: [Int64] = [3, 1, 2, 5, 6]) throws -> String? {
      try house.catalog.findRun(model: model, dataset: 1, settings: settings, samples: samples)?
        .name
    }
    #expect(try find() == "r1")
    #expect(try find(#"{"a":1}"#) == nil)
    #expect(try find("{}", [1, 3, 2, 5, 6]) == nil)
    // After a new import the samples can have other pixels.
    try house.catalog.importFaces(sixFaces, replace: true)
    #expect(try find() == nil)
    #expect(try house.catalog.run(named: "r1").datasetVersion == 1)
    #expect(try house.catalog.run(named: "r1").dataset.importVersion == 2)
  }

  @Test("Scores come back to the bit, in the run's order, with what was predicted")
  func predictions() throws {
    let house = try TemporaryCatalog()
    try house.catalog.importFaces(sixFaces)
    let run = try run(house)
    let tiny = Float.leastNonzeroMagnitude
    let scores: [SampleScores] = [
      SampleScores(sample: 1, scores: [0.1, 0.7, 0.2]),
      SampleScores(sample: 2, scores: [tiny, -0.0, Float(0.1).nextDown]),
      SampleScores(sample: 3, scores: [0.25, 0.5, 0.5]),
    ]
    try house.catalog.record(scores, in: run.id)
    let predictions = try house.catalog.predictions(of: run.id)
    #expect(predictions.map(\.sample.id) == [3, 1, 2])
    #expect(predictions.map(\.sample.key) == ["2", "0", "1"])
    #expect(predictions.map(\.sample.category) == [1, 1, 2])
    let bits = predictions.map { $0.scores.map(\.bitPattern) }
    #expect(bits == [scores[2], scores[0], scores[1]].map { $0.scores.map(\.bitPattern) })
    // The first of two equal scores is the prediction, and its margin is 0.
    #expect(predictions.map(\.predicted) == [1, 1, 2])
    #expect(predictions[0].confidence == 0.5)
    #expect(predictions[0].margin == 0)
    #expect(predictions[1].margin == Double(Float(0.7)) - Double(Float(0.2)))
    let after = try house.catalog.run(named: "r1")
    #expect((after.total, after.done, after.failed) == (5, 3, 0))
    #expect(try house.catalog.pending(of: run.id).map(\.sample) == [5, 6])
    #expect(
      try house.catalog.predictions(of: run.id, where: "label = happy").map(\.sample.id)
        == [3, 1])
  }

  @Test("A failure is kept with its reason, and a later success takes its place")
  func failures() throws {
    let house = try TemporaryCatalog()
    try house.catalog.importFaces(sixFaces)
    let run = try run(house)
    try house.catalog.recordFailure(of: 5, in: run.id, message: "no pixels")
    #expect(
      try house.catalog.failures(of: run.id)
        == [FailedSample(position: 3, sample: 5, message: "no pixels")])
    #expect(try house.catalog.run(named: "r1").failed == 1)
    try house.catalog.record([SampleScores(sample: 5, scores: [1, 0, 0])], in: run.id)
    #expect(try house.catalog.failures(of: run.id).isEmpty)
    #expect(throws: StoreError.notInRun(run: "r1", sample: 4)) {
      try house.catalog.recordFailure(of: 4, in: run.id, message: "x")
    }
  }

  @Test("Scores that do not fit are refused, and none of their batch is kept")
  func badScores() throws {
    let house = try TemporaryCatalog()
    try house.catalog.importFaces(sixFaces)
    let run = try run(house)
    let good = SampleScores(sample: 1, scores: [1, 0, 0])
    func record(_ sample: Int64, _ scores: [Float]) throws {
      try house.catalog.record([good, SampleScores(sample: sample, scores: scores)], in: run.id)
    }
    #expect(throws: StoreError.badScores(run: "r1", sample: 2, expected: 3, count: 2)) {
      try record(2, [1, 0])
    }
    #expect(throws: StoreError.scoreNotFinite(run: "r1", sample: 2)) {
      try record(2, [1, .nan, 0])
    }
    #expect(throws: StoreError.scoreNotFinite(run: "r1", sample: 2)) {
      try record(2, [.infinity, 0, 0])
    }
    #expect(throws: StoreError.notInRun(run: "r1", sample: 4)) { try record(4, [1, 0, 0]) }
    #expect(try house.catalog.predictions(of: run.id).isEmpty)
    #expect(try house.catalog.pending(of: run.id).count == 5)
  }

  @Test(
    "Views can ask what a run says",
    arguments: [
      // Sample keys 0, 1, 2, 4, 5 were predicted: happy, sad, sad, sad, angry.
      ("run(r1).correct = true", "01"), ("run(r1).correct = false", "25"),
      ("not run(r1).correct = true", "2345"), ("run(r1).correct != true", "25"),
      ("run(r1).label = sad", "124"), ("run(r1).label != sad", "05"),
      ("run(r1).label in (sad, angry)", "1245"), ("run(r1).confidence >= 0.75", "04"),
      ("run(r1).confidence in 0.5..0.625", "12"), ("run(r1).margin < 0.25", "5"),
      ("run(r1).correct = false and run(r1).confidence < 0.5", "5"),
    ])
  func views(source: String, keys: String) throws {
    let house = try TemporaryCatalog()
    try house.catalog.importFaces(sixFaces)
    let run = try run(house)
    try house.catalog.record(
      [
        SampleScores(sample: 1, scores: [0.125, 0.75, 0.125]),
        SampleScores(sample: 2, scores: [0.625, 0.25, 0.125]),
        SampleScores(sample: 3, scores: [0.5, 0.25, 0.25]),
        SampleScores(sample: 5, scores: [0.75, 0.25, 0]),
        SampleScores(sample: 6, scores: [0.25, 0.25, 0.375]),
      ], in: run.id)
    #expect(try house.catalog.keys("faces", source).joined() == keys)
  }

  @Test("A view cannot ask a run over another dataset, or for a class it does not have")
  func foreignRun() throws {
    let house = try TemporaryCatalog()
    try house.catalog.importFaces(sixFaces)
    try house.catalog.importFaces(sixFaces, as: "more")
    _ = try run(house)
    #expect(throws: StoreError.self) { try house.catalog.keys("more", "run(r1).correct = true") }
    #expect(throws: StoreError.self) { try house.catalog.keys("faces", "run(r1).label = glad") }
  }

  @Test("The first largest score wins, and one class is its own margin")
  func topScores() {
    #expect(TopScores([]) == nil)
    #expect(TopScores([0.5])?.margin == 0.5)
    #expect(TopScores([-3, -1, -2])?.index == 1)
    #expect(TopScores([-3, -1, -2])?.margin == 1)
    #expect(TopScores([2, 5, 5, 1])?.index == 1)
    #expect(TopScores([5, 1, 4])?.margin == 1)
  }
}
