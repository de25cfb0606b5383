import Testing

import AssayWorkflows

@Suite struct ClassJoinTests {
  @Test("Scores find their class by name, whatever their order")
  func byName() throws {
    let join = try ClassJoin(truth: ["a", "b", "c"], scores: ["c", "a", "b"])
    #expect(join.classes == ["a", "b", "c"])
    #expect(join.columns == [2, 0, 1])
    #expect(!join.isIdentity)
    #expect(try ClassJoin(truth: ["a", "b"], scores: ["a", "b"]).isIdentity)
  }

  @Test("What only one side has is named; what only the scores have is counted as a class, too")
  func oneSided() throws {
    let join = try ClassJoin(truth: ["a", "b"], scores: ["b", "x"])
    #expect(join.classes == ["a", "b", "x"])
    #expect(join.columns == [1, 2])
    #expect(join.onlyTruth == ["a"])
    #expect(join.onlyScores == ["x"])
  }

  @Test("Nothing in common is refused with both lists")
  func nothingInCommon() {
    #expect(throws: EvaluationError.nothingInCommon(truth: ["a"], scores: ["x", "y"])) {
      try ClassJoin(truth: ["a"], scores: ["x", "y"])
    }
    let text = "\(EvaluationError.nothingInCommon(truth: ["a"], scores: ["x", "y"]))"
    #expect(text.contains("ground truth: a\n"))
    #expect(text.contains("scores:       x, y\n"))
  }

  @Test("A class named twice is refused")
  func twice() {
    #expect(throws: EvaluationError.duplicateClass("a")) {
      try ClassJoin(truth: ["a", "a"], scores: ["a"])
    }
  }
}
