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
    let sides = shape.map(String.init).joined(separator: ", ") + (shape.count == 1 ? "," : "")
    var header = "{'descr': '<f4', 'fortran_order': False, 'shape': (\(sides)), }"
    // The values begin at a multiple of 64, after 10 bytes and a header that ends with a line feed.
    let unpadded = 10 + header.utf8.count + 1
    header += String(repeating: " ", count: (64 - unpadded % 64) % 64) + "\n"
    guard let length = UInt16(exactly: header.utf8.count) else { return nil }
    var bytes: [UInt8] = [0x93] + Array("NUMPY".utf8) + [1, 0]
    bytes += [UInt8(truncatingIfNeeded: length), UInt8(truncatingIfNeeded: length >> 8)]
    bytes += header.utf8
    bytes.reserveCapacity(bytes.count + 4 * values.count)
    for value in values {
      withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
    }
    return bytes
  }
}
