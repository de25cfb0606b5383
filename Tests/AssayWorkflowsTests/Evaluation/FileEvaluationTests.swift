import AssayCore
import AssayTestSupport
import Foundation
import Testing

@testable import AssayWorkflows

@Suite struct FileEvaluationTests {
  private static let fixtures = PackageFolder.fixture("metrics/evaluate").path

  /// Returns whether our value contains the golden's, numbers within 1e-12.
  private func agree(_ value: JSONValue?, _ golden: JSONValue) -> Bool {
    if let number = golden.double {
      guard let own = value?.double else { return false }
      return abs(own - number) <= 1e-12
    }
    if let elements = golden.elements {
      guard let own = value?.elements, own.count == elements.count else { return false }
      return zip(own, elements).allSatisfy { agree($0, $1) }
    }
    return value == golden
  }

  @Test(
    "Every key of the reference has its number, rows paired by sample or by order",
    arguments: [("faces", true), ("undefined", false)])
  func golden(_ name: String, isKeyed: Bool) throws {
    let base = Self.fixtures + "/" + name
    let golden = try JSONValue(
      parsing: String(contentsOfFile: base + ".json", encoding: .utf8))
    let evaluation = try FileEvaluation(
      truth: base + ".truth.csv", scores: base + ".scores.csv"
    ).evaluate(EvaluationSettings())
    let json = evaluation.json(zeroDivision: .zero)
    guard case .object(let members) = golden else {
      Issue.record("the golden is no object")
      return
    }
    #expect(members.count > 15)
    for member in members {
      #expect(agree(json[member.name], member.value), "\(member.name)")
    }
    #expect(json["paired_by"]?.text == (isKeyed ? "sample" : "row"))
    #expect(json["intervals"] == .object([]))
  }

  @Test("Undefined is null unless 0 is asked for; means count it as 0 either way")
  func zeroDivision() throws {
    let base = Self.fixtures + "/undefined"
    let evaluation = try FileEvaluation(
      truth: base + ".truth.csv", scores: base + ".scores.csv"
    ).evaluate(EvaluationSettings())
    let json = evaluation.json()
    // Class d is predicted but has no samples, e has neither.
    #expect(json["recall"]?.elements?[3] == .null)
    #expect(json["precision"]?.elements?[3] == .number(0))
    #expect(json["precision"]?.elements?[4] == .null)
    #expect(json["f1"]?.elements?[3] == .number(0))
    #expect(json["f1"]?.elements?[4] == .null)
    #expect(evaluation.json(zeroDivision: .zero)["macro_f1"] == json["macro_f1"])
    #expect(json["defined"]?["macro_f1_defined"]?["defined"]?.double == 4)
    #expect(json["defined"]?["macro_f1_defined"]?["total"]?.double == 5)
  }

  @Test("Intervals of files are made only where asked for")
  func intervals() throws {
    let base = Self.fixtures + "/faces"
    var settings = EvaluationSettings()
    settings.intervals = true
    let json = try FileEvaluation(
      truth: base + ".truth.csv", scores: base + ".scores.csv"
    ).evaluate(settings).json()
    let ends = json["intervals"]?["accuracy"]?.elements?.compactMap { $0.double }
    let accuracy = try #require(ends)
    let value = try #require(json["accuracy"]?.double)
    #expect(accuracy.count == 2)
    #expect(accuracy[0] < value && value < accuracy[1])
    #expect(json["intervals"]?["f1"]?.elements?.count == 7)
    #expect(json["intervals"]?["ece15"] == .null)
    #expect(json["intervals"]?["weighted_recall"] == json["intervals"]?["accuracy"])
    #expect(json["interval_methods"]?["kappa"]?.text == "bootstrap")
  }

