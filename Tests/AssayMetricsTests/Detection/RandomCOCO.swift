import AssayCore
import AssayMetrics

/// Random COCO evaluations with many corner cases; the same sets, draw by draw, as made by
/// `Tests/Fixtures/metrics/random_coco.py`: change both or neither.
struct RandomCOCO {
  let kind: OverlapKind
  let classCount: Int
  private(set) var images: [(truth: [TruthObject], found: [FoundObject])] = []

  private var random: SplitMix64
  private let fineness: Int
  private let scoreKind: Int
  private let sparesClass: Bool
  private let hasBoxes: Bool

  init(seed: UInt64, _ kind: OverlapKind) throws {
    self.kind = kind
    random = SplitMix64(seed: seed &* 2 &+ (kind == .mask ? 1 : 0))
    fineness = random.below(3)
    scoreKind = random.below(4)
    classCount = 1 + random.below(4)
    sparesClass = random.chance(3)
    let imageCount = 1 + random.below(5)
    let isCrowded = random.chance(8)
    let firstID = random.chance(4) ? 0 : 1
    let reversesIDs = random.chance(2)
    hasBoxes = kind == .box ? true : random.chance(2)
    var sizes: [ImageSize] = []
    for image in 0..<imageCount {
      let width = 8 + random.below(57)
      let size = ImageSize(width: width, height: 8 + random.below(41))
      sizes.append(size)
      let truthCount = random.below(7)
      var truth: [TruthObject] = []
      for _ in 0..<truthCount { truth.append(try self.truth(size)) }
      var count = random.chance(4) ? 0 : random.below(14)
      if isCrowded, image == 0 { count += 90 + random.below(60) }
      var found: [FoundObject] = []
      for _ in 0..<count { found.append(try result(size, truth)) }
      images.append((truth, found))
    }
    if images.allSatisfy(\.found.isEmpty) { images[0].found = [try result(sizes[0], [])] }
    // The reference never counts annotation id 0 as matched.
    let total = images.reduce(0) { $0 + $1.truth.count }
    var index = 0
    for image in images.indices {
      for place in images[image].truth.indices {
        let id = firstID + (reversesIDs ? total - 1 - index : index)
        images[image].truth[place].countsAsUnmatched = id == 0
        index += 1
      }
    }
  }

  // Boxes

  private mutating func coordinate() -> Double {
    switch fineness {
    case 0: Double(random.below(25) * 4)
    case 1: Double(random.below(200)) / 2
    default: Double(random.below(100_000)) / 1000
    }
  }

  private mutating func shift() -> Double {
    switch fineness {
    case 0: Double((random.below(3) - 1) * 4)
    case 1: Double(random.below(5) - 2) / 2
    default: Double(random.below(2001) - 1000) / 1000
    }
  }

  private mutating func box() -> Box {
    let (x, y, width) = (coordinate(), coordinate(), coordinate())
    return Box(x: x, y: y, width: width, height: coordinate())
  }

  /// A box similar to one of the ground truth.
  private mutating func near(_ box: Box) -> Box {
    switch random.below(4) {
    case 0: return self.box()
    case 1: return box
    case 2:
      let (x, y) = (box.x + shift(), box.y + shift())
      return Box(x: x, y: y, width: max(0, box.width + shift()), height: box.height)
    default: return Box(x: box.x, y: box.y, width: box.width / 2, height: box.height)
    }
  }

  // Masks, column by column

  private mutating func pixels(_ size: ImageSize) -> [Bool] {
    var pixels = Array(repeating: false, count: size.area)
    switch random.below(8) {
    case 0: return pixels
    case 1: return Array(repeating: true, count: size.area)
    case 2, 3:
      var (place, value) = (0, false)
      while place < pixels.count {
        let end = min(pixels.count, place + 1 + random.below(3 * size.height))
        for pixel in place..<end { pixels[pixel] = value }
        (place, value) = (end, !value)
      }
      return pixels
    default: return toggle(pixels, size)
    }
  }

  /// Inverts the pixels of a rectangle.
  private mutating func toggle(_ pixels: [Bool], _ size: ImageSize) -> [Bool] {
    var pixels = pixels
    let (left, top) = (random.below(size.width), random.below(size.height))
    let right = left + 1 + random.below(size.width - left)
    let bottom = top + 1 + random.below(size.height - top)
    for x in left..<right {
      for y in top..<bottom { pixels[x * size.height + y].toggle() }
    }
    return pixels
  }

  private mutating func near(_ mask: Mask) throws -> Mask {
    switch random.below(4) {
    case 0: return try Self.mask(pixels(mask.size), mask.size)
    case 1: return mask
    default: return try Self.mask(toggle(Self.pixels(of: mask), mask.size), mask.size)
    }
  }

  private static func pixels(of mask: Mask) -> [Bool] {
    mask.runs.enumerated().flatMap { index, run in
      repeatElement(index % 2 == 1, count: Int(run))
    }
  }

  private static func mask(_ pixels: [Bool], _ size: ImageSize) throws -> Mask {
    var runs: [UInt32] = [0]
    var value = false
    for pixel in pixels {
      if pixel != value {
        runs.append(0)
        value = pixel
      }
      runs[runs.count - 1] += 1
    }
    return try Mask(size: size, runs: runs)
  }

  // Objects

  private mutating func score() -> Double {
    switch scoreKind {
    case 0: Double(random.below(5)) / 4
    case 1: Double(random.below(1000)) / 1000
    case 2: Double(random.below(41) - 20) / 10
    default: Double(random.below(1 << 30)) / Double(1 << 30)
    }
  }

  private mutating func truth(_ size: ImageSize) throws -> TruthObject {
    let category = random.below(classCount - (sparesClass && classCount > 1 ? 1 : 0))
    let box = box()
    let isCrowd = random.chance(6)
    let mask = kind == .mask ? try Self.mask(pixels(size), size) : nil
    let odd = [1024, 9216, 0, 2e10, box.area / 2]
    let which = random.below(8)
    return TruthObject(
      class: category, box: box, area: which < odd.count ? odd[which] : box.area,
      isCrowd: isCrowd, mask: mask)
  }

  private mutating func result(_ size: ImageSize, _ truths: [TruthObject]) throws -> FoundObject {
    var category = random.below(classCount)
    var box: Box
    var mask: Mask?
    if truths.isEmpty {
      box = self.box()
      if kind == .mask { mask = try Self.mask(pixels(size), size) }
    } else {
      let truth = truths[random.below(truths.count)]
      if !random.chance(4) { category = truth.class }
      box = near(truth.box)
      mask = try truth.mask.map { try near($0) }
    }
    let area = hasBoxes ? box.area : Double(mask?.area ?? 0)
    return FoundObject(class: category, score: score(), box: box, area: area, mask: mask)
  }
}

extension SplitMix64 {
  fileprivate mutating func below(_ bound: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(bound)).high)
  }

  fileprivate mutating func chance(_ of: Int) -> Bool { below(of) == 0 }
}
