import AssayCore

/// NumPy's `.npy` file, little-endian, in C order, version 1.0.
///
/// Source: NumPy's `numpy/lib/format.py` (NEP 1).
package enum NPYFile {
  /// The bytes of a file of float32 values; `nil` if the shape's product is not the number of values
  /// or a dimension is negative.
  ///
  /// - Parameter shape: the length of each axis, slowest first; empty for a single value.
  package static func bytes(of values: [Float], shape: [Int]) -> [UInt8]? {
    bytes(of: values.map(\.bitPattern.littleEndian), .f4, shape)
  }

  /// The same of float64 values.
  package static func bytes(of values: [Double], shape: [Int]) -> [UInt8]? {
    bytes(of: values.map(\.bitPattern.littleEndian), .f8, shape)
  }

  /// The same of int32 values.
  package static func bytes(of values: [Int32], shape: [Int]) -> [UInt8]? {
    bytes(of: values.map(\.littleEndian), .i4, shape)
  }

  /// The same of Boolean values.
  package static func bytes(of values: [Bool], shape: [Int]) -> [UInt8]? {
    bytes(of: values.map { UInt8($0 ? 1 : 0) }, .bool, shape)
  }

  /// - Parameter words: the values, little-endian.
  private static func bytes(
    of words: [some FixedWidthInteger], _ element: NPYHeader.Element, _ shape: [Int]
  ) -> [UInt8]? {
    let header = NPYHeader(element: element, shape: shape)
    guard shape.allSatisfy({ $0 >= 0 }), header.count == words.count, var bytes = header.bytes
    else { return nil }
    bytes.reserveCapacity(bytes.count + element.size * words.count)
    words.withUnsafeBytes { bytes.append(contentsOf: $0) }
    return bytes
  }
}
