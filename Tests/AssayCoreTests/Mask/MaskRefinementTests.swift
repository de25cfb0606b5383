import AssayTestSupport
import Testing

@testable import AssayCore

@Suite("Refinement of masks")
struct MaskRefinementTests {
  private let size = ImageSize(width: 30, height: 20)

  @Test(
    "Steps are read as they are spelled", arguments: ["open:2", "close:1000", "holes", "largest"])
  func spelling(text: String) {
    #expect(MaskRefinement(text)?.text == text)
  }

  @Test(
    "Other text is refused",
    arguments: [
      "", "open", "open:", "open:0", "open:-1", "close:1001", "holes:1", "Largest", "open:1:2",
    ])
  func refused(text: String) { #expect(MaskRefinement(text) == nil) }

  @Test("Each step does what its operation does, in the order given")
  func steps() {
    let block = Mask(2, 2, 12, 12, in: size)
    let hole = Mask(6, 6, 3, 3, in: size)
    let speck = Mask(25, 15, 1, 1, in: size)
    let ragged = block.subtracting(hole).union(speck)
    #expect(ragged.refined(by: []) == ragged)
    #expect(ragged.refined(by: [.holes]) == block.union(speck))
    #expect(ragged.refined(by: [.largest]) == block.subtracting(hole))
    #expect(ragged.refined(by: [.holes, .open(1)]) == block)
    #expect(ragged.refined(by: [.close(2)]) == block.union(speck))
    // Opening before the holes are filled removes more of the ring.
    #expect(ragged.refined(by: [.open(3), .holes]).isEmpty)
  }
}
