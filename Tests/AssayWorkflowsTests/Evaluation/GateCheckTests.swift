import AssayCore
import AssayStore
import Testing

@testable import AssayWorkflows

@Suite struct GateCheckTests {
  private func check(
    _ expression: String, base: String? = nil, in world: EvaluateCatalog,
    _ settings: EvaluationSettings = EvaluationSettings()
  ) throws -> GateOutcome {
    try GateCheck(catalog: world.catalog).check("r1", expression, base: base, settings)
  }

  @Test("Each term is held against its bound; one that fails fails the gate")
  func terms() throws {
    let world = try EvaluateCatalog.small()
    // r1: accuracy 3/4; recall of happy 1/2, of sad 2/2.
    let outcome = try check(
      "accuracy >= 0.75 and recall(happy) > 0.5 and n = 4 and recall(sad) != 0.5", in: world)
    #expect(outcome.terms.map(\.isMet) == [true, false, true, true])
    #expect(outcome.terms.map(\.value) == [0.75, 0.5, 4, 1])
    #expect(!outcome.isPassed)
    #expect(try check("accuracy >= 0.75", in: world).isPassed)
    #expect(try check("accuracy < 0.75 and n <= 4", in: world).terms.map(\.isMet) == [false, true])
  }

  @Test("An undefined number fails, with the reason")
  func undefined() throws {
    let world = try EvaluateCatalog.small()
    let outcome = try check("answered >= 0 and top2 >= 0", in: world)
    #expect(outcome.terms.map(\.isMet) == [false, false])
    #expect(outcome.terms[0].reason?.contains("--accept") == true)
    #expect(outcome.terms[1].reason?.contains("classes") == true)
    var settings = EvaluationSettings()
    settings.accept = 0.75
    // Confidences 0.9, 0.8, 0.6, 0.7.
    #expect(try check("answered = 0.5", in: world, settings).isPassed)
  }

  @Test("A term that worse values meet is noted, by the metric's direction")
  func direction() throws {
    let world = try EvaluateCatalog.small()
    #expect(try check("accuracy >= 0.1 and log_loss <= 9 and n >= 4", in: world).notes.isEmpty)
    let notes = try check("accuracy < 0.9 and log_loss >= 0", in: world).notes
    #expect(notes.count == 2)
    #expect(notes.first?.contains("“accuracy < 0.9”: for accuracy, higher") == true)
    #expect(notes.last?.contains("for log_loss, lower") == true)
  }

  @Test("The base is a run or a file of an evaluation")
  func base() throws {
    let world = try EvaluateCatalog.small()
    #expect(try check("accuracy >= base - 0.005", base: "r2", in: world).isPassed)
    let recall = try check("recall(happy) >= base", base: "r2", in: world)
    #expect(recall.terms[0].bound == 1)
    #expect(!recall.isPassed)
    let json = try Evaluator<ImageClassification>(catalog: world.catalog).evaluate(
      "r2", EvaluationSettings()
    )
    .evaluation.json()
    let file = try world.write("base.json", json.text())
    #expect(try check("recall(happy) >= base - 0.5", base: file, in: world).terms[0].bound == 0.5)
    let broken = try world.write("broken.json", "{")
    #expect(throws: EvaluationError.self) { try check("n >= base", base: broken, in: world) }
    let other = try world.write("other.json", "{\"a\": 1}")
    #expect(throws: EvaluationError.self) { try check("n >= base", base: other, in: world) }
    #expect(throws: GateError.self) { try check("n >= base", in: world) }
    let without = try world.write("without.json", "{\"accuracy\": null, \"classes\": [\"happy\"]}")
    let undefined = try check("accuracy >= base", base: without, in: world)
    #expect(undefined.terms[0].reason == "it is undefined in the base")
    #expect(!undefined.isPassed)
  }

