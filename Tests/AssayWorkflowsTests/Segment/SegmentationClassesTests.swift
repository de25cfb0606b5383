import AssayCore
import AssayMetrics
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

  @Test(
    "At most 254 classes are evaluated; more are refused with what to do, and --ignore is one way")
  func tooMany() throws {
    let names = (1...300).map { "c\($0)" }
    let wide = Taxonomy(names.map { Category(name: $0) })
    func classes(_ count: Int, ignoring ignored: [String] = []) throws -> SegmentationClasses {
      try SegmentationClasses(
        truth: wide, run: Array(names.prefix(count)), background: nil, ignoring: ignored)
    }
    #expect(try classes(254).evaluated.count == 254)
    #expect(try classes(254).truthLabels.max() == 254)
    for count in [255, 256, 300] {
      let error = try #require(#expect(throws: MetricError.self) { try classes(count) })
      #expect(error == .labelCount(count + 1))
      #expect("\(error)".contains("at most 256") && "\(error)".contains("--ignore"))
    }
    let some = try classes(300, ignoring: Array(names.suffix(46)))
    #expect(some.evaluated.count == 254)
  }
}
