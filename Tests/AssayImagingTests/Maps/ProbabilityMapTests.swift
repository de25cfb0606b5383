import AssayCore
import Testing

@testable import AssayImaging

@Suite("Probability maps")
struct ProbabilityMapTests {
  @Test("A quantum is at least 128 exactly where the probability is at least a half")
  func quantised() {
    #expect(ProbabilityMap.quantised(0.5) == 128)
    #expect(ProbabilityMap.quantised(Float(0.5).nextDown) == 127)
    for (probability, quantum) in [(0, 0), (1, 255), (-1e-6, 0), (1.00001, 255), (0.2, 51)] {
      #expect(ProbabilityMap.quantised(Float(probability)) == UInt8(quantum))
    }
    var random = SplitMix64(seed: 3)
    for _ in 0..<10_000 {
      let probability = Float.random(in: 0...1, using: &random)
      #expect((ProbabilityMap.quantised(probability) >= 128) == (probability >= 0.5))
    }
  }

  @Test("At its own scale a map's mask at a half is the cells of at least 128")
  func identity() throws {
    let size = ImageSize(width: 37, height: 29)
    var random = SplitMix64(seed: 5)
    let cells = (0..<size.area).map { _ in UInt8.random(in: 110...145, using: &random) }
    let raster = try #require(Raster(width: 37, height: 29, elements: cells))
    let map = ProbabilityMap(raster, plan: ResizePlan(.stretch, from: size, to: size))
    #expect(map.mask(threshold: 0.5).flags == cells.map { $0 >= 128 })
    // 0.2 · 255 = 51: the limit itself is inside.
    let flat = ProbabilityMap(
      Raster(repeating: 51, width: 3, height: 3), plan: ResizePlan(.stretch, from: size, to: size))
    #expect(flat.mask(threshold: 0.2) == Mask(fullOf: size))
    #expect(flat.mask(threshold: 0.2001) == Mask(emptyOf: size))
  }

  @Test("Interpolated values equal OpenCV's, whatever way the picture came to the model")
  func asOpenCV() throws {
    let goldens = try MapGoldens.read()
    #expect(goldens.count == 14)
    for golden in goldens {
      let map = try #require(golden.map)
      let crop = golden.crop
      let plan = map.projection.plan
      let isSamePlace =
        plan.crop == PixelRect(x: crop[0], y: crop[1], width: crop[2], height: crop[3])
      #expect(isSamePlace, "\(golden)")
      let field = map.field()
      var largest: Float = 0
      var column = [Float](repeating: 0, count: crop[3])
      for x in 0..<crop[2] {
        column.withUnsafeMutableBufferPointer { field.interpolate(column: x, into: $0) }
        for y in 0..<crop[3] {
          largest = max(largest, abs(column[y] - golden.values[y * crop[2] + x]))
        }
      }
      #expect(largest <= 1e-3, "\(golden): \(largest)")
    }
  }

  @Test("A mask is the pixels whose interpolated value reaches the threshold")
  func thresholds() throws {
    for golden in try MapGoldens.read() {
      let field = try #require(golden.map).field()
      for threshold in [0.1, 0.37, 0.5, 0.8] {
        let flags = field.mask(at: threshold).flags
        for y in 0..<golden.source[1] {
          for x in 0..<golden.source[0] {
            let (column, row) = (x - golden.crop[0], y - golden.crop[1])
            let isSeen =
              (0..<golden.crop[2]).contains(column) && (0..<golden.crop[3]).contains(row)
            let isSet = flags[y * golden.source[0] + x]
            guard isSeen else {
              #expect(!isSet)
              continue
            }
            let value = golden.values[row * golden.crop[2] + column]
            // Where OpenCV's last digit decides, both results are correct.
            if abs(Double(value) - 255 * threshold) > 1e-2 {
              #expect(isSet == (Double(value) >= 255 * threshold))
            }
          }
        }
      }
    }
  }

  @Test("Letterbox padding is never in a mask, even at high probability")
  func padding() {
    let source = ImageSize(width: 16, height: 8)
    let input = ImageSize(width: 8, height: 8)
    let plan = ResizePlan(.letterbox(fill: 0, anchor: .center), from: source, to: input)
    // The image is in rows 2...5; all other values are certain.
    var cells = Raster<UInt8>(repeating: 255, width: 8, height: 8)
    for y in 2..<6 { for x in 0..<8 { cells[x, y] = 0 } }
    #expect(ProbabilityMap(cells, plan: plan).mask(threshold: 0.01).isEmpty)
    #expect(ProbabilityMap(cells, plan: plan).meanDistance == 0.5)
    for y in 2..<6 { for x in 0..<8 { cells[x, y] = 255 - cells[x, y] } }
    for y in [0, 1, 6, 7] { for x in 0..<8 { cells[x, y] = 0 } }
    #expect(ProbabilityMap(cells, plan: plan).mask(threshold: 1) == Mask(fullOf: source))
  }

