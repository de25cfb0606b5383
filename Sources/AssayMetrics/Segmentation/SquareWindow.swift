/// The minimum or maximum byte in the square around every pixel, the square clipped at the image's
/// edge.
///
/// Rows use doubling windows, columns use prefixes and suffixes of blocks of one window. Both
/// access memory sequentially, so that the cost hardly depends on the radius.
/// Source: M. van Herk (1992), doi:10.1016/0167-8655(92)90069-C.
struct SquareWindow<Choice: ByteChoice> {
  let width: Int
  let height: Int
  /// The radius: a side of the square has 2·radius + 1 pixels.
  let radius: Int

  /// - Parameter bytes: row-major, `width` · `height` values.
  /// - Complexity: O(pixels · log `radius`).
  func reduce(_ bytes: inout [UInt8]) {
    guard width > 0, height > 0, bytes.count == width * height else { return }
    reduceRows(&bytes)
    reduceColumns(&bytes)
  }

  private func reduceRows(_ bytes: inout [UInt8]) {
    // A window that reaches beyond the image's far edge contains no additional pixels.
    let radius = min(radius, width)
    let window = 2 * radius + 1
    let count = width + 2 * radius
    var lines = [UInt8](repeating: Choice.neutral, count: 2 * count)
    bytes.withUnsafeMutableBufferPointer { bytes in
      lines.withUnsafeMutableBufferPointer { lines in
        guard let bytes = bytes.baseAddress, var line = lines.baseAddress else { return }
        var next = line + count
        for y in 0..<height {
          let row = bytes + y * width
          line.update(repeating: Choice.neutral, count: radius)
          (line + radius).update(from: row, count: width)
          (line + radius + width).update(repeating: Choice.neutral, count: radius)
          // line[i] contains the choice of `length` bytes from i on, if that many exist.
          var length = 1
          while 2 * length <= window {
            Self.choose(line, line + length, into: next, count: count - 2 * length + 1)
            swap(&line, &next)
            length *= 2
          }
          Self.choose(line, line + window - length, into: row, count: width)
        }
      }
    }
  }

  private func reduceColumns(_ bytes: inout [UInt8]) {
    let radius = min(radius, height)
    let window = 2 * radius + 1
    let rows = height + 2 * radius
    var prefixes = [UInt8](repeating: Choice.neutral, count: rows * width)
    var suffixes = prefixes
    bytes.withUnsafeMutableBufferPointer { bytes in
      prefixes.withUnsafeMutableBufferPointer { prefixes in
        suffixes.withUnsafeMutableBufferPointer { suffixes in
          guard let bytes = bytes.baseAddress, let prefixes = prefixes.baseAddress,
            let suffixes = suffixes.baseAddress
          else { return }
          (prefixes + radius * width).update(from: bytes, count: width * height)
          (suffixes + radius * width).update(from: bytes, count: width * height)
          for y in 1..<rows where y % window != 0 {
            let row = prefixes + y * width
            Self.choose(row, row - width, into: row, count: width)
          }
          for y in (0..<rows - 1).reversed() where y % window != window - 1 {
            let row = suffixes + y * width
            Self.choose(row, row + width, into: row, count: width)
          }
          Self.choose(
            suffixes, prefixes + (window - 1) * width, into: bytes, count: width * height)
        }
      }
    }
  }

  /// Computes the choices of two lines, byte by byte; the target can be one of the lines.
  @inline(__always)
  private static func choose(
    _ first: UnsafePointer<UInt8>, _ second: UnsafePointer<UInt8>,
    into target: UnsafeMutablePointer<UInt8>, count: Int
  ) {
    for index in 0..<max(0, count) { target[index] = Choice.of(first[index], second[index]) }
  }
}

/// A symmetric choice between two bytes.
protocol ByteChoice {
  /// The byte that is never chosen over another.
  static var neutral: UInt8 { get }
  static func of(_ first: UInt8, _ second: UInt8) -> UInt8
}

enum LeastByte: ByteChoice {
  static var neutral: UInt8 { 255 }

  @inline(__always)
  static func of(_ first: UInt8, _ second: UInt8) -> UInt8 { min(first, second) }
}

enum LargestByte: ByteChoice {
  static var neutral: UInt8 { 0 }

  @inline(__always)
  static func of(_ first: UInt8, _ second: UInt8) -> UInt8 { max(first, second) }
}
