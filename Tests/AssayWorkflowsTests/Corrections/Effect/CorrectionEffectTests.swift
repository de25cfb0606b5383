import AssayCore
import AssayMetrics
import AssayStore
import Testing

import AssayWorkflows

@Suite("What corrections did to the numbers of a run")
struct CorrectionEffectTests {
  @Test("Accuracy with both ground truths, and which samples are left out")
  func classification() throws {
    // Labels happy sad happy sad; r1 predicts happy sad sad sad.
    let world = try EvaluateCatalog.small()
    let hand = try CorrectingHand(world.catalog)
    try hand.change("2", in: "faces", .label("sad"))
    try hand.change("3", in: "faces", by: "ben", .reject("not a face"))
    let opened = try hand.opened()
    let workflow = Evaluator<ImageClassification>(catalog: opened.catalog)
    let (evaluation, evaluated) = try workflow.evaluate("r1", EvaluationSettings())
    #expect(evaluation.scores[.accuracy].value == 1 && evaluation.scores.count == 3)
    #expect(evaluation.notes.contains("left out: 1 sample excluded by users (3)"))

    let effect = try EffectMeasurement(catalog: opened.catalog)
      .effect(on: evaluated, EvaluationSettings())
    #expect(effect.corrections == 2 && effect.samples == 2 && effect.leftOut == ["3"])
    #expect(effect.shared == 3 && effect.relabeled == 1 && effect.gained == 0)
    let moved = try #require(effect.moved.first)
    // With the imported ground truth, 2 of the shared 3 and 3 of all 4 were correct.
    #expect(moved.kind == .accuracy && moved.difference.second == 1)
    #expect(moved.difference.first == 2.0 / 3 && moved.before == 0.75)
    #expect(
      effect.sentence == """
        these 2 corrections (2 samples of this run) changed accuracy from 0.667 to 1.000; 1 sample left out
        """)
    #expect(
      effect.details == [
        "both values are over the 3 samples that have both ground truths; leaving out 1 sample alone changes "
          + "the value from 0.750 to 0.667", "1 sample has a different label than imported",
      ])
    let json = effect.json["scores"]?["accuracy"]
    #expect(json?["after"]?.double == 1 && json?["low"] == .null)
  }

  @Test("Kept with the entry that it goes by, beside the evaluation by the imported ground truth")
  func kept() throws {
    let world = try EvaluateCatalog.small()
    let hand = try CorrectingHand(world.catalog)
    try hand.change("2", in: "faces", .label("sad"))
    try hand.change("0", in: "faces", .label("sad"))
    for (choice, name, sequence) in [
      (TruthChoice.imported, "default", Int64?.none), (.corrected, "corrected", 2),
      (TruthChoice(corrected: true, at: 1), "corrected-1", 1),
    ] {
      let opened = try CorrectedCatalog.open(
        world.catalog.path, .readWrite, truth: choice, reportingTo: NoProgress())
      let workflow = Evaluator<ImageClassification>(catalog: opened.catalog)
      let (evaluation, evaluated) = try workflow.evaluate("r1", EvaluationSettings())
      let saved = try workflow.save(
        evaluation, of: evaluated, as: nil, by: KeptTruth(choice, opened.corrections))
      #expect(saved.name == name)
      let run = try world.catalog.run(named: "r1")
      #expect(try world.catalog.evaluation(named: name, of: run).ledgerSequence == sequence)
    }
    // Stored evaluations do not change: 3 of 4, 3 of 4 (one won, one lost), 4 of 4.
    let values = try ["default", "corrected", "corrected-1"].map {
      try Evaluator<ImageClassification>(catalog: world.catalog).evaluate(
        "r1@\($0)", EvaluationSettings()
      )
      .evaluation.scores[.accuracy].value
    }
    #expect(values == [0.75, 0.75, 1])
  }

  @Test("What was kept by the imported truth keeps its samples where people left some out since")
  func storedKeepsSamples() throws {
    let world = try EvaluateCatalog.small()
    let workflow = Evaluator<ImageClassification>(catalog: world.catalog)
    let (evaluation, evaluated) = try workflow.evaluate("r1", EvaluationSettings())
    _ = try workflow.save(evaluation, of: evaluated, as: nil)
    let hand = try CorrectingHand(world.catalog)
    try hand.change("3", in: "faces", .reject("not a face"))
    let opened = try hand.opened()
    let again = try Evaluator<ImageClassification>(catalog: opened.catalog)
      .evaluate("r1@default", EvaluationSettings())
    #expect(again.evaluation.scores.count == 4 && again.evaluation.scores[.accuracy].value == 0.75)
  }

  @Test("Corrections of other samples move nothing, and that is said")
  func elsewhere() throws {
    let world = try EvaluateCatalog.small()
    try world.importFaces(["happy", "sad"], classes: ["happy", "sad"], as: "other")
    let hand = try CorrectingHand(world.catalog)
    try hand.change("0", in: "other", .label("sad"))
    let opened = try hand.opened()
    let (_, evaluated) = try Evaluator<ImageClassification>(catalog: opened.catalog)
      .evaluate("r1", EvaluationSettings())
    let effect = try EffectMeasurement(catalog: opened.catalog)
      .effect(on: evaluated, EvaluationSettings())
    #expect(!effect.isAny && effect.moved.isEmpty && effect.shared == 4)
    #expect(effect.sentence.hasPrefix("no correction applies to a sample of this run"))
  }

  @Test("A sample that a person labeled can be evaluated")
  func gained() throws {
    let world = try EvaluateCatalog()
    try world.importFaces(["happy", nil, "sad"], classes: ["happy", "sad"])
    try world.run("r", classes: ["happy", "sad"], [[0.9, 0.1], [0.9, 0.1], [0.2, 0.8]])
    let hand = try CorrectingHand(world.catalog)
    try hand.change("1", in: "faces", .label("happy"))
    let opened = try hand.opened()
    let (evaluation, evaluated) = try Evaluator<ImageClassification>(catalog: opened.catalog)
      .evaluate("r", EvaluationSettings())
    #expect(evaluation.scores.count == 3)
    let effect = try EffectMeasurement(catalog: opened.catalog)
      .effect(on: evaluated, EvaluationSettings())
    #expect(effect.gained == 1 && effect.shared == 2)
    #expect(effect.sentence.contains("did not change accuracy (1.000)"))
  }

  @Test("Runs evaluated against different ground truths are not compared, and the error says why")
  func compared() throws {
    let world = try EvaluateCatalog.small()
    let workflow = Evaluator<ImageClassification>(catalog: world.catalog)
    let (evaluation, evaluated) = try workflow.evaluate("r1", EvaluationSettings())
    _ = try workflow.save(evaluation, of: evaluated, as: nil)
    let hand = try CorrectingHand(world.catalog)
    try hand.change("2", in: "faces", .label("sad"))
    let opened = try hand.opened()
    let comparison = Comparer<ImageClassification>(catalog: opened.catalog)
    let pairing = try comparison.compare("r1", "r2", EvaluationSettings())
    // With the corrected ground truth r1 has all four correct, r2 loses samples 2 and 3.
    #expect(pairing.comparison[.accuracy]?.first == 1)
    #expect(throws: EvaluationError.otherCorrections("r1@default", nil, "r2", 1, key: "2")) {
      try comparison.compare("r1@default", "r2", EvaluationSettings())
    }
  }
}
