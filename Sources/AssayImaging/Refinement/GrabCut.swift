import AssayCore
import Foundation

/// GrabCut (Rother, Kolmogorov and Blake, SIGGRAPH 2004): pixels near the border of a mask are decided anew, by the
/// colors inside and outside of it and by the edges of the image.
///
/// Five Gaussian distributions of colors for the object and for the background, γ = 50, neighbors in eight directions
/// with the weight γ / distance · exp(−β |difference|²), β = 1 / (2 · mean |difference|²), as in the paper and in
/// OpenCV.
enum GrabCut {
  private static let gamma = 50.0
  private static let iterations = 5

  /// The mask with the pixels that are at most `band` pixels from its border decided anew; the mask itself if nothing of
  /// it, or of the background around it, is farther from the border.
  ///
  /// - Parameters:
  ///   - image: one channel or three, of the mask's size.
  ///   - band: in pixels, at least 1.
  static func refined(_ mask: Mask, in image: Raster<UInt8>, band: Int) -> Mask {
    guard let bounds = mask.bounds else { return mask }
    // The background around the object, from which its colors are learned.
    let margin = band + max(bounds.width, bounds.height) / 4 + 10
    let (left, top) = (max(0, bounds.x - margin), max(0, bounds.y - margin))
    let right = min(mask.size.width, bounds.x + bounds.width + margin)
    let bottom = min(mask.size.height, bounds.y + bounds.height + margin)
    let part = mask.cropped(x: left, y: top, width: right - left, height: bottom - top)
    let inside = mask.eroded(by: band).cropped(
      x: left, y: top, width: right - left, height: bottom - top)
    let outside = mask.dilated(by: band).inverted.cropped(
      x: left, y: top, width: right - left, height: bottom - top)
    guard !inside.isEmpty, !outside.isEmpty else { return mask }
    var scene = Scene(image, left: left, top: top, part, inside: inside, outside: outside)
    scene.run(iterations: iterations, gamma: gamma)
    return Mask(size: mask.size, columns: left..<right, rows: top..<bottom) { x, y in
      scene.isObject[(y - top) * (right - left) + x - left]
    }
  }

  /// A part of an image with the state of its pixels.
  private struct Scene {
    let width: Int
    let height: Int
    let colors: [ColorMixture.Color]
    /// The node of a pixel that is decided; −1 for pixels that are known.
    let nodes: [Int32]
    let undecided: [Int]
    var isObject: [Bool]

    init(
      _ image: Raster<UInt8>, left: Int, top: Int, _ mask: Mask, inside: Mask, outside: Mask
    ) {
      (width, height) = (mask.size.width, mask.size.height)
      var colors: [ColorMixture.Color] = []
      colors.reserveCapacity(width * height)
      for y in 0..<height {
        for x in 0..<width {
          let start = ((top + y) * image.width + left + x) * image.channels
          let step = image.channels == 3 ? 1 : 0
          colors.append(
            .init(
              Double(image.elements[start]), Double(image.elements[start + step]),
              Double(image.elements[start + 2 * step])))
        }
      }
      self.colors = colors
      isObject = mask.raster(inside: 1).elements.map { $0 != 0 }
      let known = inside.union(outside).raster(inside: 1).elements
      var nodes = [Int32](repeating: -1, count: known.count)
      var undecided: [Int] = []
      for pixel in known.indices where known[pixel] == 0 {
        nodes[pixel] = Int32(undecided.count)
        undecided.append(pixel)
      }
      (self.nodes, self.undecided) = (nodes, undecided)
    }

    /// The neighbors to the right and below: their offsets, and their distances.
    private static let neighbors = [
      (dx: 1, dy: 0, distance: 1.0), (dx: -1, dy: 1, distance: 2.0.squareRoot()),
      (dx: 0, dy: 1, distance: 1.0), (dx: 1, dy: 1, distance: 2.0.squareRoot()),
    ]

    private func forEachPair(_ body: (_ first: Int, _ second: Int, _ distance: Double) -> Void) {
      for y in 0..<height {
        for x in 0..<width {
          for (dx, dy, distance) in Self.neighbors
          where (0..<width).contains(x + dx) && y + dy < height {
            body(y * width + x, (y + dy) * width + x + dx, distance)
          }
        }
      }
    }

    private func difference(_ first: Int, _ second: Int) -> Double {
      let d = colors[first] - colors[second]
      return (d * d).sum()
    }

    mutating func run(iterations: Int, gamma: Double) {
      var (sum, count) = (0.0, 0.0)
      forEachPair { first, second, _ in
        sum += difference(first, second)
        count += 1
      }
      let beta = sum > 0 ? count / (2 * sum) : 0
      var object: ColorMixture?
      var background: ColorMixture?
      for _ in 0..<iterations {
        var (inside, outside) = ([ColorMixture.Color](), [ColorMixture.Color]())
        for pixel in colors.indices {
          if isObject[pixel] { inside.append(colors[pixel]) } else { outside.append(colors[pixel]) }
        }
        if object == nil { object = ColorMixture(inside) } else { object?.update(inside) }
        if background == nil {
          background = ColorMixture(outside)
        } else {
          background?.update(outside)
        }
        guard let object, let background else { return }
        var cut = GraphCut(nodes: undecided.count)
        for (node, pixel) in undecided.enumerated() {
          // A node with the source is of the object: it is cut off from the sink, at the cost of the object's colors.
          let (own, other) = (object.cost(colors[pixel]), background.cost(colors[pixel]))
          let least = min(own, other)
          cut.connect(node, source: other - least, sink: own - least)
        }
        forEachPair { first, second, distance in
          let (one, two) = (nodes[first], nodes[second])
          guard one >= 0 || two >= 0 else { return }
          let weight = gamma / distance * exp(-beta * difference(first, second))
          if one >= 0, two >= 0 {
            cut.connect(Int(one), Int(two), capacity: weight)
          } else {
            let (node, known) = one >= 0 ? (Int(one), second) : (Int(two), first)
            cut.connect(
              node, source: isObject[known] ? weight : 0, sink: isObject[known] ? 0 : weight)
          }
        }
        _ = cut.solve()
        var hasChanged = false
        for (node, pixel) in undecided.enumerated() {
          let isWithObject = cut.isWithSource(node)
          if isWithObject != isObject[pixel] { hasChanged = true }
          isObject[pixel] = isWithObject
        }
        if !hasChanged { return }
      }
    }
  }
}