  @Test("A base over other samples is refused, also where some samples are the same")
  func otherSamples() throws {
    let world = try EvaluateCatalog.small()
    let gate = GateCheck(catalog: world.catalog)
    try world.run("one", classes: ["happy", "sad"], [[1, 0], nil, nil, nil])
    try world.run("two", classes: ["happy", "sad"], [nil, [1, 0], nil, nil])
    #expect(throws: EvaluationError.nothingShared("one", "two")) {
      try gate.check("one", "accuracy >= base", base: "two", EvaluationSettings())
    }
    let pending =
      "left out of one: 3 samples not predicted yet "
      + "(repeat the predict or predictions import command)"
    let fewer = GateError.otherSamples(
      .init(
        run: "r1", base: "one", view: "faces", shared: 1, onlyRun: 3, onlyBase: 0,
        leftOut: [pending]))
    #expect(throws: fewer) {
      try gate.check("r1", "accuracy >= base", base: "one", EvaluationSettings())
    }
    #expect(
      "\(fewer)" == """
        r1 and the base one are evaluated on different samples: 1 in both, 3 only in r1, 0 only in one; evaluate \
        the base on the same samples (faces, with the same --where and --corrected)
          \(pending)
        """)
    #expect(
      throws: GateError.otherSamples(
        .init(
          run: "one", base: "r1", view: "faces", shared: 1, onlyRun: 0, onlyBase: 3,
          leftOut: [pending]))
    ) { try gate.check("one", "accuracy >= base", base: "r1", EvaluationSettings()) }
    #expect(
      try gate.check("r1", "accuracy >= base", base: "r2", EvaluationSettings()).notes.isEmpty)
    try world.importFaces(["happy"], classes: ["happy"], as: "others")
    try world.run("elsewhere", over: "others", classes: ["happy"], [[1]])
    #expect(
      throws: EvaluationError.otherDataset(
        "r1", dataset: "faces", "elsewhere", otherDataset: "others")
    ) { try gate.check("r1", "accuracy >= base", base: "elsewhere", EvaluationSettings()) }
  }

  @Test("A base in a file is refused where it says that it is about other samples, or another task")
  func otherFile() throws {
    let world = try EvaluateCatalog.small()
    try world.importFaces(["happy"], classes: ["happy"], as: "others")
    try world.run("elsewhere", over: "others", classes: ["happy"], [[1]])
    let gate = GateCheck(catalog: world.catalog)
    func json(_ run: String, _ change: (inout EvaluationSettings) -> Void = { _ in }) throws
      -> String
    {
      var settings = EvaluationSettings()
      change(&settings)
      return try Evaluator<ImageClassification>(catalog: world.catalog).evaluate(run, settings)
        .evaluation.json()
        .text()
    }
    func check(
      _ run: String, _ file: String, _ change: (inout EvaluationSettings) -> Void = { _ in }
    )
      throws -> GateOutcome
    {
      var settings = EvaluationSettings()
      change(&settings)
      return try gate.check(run, "accuracy >= base - 1", base: file, settings)
    }
    let elsewhere = try world.write("elsewhere.json", json("elsewhere"))
    #expect(
      throws: EvaluationError.otherDataset(
        "r1", dataset: "faces", elsewhere, otherDataset: "others")
    ) { try check("r1", elsewhere) }
    let train = try world.write("train.json", json("r1") { $0.filter = "split = train" })
    #expect(throws: EvaluationError.nothingShared("r1", train)) {
      try check("r1", train) { $0.filter = "split = test" }
    }
    #expect(
      throws: GateError.otherSamples(
        .init(
          run: "r1", base: train, view: "faces", shared: 2, onlyRun: 2, onlyBase: 0, leftOut: []))
    ) { try check("r1", train) }
    let whole = try world.write("whole.json", json("r1"))
    #expect(
      throws: GateError.otherSamples(
        .init(
          run: "r1", base: whole, view: "faces", shared: 2, onlyRun: 0, onlyBase: 2, leftOut: []))
    ) { try check("r1", whole) { $0.filter = "split = train" } }
    #expect(try check("r1", world.write("same.json", json("r2"))).notes.isEmpty)
    let masks = try world.write(
      "masks.json", "{\"task\": \"segmentation\", \"mean_iou\": 0.5, \"classes\": [\"happy\"]}")
    #expect(throws: GateError.otherTask("r1", .classification, masks, .segmentation)) {
      try check("r1", masks)
    }
  }

  @Test("A base file that does not list its samples is refused for another number, else noted")
  func unlistedFile() throws {
    let world = try EvaluateCatalog.small()
    let note = "does not list its samples, so only their number is compared"
    func numbers(_ count: Int) throws -> String {
      try world.write(
        "\(count).json", "{\"accuracy\": 0.5, \"classes\": [\"happy\", \"sad\"], \"n\": \(count)}")
    }
    let three = try numbers(3)
    #expect(throws: GateError.otherSampleCount("r1", 4, three, 3, view: "faces")) {
      try check("accuracy >= base", base: three, in: world)
    }
    let four = try check("accuracy >= base", base: numbers(4), in: world)
    #expect(four.isPassed && four.notes.count == 1 && four.notes[0].contains(note))
    // Both have one sample of the view's four; the file does not state which one.
    try world.run("one", classes: ["happy", "sad"], [[1, 0], nil, nil, nil])
    try world.run("two", classes: ["happy", "sad"], [nil, [1, 0], nil, nil])
    let json = try Evaluator<ImageClassification>(catalog: world.catalog).evaluate(
      "two", EvaluationSettings()
    )
    .evaluation.json()
    let outcome = try GateCheck(catalog: world.catalog).check(
      "one", "accuracy >= base", base: world.write("two.json", json.text()), EvaluationSettings())
    // The samples that the run has no predictions for are told, too.
    #expect(
      outcome.notes.count == 2 && outcome.notes[0].contains(note)
        && outcome.notes[1].contains("3 samples not predicted yet"), "\(outcome.notes)")
  }

  @Test("Samples without a label are left out of run and base alike, without a note")
  func unlabeled() throws {
    let world = try EvaluateCatalog()
    try world.importFaces(["happy", nil, "sad"], classes: ["happy", "sad"])
    try world.run("r1", classes: ["happy", "sad"], [[1, 0], [1, 0], [0, 1]])
    let json = try Evaluator<ImageClassification>(catalog: world.catalog).evaluate(
      "r1", EvaluationSettings()
    )
    .evaluation.json()
    let file = try world.write("base.json", json.text())
    let outcome = try check("accuracy >= base and n = 2", base: file, in: world)
    #expect(outcome.isPassed && outcome.notes.isEmpty, "\(outcome.notes)")
  }

  @Test("A value at the bound is at the bound, however the bound is rounded")
  func roundedBounds() throws {
    let world = try EvaluateCatalog()
    try world.importFaces(Array(repeating: "a", count: 10), classes: ["a", "b"])
    func run(_ name: String, right: Int) throws {
      try world.run(
        name, classes: ["a", "b"], (0..<10).map { $0 < right ? [1, 0] : [0, 1] })
    }
    try run("r1", right: 3)
    try run("base", right: 4)
    // 0.4 − 0.1 is 0.30000000000000004 in float64.
    #expect(0.4 - 0.1 > 0.3)
    #expect(try check("accuracy >= base - 0.1", base: "base", in: world).isPassed)
    #expect(try check("accuracy = base - 0.1", base: "base", in: world).isPassed)
    #expect(try !check("accuracy != base - 0.1", base: "base", in: world).isPassed)
    #expect(try !check("accuracy < base - 0.1", base: "base", in: world).isPassed)
    #expect(try !check("accuracy >= base - 0.0999999999", base: "base", in: world).isPassed)
  }

  @Test("An unknown key or class is an error with a suggestion, not a failure")
  func unknown() throws {
    let world = try EvaluateCatalog.small()
    func error(_ expression: String) throws -> ExpressionError {
      let thrown = #expect(throws: ExpressionError.self) { try check(expression, in: world) }
      return try #require(thrown)
    }
    #expect(try error("acuracy >= 0.5").suggestion == "accuracy")
    #expect(try error("recal(happy) >= 0.5").suggestion == "recall(class)")
    #expect(try error("recall(hapy) >= 0.5").suggestion == "happy")
    #expect(try error("recall(hapy) >= 0.5").offset == 7)
    #expect(try error("recall >= 0.5").message.contains("one value per class"))
    #expect(try error("accuracy(happy) >= 0.5").suggestion == nil)
    #expect(throws: ExpressionError.self) { try check("accuracy >=", in: world) }
  }

  @Test("A class after a number that has none is refused without naming the same number again")
  func needlessClass() throws {
    let world = try EvaluateCatalog.small()
    let error = #expect(throws: ExpressionError.self) {
      try check("accuracy(happy) >= 0.3", in: world)
    }
    #expect(error?.suggestion == nil)
    #expect(error?.message.contains("without “(happy)”") == true)
  }
}
