package import AssayCore

/// The separation of objects that touch, by a watershed on the distance to the background.
///
/// Parts grow from the pixels that are farthest from the background, in the order of that distance. Where two parts
/// meet, they are one object if the neck between them is wide for the narrower of both, or if that one is much narrower
/// than the other, as a limb is.
package struct MaskSeparation: Hashable, Sendable {
  /// The width of a neck, as a fraction of the narrower part's width, from which both parts are one; in 0...1.
  package var neck = 0.7
  /// The width of the narrower part, as a fraction of the other's, below which both are one; in 0...1.
  package var limb = 0.5

  package init() {}

  /// The objects of a mask: disjoint, their union is the mask. First the one whose first pixel is at the left, of these
  /// the top one.
  package func objects(of mask: Mask) -> [Mask] {
    mask.components().flatMap(separated)
  }

  /// The objects of a connected mask.
  private func separated(_ mask: Mask) -> [Mask] {
    guard let bounds = mask.bounds else { return [] }
    // One pixel of background around the part, except at the edges of the image, beyond which nothing is known.
    let (left, top) = (max(0, bounds.x - 1), max(0, bounds.y - 1))
    let width = min(mask.size.width, bounds.x + bounds.width + 1) - left
    let height = min(mask.size.height, bounds.y + bounds.height + 1) - top
    let pixels = mask.cropped(x: left, y: top, width: width, height: height)
      .raster(inside: 1).elements
    guard pixels.contains(0) else { return [mask] }
    let distances = SquaredDistances.toZero(of: pixels, width: width, height: height)
    let parts = flood(pixels, distances, width: width, height: height)
    guard parts.roots.count > 1 else { return [mask] }
    return parts.roots.map { root in
      Mask(size: mask.size, columns: left..<left + width, rows: top..<top + height) { x, y in
        parts.labels[(y - top) * width + x - left] == root
      }
    }
  }

  private func flood(
    _ pixels: [UInt8], _ distances: [Double], width: Int, height: Int
  ) -> (labels: [Int32], roots: [Int32]) {
    let order = pixels.indices.filter { pixels[$0] != 0 }.sorted {
      (distances[$1], $0) < (distances[$0], $1)
    }
    var labels = [Int32](repeating: -1, count: pixels.count)
    // The parts: the one that each was merged into, and the largest distance in each.
    var parents: [Int32] = []
    var peaks: [Double] = []
    func root(_ label: Int32) -> Int32 {
      var label = label
      while parents[Int(label)] != label { label = parents[Int(label)] }
      return label
    }
    for pixel in order {
      let distance = distances[pixel].squareRoot()
      let (x, y) = (pixel % width, pixel / width)
      var nearest: (label: Int32, distance: Double)?
      var around: [Int32] = []
      for dy in -1...1 {
        for dx in -1...1 where dx != 0 || dy != 0 {
          let (column, row) = (x + dx, y + dy)
          guard (0..<width).contains(column), (0..<height).contains(row) else { continue }
          let other = row * width + column
          guard labels[other] >= 0 else { continue }
          let label = root(labels[other])
          if !around.contains(label) { around.append(label) }
          if nearest.map({ $0.distance < distances[other] }) ?? true {
            nearest = (label, distances[other])
          }
        }
      }
      guard let nearest else {
        labels[pixel] = Int32(parents.count)
        parents.append(Int32(parents.count))
        peaks.append(distance)
        continue
      }
      // The widest part takes in the others that are no objects of their own.
      around.sort { (peaks[Int($1)], $0) < (peaks[Int($0)], $1) }
      for (place, label) in around.enumerated().dropFirst() {
        for wider in around[..<place] where root(wider) == wider && root(label) == label {
          let (own, other) = (peaks[Int(label)], peaks[Int(wider)])
          if distance >= neck * own || own < limb * other { parents[Int(label)] = wider }
        }
      }
      labels[pixel] = root(nearest.label)
    }
    let final = labels.map { $0 < 0 ? $0 : root($0) }
    var seen: Set<Int32> = []
    var roots: [Int32] = []
    for x in 0..<width {
      for y in 0..<height {
        let label = final[y * width + x]
        if label >= 0, seen.insert(label).inserted { roots.append(label) }
      }
    }
    return (final, roots)
  }
}

/// Exact squared distances to the nearest pixel of value 0 (Felzenszwalb and Huttenlocher, “Distance Transforms of
/// Sampled Functions”, 2012).
package enum SquaredDistances {
  /// - Parameters:
  ///   - pixels: row by row; at least one is 0.
  /// - Returns: between the centers of pixels, in pixels.
  package static func toZero(of pixels: [UInt8], width: Int, height: Int) -> [Double] {
    // Larger than any squared distance, and finite, so that differences are.
    let far = Double((width + height) * (width + height))
    var distances = pixels.map { $0 == 0 ? 0 : far }
    var line = [Double](repeating: 0, count: max(width, height))
    for x in 0..<width {
      for y in 0..<height { line[y] = distances[y * width + x] }
      let result = transformed(line[..<height])
      for y in 0..<height { distances[y * width + x] = result[y] }
    }
    for y in 0..<height {
      let result = transformed(distances[y * width..<(y + 1) * width])
      distances.replaceSubrange(y * width..<(y + 1) * width, with: result)
    }
    return distances
  }

  /// The lower envelope of parabolas over a line.
  private static func transformed(_ values: ArraySlice<Double>) -> [Double] {
    let start = values.startIndex
    let count = values.count
    var places = [0]
    var borders = [-Double.infinity, .infinity]
    for q in 1..<max(count, 1) {
      func crossing(_ place: Int) -> Double {
        let (first, second) = (Double(place), Double(q))
        return (values[start + q] + second * second - values[start + place] - first * first)
          / (2 * second - 2 * first)
      }
      var border = crossing(places[places.count - 1])
      while places.count > 1, border <= borders[places.count - 1] {
        places.removeLast()
        borders.removeLast()
        border = crossing(places[places.count - 1])
      }
      if border <= borders[places.count - 1] { border = borders[places.count - 1] }
      borders[places.count] = border
      places.append(q)
      borders.append(.infinity)
    }
    var result = [Double](repeating: 0, count: count)
    var part = 0
    for q in 0..<count {
      while borders[part + 1] < Double(q) { part += 1 }
      let offset = Double(q - places[part])
      result[q] = offset * offset + values[start + places[part]]
    }
    return result
  }
}
