import AssayCore
import Testing

import AssayWorkflows

@Suite struct MaskCleanupTests {
  /// A mask drawn with `#`, one string per row.
  static func mask(_ rows: String...) throws -> Mask {
    let elements = rows.flatMap { $0.utf8.map { $0 == UInt8(ascii: "#") ? UInt8(1) : 0 } }
    let raster = Raster(width: rows[0].utf8.count, height: rows.count, elements: elements)
    return Mask(try #require(raster))
  }

  @Test("Nothing asked for changes nothing")
  func identity() throws {
    let mask = try Self.mask("#.#", "...", "##.")
    #expect(MaskCleanup().isNone)
    #expect(MaskCleanup().applied(to: mask) == mask)
    #expect(MaskCleanup().applied(to: [mask]) == [mask])
  }

  @Test("Each step does what it is called")
  func steps() throws {
    let ragged = try Self.mask(
      "#......", ".......", "..###..", "..#.#..", "..###..", ".......")
    var cleanup = MaskCleanup()
    cleanup.opening = 1
    // A ring one pixel wide contains no square of 3 × 3.
    #expect(cleanup.applied(to: ragged).isEmpty)
    cleanup = MaskCleanup()
    cleanup.fillsHoles = true
    #expect(cleanup.applied(to: ragged).area == 10)
    cleanup = MaskCleanup()
    cleanup.keepsLargest = true
    #expect(cleanup.applied(to: ragged).area == 8)
    cleanup = MaskCleanup()
    cleanup.minimumArea = 2
    #expect(cleanup.applied(to: ragged).area == 8)
    cleanup.minimumArea = 9
    #expect(cleanup.applied(to: ragged).isEmpty)
    cleanup = MaskCleanup()
    cleanup.closing = 1
    #expect(cleanup.applied(to: ragged).intersection(ragged) == ragged)
    #expect(cleanup.applied(to: ragged).area > ragged.area)
  }

  @Test("Holes are filled before thin things are dropped only where the order says so")
  func order() throws {
    let ring = try Self.mask(".....", ".###.", ".#.#.", ".###.", ".....")
    var cleanup = MaskCleanup()
    cleanup.opening = 1
    cleanup.fillsHoles = true
    // Opening comes first: the ring is gone before its hole could be filled.
    #expect(cleanup.applied(to: ring).isEmpty)
    cleanup.opening = 0
    cleanup.minimumArea = 9
    // The hole is filled first: 8 + 1 pixels remain.
    #expect(cleanup.applied(to: ring).area == 9)
  }

  @Test("Classes lose to the background and gain only from it, the first before the second")
  func severalClasses() throws {
    // Two rings side by side that share no pixel, and a third class inside the second ring.
    let first = try Self.mask("###....", "#.#....", "###....")
    let second = try Self.mask("...####", "...#..#", "...####")
    let inside = try Self.mask(".......", "....#..", ".......")
    var cleanup = MaskCleanup()
    cleanup.fillsHoles = true
    let filled = cleanup.applied(to: [first, second, inside])
    #expect(filled[0].area == 9)
    // One of its two inner pixels belongs to the third class and remains there.
    #expect(filled[1].area == 11)
    #expect(filled[2] == inside)
    cleanup = MaskCleanup()
    cleanup.minimumArea = 2
    #expect(cleanup.applied(to: [first, inside]).map(\.area) == [8, 0])
  }
}
