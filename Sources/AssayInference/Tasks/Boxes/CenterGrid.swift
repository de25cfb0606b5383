import AssayCore

/// The cells of a detector whose boxes are offsets from the centers of anchors without a size of their own.
package struct CenterRule: Hashable, Sendable {
  /// The strides of the grids, in the order of the model's rows.
  package var strides: [Int]
  /// The number of anchors in each cell of each grid. All of a cell have the same center.
  package var anchorsPerCell: [Int]
  /// The unit of the offsets, sizes and keypoints.
  package var units: BoxUnits

  package init(strides: [Int], anchorsPerCell: [Int], units: BoxUnits) {
    self.strides = strides
    self.anchorsPerCell = anchorsPerCell
    self.units = units
  }

  /// The number of rows that a model with an input of that size has, which every stride divides.
  func rowCount(of size: ImageSize) -> Int {
    zip(strides, anchorsPerCell).reduce(0) { sum, grid in
      sum + (size.width / grid.0) * (size.height / grid.0) * grid.1
    }
  }
}

/// The centers of the anchors that the rows belong to: grid by grid, each cell by cell in rows, all anchors of a cell
/// one after another.
///
/// Sources: V. Bazarevsky, Y. Kartynnik, A. Vakunov, K. Raveendran, M. Grundmann, "BlazeFace: Sub-millisecond Neural
/// Face Detection on Mobile GPUs" (2019); `ssd_anchors_calculator.cc` with `fixed_anchor_size` and
/// `tensors_to_detections_calculator.cc` with `reverse_output_order` of MediaPipe 0.10.14.
struct CenterGrid: Sendable {
  private let centers: [(x: Double, y: Double)]
  private let scale: (x: Double, y: Double)

  /// - Parameter size: the size of the model's input, a multiple of every stride.
  init(_ rule: CenterRule, of size: ImageSize) {
    centers = zip(rule.strides, rule.anchorsPerCell).flatMap { stride, anchors in
      (0..<size.height / stride).flatMap { y in
        (0..<size.width / stride).flatMap { x in
          [(x: Double, y: Double)](
            repeating: ((Double(x) + 0.5) * Double(stride), (Double(y) + 0.5) * Double(stride)),
            count: anchors)
        }
      }
    }
    scale =
      rule.units == .relative ? (Double(size.width), Double(size.height)) : (1, 1)
  }

  /// A point given as the offset from the center of a row's anchor, in pixels of the model's input.
  func point(_ row: Int, _ x: Double, _ y: Double) -> (x: Double, y: Double) {
    let center = centers[row]
    return (center.x + x * scale.x, center.y + y * scale.y)
  }

  /// The box of a row: its values are the offset of its center, its width and its height.
  func edges(_ row: Int, _ values: (Double, Double, Double, Double)) -> BoxEdges {
    BoxEdges(
      center: point(row, values.0, values.1), size: (values.2 * scale.x, values.3 * scale.y))
  }
}
