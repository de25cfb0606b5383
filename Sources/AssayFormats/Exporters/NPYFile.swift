import AssayCore

/// NumPy's `.npy` file of float32 values, little-endian, in C order, version 1.0.
///
/// Source: NumPy's `numpy/lib/format.py` (NEP 1).
package enum NPYFile {
  /// The file's bytes; `nil` if the shape's product is not the number of values or a dimension is
  /// negative.
  ///
  /// - Parameter shape: the length of each axis, slowest first; empty for a single value.
  package static func bytes(of values: [Float], shape: [Int]) -> [UInt8]? {
    var product = 1
    for side in shape {
      let (next, overflow) = product.multipliedReportingOverflow(by: side)
      guard side >= 0, !overflow else { return nil }
      product = next
    }
    guard product == values.count else { return nil }
    guard var bytes = NPYHeader(element: .f4, shape: shape).bytes else { return nil }
    bytes.reserveCapacity(bytes.count + 4 * values.count)
    for value in values {
      withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
    }
    return bytes
  }
}
