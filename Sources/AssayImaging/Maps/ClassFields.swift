package import AssayCore

/// The maps of several classes for one image: each pixel belongs to the class with the largest
/// interpolated probability.
package struct ClassFields: Sendable {
  private let fields: [ProbabilityField]

  /// - Precondition: at least one map, all with the same projection.
  package init(_ maps: [ProbabilityMap]) {
    precondition(!maps.isEmpty && maps.allSatisfy { $0.projection == maps[0].projection })
    fields = maps.map { $0.field() }
  }

  /// Probabilities that are not rounded to 8 bits, so that no two classes are equal only because
  /// of the rounding.
  ///
  /// - Parameters:
  ///   - cells: the probabilities of each class, in 0...1, one channel each.
  ///   - plan: the resize from the image to the model's input.
  /// - Precondition: at least one class, all of the same size of at least one cell.
  package init(_ cells: [Raster<Float>], plan: ResizePlan) {
    precondition(
      cells.allSatisfy {
        $0.channels == 1 && $0.width >= 1 && $0.height >= 1 && $0.width == cells[0].width
          && $0.height == cells[0].height
      } && !cells.isEmpty)
    let projection = MapProjection(
      plan, map: ImageSize(width: cells[0].width, height: cells[0].height))
    fields = cells.map { ProbabilityField($0, projection) }
  }

  /// The placement of the classes' cells on the image.
  package var projection: MapProjection { fields[0].projection }

  /// The pixels of each class, in the maps' order; of equal probabilities the first class wins.
  /// Pixels outside the model's input belong to no class.
  package func masks() -> [Mask] {
    let projection = fields[0].projection
    let (crop, size) = (projection.plan.crop, projection.size)
    let height = crop.height
    var runs = [MaskBuilder](repeating: MaskBuilder(size), count: fields.count)
    withUnsafeTemporaryAllocation(of: Float.self, capacity: 2 * height) { memory in
      let best = UnsafeMutableBufferPointer(rebasing: memory[..<height])
      let other = UnsafeMutableBufferPointer(rebasing: memory[height...])
      withUnsafeTemporaryAllocation(of: Int32.self, capacity: height) { labels in
        for x in 0..<crop.width {
          fields[0].interpolate(column: x, into: best)
          labels.initialize(repeating: 0)
          for label in 1..<fields.count {
            fields[label].interpolate(column: x, into: other)
            for y in 0..<height {
              let isLarger = other[y] > best[y]
              best[y] = isLarger ? other[y] : best[y]
              labels[y] = isLarger ? Int32(label) : labels[y]
            }
          }
          let start = (crop.x + x) * size.height + crop.y
          var first = 0
          for y in 1...height where y == height || labels[y] != labels[first] {
            runs[Int(labels[first])].add(start + first..<start + y)
            first = y
          }
        }
      }
    }
    return runs.map { $0.mask() }
  }

  /// The mean probability of a class over the pixels of a mask, in 0...1; `nil` if none was in the
  /// model's input.
  package func mean(of index: Int, inside mask: Mask) -> Double? {
    fields[index].mean(inside: mask)
  }
}
