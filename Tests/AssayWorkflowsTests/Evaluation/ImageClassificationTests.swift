import AssayCore
import AssayMetrics
import AssayStore
import Testing

@testable import AssayWorkflows

@Suite struct ImageClassificationTests {
  @Test("A run is evaluated against its samples' labels, its classes joined by name")
  func joined() throws {
    let world = try EvaluateCatalog.small()
    let workflow = Evaluator<ImageClassification>(catalog: world.catalog)
    let first = try workflow.evaluate("r1", EvaluationSettings()).evaluation
    #expect(first.classes == ["happy", "sad"])
    #expect(first.scores[.accuracy].value == 0.75)
    #expect(first.classification?.confusion.rows == [[1, 1], [0, 2]])
    // r2's columns are in reverse order: happy, happy, happy, sad.
    let second = try workflow.evaluate("run:r2", EvaluationSettings()).evaluation
    #expect(second.classification?.confusion.rows == [[2, 0], [1, 1]])
    #expect(second.classification?.baselineClass.map { second.classes[$0] } == "happy")
  }

  @Test("An evaluation is kept with its tallies and scores, and read back with the truth it had")
  func kept() throws {
    let world = try EvaluateCatalog.small()
    let workflow = Evaluator<ImageClassification>(catalog: world.catalog)
    let (evaluation, evaluated) = try workflow.evaluate("r1", EvaluationSettings())
    let saved = try workflow.save(evaluation, of: evaluated, as: nil)
    #expect(saved.name == "default")
    let run = try world.catalog.run(named: "r1")
    let record = try world.catalog.evaluation(named: "default", of: run)
    let tallies = try world.catalog.tallies(of: record.id)
    #expect(tallies.map(\.truth) == [0, 1, 0, 1])
    #expect(tallies.map(\.predicted) == [0, 1, 1, 1])
    #expect(tallies.map(\.rank) == [1, 1, 2, 1])
    let scores = try world.catalog.scores(of: record.id)
    let accuracy = try #require(scores.first { $0.metric == .accuracy })
    #expect(accuracy.value == 0.75)
    #expect(accuracy.low == evaluation.scores[.accuracy].interval?.low)
    #expect(scores.filter { $0.metric == .recall }.map(\.category) == ["happy", "sad"])

    // The labels change; the stored evaluation does not.
    try world.importFaces(["sad", "sad", "sad", "sad"], classes: ["happy", "sad"], replace: true)
    let again = try workflow.evaluate("r1@default", EvaluationSettings()).evaluation
    #expect(again.scores == evaluation.scores)
    let now = try workflow.evaluate("r1", EvaluationSettings()).evaluation
    #expect(now.scores[.accuracy].value == 0.75)
    #expect(now.classification?.confusion.rows == [[0, 0], [1, 3]])
    #expect(now.notes.contains { $0.contains("imported again") })
  }

