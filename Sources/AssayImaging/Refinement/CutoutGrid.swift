import AssayCore
import Foundation

/// The pixels of a region, or the cells of its reduced copy, that a cut-out decides.
struct CutoutGrid {
  typealias Color = ColorMixture.Color

  /// The colors of the object and of its background.
  struct Mixtures {
    var object: ColorMixture
    var background: ColorMixture
  }

  private static let gamma = 50.0
  private static let iterations = 5
  /// The neighbors to the right and below, with their weights.
  private static let neighbors = [
    (dx: 1, dy: 0, weight: gamma), (dx: -1, dy: 1, weight: gamma / 2.0.squareRoot()),
    (dx: 0, dy: 1, weight: gamma), (dx: 1, dy: 1, weight: gamma / 2.0.squareRoot()),
  ]

  let width: Int
  let height: Int
  let factor: Int
  private let colors: [Color]
  private let seeds: [CutoutSeed]
  private(set) var isObject: [Bool]

  /// - Parameters:
  ///   - seeds: of the region's pixels.
  ///   - guess: the first guess of undecided pixels, not 0 for the object; `nil`: all are of the object.
  ///   - factor: the side of a cell in pixels.
  init(
    _ image: Raster<UInt8>, _ region: CutoutRegion, seeds: [CutoutSeed], guess: [UInt8]?,
    factor: Int
  ) {
    self.factor = factor
    width = (region.width + factor - 1) / factor
    height = (region.height + factor - 1) / factor
    var colors: [Color] = []
    var cells: [CutoutSeed] = []
    var isObject: [Bool] = []
    colors.reserveCapacity(width * height)
    cells.reserveCapacity(width * height)
    isObject.reserveCapacity(width * height)
    for top in stride(from: 0, to: region.height, by: factor) {
      for left in stride(from: 0, to: region.width, by: factor) {
        var sum = Color()
        var (count, object, undecided, guessed) = (0, 0, 0, 0)
        for y in top..<min(top + factor, region.height) {
          for x in left..<min(left + factor, region.width) {
            let place = y * region.width + x
            sum += Self.color(image, region.left + x, region.top + y)
            count += 1
            switch seeds[place] {
            case .object: object += 1
            case .undecided:
              undecided += 1
              if guess.map({ $0[place] != 0 }) ?? true { guessed += 1 }
            case .background: break
            }
          }
        }
        colors.append(sum / Double(count))
        let seed: CutoutSeed =
          undecided > 0 && 2 * undecided >= count - undecided
          ? .undecided : 2 * object >= count ? .object : .background
        cells.append(seed)
        isObject.append(seed == .object || (seed == .undecided && 2 * guessed >= undecided))
      }
    }
    (self.colors, self.seeds, self.isObject) = (colors, cells, isObject)
  }

  private static func color(_ image: Raster<UInt8>, _ x: Int, _ y: Int) -> Color {
    let start = (y * image.width + x) * image.channels
    let step = image.channels == 3 ? 1 : 0
    return Color(
      Double(image.elements[start]), Double(image.elements[start + step]),
      Double(image.elements[start + 2 * step]))
  }

  private static func square(_ color: Color) -> Double { (color * color).sum() }

  /// Decides the undecided cells.
  ///
  /// - Returns: the colors, if there are some of both.
  mutating func solve(isCanceled: () -> Bool) throws(ImageCutoutError) -> Mixtures? {
    var nodes = [Int32](repeating: -1, count: colors.count)
    var undecided: [Int] = []
    for cell in colors.indices where seeds[cell] == .undecided {
      nodes[cell] = Int32(undecided.count)
      undecided.append(cell)
    }
    let links = links(nodes)
    var mixtures: Mixtures?
    for _ in 0..<Self.iterations {
      var (inside, outside) = ([Color](), [Color]())
      for cell in colors.indices {
        if isObject[cell] { inside.append(colors[cell]) } else { outside.append(colors[cell]) }
      }
      guard !inside.isEmpty, !outside.isEmpty else { return nil }
      if mixtures == nil {
        mixtures = Mixtures(object: ColorMixture(inside), background: ColorMixture(outside))
      } else {
        mixtures?.object.update(inside)
        mixtures?.background.update(outside)
      }
      guard let mixtures else { return nil }
      if isCanceled() { throw .canceled }
      var cut = GraphCut(nodes: undecided.count)
      for (node, cell) in undecided.enumerated() {
        Self.connect(node, colors[cell], mixtures, &cut)
      }
      for link in links {
        let (one, two) = (nodes[Int(link.first)], nodes[Int(link.second)])
        if one >= 0, two >= 0 {
          cut.connect(Int(one), Int(two), capacity: link.weight)
        } else {
          let isKnownObject = isObject[Int(one >= 0 ? link.second : link.first)]
          cut.connect(
            Int(max(one, two)), source: isKnownObject ? link.weight : 0,
            sink: isKnownObject ? 0 : link.weight)
        }
      }
      _ = cut.solve()
      if isCanceled() { throw .canceled }
      var hasChanged = false
      for (node, cell) in undecided.enumerated() {
        let isWithObject = cut.isWithSource(node)
        if isWithObject != isObject[cell] { hasChanged = true }
        isObject[cell] = isWithObject
      }
      if !hasChanged { break }
    }
    return mixtures
  }

