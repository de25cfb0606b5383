import AssayCore

/// Converts a box's four values to edges.
struct BoxDecoder: Sendable {
  private enum Rule {
    case grid(BoxGrid)
    case anchors(AnchorGrid)
    case centers(CenterGrid)
    case plain(BoxOrder, scale: (x: Double, y: Double))
  }

  private let rule: Rule
  private let columns: BoxTensorLayout.Columns

  /// - Parameter isRaw: false if a model with anchors applies the sigmoids itself.
  init(
    _ head: DetectorRule.Head, input size: ImageSize, _ columns: BoxTensorLayout.Columns,
    isRaw: Bool
  ) {
    self.columns = columns
    rule =
      switch head {
      case .yolox(let strides): .grid(BoxGrid(strides: strides, of: size))
      case .anchors(let anchors): .anchors(AnchorGrid(anchors, of: size, isRaw: isRaw))
      case .blazeface(let centers): .centers(CenterGrid(centers, of: size))
      case .boxes(let order, .pixels), .final(let order, .pixels, _): .plain(order, scale: (1, 1))
      case .keypoints: .plain(.xyxy, scale: (1, 1))
      case .boxes(let order, .relative), .final(let order, .relative, _):
        .plain(order, scale: (Double(size.width), Double(size.height)))
      }
  }

  /// The values of a row as output by the model.
  func values(_ row: Int, _ outputs: UnsafeBufferPointer<Float>) -> (
    Double, Double, Double, Double
  ) {
    let value = { Double(outputs[columns.place(row, $0)]) }
    return (value(0), value(1), value(2), value(3))
  }

  /// Returns whether the values are from 0 to 1 where the model is said to apply a sigmoid itself.
  func areInRange(_ values: (Double, Double, Double, Double)) -> Bool {
    if case .anchors(let grid) = rule { grid.areInRange(values) } else { true }
  }

  /// The edges of a row's box, in pixels of the model's input.
  func edges(_ row: Int, _ outputs: UnsafeBufferPointer<Float>) -> BoxEdges {
    let values = values(row, outputs)
    switch rule {
    case .grid(let grid): return grid.edges(row, values)
    case .anchors(let grid): return grid.edges(row, values)
    case .centers(let grid): return grid.edges(row, values)
    case .plain(let order, let scale): return BoxEdges(order, values, scale: scale)
    }
  }

  /// A keypoint of a row's box, in pixels of the model's input.
  func point(_ row: Int, _ x: Double, _ y: Double) -> (x: Double, y: Double) {
    switch rule {
    case .grid, .anchors: (x, y)
    case .centers(let grid): grid.point(row, x, y)
    case .plain(_, let scale): (x * scale.x, y * scale.y)
    }
  }
}
