import Testing

@testable import AssayWorkflows

@Suite("Classes without a counterpart")
struct UnmatchedClassesTests {
  @Test("Names that differ only in spelling are proposed, also Pascal VOC's for COCO's")
  func proposal() {
    let unmatched = UnmatchedClasses(
      model: ["aeroplane", "dining_table", "Potted-Plant", "tvmonitor", "rocket", "motorbike"],
      dataset: ["airplane", "dining table", "potted plant", "tv", "boat", "motorcycle"])
    #expect(
      unmatched.proposal.map { "\($0.model): \($0.dataset)" } == [
        "aeroplane: airplane", "dining_table: dining table", "Potted-Plant: potted plant",
        "tvmonitor: tv", "motorbike: motorcycle",
      ])
  }

  @Test("Nothing is proposed where two names would fit")
  func ambiguous() {
    #expect(UnmatchedClasses(model: ["TV"], dataset: ["tv", "tvmonitor"]).proposal.isEmpty)
    #expect(UnmatchedClasses(model: ["a_b", "a b"], dataset: ["A-B"]).proposal.isEmpty)
    #expect(UnmatchedClasses(model: ["a"], dataset: []).proposal.isEmpty)
  }
}
