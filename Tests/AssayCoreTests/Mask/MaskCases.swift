import AssayCore

/// Draws the cases of Fixtures/masks-algebra/make.py, number by number.
struct MaskCases {
  private var random: SplitMix64

  init(seed: Int) { random = SplitMix64(seed: UInt64(seed)) }

  /// A number in `0..<bound`.
  mutating func draw(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }

  mutating func size(_ side: Int) -> ImageSize {
    let width = 1 + draw(side)
    return ImageSize(width: width, height: 1 + draw(side))
  }

  mutating func wide(_ side: Int, _ parts: Int) -> Double {
    Double(draw(2 * side * parts + 1) - side * parts / 2) / Double(parts)
  }

  mutating func inside(_ side: Int, _ parts: Int) -> Double {
    Double(draw(side * parts + 1)) / Double(parts)
  }

  mutating func polygon(_ size: ImageSize, isFirst: Bool) -> [Double] {
    let (w, h) = (size.width, size.height)
    let kind = draw(10)
    let d = [100, 100, 1, 5, 2, 1000][draw(6)]
    var points: [Double] = []
    switch kind {
    case 0:
      for _ in 0..<3 + draw(10) { points += [wide(w, d), wide(h, d)] }
    case 1:
      for _ in 0..<3 + draw(10) { points += [inside(w, d), inside(h, d)] }
    case 2:
      let (x, y) = (inside(w, d), inside(h, d))
      for _ in 0..<3 + draw(4) {
        let right = x + Double(draw(2 * d + 1)) / Double(d)
        points += [right, y + Double(draw(2 * d + 1)) / Double(d)]
      }
    case 3:
      var (x, y) = (wide(w, d), wide(h, d))
      for index in 0..<4 + 2 * draw(6) {
        if index % 2 == 0 { x = wide(w, d) } else { y = wide(h, d) }
        points += [x, y]
      }
    case 4:
      for _ in 0..<3 + draw(6) {
        let (x, y) = (inside(w, d), inside(h, d))
        for _ in 0..<1 + draw(3) { points += [x, y] }
      }
    case 5:
      for _ in 0..<3 + draw(60) { points += [inside(w, d), inside(h, d)] }
    case 6:
      for _ in 0..<3 + draw(6) {
        let x = Double(draw(40_001) - 20_000)
        points += [x, Double(draw(40_001) - 20_000)]
      }
    case 7:
      let (x, y) = (wide(w, d), wide(h, d))
      let dx = Double(draw(7) - 3)
      let dy = Double(draw(7) - 3)
      for index in 0..<3 + draw(5) { points += [x + Double(index) * dx, y + Double(index) * dy] }
    case 8 where !isFirst:
      for _ in 0..<1 + draw(2) { points += [wide(w, d), wide(h, d)] }
    default:
      let columns = [-1, 0, 1, w - 1, w, w + 1]
      let rows = [-1, 0, 1, h - 1, h, h + 1]
      for _ in 0..<3 + draw(5) {
        let x = columns[draw(6)]
        points += [Double(x), Double(rows[draw(6)])]
      }
    }
    if points.count > 4, draw(8) == 0 { points.append(1) }
    return points
  }

  mutating func polygons(_ size: ImageSize) -> [[Double]] {
    (0..<[1, 1, 1, 2, 3][draw(5)]).map { polygon(size, isFirst: $0 == 0) }
  }

  mutating func boxes(_ size: ImageSize) -> [[Double]] {
    (0..<1 + draw(3)).map { _ in
      let d = [100, 1, 5, 2][draw(4)]
      return [
        wide(size.width, d), wide(size.height, d), wide(size.width, d), wide(size.height, d),
      ]
    }
  }

  mutating func runs(_ area: Int) -> [UInt32] {
    switch draw(6) {
    case 0: return [UInt32(area)]
    case 1: return [0, UInt32(area)]
    default:
      let longest = 2 + draw(area / (1 + draw(24)) + 1)
      var runs: [UInt32] = []
      var rest = area
      while rest > 0 {
        let run = min(rest, draw(longest))
        runs.append(UInt32(run))
        rest -= run
      }
      return runs
    }
  }

  mutating func labels(_ size: ImageSize) -> (levels: Int, raster: Raster<UInt8>) {
    let levels = 2 + draw(4)
    var raster = Raster<UInt8>(repeating: 0, width: size.width, height: size.height)
    for index in 0..<size.area { raster.elements[index] = UInt8(draw(levels)) }
    if draw(2) == 0 {
      if draw(2) == 0 {
        for x in 0..<size.width {
          let column = (0..<size.height).map { raster[x, $0] }.sorted()
          for y in 0..<size.height { raster[x, y] = column[y] }
        }
      } else {
        for y in 0..<size.height {
          let start = y * size.width
          raster.elements[start..<start + size.width].sort()
        }
      }
    }
    return (levels, raster)
  }

  mutating func shape(_ size: ImageSize) -> Raster<UInt8> {
    var raster = Raster<UInt8>(repeating: 0, width: size.width, height: size.height)
    for _ in 0..<1 + draw(7) {
      let value: UInt8 = draw(4) == 0 ? 0 : 1
      let x = draw(size.width)
      let y = draw(size.height)
      let bottom = min(size.height, y + 1 + draw(size.height))
      let right = min(size.width, x + 1 + draw(size.width))
      for row in y..<bottom {
        for column in x..<right { raster[column, row] = value }
      }
    }
    for _ in 0..<draw(12) {
      let y = draw(size.height)
      raster[draw(size.width), y] ^= 1
    }
    return raster
  }
}
