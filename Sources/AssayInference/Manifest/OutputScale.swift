/// The conversion of an output's numbers to values: number · scale + offset, in float64, rounded
/// once.
package struct OutputScale: Hashable, Sendable {
  package var scale: Double
  package var offset: Double

  package init(scale: Double, offset: Double) {
    self.scale = scale
    self.offset = offset
  }

  /// Converts numbers to values in place.
  ///
  /// - Parameter start: the index of the first number, at most the count.
  package func apply(to values: inout [Float], from start: Int = 0) {
    for index in values.indices[start...] {
      values[index] = Float(Double(values[index]) * scale + offset)
    }
  }
}
