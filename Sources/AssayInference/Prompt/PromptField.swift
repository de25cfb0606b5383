import AssayCore

/// The values of a mask, resized as PyTorch's `interpolate` does it: bilinear, `align_corners=False`, no antialiasing.
struct PromptField {
  /// By rows.
  let values: [Float]
  let size: ImageSize

  /// The two source positions of a target position, and the share of the second one.
  struct Tap {
    let first: Int
    let second: Int
    let share: Float
  }

  static func taps(from source: Int, to target: Int, count: Int? = nil) -> [Tap] {
    let scale = Double(source) / Double(target)
    return (0..<(count ?? target)).map { place in
      let position = max((Double(place) + 0.5) * scale - 0.5, 0)
      let first = min(Int(position), source - 1)
      return Tap(
        first: first, second: min(first + 1, source - 1), share: Float(position - Double(first)))
    }
  }

  /// The upper left part of the field, resized to a size.
  func enlarged(to target: ImageSize, keeping part: ImageSize) -> PromptField {
    let columns = Self.taps(from: size.width, to: target.width, count: part.width)
    let rows = Self.taps(from: size.height, to: target.height, count: part.height)
    var result = [Float](repeating: 0, count: part.area)
    for (y, row) in rows.enumerated() {
      let (above, below) = (row.first * size.width, row.second * size.width)
      for (x, column) in columns.enumerated() {
        let top = Self.mix(
          values[above + column.first], values[above + column.second], column.share)
        let bottom = Self.mix(
          values[below + column.first], values[below + column.second], column.share)
        result[y * part.width + x] = Self.mix(top, bottom, row.share)
      }
    }
    return PromptField(values: result, size: part)
  }

  /// The pixels of an image whose values are above a threshold.
  func mask(in image: ImageSize, above threshold: Float) -> Mask {
    let columns = Self.taps(from: size.width, to: image.width)
    let rows = Self.taps(from: size.height, to: image.height)
    var runs: [UInt32] = []
    var length: UInt32 = 0
    var isIn = false
    var column = [Float](repeating: 0, count: size.height)
    for tap in columns {
      for y in 0..<size.height {
        column[y] = Self.mix(
          values[y * size.width + tap.first], values[y * size.width + tap.second], tap.share)
      }
      for row in rows {
        let value = Self.mix(column[row.first], column[row.second], row.share)
        if (value > threshold) != isIn {
          runs.append(length)
          (length, isIn) = (0, !isIn)
        }
        length += 1
      }
    }
    runs.append(length)
    return (try? Mask(size: image, runs: runs)) ?? Mask(emptyOf: image)
  }

  @inline(__always)
  private static func mix(_ first: Float, _ second: Float, _ share: Float) -> Float {
    (1 - share) * first + share * second
  }
}
