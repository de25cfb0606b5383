package import AssayCore

/// The probabilities of one class over a picture, in the 8 bits and the size they are stored in.
///
/// A cell is q = ⌊255p + ½⌋, so that q ≥ 128 exactly where p ≥ ½. Everything that is said of a
/// segmentation, its run's own mask too, is made from this, so that another threshold later means what
/// it would have meant then.
package struct ProbabilityMap: Equatable, Sendable {
  /// The cells, row by row.
  package let cells: Raster<UInt8>
  /// Their placement on the image.
  package let projection: MapProjection

  /// - Parameters:
  ///   - cells: one channel.
  ///   - plan: from the picture to the model's input.
  /// - Precondition: at least one cell.
  package init(_ cells: Raster<UInt8>, plan: ResizePlan) {
    precondition(cells.channels == 1 && cells.width >= 1 && cells.height >= 1)
    self.cells = cells
    projection = MapProjection(plan, map: ImageSize(width: cells.width, height: cells.height))
  }

  /// A probability in 8 bits; what is outside 0...1 is the nearer end.
  package static func quantised(_ probability: Float) -> UInt8 {
    // Conversion to a whole number rounds down.
    UInt8(255 * Double(min(max(probability, 0), 1)) + 0.5)
  }

  /// The pixels of the picture whose interpolated probability is at least `threshold`.
  ///
  /// - Parameter threshold: a fraction in 0...1.
  package func mask(threshold: Double) -> Mask { field().mask(at: threshold) }

  /// The map laid over its picture, for several masks of it.
  package func field() -> ProbabilityField { ProbabilityField(self) }

  /// The pixels that the model has not seen, outside a center crop; `nil` where it has seen all.
  package var void: Mask? { projection.void }

  /// The distance of the cells over the image from undecided: the mean of |p − ½|, in 0...½.
  package var meanDistance: Double {
    let used = projection.cells
    var sum = 0
    cells.elements.withUnsafeBufferPointer { cells in
      for y in used.y..<used.y + used.height {
        let start = y * projection.map.width + used.x
        for value in cells[start..<start + used.width] { sum += abs(2 * Int(value) - 255) }
      }
    }
    return Double(sum) / Double(510 * used.width * used.height)
  }
}