  @Test("An interval that would not cover is null, and its reason stands beside it and in a note")
  func reasons() throws {
    let base = Self.fixtures + "/faces"
    var settings = EvaluationSettings()
    settings.intervals = true
    let evaluation = try FileEvaluation(
      truth: base + ".truth.csv", scores: base + ".scores.csv"
    ).evaluate(settings)
    let json = evaluation.json()
    // 300 faces, 6 of them disgusted: 7 / (1/6 + 1/65 + …) is 23.
    for key in ["macro_f1", "macro_f1_defined", "macro_auroc_ovr", "mean_average_precision"] {
      #expect(json["intervals"]?[key] == .null, "\(key)")
      let reason = try #require(json["interval_reasons"]?[key]?.text, "\(key)")
      let ranked = key == "macro_auroc_ovr" || key == "mean_average_precision"
      let units = ranked ? "positives or negatives" : "positives"
      #expect(reason.hasPrefix("the harmonic mean of the \(units) per class is 23."))
      #expect(reason.hasSuffix("at least 40 is needed"))
    }
    #expect(json["interval_reasons"]?["accuracy"] == nil)
    let classes = try #require(json["classes"]?.elements).compactMap(\.text)
    let disgust = try #require(classes.firstIndex(of: "disgust"))
    let intervals = try #require(json["intervals"]?["average_precision"]?.elements)
    let reasons = try #require(json["interval_reasons"]?["average_precision"]?.elements)
    #expect(intervals[disgust] == .null)
    #expect(reasons[disgust].text == "6 positives; at least 10 are needed")
    #expect(reasons.count { $0 == .null } == 6)
    let notes = evaluation.notes.filter { $0.hasPrefix("no CI for ") }
    #expect(notes.contains { $0.contains("macro_f1_defined") && $0.contains("harmonic mean") })
    #expect(
      notes.contains {
        $0.hasSuffix(
          "average_precision: 1 of 7 classes has fewer than 10 positives or negatives")
      })
  }

  private func evaluate(
    _ truth: String, _ scores: String, ignoreMissing: Bool = false
  ) throws -> Evaluation {
    let world = try EvaluateCatalog()
    var settings = EvaluationSettings()
    settings.ignoresMissing = ignoreMissing
    return try FileEvaluation(
      truth: world.write("truth.csv", truth), scores: world.write("scores.csv", scores)
    ).evaluate(settings)
  }

  @Test("Rows without a common key must be as many on either side")
  func counts() throws {
    #expect(throws: EvaluationError.rowCounts(truth: 2, scores: 1)) {
      try evaluate("truth\na\nb\n", "a,b\n1,0\n")
    }
    #expect(throws: EvaluationError.rowCounts(truth: 1, scores: 2)) {
      try evaluate("sample,truth\nx,a\n", "a,b\n1,0\n0,1\n")
    }
  }

  @Test("A sample without scores stops the work, or is left out and counted")
  func missingRow() throws {
    let truth = "sample,truth\nx,a\ny,b\n"
    let scores = "sample,a,b\nx,1,0\nz,0,1\n"
    #expect(throws: EvaluationError.samplesWithoutScores(["y"], total: 1)) {
      try evaluate(truth, scores)
    }
    let evaluation = try evaluate(truth, scores, ignoreMissing: true)
    #expect(evaluation.scores.count == 1)
    #expect(evaluation.notes.contains("left out: 1 sample of the ground truth without scores"))
    #expect(evaluation.notes.contains("left out: 1 row of scores without ground truth"))
  }

  @Test("Labels without a column stop the work, or are left out and counted")
  func missingClass() throws {
    let truth = "truth\na\nc\n"
    let scores = "a,b\n1,0\n0,1\n"
    #expect(
      throws: EvaluationError.missingClasses(
        [MissingCategory(name: "c", samples: 1)], scores: ["a", "b"])
    ) { try evaluate(truth, scores) }
    let evaluation = try evaluate(truth, scores, ignoreMissing: true)
    #expect(evaluation.classes == ["a", "b", "c"])
    #expect(evaluation.scores.count == 1)
    #expect(evaluation.notes.contains { $0.contains("1 sample of classes without scores (c)") })
    #expect(throws: EvaluationError.nothingInCommon(truth: ["x"], scores: ["a", "b"])) {
      try evaluate("truth\nx\nx\n", scores, ignoreMissing: true)
    }
  }

  @Test("Scores that are equal in the file are tied, whatever the sums of their rows")
  func ties() throws {
    // 0.7 + 0.2 + 0.1 is not 1 in float64; scikit-learn gives 0.5 and 0.5.
    let evaluation = try evaluate("truth\nc\na\n", "a,b,c\n0.7,0.2,0.1\n0.8,0.1,0.1\n")
    #expect(evaluation.scores.perClass(.auroc)[2].value == 0.5)
    #expect(evaluation.scores.perClass(.averagePrecision)[2].value == 0.5)
    #expect(!evaluation.notes.contains { $0.contains("--normalize") })
  }

  @Test("Rows that do not sum to 1 are refused, or divided by their sum where that is asked for")
  func normalize() throws {
    let (truth, scores) = ("sample,truth\nx,a\ny,b\n", "sample,a,b\nx,0.9,0.9\ny,20,80\n")
    let error = #expect(throws: EvaluationError.self) { try evaluate(truth, scores) }
    #expect(error == .notNormalized(sample: "x", sum: 1.8, largest: 0.9))
    let text = "\(try #require(error))"
    #expect(text.contains("its scores sum to 1.8, not 1") && text.contains("--normalize"))
    // Class b has no sample, and the others happen to sum to 1: still not an error in the header.
    #expect(
      throws: EvaluationError.notNormalized(sample: "in row 1", sum: 0.9 + 0.8 + 0.1, largest: 0.9)
    ) {
      try evaluate("truth\nc\n", "a,b,c\n0.9,0.8,0.1\n")
    }
    let world = try EvaluateCatalog()
    var settings = EvaluationSettings()
    settings.normalizes = true
    let evaluation = try FileEvaluation(
      truth: world.write("truth.csv", truth), scores: world.write("scores.csv", scores)
    ).evaluate(settings)
    // (0.5² + 0.5² + 0.2² + 0.2²) / 2.
    let brier = try #require(evaluation.scores[.brier].value)
    #expect(abs(brier - 0.29) < 1e-12)
    #expect(evaluation.notes.contains("each row of scores was divided by its sum (--normalize)"))
    #expect(evaluation.json()["settings"]?["normalize"] == .bool(true))
  }

  @Test("A key column under another name is told, not called logits")
  func keyColumn() throws {
    let error = #expect(throws: EvaluationError.self) {
      try evaluate("sample,truth\n17,a\n18,b\n", "image,a,b\n17,1,0\n18,0,1\n")
    }
    let text = "\(try #require(error))"
    #expect(text.contains("column 1, “image”, contains 17") && text.contains("call it sample"))
    #expect(!text.contains("softmax"))
  }

  @Test("Scores that are no probabilities are named by sample and class")
  func logits() throws {
    #expect(
      throws: EvaluationError.notAProbability(sample: "x", category: "b", value: -3)
    ) { try evaluate("sample,truth\nx,a\n", "sample,a,b\nx,2.5,-3\n") }
  }
}
