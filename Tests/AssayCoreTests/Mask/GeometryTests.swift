import Testing

import AssayCore

@Suite("Packed geometry")
struct GeometryTests {
  private let size = ImageSize(width: 9, height: 7)

  private func unpacked(_ geometry: Geometry) throws -> Geometry {
    switch geometry {
    case .polygons: try Geometry(shape: .polygon, packed: geometry.packed, size: size)
    case .mask(let mask): try Geometry(shape: .mask, packed: geometry.packed, size: mask.size)
    case .polylines: try Geometry(shape: .polyline, packed: geometry.packed, size: size)
    case .points: try Geometry(shape: .points, packed: geometry.packed, size: size)
    }
  }

  @Test("Hundredths take a byte or two, as differences")
  func hundredths() throws {
    let geometry = Geometry.polygons([[1, 2, 1.5, 2, 1.5, 2.25]])
    // Kind 1, one polygon, six numbers; then 100 → 200 = C8 01, 200 → 400 = 90 03, 50 → 100 = 64, 0,
    // 0, 25 → 50 = 32.
    #expect(geometry.packed == [1, 1, 6, 0xC8, 1, 0x90, 3, 0x64, 0, 0, 0x32])
    #expect(try unpacked(geometry) == geometry)
  }

  @Test("Lines and points come back, and cover no pixels")
  func linesAndPoints() throws {
    for geometry in [
      Geometry.polylines([[0, 0, 5.25, 6], [1, 1, 2, 2, 3, 1]]), .points([0.5, 7, 1, 2]),
    ] {
      #expect(try unpacked(geometry) == geometry)
      #expect(geometry.mask(in: size).area == 0)
    }
  }

  @Test("Two lists of points are damage")
  func twoLists() throws {
    let packed = Geometry.polygons([[1, 2], [3, 4]]).packed
    #expect(throws: MaskError.damaged) {
      try Geometry(shape: .points, packed: packed, size: size)
    }
  }

  @Test("Every number comes back to the bit")
  func lossless() throws {
    let odd: [[[Double]]] = [
      [], [[]], [[1]], [[0.1, 0.07, 1e13, -4.35, 2.675, 99_999_999.99]], [[-0.0, 0]],
      [[.pi, 1, 2]], [[1e300, -1e300, .leastNonzeroMagnitude]], [[1e15, 1]], [[0.1 + 0.2, 1]],
      [[1, 2, 3, 4, 5, 6], [], [-7.25, 1.01, 8]],
    ]
    for polygons in odd {
      guard case .polygons(let back) = try unpacked(.polygons(polygons)) else {
        Issue.record("another shape")
        continue
      }
      #expect(back.map { $0.map(\.bitPattern) } == polygons.map { $0.map(\.bitPattern) })
    }
    for number in 0..<300 {
      var draw = MaskCases(seed: number)
      let polygons = draw.polygons(draw.size(900))
      #expect(try unpacked(.polygons(polygons)) == .polygons(polygons))
      let mask = Mask(draw.shape(draw.size(30)))
      #expect(try unpacked(.mask(mask)) == .mask(mask))
    }
  }

  @Test("A mask of another size is cut or extended")
  func otherSize() {
    let mask = drawn("##", "##", "##")
    #expect(
      Geometry.mask(mask).mask(in: ImageSize(width: 3, height: 2)) == drawn("##.", "##."))
    #expect(
      Geometry.polygons([[0, 0, 1, 0, 1, 1, 0, 1]]).mask(in: ImageSize(width: 2, height: 1))
        == drawn("#."))
  }

  @Test("Damaged bytes are refused")
  func damaged() {
    let broken: [[UInt8]] = [
      [], [3, 0], [1], [1, 1], [1, 1, 2, 0], [1, 0, 0], [1, 1, 1, 0x80],
      [1, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F], [2, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0],
      [1, 1, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01],
    ]
    for bytes in broken {
      #expect(throws: MaskError.damaged, "\(bytes)") {
        try Geometry(shape: .polygon, packed: bytes, size: size)
      }
    }
    #expect(throws: MaskError.damaged) { try Geometry(shape: .box, packed: [1, 0], size: size) }
  }
}
