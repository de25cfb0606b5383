package import AssayCore

/// The class of each cell of a model's output over an image; each pixel has the class of the cell
/// that its center is in.
package struct LabelField: Sendable {
  private let cells: Raster<Int32>
  package let projection: MapProjection

  /// - Parameters:
  ///   - cells: the ordinals of the classes, one channel.
  ///   - plan: the resize from the image to the model's input.
  /// - Precondition: at least one cell.
  package init(_ cells: Raster<Int32>, plan: ResizePlan) {
    precondition(cells.channels == 1 && cells.width >= 1 && cells.height >= 1)
    self.cells = cells
    projection = MapProjection(plan, map: ImageSize(width: cells.width, height: cells.height))
  }

  /// The pixels of each class. Pixels outside the model's input belong to no class.
  ///
  /// - Parameter count: the number of classes.
  /// - Precondition: every cell is in `0..<count`.
  package func masks(of count: Int) -> [Mask] {
    let (crop, size) = (projection.plan.crop, projection.size)
    let (columns, rows) = (projection.columns, projection.rows)
    let used = projection.cells
    var runs = [MaskBuilder](repeating: MaskBuilder(size), count: count)
    for (x, column) in columns.enumerated() {
      let start = (crop.x + x) * size.height + crop.y
      let cellX = used.x + column.nearest
      var first = 0
      var label = Int(cells[cellX, used.y + rows[0].nearest])
      for y in 1...rows.count {
        let next = y < rows.count ? Int(cells[cellX, used.y + rows[y].nearest]) : -1
        guard next != label else { continue }
        runs[label].add(start + first..<start + y)
        (first, label) = (y, next)
      }
    }
    return runs.map { $0.mask() }
  }
}
