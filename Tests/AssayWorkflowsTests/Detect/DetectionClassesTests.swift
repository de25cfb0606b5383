import AssayCore
import Testing

import AssayWorkflows

@Suite("How the classes of a detector join")
struct DetectionClassesTests {
  @Test("The shared classes are evaluated, in the order of their ids; void ones never")
  func join() throws {
    let taxonomy = Taxonomy([
      Category(name: "dog", sourceID: .integer(18)), Category(name: "cat", sourceID: .integer(9)),
      Category(name: "sky", sourceID: .integer(1)),
      Category(name: "void", sourceID: .integer(2), isVoid: true),
    ])
    let classes = try DetectionClasses(truth: taxonomy, run: ["void", "cat", "unicorn", "dog"])
    #expect(classes.names == ["cat", "dog"])
    #expect(classes.truthPlaces == [1, 0, nil, nil] && classes.runPlaces == [nil, 0, nil, 1])
    #expect(classes.onlyTruth == ["sky"] && classes.onlyModel == ["void", "unicorn"])
    #expect(classes.void == ["void"] && classes.evaluatedOrdinals == [0, 1])
  }

  @Test("Numbers come before texts, and those without an id keep their place")
  func order() throws {
    let ids: [SourceID] = [.text("b"), .integer(10), .text("a"), .integer(9)]
    #expect(
      ids.sorted { $0.precedes($1) } == [.integer(9), .integer(10), .text("a"), .text("b")])
    let plain = Taxonomy([Category(name: "b"), Category(name: "a")])
    #expect(try DetectionClasses(truth: plain, run: ["a", "b"]).names == ["b", "a"])
  }

  @Test("Nothing in common, and a class named twice, are refused")
  func refused() throws {
    let taxonomy = Taxonomy([Category(name: "cat"), Category(name: "void", isVoid: true)])
    #expect(
      throws: EvaluationError.nothingInCommon(truth: ["cat"], scores: ["void"])
    ) { try DetectionClasses(truth: taxonomy, run: ["void"]) }
    #expect(throws: EvaluationError.duplicateClass("cat")) {
      try DetectionClasses(truth: taxonomy, run: ["cat", "cat"])
    }
  }
}
