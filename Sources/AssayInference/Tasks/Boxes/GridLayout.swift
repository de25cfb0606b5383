import AssayCore

/// The layout of a raw grid with anchors in an output, for one sample.
struct GridLayout: Hashable, Sendable {
  /// The number of anchors, of rows and columns of cells, and of values of each anchor.
  let anchors: Int
  let height: Int
  let width: Int
  let values: Int
  /// The distances between two anchors, rows, columns and values.
  let steps: Steps

  /// The order of an output's dimensions, which is the same for all grids of a model.
  enum Order: Hashable, Sendable {
    /// `[N, A · V, H, W]` and `[N, A, V, H, W]`.
    case valuesBeforeCells
    /// `[N, A, H, W, V]`.
    case valuesAfterCells
    /// `[N, H, W, A · V]` and `[N, H, W, A, V]`.
    case cellsFirst
  }

  var order: Order {
    if steps.column == 1, values > 1 || steps.value > 1 { return .valuesBeforeCells }
    return steps.anchor == values && steps.column == anchors * values
      ? .cellsFirst : .valuesAfterCells
  }

  struct Steps: Hashable, Sendable {
    var anchor: Int
    var row: Int
    var column: Int
    var value: Int
  }

  /// The number of values.
  var count: Int { anchors * height * width * values }

  /// The ways to read an output: `[N, A · V, H, W]`, `[N, A, V, H, W]`, `[N, A, H, W, V]`, `[N, H, W, A · V]` and
  /// `[N, H, W, A, V]`.
  ///
  /// - Parameter lengths: the lengths for one sample.
  static func candidates(
    _ lengths: [Int?], anchors: Int, height: Int, width: Int, values: Int
  ) -> [GridLayout] {
    let (cells, all) = (height * width, anchors * values)
    let first = Steps(anchor: values * cells, row: width, column: 1, value: cells)
    let last = Steps(anchor: values, row: width * all, column: all, value: 1)
    let shapes: [([Int], Steps)] = [
      ([all, height, width], first), ([anchors, values, height, width], first),
      (
        [anchors, height, width, values],
        Steps(anchor: cells * values, row: width * values, column: values, value: 1)
      ),
      ([height, width, all], last), ([height, width, anchors, values], last),
    ]
    var found: [GridLayout] = []
    for (shape, steps) in shapes where lengths == shape.map(Optional.some) {
      let layout = GridLayout(
        anchors: anchors, height: height, width: width, values: values, steps: steps)
      if !found.contains(layout) { found.append(layout) }
    }
    return found
  }

  /// Appends the values of all anchors, each after another: anchor by anchor, each row by row.
  ///
  /// - Parameter start: the first value of the grid.
  func append(from outputs: [Float], start: Int, to rows: inout [Float]) {
    outputs.withUnsafeBufferPointer { outputs in
      for anchor in 0..<anchors {
        for row in 0..<height {
          for column in 0..<width {
            var place =
              start + anchor * steps.anchor + row * steps.row + column * steps.column
            for _ in 0..<values {
              rows.append(outputs[place])
              place &+= steps.value
            }
          }
        }
      }
    }
  }
}
