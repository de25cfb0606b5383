import AssayCore
import Testing

@testable import AssayWorkflows

@Suite struct LabelColumnsTests {
  @Test("What is painted later lies above, and comes back as masks")
  func paint() throws {
    let size = ImageSize(width: 3, height: 2)
    var columns = LabelColumns(size)
    columns.paint(Mask(fullOf: size), 1)
    columns.paint(try MaskCleanupTests.mask(".#.", ".##"), 2)
    #expect(columns.mask(of: 2) == (try MaskCleanupTests.mask(".#.", ".##")))
    #expect(columns.mask(of: 1) == (try MaskCleanupTests.mask("#.#", "#..")))
    #expect(columns.mask(of: 0).isEmpty)
    #expect(columns.mask(of: 3).size == size)
    // Columns become rows: 1 1, 2 2, 1 2.
    #expect(columns.transposed.elements == [1, 1, 2, 2, 1, 2])
    #expect(columns.transposed.width == 2)
  }
}
