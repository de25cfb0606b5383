import AssayCore

/// The masks of the values of a label map of up to 16 bits.
enum ValueMasks {
  /// The maximum number of different values of one label map.
  static let limit = 4096

  /// The mask of every value, in ascending order of the values; `nil` if there are more than
  /// ``limit``.
  ///
  /// - Parameter omitted: a value without a mask.
  /// - Precondition: the raster has one channel and at least one pixel.
  static func masks(
    of raster: Raster<UInt16>, omitting omitted: UInt16? = nil
  ) -> [(value: UInt16, mask: Mask)]? {
    var isThere = [Bool](repeating: false, count: 1 << 16)
    raster.elements.withUnsafeBufferPointer { pixels in
      for value in pixels { isThere[Int(value)] = true }
    }
    if let omitted { isThere[Int(omitted)] = false }
    let values = isThere.indices.filter { isThere[$0] }
    guard values.count <= limit else { return nil }
    var masks: [(value: UInt16, mask: Mask)] = []
    // `Mask.labels` tells 256 values apart; 0 is the rest.
    for start in stride(from: 0, to: values.count, by: 255) {
      let part = values[start..<min(values.count, start + 255)]
      var places = [UInt8](repeating: 0, count: 1 << 16)
      for (place, value) in part.enumerated() { places[value] = UInt8(place + 1) }
      var indices = Raster<UInt8>(repeating: 0, width: raster.width, height: raster.height)
      raster.elements.withUnsafeBufferPointer { pixels in
        indices.elements.withUnsafeMutableBufferPointer { target in
          for pixel in pixels.indices { target[pixel] = places[Int(pixels[pixel])] }
        }
      }
      for (place, mask) in Mask.labels(of: indices) where place > 0 {
        masks.append((UInt16(part[start + Int(place) - 1]), mask))
      }
    }
    return masks
  }
}