  @Test("Cells cut by the image's edge are used if their centers are inside it")
  func cutCells() {
    // 40 of 64 pixels high, centered at 12: cells of 16 have centers at 8, 24, 40, 56; 12 ≤ c < 52.
    let plan = ResizePlan(
      .letterbox(fill: 0, anchor: .center), from: ImageSize(width: 64, height: 40),
      to: ImageSize(width: 64, height: 64))
    let projection = MapProjection(plan, map: ImageSize(width: 4, height: 4))
    #expect(projection.cells == PixelRect(x: 0, y: 1, width: 4, height: 2))
    // An image so flat that it contains no cell center uses the cell that contains it.
    let flat = ResizePlan(
      .letterbox(fill: 0, anchor: .topLeft), from: ImageSize(width: 64, height: 2),
      to: ImageSize(width: 64, height: 64))
    let thin = MapProjection(flat, map: ImageSize(width: 4, height: 4))
    #expect(thin.cells == PixelRect(x: 0, y: 0, width: 4, height: 1))
  }

  @Test("Outside a center crop all is void, and nothing elsewhere")
  func void() throws {
    let source = ImageSize(width: 12, height: 6)
    let input = ImageSize(width: 4, height: 4)
    let crop = ProbabilityMap(
      Raster(repeating: 255, width: 4, height: 4),
      plan: ResizePlan(.centerCrop, from: source, to: input))
    // 6 × 6 of 12 × 6: columns 3...8 are visible.
    let void = try #require(crop.void)
    #expect(void.flags == (0..<72).map { !(3...8).contains($0 % 12) })
    #expect(crop.mask(threshold: 0.5).flags == void.flags.map { !$0 })
    let tall = ResizePlan(.centerCrop, from: ImageSize(width: 3, height: 5), to: input)
    let rows = try #require(MapProjection(tall, map: input).void).flags
    #expect(rows == (0..<15).map { !(1...3).contains($0 / 3) })
    let square = ResizePlan(.centerCrop, from: input, to: input)
    #expect(MapProjection(square, map: input).void == nil)
  }

  @Test(
    "A disc's picture goes through the preprocessing and its mask comes back",
    arguments: [
      ResizeRule.stretch, .centerCrop, .letterbox(fill: 0, anchor: .center),
      .letterbox(fill: 255, anchor: .topLeft),
    ], [ImageSize(width: 320, height: 200), ImageSize(width: 150, height: 333)])
  func roundTrip(_ rule: ResizeRule, _ source: ImageSize) throws {
    var picture = Raster<UInt8>(repeating: 0, width: source.width, height: source.height)
    let (x0, y0) = (Double(source.width) * 0.55, Double(source.height) * 0.45)
    let radius = 0.3 * Double(min(source.width, source.height))
    for y in 0..<source.height {
      for x in 0..<source.width {
        let (dx, dy) = (Double(x) + 0.5 - x0, Double(y) + 0.5 - y0)
        if dx * dx + dy * dy <= radius * radius { picture[x, y] = 255 }
      }
    }
    let size = ImageSize(width: 128, height: 96)
    let plan = ResizePlan(rule, from: source, to: size)
    let truth = ProbabilityMap(picture, plan: ResizePlan(.stretch, from: source, to: source))
      .mask(threshold: 0.5)
    let input = plan.apply(to: picture)
    let whole = ProbabilityMap(input, plan: plan).mask(threshold: 0.5).overlap(truth)
    #expect(whole > 0.97, "\(whole)")
    // A model whose output is half as large.
    let half = Resize.area(input, to: ImageSize(width: 64, height: 48))
    let coarse = ProbabilityMap(half, plan: plan).mask(threshold: 0.5).overlap(truth)
    #expect(coarse > 0.95, "\(coarse)")
  }

  @Test("The mean inside a mask is that of its pixels; of none it is undefined")
  func mean() throws {
    let size = ImageSize(width: 2, height: 2)
    let cells = try #require(Raster(width: 2, height: 2, elements: [0, 51, 102, 255] as [UInt8]))
    let map = ProbabilityMap(cells, plan: ResizePlan(.stretch, from: size, to: size))
    let field = map.field()
    // Row-major 0, 51, 102, 255: at 0.4 the last two, (102 + 255) / 2 / 255 = 0.7.
    #expect(abs((field.mean(inside: field.mask(at: 0.4)) ?? 0) - 0.7) < 1e-12)
    #expect(field.mean(inside: Mask(emptyOf: size)) == nil)
    // |p − ½|: 0.5, 0.3, 0.1, 0.5.
    #expect(abs(map.meanDistance - 0.35) < 1e-12)
    // Two columns, only the second of which is visible.
    let crop = ProbabilityMap(
      Raster(repeating: 51, width: 1, height: 1),
      plan: ResizePlan(
        .centerCrop, from: ImageSize(width: 3, height: 1), to: ImageSize(width: 1, height: 1)))
    let whole = Mask(fullOf: ImageSize(width: 3, height: 1))
    #expect(abs((crop.field().mean(inside: whole) ?? 0) - 0.2) < 1e-12)
  }
}
