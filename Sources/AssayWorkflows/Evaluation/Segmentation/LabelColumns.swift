package import AssayCore

/// A label for each pixel of an image, in column-major order like the runs of masks.
package struct LabelColumns: Sendable, Hashable {
  package let size: ImageSize
  /// The labels; element (x, y) is at index `x * height + y`.
  private var values: [UInt8]

  /// Creates a map with label 0 everywhere.
  package init(_ size: ImageSize) {
    self.size = size
    values = Array(repeating: 0, count: size.area)
  }

  /// Sets the label of all pixels of a mask.
  ///
  /// - Precondition: the mask has this size.
  package mutating func paint(_ mask: Mask, _ label: UInt8) {
    precondition(mask.size == size)
    values.withUnsafeMutableBufferPointer { values in
      var place = 0
      for (index, run) in mask.runs.enumerated() {
        let end = place + Int(run)
        if index % 2 == 1 { values[place..<end].update(repeating: label) }
        place = end
      }
    }
  }

  /// The pixels with a label.
  package func mask(of label: UInt8) -> Mask {
    var runs: [UInt32] = []
    var (start, isSet) = (0, false)
    for (place, value) in values.enumerated() where (value == label) != isSet {
      runs.append(UInt32(place - start))
      (start, isSet) = (place, !isSet)
    }
    runs.append(UInt32(values.count - start))
    // The runs sum to the area, so this cannot fail.
    return (try? Mask(size: size, runs: runs)) ?? Mask(emptyOf: size)
  }

  /// The transposed image: a raster whose rows are the columns. Counts of pixels and of square
  /// neighborhoods are the same.
  var transposed: Raster<UInt8> {
    Raster(width: size.height, height: size.width, elements: values)
      ?? Raster(repeating: 0, width: size.height, height: size.width)
  }
}
