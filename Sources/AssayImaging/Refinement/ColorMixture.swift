import AssayCore
import Foundation

/// A mixture of Gaussian distributions of colors.
struct ColorMixture {
  typealias Color = SIMD3<Double>

  /// One distribution.
  private struct Part {
    var mean = Color()
    /// The inverse of the covariance: xx, xy, xz, yy, yz, zz.
    var inverse: (Double, Double, Double, Double, Double, Double) = (1, 0, 0, 1, 0, 1)
    /// −log(weight) + log(determinant) / 2; infinite for a part without colors.
    var constant = Double.infinity

    /// −log of the weighted density, without the constant of (2π)^(3/2).
    func cost(_ color: Color) -> Double {
      guard constant.isFinite else { return .infinity }
      let d = color - mean
      let square =
        inverse.0 * d.x * d.x + inverse.3 * d.y * d.y + inverse.5 * d.z * d.z
        + 2 * (inverse.1 * d.x * d.y + inverse.2 * d.x * d.z + inverse.4 * d.y * d.z)
      return constant + square / 2
    }
  }

  /// The number of distributions, as in GrabCut.
  static let count = 5
  private var parts: [Part]

  /// Learns from colors, whose first assignment to the distributions is by k-means.
  ///
  /// - Parameter colors: at least one.
  init(_ colors: [Color]) {
    parts = []
    learn(colors, Self.clusters(of: colors))
  }

  /// Assigns each color to its most likely distribution and learns again.
  mutating func update(_ colors: [Color]) {
    learn(colors, colors.map(part))
  }

  /// −log of the density at a color, up to a constant that is the same for all mixtures.
  func cost(_ color: Color) -> Double {
    // One lane per distribution; the others stay infinite and add nothing.
    var costs = SIMD8<Double>(repeating: .infinity)
    for place in parts.indices { costs[place] = parts[place].cost(color) }
    let least = costs.min()
    guard least.isFinite else { return 1e9 }
    var sum = 0.0
    for place in parts.indices { sum += exp(least - costs[place]) }
    return least - log(sum)
  }

  private func part(_ color: Color) -> Int {
    var best = (place: 0, cost: Double.infinity)
    for (place, part) in parts.enumerated() {
      let cost = part.cost(color)
      if cost < best.cost { best = (place, cost) }
    }
    return best.place
  }

  private mutating func learn(_ colors: [Color], _ places: [Int]) {
    var counts = [Double](repeating: 0, count: Self.count)
    var sums = [Color](repeating: Color(), count: Self.count)
    for (color, place) in zip(colors, places) {
      counts[place] += 1
      sums[place] += color
    }
    let means = zip(sums, counts).map { $1 > 0 ? $0 / $1 : Color() }
    var squares = [(Double, Double, Double, Double, Double, Double)](
      repeating: (0, 0, 0, 0, 0, 0), count: Self.count)
    for (color, place) in zip(colors, places) {
      let d = color - means[place]
      squares[place].0 += d.x * d.x
      squares[place].1 += d.x * d.y
      squares[place].2 += d.x * d.z
      squares[place].3 += d.y * d.y
      squares[place].4 += d.y * d.z
      squares[place].5 += d.z * d.z
    }
    parts = (0..<Self.count).map { place in
      let n = counts[place]
      guard n > 0 else { return Part() }
      // A white noise of variance 0.01 keeps the covariance of equal and of gray colors invertible.
      let (xx, xy, xz) = (squares[place].0 / n + 0.01, squares[place].1 / n, squares[place].2 / n)
      let (yy, yz, zz) = (
        squares[place].3 / n + 0.01, squares[place].4 / n, squares[place].5 / n + 0.01
      )
      let (c0, c1, c2) = (yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy)
      let (c3, c4, c5) = (xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy)
      let determinant = max(xx * c0 + xy * c1 + xz * c2, 1e-12)
      return Part(
        mean: means[place],
        inverse: (
          c0 / determinant, c1 / determinant, c2 / determinant, c3 / determinant,
          c4 / determinant, c5 / determinant
        ),
        constant: -log(n / Double(colors.count)) + log(determinant) / 2)
    }
  }

  /// The clusters of colors by k-means, with the first centers of k-means++ and a fixed seed.
  private static func clusters(of colors: [Color]) -> [Int] {
    func square(_ color: Color) -> Double { (color * color).sum() }
    var random = SplitMix64(seed: 0)
    var centers = [colors[Int(random.next() % UInt64(colors.count))]]
    var nearest = colors.map { square($0 - centers[0]) }
    while centers.count < count {
      let total = nearest.reduce(0, +)
      // Fewer colors than clusters: the others stay empty.
      guard total > 0 else { break }
      var rest = Double(random.next() >> 11) / Double(1 << 53) * total
      var chosen = colors.count - 1
      for (index, distance) in nearest.enumerated() {
        rest -= distance
        if rest < 0 {
          chosen = index
          break
        }
      }
      centers.append(colors[chosen])
      for index in colors.indices {
        nearest[index] = min(nearest[index], square(colors[index] - colors[chosen]))
      }
    }
    var places = [Int](repeating: 0, count: colors.count)
    for _ in 0..<10 {
      var sums = [Color](repeating: Color(), count: centers.count)
      var counts = [Double](repeating: 0, count: centers.count)
      for (index, color) in colors.enumerated() {
        var best = (place: 0, distance: Double.infinity)
        for (place, center) in centers.enumerated() {
          let distance = square(color - center)
          if distance < best.distance { best = (place, distance) }
        }
        places[index] = best.place
        sums[best.place] += color
        counts[best.place] += 1
      }
      for place in centers.indices where counts[place] > 0 {
        centers[place] = sums[place] / counts[place]
      }
    }
    return places
  }
}