  @Test("An evaluation of some samples is kept under a name of its own")
  func filtered() throws {
    let world = try EvaluateCatalog.small()
    let workflow = Evaluator<ImageClassification>(catalog: world.catalog)
    var settings = EvaluationSettings()
    settings.filter = "split = test"
    let (evaluation, evaluated) = try workflow.evaluate("r1", settings)
    #expect(evaluation.scores.count == 2)
    #expect(evaluation.scores[.accuracy].value == 0.5)
    let automatic = try workflow.save(evaluation, of: evaluated, as: nil).name
    #expect(automatic?.hasPrefix("where-") == true)
    #expect(try workflow.save(evaluation, of: evaluated, as: "test").name == "test")
    let kept = try workflow.evaluate("r1@test", EvaluationSettings()).evaluation
    #expect(kept.scores.count == 2)
    #expect(kept.settings.filter == "split = test")
    settings.filter = "split = nowhere"
    #expect(throws: (any Error).self) { try workflow.evaluate("r1", settings) }
    settings.filter = "width > 100"
    #expect(throws: EvaluationError.nothingToEvaluate("r1", reasons: ["--where width > 100"])) {
      try workflow.evaluate("r1", settings)
    }
  }

  @Test("Slices part the samples by split, class or partition")
  func slices() throws {
    let world = try EvaluateCatalog.small()
    let workflow = Evaluator<ImageClassification>(catalog: world.catalog)
    var settings = EvaluationSettings()
    func sizes(_ by: String) throws -> [String: Int] {
      settings.slicedBy = by
      let slices = try workflow.evaluate("r1", settings).evaluation.slices
      return Dictionary(uniqueKeysWithValues: slices.map { ($0.value, $0.scores.count) })
    }
    #expect(try sizes("split") == ["train": 2, "test": 2])
    #expect(try sizes("category") == ["happy": 2, "sad": 2])
    let dataset = try world.catalog.dataset(named: "faces")
    let ids = try world.catalog.samples(in: world.catalog.resolve("faces")).map(\.id)
    _ = try world.catalog.addPartition(
      of: dataset.id, named: "fold", seed: 1, rule: "{}",
      members: [(part: "one", samples: [ids[0]]), (part: "rest", samples: [ids[1], ids[2]])])
    #expect(try sizes("fold") == ["one": 1, "rest": 2, "–": 1])
    #expect(
      throws: EvaluationError.unknownSlice("splat", known: ["split", "category", "fold"])
    ) { try sizes("splat") }
  }

  @Test("Slices part the samples by a field, numbers in their order; too many values are refused")
  func fieldSlices() throws {
    let world = try EvaluateCatalog()
    try world.importFaces(
      ["happy", "sad", "happy", "sad"], classes: ["happy", "sad"],
      fields: [
        #"{"light":"dim","lux":9,"id":1,"split":"a"}"#, #"{"light":"dim","lux":10,"split":"b"}"#,
        #"{"lux":9.0,"list":[1]}"#,
      ])
    try world.run(
      "r", classes: ["happy", "sad"], [[0.9, 0.1], [0.6, 0.4], [0.8, 0.2], [0.3, 0.7]])
    let workflow = Evaluator<ImageClassification>(catalog: world.catalog)
    func slices(_ by: String) throws -> [String] {
      var settings = EvaluationSettings()
      settings.slicedBy = by
      return try workflow.evaluate("r", settings).evaluation.slices.map {
        "\($0.value) \($0.scores.count)"
      }
    }
    #expect(try slices("light").count == 2)
    #expect(try slices("light").map { $0.split(separator: " ")[0] } == ["dim", "–"])
    #expect(try slices("lux").map { $0.split(separator: " ")[0] } == ["9", "10", "–"])
    // A field with the name of something else.
    for spelled in ["field(split)", "field(\"split\")", "field('split')"] {
      #expect(try slices(spelled).map { $0.split(separator: " ")[0] } == ["a", "b", "–"])
    }
    #expect(try slices("split").allSatisfy { !$0.hasPrefix("a") })
    #expect(
      throws: EvaluationError.unknownSlice(
        "list", known: ["split", "category", "id", "light", "list", "lux", "split"])
    ) { try slices("list") }
    try world.importFaces(
      Array(repeating: "happy", count: 101), classes: ["happy"], as: "many",
      fields: (0..<101).map { #"{"n":\#($0)}"# })
    try world.run("m", over: "many", classes: ["happy"], Array(repeating: [1], count: 101))
    var settings = EvaluationSettings()
    settings.slicedBy = "n"
    #expect(throws: EvaluationError.tooManySlices("n", limit: 100)) {
      try workflow.evaluate("m", settings)
    }
  }

  @Test("Samples that are not evaluated are counted and reported")
  func leftOut() throws {
    let world = try EvaluateCatalog()
    try world.importFaces(
      ["happy", nil, "sad", "angry"], classes: ["angry", "happy", "sad"])
    try world.run("r", classes: ["happy", "sad"], [[0.9, 0.1], [0.5, 0.5], nil, [0.5, 0.5]])
    let workflow = Evaluator<ImageClassification>(catalog: world.catalog)
    #expect(
      throws: EvaluationError.missingClasses(
        [MissingCategory(name: "angry", samples: 1)], scores: ["happy", "sad"])
    ) { try workflow.evaluate("r", EvaluationSettings()) }
    var settings = EvaluationSettings()
    settings.ignoresMissing = true
    let (evaluation, evaluated) = try workflow.evaluate("r", settings)
    #expect(evaluated.leftOut.pending == 1)
    #expect(evaluated.leftOut.withoutTruth == 1)
    #expect(evaluated.leftOut.ofMissingClasses == 1)
    #expect(evaluated.tally.count == 1)
    #expect(evaluation.classes == ["angry", "happy", "sad"])
    #expect(evaluation.notes.count { $0.hasPrefix("left out: 1 sample ") } == 3)
  }

  @Test("A run that has nothing in common with its labels, or no labels, is refused")
  func refusals() throws {
    let world = try EvaluateCatalog()
    try world.importFaces(["happy"], classes: ["happy"])
    try world.run("other", classes: ["cat"], [[1]])
    let workflow = Evaluator<ImageClassification>(catalog: world.catalog)
    #expect(throws: EvaluationError.nothingInCommon(truth: ["happy"], scores: ["cat"])) {
      try workflow.evaluate("other", EvaluationSettings())
    }
    try world.run("logits", classes: ["happy", "sad"], [[-2.5, 1]])
    #expect(
      throws: EvaluationError.notAProbability(sample: "0", category: "happy", value: -2.5)
    ) { try workflow.evaluate("logits", EvaluationSettings()) }
    try world.importFaces([nil], classes: [], as: "plain")
    try world.run("none", over: "plain", classes: ["happy"], [[1]])
    #expect(throws: EvaluationError.noGroundTruth(.classification, dataset: "plain")) {
      try workflow.evaluate("none", EvaluationSettings())
    }
    #expect(throws: (any Error).self) { try workflow.evaluate("r9", EvaluationSettings()) }
    #expect(throws: (any Error).self) {
      try workflow.evaluate("other@nothing", EvaluationSettings())
    }
  }

  @Test("A run of sigmoid scores needs --normalize, and is kept under a name that says so")
  func normalize() throws {
    let world = try EvaluateCatalog()
    try world.importFaces(["happy", "sad"], classes: ["happy", "sad"])
    try world.run("s", classes: ["happy", "sad"], [[0.9, 0.6], [0.25, 0.75]])
    let workflow = Evaluator<ImageClassification>(catalog: world.catalog)
    let error = #expect(throws: EvaluationError.self) {
      try workflow.evaluate("s", EvaluationSettings())
    }
    #expect("\(try #require(error))".contains("--normalize"))
    var settings = EvaluationSettings()
    settings.normalizes = true
    let (evaluation, evaluated) = try workflow.evaluate("s", settings)
    #expect(evaluation.notes.contains { $0.contains("divided by its sum (--normalize)") })
    let saved = try workflow.save(evaluation, of: evaluated, as: nil)
    #expect(saved.name == "normalized")
    let kept = try workflow.evaluate("s@normalized", EvaluationSettings()).evaluation
    #expect(kept.scores == evaluation.scores && kept.settings.normalizes)
    #expect(
      try Comparer<ImageClassification>(catalog: world.catalog).compare("s", "s", settings).notes
        .contains { $0.contains("--normalize") })
  }

  @Test("A stored evaluation is read with its settings, unless others are given")
  func inherited() throws {
    let world = try EvaluateCatalog.small()
    let workflow = Evaluator<ImageClassification>(catalog: world.catalog)
    var settings = EvaluationSettings()
    (settings.accept, settings.slicedBy, settings.intervals) = (0.75, "split", false)
    let (evaluation, evaluated) = try workflow.evaluate("r1", settings)
    _ = try workflow.save(evaluation, of: evaluated, as: "strict")
    let kept = try workflow.evaluate("r1@strict", EvaluationSettings()).evaluation
    #expect(kept.settings == settings)
    #expect(kept.scores == evaluation.scores)
    #expect(kept.slices.count == 2)
    var other = EvaluationSettings()
    other.accept = 0.85
    #expect(try workflow.evaluate("r1@strict", other).evaluation.scores[.answered].value == 0.25)
  }

  @Test("Settings survive being stored")
  func settings() {
    var settings = EvaluationSettings()
    settings.filter = "split = test"
    settings.slicedBy = "split"
    settings.accept = 0.3
    settings.margin = 0.1
    settings.intervals = false
    settings.ignoresMissing = true
    settings.normalizes = true
    settings.seed = .max
    #expect(EvaluationSettings(json: settings.json(of: .classification)) == settings)
    #expect(EvaluationSettings(json: .object([])) == EvaluationSettings())
  }
}