  /// Adds the cost of the colors. A node with the source is of the object: it is cut off from the sink.
  private static func connect(
    _ node: Int, _ color: Color, _ mixtures: Mixtures, _ cut: inout GraphCut
  ) {
    let (own, other) = (mixtures.object.cost(color), mixtures.background.cost(color))
    let least = min(own, other)
    cut.connect(node, source: other - least, sink: own - least)
  }

  /// Two neighbors and the cost of separating them.
  private struct Link {
    var first: Int32
    var second: Int32
    var weight: Double
  }

  /// The neighbors of which one is undecided at least.
  private func links(_ nodes: [Int32]) -> [Link] {
    var links: [Link] = []
    var (sum, count) = (0.0, 0.0)
    for y in 0..<height {
      for x in 0..<width {
        let first = y * width + x
        for (dx, dy, weight) in Self.neighbors
        where x + dx >= 0 && x + dx < width && y + dy < height {
          let second = (y + dy) * width + x + dx
          let difference = Self.square(colors[first] - colors[second])
          sum += difference
          count += 1
          guard nodes[first] >= 0 || nodes[second] >= 0 else { continue }
          // The weight follows when the mean difference is known.
          links.append(Link(first: Int32(first), second: Int32(second), weight: weight))
        }
      }
    }
    let beta = sum > 0 ? count / (2 * sum) : 0
    for index in links.indices {
      let link = links[index]
      let difference = Self.square(colors[Int(link.first)] - colors[Int(link.second)])
      links[index].weight *= exp(-beta * difference)
    }
    return links
  }

  /// Decides the pixels in cells at the border once more, by the colors of the image itself.
  ///
  /// - Parameter seeds: of the region's pixels.
  /// - Returns: whether each pixel of the region is of the object.
  func refined(
    _ image: Raster<UInt8>, _ region: CutoutRegion, seeds: [CutoutSeed], _ mixtures: Mixtures?,
    isCanceled: () -> Bool
  ) throws(ImageCutoutError) -> [Bool] {
    let isBorder = borderCells()
    var isObject = [Bool](repeating: false, count: region.area)
    var nodes = [Int32](repeating: -1, count: region.area)
    var band: [Int32] = []
    for y in 0..<region.height {
      for x in 0..<region.width {
        let (place, cell) = (y * region.width + x, y / factor * width + x / factor)
        switch seeds[place] {
        case .object: isObject[place] = true
        case .background: break
        case .undecided:
          isObject[place] = self.isObject[cell]
          guard isBorder[cell], mixtures != nil else { continue }
          nodes[place] = Int32(band.count)
          band.append(Int32(place))
        }
      }
    }
    guard let mixtures, !band.isEmpty else { return isObject }
    guard band.count <= ImageCutout.bandLimit else {
      throw .tooRagged(pixels: band.count, limit: ImageCutout.bandLimit)
    }
    func color(_ place: Int) -> Color {
      Self.color(image, region.left + place % region.width, region.top + place / region.width)
    }
    var (sum, count) = (0.0, 0.0)
    for place in band where Int(place) % region.width + 1 < region.width {
      sum += Self.square(color(Int(place)) - color(Int(place) + 1))
      count += 1
    }
    let beta = sum > 0 ? count / (2 * sum) : 0
    if isCanceled() { throw .canceled }
    var cut = GraphCut(nodes: band.count)
    for (node, place) in band.enumerated() {
      let (x, y) = (Int(place) % region.width, Int(place) / region.width)
      let own = color(Int(place))
      Self.connect(node, own, mixtures, &cut)
      for (dx, dy, weight) in Self.neighbors {
        // Both directions; a pair of nodes is added by its first pixel.
        for (otherX, otherY, isForward) in [(x + dx, y + dy, true), (x - dx, y - dy, false)]
        where otherX >= 0 && otherX < region.width && otherY >= 0 && otherY < region.height {
          let other = otherY * region.width + otherX
          guard nodes[other] < 0 || isForward else { continue }
          let cost = weight * exp(-beta * Self.square(own - color(other)))
          if nodes[other] >= 0 {
            cut.connect(node, Int(nodes[other]), capacity: cost)
          } else {
            cut.connect(
              node, source: isObject[other] ? cost : 0, sink: isObject[other] ? 0 : cost)
          }
        }
      }
    }
    _ = cut.solve()
    if isCanceled() { throw .canceled }
    for (node, place) in band.enumerated() { isObject[Int(place)] = cut.isWithSource(node) }
    return isObject
  }

  /// The cells that differ from one of their eight neighbors.
  private func borderCells() -> [Bool] {
    var isBorder = [Bool](repeating: false, count: isObject.count)
    for y in 0..<height {
      for x in 0..<width {
        let first = y * width + x
        for (dx, dy, _) in Self.neighbors where x + dx >= 0 && x + dx < width && y + dy < height {
          let second = (y + dy) * width + x + dx
          guard isObject[first] != isObject[second] else { continue }
          isBorder[first] = true
          isBorder[second] = true
        }
      }
    }
    return isBorder
  }
}
