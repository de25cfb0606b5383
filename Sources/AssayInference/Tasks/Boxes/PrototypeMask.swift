import AssayCore
import AssayImaging

/// Maps over the model's input, of which the mask of each box of a sample is a weighted sum.
package struct MaskPrototypes: Hashable, Sendable {
  /// Map by map, each row by row.
  let values: [Float]
  let width: Int
  let height: Int
  /// The number of maps.
  let count: Int

  /// - Parameter values: `count` maps of `width` · `height` values.
  init(values: [Float], width: Int, height: Int, count: Int) {
    precondition(values.count == width * height * count)
    self.values = values
    self.width = width
    self.height = height
    self.count = count
  }
}

/// The mask of a box before it is drawn: the coefficients of the prototypes.
///
/// A pixel belongs to the mask if it is in the box and the weighted sum of the prototypes, read
/// bilinearly at the pixel's center, is above 0, which is a probability above 0.5.
/// Source: `process_mask_native` of Ultralytics' ops.py, version 8.4. There the border of a
/// letterboxed input is cut off at whole cells of the prototypes, and the rest stretched to the image;
/// here each pixel is read at its own place, which is the same if the border is whole cells wide.
package struct PrototypeMask: Hashable, Sendable {
  let coefficients: [Float]
  let prototypes: MaskPrototypes

  init(coefficients: [Float], prototypes: MaskPrototypes) {
    precondition(coefficients.count == prototypes.count)
    self.coefficients = coefficients
    self.prototypes = prototypes
  }

  /// The mask in the original image.
  ///
  /// - Parameters:
  ///   - box: the box in the image's pixels, within the image.
  ///   - plan: the resize from the image to the model's input.
  func mask(in box: Box, through plan: ResizePlan) -> Mask {
    let columns = Axis(
      box.x, box.x + box.width, length: plan.source.width, cells: prototypes.width,
      input: plan.target.width, placed: (plan.placement.x, plan.placement.width)
    ) { plan.targetPoint(x: $0, y: 0).x }
    let rows = Axis(
      box.y, box.y + box.height, length: plan.source.height, cells: prototypes.height,
      input: plan.target.height, placed: (plan.placement.y, plan.placement.height)
    ) { plan.targetPoint(x: 0, y: $0).y }
    guard !columns.pixels.isEmpty, !rows.pixels.isEmpty else { return Mask(emptyOf: plan.source) }
    let sums = sums(columns.cells, rows.cells)
    let width = columns.cells.count
    return sums.withUnsafeBufferPointer { sums in
      Mask(size: plan.source, columns: columns.pixels, rows: rows.pixels) { x, y in
        let across = columns.reads[x - columns.pixels.lowerBound]
        let down = rows.reads[y - rows.pixels.lowerBound]
        let (upper, lower) = (down.first * width, down.second * width)
        let above =
          (1 - across.weight) * sums[upper + across.first]
          + across.weight * sums[upper + across.second]
        let below =
          (1 - across.weight) * sums[lower + across.first]
          + across.weight * sums[lower + across.second]
        return (1 - down.weight) * above + down.weight * below > 0
      }
    }
  }

  /// The weighted sums of the prototypes in some cells, row by row.
  private func sums(_ columns: Range<Int>, _ rows: Range<Int>) -> [Float] {
    var sums = [Float](repeating: 0, count: columns.count * rows.count)
    prototypes.values.withUnsafeBufferPointer { values in
      sums.withUnsafeMutableBufferPointer { sums in
        for (map, coefficient) in coefficients.enumerated() {
          var place = 0
          for row in rows {
            let start = (map * prototypes.height + row) * prototypes.width
            for column in columns {
              sums[place] += coefficient * values[start + column]
              place += 1
            }
          }
        }
      }
    }
    return sums
  }

  /// The pixels of a box on one axis, and the cells of the prototypes that each is read from.
  private struct Axis {
    /// The image's pixels from the first to the last edge.
    let pixels: Range<Int>
    /// The cells that are read.
    let cells: Range<Int>
    /// For each pixel two cells, relative to the first of `cells`, and the weight of the second.
    let reads: [(first: Int, second: Int, weight: Float)]

    /// - Parameters:
    ///   - first: the box's edges in the image's pixels.
    ///   - length: the image's.
    ///   - cells: the number of cells over the model's input.
    ///   - placed: the start and length of the image in the model's input.
    ///   - target: maps a place in the image to the model's input.
    init(
      _ first: Double, _ last: Double, length: Int, cells count: Int, input: Int,
      placed: (start: Int, length: Int), _ target: (Double) -> Double
    ) {
      let start = min(max(0, Int(first.rounded(.up))), length)
      pixels = start..<max(start, min(length, Int(last.rounded(.up))))
      let scale = Double(count) / Double(input)
      let limit = count - 1
      // Cells of a letterboxed input's border are not read.
      let low = min(max(0, Int((Double(placed.start) * scale).rounded(.toNearestOrEven))), limit)
      let end = Int((Double(placed.start + placed.length) * scale).rounded(.toNearestOrEven))
      let high = max(low, min(limit, end - 1))
      let found = pixels.map { pixel -> (first: Int, second: Int, weight: Float) in
        let cell = min(max(target(Double(pixel) + 0.5) * scale - 0.5, Double(low)), Double(high))
        let first = Int(cell)
        return (first, min(first + 1, high), Float(cell - Double(first)))
      }
      let lowest = found.first?.first ?? 0
      cells = lowest..<max(lowest, (found.last?.second ?? -1) + 1)
      reads = found.map { ($0.first - lowest, $0.second - lowest, $0.weight) }
    }
  }
}
