package import AssayCore

/// The probabilities of one class over an image, in the 8 bits and the size in which they are
/// stored.
///
/// A cell is q = ⌊255p + ½⌋, so that q ≥ 128 exactly if p ≥ ½. All results of a segmentation,
/// including its run's own mask, are computed from this, so that a later threshold gives the same
/// result as it would have at the time of the run.
package struct ProbabilityMap: Equatable, Sendable {
  /// The cells, in row-major order.
  package let cells: Raster<UInt8>
  /// Their placement on the image.
  package let projection: MapProjection

  /// - Parameters:
  ///   - cells: one channel.
  ///   - plan: the resize from the image to the model's input.
  /// - Precondition: at least one cell.
  package init(_ cells: Raster<UInt8>, plan: ResizePlan) {
    precondition(cells.channels == 1 && cells.width >= 1 && cells.height >= 1)
    self.cells = cells
    projection = MapProjection(plan, map: ImageSize(width: cells.width, height: cells.height))
  }

  /// A probability in 8 bits, clamped to 0...1 first.
  package static func quantised(_ probability: Float) -> UInt8 {
    // Conversion to an integer rounds down.
    UInt8(255 * Double(min(max(probability, 0), 1)) + 0.5)
  }

  /// The pixels of the image whose interpolated probability is at least `threshold`.
  ///
  /// - Parameter threshold: a fraction in 0...1.
  package func mask(threshold: Double) -> Mask { field().mask(at: threshold) }

  /// The map interpolated over its image, for several masks.
  package func field() -> ProbabilityField { ProbabilityField(self) }

  /// The pixels that were not in the model's input, outside a center crop; `nil` if all were.
  package var void: Mask? { projection.void }

  /// The distance of the cells over the image from one half: the mean of
  /// p − ½
  /// , in 0...½.
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
