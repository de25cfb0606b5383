import AssayCore
import AssayTestSupport
import Foundation
import Testing

@testable import AssayFormats

@Suite("Simplified outlines of masks")
struct OutlineSimplifierTests {
  /// A random mask of discs, boxes, holes and specks.
  private static func mask(_ seed: UInt64, side: Int = 60) -> Mask {
    var random = SplitMix64(seed: seed)
    func number(_ range: ClosedRange<Int>) -> Int {
      range.lowerBound + Int(random.next() % UInt64(range.count))
    }
    let size = ImageSize(width: number(1...side), height: number(1...side))
    var pixels = Array(repeating: false, count: size.area)
    for _ in 0..<number(1...6) {
      let (x, y, r) = (number(0...size.width), number(0...size.height), number(1...15))
      let isSet = number(0...2) > 0
      let isRound = number(0...1) == 0
      for row in max(0, y - r)..<max(max(0, y - r), min(size.height, y + r)) {
        for column in max(0, x - r)..<max(max(0, x - r), min(size.width, x + r)) {
          let (dx, dy) = (column - x, row - y)
          if !isRound || dx * dx + dy * dy < r * r { pixels[row * size.width + column] = isSet }
        }
      }
    }
    for _ in 0..<number(0...20) { pixels[number(0...size.area - 1)].toggle() }
    return Self.mask(pixels, size)
  }

  private static func mask(_ pixels: [Bool], _ size: ImageSize) -> Mask {
    var runs: [UInt32] = []
    var value = false
    var length: UInt32 = 0
    for column in 0..<size.width {
      for row in 0..<size.height {
        if pixels[row * size.width + column] != value {
          runs.append(length)
          (value, length) = (!value, 0)
        }
        length += 1
      }
    }
    runs.append(length)
    return (try? Mask(size: size, runs: runs)) ?? Mask(emptyOf: size)
  }

  /// The distance of a point from the border of polygons.
  private static func distance(_ x: Double, _ y: Double, _ polygons: [[Double]]) -> Double {
    var least = Double.infinity
    for polygon in polygons {
      let count = polygon.count / 2
      for place in 0..<count {
        let (ax, ay) = (polygon[2 * place], polygon[2 * place + 1])
        let next = (place + 1) % count
        let (dx, dy) = (polygon[2 * next] - ax, polygon[2 * next + 1] - ay)
        let length = dx * dx + dy * dy
        let t = length > 0 ? min(1, max(0, ((x - ax) * dx + (y - ay) * dy) / length)) : 0
        least = min(least, hypot(x - ax - t * dx, y - ay - t * dy))
      }
    }
    return least
  }

  @Test("Exact outlines have IoU 1, with holes and several parts")
  func exact() {
    var holes = 0
    for seed in 0..<600 as Range<UInt64> {
      let mask = Self.mask(seed)
      guard mask.area > 0 else { continue }
      if mask.holes().area > 0 { holes += 1 }
      let outcome = OutlineSimplifier(tolerance: 0).polygons(of: mask)
      #expect(outcome.iou == 1, "seed \(seed)")
      #expect(Mask(polygons: outcome.polygons, size: mask.size) == mask, "seed \(seed)")
      #expect(outcome.before == outcome.after && outcome.exactRings == 0)
    }
    #expect(holes > 100)
  }

