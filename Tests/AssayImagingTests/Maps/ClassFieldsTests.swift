import AssayCore
import Testing

@testable import AssayImaging

@Suite("Maps of several classes")
struct ClassFieldsTests {
  private func map(_ cells: [UInt8], _ size: ImageSize, to source: ImageSize) throws
    -> ProbabilityMap
  {
    ProbabilityMap(
      try #require(Raster(width: size.width, height: size.height, elements: cells)),
      plan: ResizePlan(.stretch, from: source, to: size))
  }

  @Test("Each pixel belongs to its likeliest class, of equal ones to the first")
  func likeliest() throws {
    let size = ImageSize(width: 3, height: 1)
    let masks = ClassFields([
      try map([9, 100, 5], size, to: size), try map([10, 100, 6], size, to: size),
      try map([8, 99, 6], size, to: size),
    ]).masks()
    #expect(
      masks.map(\.flags) == [[false, true, false], [true, false, true], [false, false, false]])
  }

  @Test("Unrounded probabilities that are equal in 8 bits still have a largest one")
  func unrounded() throws {
    let size = ImageSize(width: 2, height: 1)
    let cells: [[Float]] = [[0.9975, 0.9976], [0.9976, 0.9975], [0.9975, 0.9975]]
    let maps = try cells.map {
      try #require(Raster(width: 2, height: 1, elements: $0))
    }
    let fields = ClassFields(maps, plan: ResizePlan(.stretch, from: size, to: size))
    #expect(fields.masks().map(\.flags) == [[false, true], [true, false], [false, false]])
    let mean = try #require(fields.mean(of: 0, inside: fields.masks()[0]))
    #expect(abs(mean - 0.9976) < 1e-6)
    let rounded = try cells.map { row in
      ProbabilityMap(
        try #require(Raster(width: 2, height: 1, elements: row.map(ProbabilityMap.quantised))),
        plan: ResizePlan(.stretch, from: size, to: size))
    }
    #expect(ClassFields(rounded).masks().map(\.flags)[0] == [true, true])
  }

  @Test("Classes are compared after interpolation, and share out every pixel")
  func interpolated() throws {
    let size = ImageSize(width: 16, height: 12)
    let source = ImageSize(width: 45, height: 67)
    var random = SplitMix64(seed: 8)
    let maps = try (0..<4).map { _ in
      try map(
        (0..<size.area).map { _ in UInt8.random(in: 0...255, using: &random) }, size, to: source)
    }
    let fields = ClassFields(maps)
    let masks = fields.masks()
    var column = [[Float]](repeating: [Float](repeating: 0, count: 67), count: 4)
    let flags = masks.map(\.flags)
    for x in 0..<45 {
      for (index, map) in maps.enumerated() {
        column[index].withUnsafeMutableBufferPointer {
          map.field().interpolate(column: x, into: $0)
        }
      }
      for y in 0..<67 {
        let values = column.map { $0[y] }
        let best = values.firstIndex(of: values.max() ?? 0)
        #expect((0..<4).filter { flags[$0][y * 45 + x] } == [best])
      }
    }
    let areas = masks.map { mask in mask.flags.count { $0 } }
    #expect(areas.reduce(0, +) == source.area && areas.allSatisfy { $0 > 0 })
    #expect((fields.mean(of: 1, inside: masks[1]) ?? 0) > 0.5)
  }

  @Test("Beside a center crop a pixel belongs to no class")
  func crop() {
    let plan = ResizePlan(
      .centerCrop, from: ImageSize(width: 5, height: 2), to: ImageSize(width: 2, height: 2))
    let cells = Raster<UInt8>(repeating: 7, width: 2, height: 2)
    let masks = ClassFields([
      ProbabilityMap(cells, plan: plan), ProbabilityMap(cells, plan: plan),
    ]).masks()
    #expect(masks[0].flags == (0..<10).map { (1...2).contains($0 % 5) })
    #expect(masks[1].isEmpty)
  }
}
