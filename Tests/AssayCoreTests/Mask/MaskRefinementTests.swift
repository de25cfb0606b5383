import Testing

@testable import AssayCore

@Suite("Refinement of masks")
struct MaskRefinementTests {
  @Test(
    "Steps are read as they are spelled",
    arguments: [
      "open:2", "close:1000", "holes", "largest", "guided:8", "guided:200:0.5", "grabcut:1",
    ])
  func spelling(text: String) {
    #expect(MaskRefinement(text)?.text == text)
  }

  @Test(
    "Other text is refused",
    arguments: [
      "", "open", "open:", "open:0", "open:-1", "close:1001", "holes:1", "Largest", "open:1:2",
      "guided", "guided:0", "guided:201", "guided:8:0", "guided:8:nan", "guided:8:2",
      "guided:8:0.1:1",
      "grabcut", "grabcut:0", "grabcut:201", "grabcut:5:1",
    ])
  func refused(text: String) { #expect(MaskRefinement(text) == nil) }

  @Test("A list of steps is read with blanks; the first unknown one is named")
  func list() throws {
    #expect(
      try MaskRefinement.list("guided:8:0.01, holes ,grabcut:5")
        == [.guided(radius: 8, epsilon: 0.01), .holes, .grabcut(band: 5)])
    #expect(throws: UnknownStep(text: " hole")) { try MaskRefinement.list("largest, hole") }
    #expect(throws: UnknownStep(text: "")) { try MaskRefinement.list("") }
  }
}
