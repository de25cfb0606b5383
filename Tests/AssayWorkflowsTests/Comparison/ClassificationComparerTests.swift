import AssayCore
import AssayMetrics
import Testing

import AssayWorkflows

@Suite struct ClassificationComparerTests {
  @Test("Runs are paired sample by sample, their classes joined by name")
  func paired() throws {
    let world = try EvaluateCatalog.small()
    let pairing = try Comparer<ImageClassification>(catalog: world.catalog).compare(
      "r1", "r2", EvaluationSettings())
    // r1 misses sample 2, r2 misses sample 1.
    #expect(pairing.comparison.lost.map { pairing.keys[$0] } == ["1"])
    #expect(pairing.comparison.won.map { pairing.keys[$0] } == ["2"])
    #expect(pairing.comparison[.accuracy]?.value == 0)
    #expect(pairing.comparison.test.pValue == 1)
    let json = pairing.json
    #expect(json["n"]?.double == 4)
    #expect(json["differences"]?["accuracy"]?["difference"]?.double == 0)
    #expect(
      json["differences"]?["recall"]?.elements?.map { $0["difference"]?.double } == [0.5, -0.5])
    #expect(json["regressions"]?.elements?.first?["key"]?.text == "1")
    #expect(json["regressions"]?.elements?.first?["a"]?.text == "sad")
    #expect(json["regressions"]?.elements?.first?["b"]?.text == "happy")
    #expect(json["mcnemar"]?["p"]?.double == 1)
    #expect(json["mcnemar_by_class"]?.elements?.count == 2)
  }

  @Test("Only samples that both have are compared, and the others are counted")
  func common() throws {
    let world = try EvaluateCatalog.small()
    try world.run("half", classes: ["happy", "sad"], [[0.9, 0.1], nil, nil, [0.9, 0.1]])
    let pairing = try Comparer<ImageClassification>(catalog: world.catalog).compare(
      "r1", "half", EvaluationSettings())
    #expect(pairing.keys == ["0", "3"])
    #expect(pairing.notes.contains("left out: 2 samples that only r1 has"))
    #expect(pairing.notes.contains { $0.hasPrefix("left out of half: 2 samples not predicted") })
  }

  @Test("Runs of two datasets, or without a common sample, are refused")
  func refusals() throws {
    let world = try EvaluateCatalog.small()
    try world.importFaces(["happy"], classes: ["happy"], as: "others")
    try world.run("elsewhere", over: "others", classes: ["happy"], [[1]])
    let comparison = Comparer<ImageClassification>(catalog: world.catalog)
    #expect(
      throws: EvaluationError.otherDataset(
        "r1", dataset: "faces", "elsewhere", otherDataset: "others")
    ) { try comparison.compare("r1", "elsewhere", EvaluationSettings()) }
    try world.run("one", classes: ["happy", "sad"], [[1, 0], nil, nil, nil])
    try world.run("two", classes: ["happy", "sad"], [nil, [1, 0], nil, nil])
    #expect(throws: EvaluationError.nothingShared("one", "two")) {
      try comparison.compare("one", "two", EvaluationSettings())
    }
  }

  @Test("An evaluation that kept another truth is refused")
  func otherTruth() throws {
    let world = try EvaluateCatalog.small()
    let workflow = Evaluator<ImageClassification>(catalog: world.catalog)
    let (evaluation, evaluated) = try workflow.evaluate("r1", EvaluationSettings())
    _ = try workflow.save(evaluation, of: evaluated, as: "old")
    try world.importFaces(
      ["sad", "sad", "happy", "sad"], classes: ["happy", "sad"], replace: true)
    #expect(throws: EvaluationError.otherTruth("r1@old", "r2", key: "0")) {
      try Comparer<ImageClassification>(catalog: world.catalog).compare(
        "r1@old", "r2", EvaluationSettings())
    }
  }

  @Test("The sheets are PNG pictures; where nothing was lost there is none")
  func pictures() throws {
    let world = try EvaluateCatalog.small()
    let comparison = Comparer<ImageClassification>(catalog: world.catalog)
    let pairing = try comparison.compare("r1", "r2", EvaluationSettings())
    let pictures = ComparisonPictures(catalog: world.catalog, comparison: pairing.whole)
    let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47]
    #expect(try pictures.sheets().lost?.starts(with: signature) == true)
    #expect(try pictures.together().starts(with: signature))
    let same = try comparison.compare("r1", "r1", EvaluationSettings())
    let none = try ComparisonPictures(catalog: world.catalog, comparison: same.whole).sheets()
    #expect(none.lost == nil)
    #expect(none.won == nil)
  }
}
