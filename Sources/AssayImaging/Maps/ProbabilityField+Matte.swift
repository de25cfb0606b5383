package import AssayCore

extension ProbabilityField {
  /// The opacity of each pixel, 0...255: 0 up to a probability of `low`, 255 from `high`, linear between them.
  /// Pixels outside the model's input have 0.
  ///
  /// - Precondition: 0 ≤ low < high ≤ 1.
  /// - Returns: one channel, of the image's size.
  package func matte(from low: Double, to high: Double) -> Raster<UInt8> {
    precondition(0 <= low && low < high && high <= 1)
    let (crop, size) = (projection.plan.crop, projection.size)
    var matte = Raster<UInt8>(repeating: 0, width: size.width, height: size.height)
    let (start, slope) = (Float(Double(unit) * low), Float(255 / (Double(unit) * (high - low))))
    withUnsafeTemporaryAllocation(of: Float.self, capacity: height) { values in
      matte.elements.withUnsafeMutableBufferPointer { pixels in
        for x in 0..<crop.width {
          interpolate(column: x, into: values)
          var place = crop.y * size.width + crop.x + x
          for y in 0..<height {
            let opacity = (values[y] - start) * slope
            pixels[place] = UInt8(min(max(opacity, 0), 255) + 0.5)
            place &+= size.width
          }
        }
      }
    }
    return matte
  }
}
