import AssayCore
import AssayImaging

/// The part of a model's input that the cells of each box's mask fill. The raw value is the manifest's spelling.
package enum MaskFrame: String, CaseIterable, Sendable, Codable {
  /// The box.
  case box
  /// The whole input.
  case input
}

/// The mask of a box before it is drawn: a grid of probabilities over its box, or over the model's input.
///
/// A pixel belongs to the mask if the probability, read bilinearly at the pixel's center, is at least the threshold.
/// Outside of a box the probability is 0, as in `paste_masks_in_image` of detectron2 (0.6), which MMDetection has,
/// too; torchvision's function of this name rounds the box to whole pixels before.
package struct CellMask: Hashable, Sendable {
  /// The probabilities of the cells around those that reach the threshold, row by row.
  private let values: [Float]
  /// The indices of these cells; a cell beside the grid of a box has the probability 0.
  private let columns: Range<Int>
  private let rows: Range<Int>
  /// The size of the whole grid.
  private let width: Int
  private let height: Int
  /// The box in pixels of the model's input that the grid fills; `nil` for the whole input.
  private let edges: BoxEdges?
  private let threshold: Double

  /// The least and the largest probability of a grid.
  typealias Limits = (low: Float, high: Float)

  /// - Parameters:
  ///   - grid: `width` · `height` probabilities, row by row.
  ///   - edges: the box that the grid fills, with a positive size; `nil` for the whole input.
  init(
    _ grid: UnsafeBufferPointer<Float>, width: Int, height: Int, edges: BoxEdges?,
    threshold: Double
  ) {
    precondition(grid.count == width * height)
    (self.width, self.height) = (width, height)
    self.edges = edges
    self.threshold = threshold
    let least = Float(threshold)
    var (left, right, top, bottom) = (width, -1, height, -1)
    for row in 0..<height {
      for column in 0..<width where grid[row * width + column] >= least {
        (left, right) = (min(left, column), max(right, column))
        (top, bottom) = (min(top, row), row)
      }
    }
    guard right >= left else {
      (values, columns, rows) = ([], 0..<0, 0..<0)
      return
    }
    // A pixel is read from two cells, of which one reaches the threshold.
    let first = edges == nil ? 0 : -1
    let columns = max(first, left - 1)..<min(width - first, right + 2)
    let rows = max(first, top - 1)..<min(height - first, bottom + 2)
    values = rows.flatMap { row in
      columns.map { column in
        (0..<height).contains(row) && (0..<width).contains(column)
          ? grid[row * width + column] : 0
      }
    }
    (self.columns, self.rows) = (columns, rows)
  }

  /// The mask in the original image.
  ///
  /// - Parameter plan: the resize from the image to the model's input.
  func mask(through plan: ResizePlan) -> Mask {
    guard !values.isEmpty else { return Mask(emptyOf: plan.source) }
    let across = Axis(
      columns, of: width, length: plan.source.width, input: plan.target.width,
      area: edges.map { ($0.left, $0.right) }, placed: (plan.placement.x, plan.placement.width)
    ) { plan.targetPoint(x: $0, y: 0).x }
    let down = Axis(
      rows, of: height, length: plan.source.height, input: plan.target.height,
      area: edges.map { ($0.top, $0.bottom) }, placed: (plan.placement.y, plan.placement.height)
    ) { plan.targetPoint(x: 0, y: $0).y }
    let width = columns.count
    return values.withUnsafeBufferPointer { values in
      Mask(size: plan.source, columns: across.pixels, rows: down.pixels) { x, y in
        let (column, row) = (
          across.reads[x - across.pixels.lowerBound], down.reads[y - down.pixels.lowerBound]
        )
        let (upper, lower) = (row.first * width, row.second * width)
        let above =
          (1 - column.weight) * Double(values[upper + column.first])
          + column.weight * Double(values[upper + column.second])
        let below =
          (1 - column.weight) * Double(values[lower + column.first])
          + column.weight * Double(values[lower + column.second])
        return (1 - row.weight) * above + row.weight * below >= threshold
      }
    }
  }

  /// The pixels of an image on one axis that are read from the kept cells.
  private struct Axis {
    let pixels: Range<Int>
    /// For each pixel two cells, relative to the first kept one, and the weight of the second.
    let reads: [(first: Int, second: Int, weight: Double)]

    /// - Parameters:
    ///   - kept: the cells that are kept.
    ///   - count: the number of all cells.
    ///   - length: the image's.
    ///   - area: the edges of the box in the model's input; `nil` for the whole input, of which cells of a
    ///     letterbox's border are not read.
    ///   - placed: the start and length of the image in the model's input.
    ///   - target: maps a place in the image to the model's input.
    init(
      _ kept: Range<Int>, of count: Int, length: Int, input: Int, area: (Double, Double)?,
      placed: (start: Int, length: Int), _ target: (Double) -> Double
    ) {
      let (start, end) = area ?? (0, Double(input))
      let scale = Double(count) / (end - start)
      var (low, high) = (-Double.infinity, Double.infinity)
      if area == nil {
        let last = Double(count - 1)
        low = min(max(0, (Double(placed.start) * scale).rounded(.toNearestOrEven)), last)
        let stop = (Double(placed.start + placed.length) * scale).rounded(.toNearestOrEven)
        high = max(low, min(last, stop - 1))
      }
      var reads: [(first: Int, second: Int, weight: Double)] = []
      var first = 0
      for pixel in 0..<length {
        let cell = min(max((target(Double(pixel) + 0.5) - start) * scale - 0.5, low), high)
        guard cell >= Double(kept.lowerBound), cell <= Double(kept.upperBound - 1) else {
          if reads.isEmpty { continue }
          break
        }
        if reads.isEmpty { first = pixel }
        let floor = cell.rounded(.down)
        let place = Int(floor) - kept.lowerBound
        reads.append((place, min(place + 1, kept.count - 1), cell - floor))
      }
      self.reads = reads
      pixels = first..<first + reads.count
    }
  }
}
