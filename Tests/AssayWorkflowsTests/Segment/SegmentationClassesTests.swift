import AssayCore
import Testing

@testable import AssayWorkflows

@Suite struct SegmentationClassesTests {
  private let taxonomy = Taxonomy([
    Category(name: "road"), Category(name: "car"), Category(name: "void", isVoid: true),
    Category(name: "person"),
  ])

  @Test("Classes join by name; what one side alone has is background, and named")
  func join() throws {
    let classes = try SegmentationClasses(
      truth: taxonomy, run: ["background", "person", "dog", "road"], background: 0, ignoring: [])
    #expect(classes.labels.names == ["background", "person", "road"])
    #expect(classes.truthLabels == [2, 0, 0, 1])
    #expect(classes.runLabels == [0, 1, 0, 2])
    #expect(classes.voids == [2])
    #expect(classes.onlyModel == ["dog"])
    #expect(classes.onlyTruth == ["car"])
    #expect(classes.left == ["void"])
    #expect(classes.needed == [0, 2, 3])
  }

  @Test("A class that is ignored is left out like void")
  func ignored() throws {
    let classes = try SegmentationClasses(
      truth: taxonomy, run: ["person", "road"], background: nil, ignoring: ["road"])
    #expect(classes.evaluated == ["person"])
    #expect(classes.runLabels == [1, 0])
    #expect(classes.voids == [0, 2])
    #expect(
      throws: EvaluationError.unknownIgnored("raod", known: taxonomy.names)
    ) {
      try SegmentationClasses(
        truth: taxonomy, run: ["person"], background: nil, ignoring: ["raod"])
    }
    #expect(throws: EvaluationError.allIgnored(["person"])) {
      try SegmentationClasses(
        truth: taxonomy, run: ["person"], background: nil, ignoring: ["person"])
    }
  }

  @Test("Nothing in common is refused with both lists; void does not count")
  func nothing() {
    #expect(
      throws: EvaluationError.nothingInCommon(
        truth: ["road", "car", "person"], scores: ["void", "dog"])
    ) {
      try SegmentationClasses(
        truth: taxonomy, run: ["void", "dog"], background: nil, ignoring: [])
    }
  }
}