  @Test("Left-out corners are within the tolerance, no outline vanishes, and IoU falls with it")
  func properties() {
    let tolerances = [0.3, 1, 2, 4]
    var means = tolerances.map { _ in 0.0 }
    var corners = tolerances.map { _ in 0 }
    var count = 0.0
    for seed in 0..<60 as Range<UInt64> {
      let mask = Self.mask(seed)
      guard mask.area > 0 else { continue }
      count += 1
      let all = mask.contours()
      for (place, tolerance) in tolerances.enumerated() {
        let outcome = OutlineSimplifier(tolerance: tolerance).polygons(of: mask)
        for ring in all {
          for corner in stride(from: 0, to: ring.count, by: 2) {
            let distance = Self.distance(ring[corner], ring[corner + 1], outcome.polygons)
            #expect(distance <= tolerance + 1e-9, "seed \(seed), tolerance \(tolerance)")
          }
        }
        let raster = Mask(polygons: outcome.polygons, size: mask.size)
        #expect(raster.area > 0 && raster.iou(with: mask) == outcome.iou, "seed \(seed)")
        #expect(
          outcome.after <= outcome.before && outcome.before == all.reduce(0) { $0 + $1.count / 2 })
        means[place] += outcome.iou
        corners[place] += outcome.after
      }
    }
    means = means.map { $0 / count }
    #expect(means == means.sorted(by: >) && means[0] > 0.99 && means[3] > 0.7, "\(means)")
    #expect(corners.max() == corners[0], "\(corners)")
  }

  @Test("Small and thin objects keep their exact outline instead of vanishing")
  func vanishing() {
    let size = ImageSize(width: 40, height: 40)
    let square = Mask(box: Box(x: 5, y: 5, width: 2, height: 2), size: size)
    let outcome = OutlineSimplifier(tolerance: 10).polygons(of: square)
    #expect(outcome.polygons == square.contours() && outcome.iou == 1)
    // A staircase of single steps becomes a line of no area.
    var pixels = Array(repeating: false, count: size.area)
    for step in 0..<30 { pixels[step * 40 + step] = true }
    for step in 0..<29 { pixels[step * 40 + step + 1] = true }
    let stairs = OutlineSimplifier(tolerance: 3).polygons(of: Self.mask(pixels, size))
    #expect(stairs.iou > 0 && stairs.after >= 3)
  }

  @Test("Rings that would cross or touch keep their exact form")
  func crossing() {
    // A disc with a small hole at its border, at a place that a coarse polygon cuts off.
    let size = ImageSize(width: 101, height: 101)
    var pixels = Array(repeating: false, count: size.area)
    for row in 0..<101 {
      for column in 0..<101 {
        let (dx, dy) = (column - 50, row - 50)
        let isHole = (80...82).contains(column) && (80...82).contains(row)
        pixels[row * 101 + column] = dx * dx + dy * dy < 48 * 48 && !isHole
      }
    }
    let mask = Self.mask(pixels, size)
    let coarse = OutlineSimplifier(tolerance: 16).polygons(of: mask)
    #expect(coarse.exactRings > 0 && coarse.iou == 1)
    let fine = OutlineSimplifier(tolerance: 0.5).polygons(of: mask)
    #expect(fine.exactRings == 0 && fine.iou > 0.98 && fine.after < fine.before)
  }

  @Test("Counts have the mean, the minimum and the 5th percentile")
  func counts() {
    var counts = ShapeCounts()
    #expect(counts.mean == nil && counts.fifthPercentile == nil && counts.lowest == nil)
    for number in 1...100 {
      var one = ShapeCounts()
      one.add(
        OutlineSimplifier.Outcome(
          polygons: [], before: 10, after: 4, iou: Double(number) / 100, exactRings: 1))
      counts.add(one)
    }
    #expect(abs((counts.mean ?? 0) - 0.505) < 1e-12)
    #expect(counts.lowest == 0.01 && counts.fifthPercentile == 0.05)
    #expect(counts.before == 1000 && counts.after == 400 && counts.exactRings == 100)
  }

  @Test("Shapes of objects become boxes, masks and polygons")
  func transforms() {
    let size = ImageSize(width: 10, height: 10)
    let polygon = ExportObject(
      category: 0, shape: .polygons([[1.5, 2, 4.25, 2, 4.25, 7]]),
      box: Box(x: 0, y: 0, width: 10, height: 10))
    let mask = ExportObject(
      category: 0, shape: .mask(Mask(box: Box(x: 2, y: 3, width: 4, height: 5), size: size)),
      box: Box(x: 0, y: 0, width: 1, height: 1))
    var crowd = mask
    crowd.isCrowd = true
    var counts = ShapeCounts()
    func change(_ object: ExportObject, _ transform: ShapeTransform, _ size: ImageSize?)
      -> ExportObject
    {
      var object = object
      transform.apply(to: &object, in: size, &counts)
      return object
    }
    let box = change(polygon, .boxes, nil)
    #expect(box.shape == .box && box.box == Box(x: 1.5, y: 2, width: 2.75, height: 5))
    #expect(change(mask, .boxes, size).box == Box(x: 2, y: 3, width: 4, height: 5))
    #expect(counts.changed == 2 && counts.kept == 0)
    #expect(
      change(polygon, .masks, size).shape
        == .mask(Mask(polygons: [[1.5, 2, 4.25, 2, 4.25, 7]], size: size)))
    #expect(change(polygon, .masks, nil) == polygon && counts.kept == 1)
    let outline = ShapeTransform.polygons(OutlineSimplifier(tolerance: 1))
    let square = Mask(box: Box(x: 2, y: 3, width: 4, height: 5), size: size)
    #expect(change(mask, outline, size).shape == .polygons(square.contours()))
    #expect(change(crowd, outline, size) == crowd && counts.kept == 2)
    #expect(change(polygon, outline, size) == polygon)
  }
}
