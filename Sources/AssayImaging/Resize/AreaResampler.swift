import AssayCore

/// The mean of the source pixels that each target pixel covers, in float32.
struct AreaResampler {
  private let source: ImageSize
  private let target: ImageSize
  private let channels: Int
  private let columns: [Span]
  private let rows: [Span]

  /// - Precondition: the target is not larger on any side.
  init(from source: ImageSize, to target: ImageSize, channels: Int) {
    precondition(target.width <= source.width && target.height <= source.height)
    self.source = source
    self.target = target
    self.channels = channels
    columns = Span.spans(from: source.width, to: target.width)
    rows = Span.spans(from: source.height, to: target.height)
  }

  /// - Precondition: `raster` has the source's size and channels.
  func resample(_ raster: Raster<UInt8>) -> Raster<UInt8> {
    if source == target { return raster }
    precondition(raster.channels == channels && raster.width == source.width)
    let length = source.width * channels
    var resized = Raster<UInt8>(
      repeating: 0, width: target.width, height: target.height, channels: channels)
    var sums = [Float](repeating: 0, count: length)
    raster.elements.withUnsafeBufferPointer { pixels in
      resized.elements.withUnsafeMutableBufferPointer { result in
        sums.withUnsafeMutableBufferPointer { sums in
          for (row, span) in rows.enumerated() {
            sums.update(repeating: 0)
            for index in span.first...span.last {
              let weight = span.weight(of: index)
              let start = index * length
              for i in 0..<length { sums[i] += Float(pixels[start + i]) * weight }
            }
            reduce(sums, scale: span.scale, into: result, at: row * target.width * channels)
          }
        }
      }
    }
    return resized
  }

  private func reduce(
    _ sums: UnsafeMutableBufferPointer<Float>, scale: Float,
    into result: UnsafeMutableBufferPointer<UInt8>, at start: Int
  ) {
    var place = start
    for span in columns {
      for channel in 0..<channels {
        var sum: Float = 0
        for index in span.first...span.last {
          sum += sums[index * channels + channel] * span.weight(of: index)
        }
        result[place] = UInt8(clamping: Int(sum * span.scale * scale + 0.5))
        place += 1
      }
    }
  }
}

/// The source pixels that one target pixel covers.
private struct Span {
  let first: Int
  let last: Int
  /// The covered fractions of the first and the last pixel; those between count fully.
  let firstWeight: Float
  let lastWeight: Float
  /// One over the length of the span.
  let scale: Float

  func weight(of index: Int) -> Float {
    index == first ? firstWeight : index == last ? lastWeight : 1
  }

  /// Target pixel t covers t·source/target to (t + 1)·source/target: whole numbers over `target`.
  static func spans(from source: Int, to target: Int) -> [Span] {
    (0..<target).map { place in
      let (start, end) = (place * source, (place + 1) * source)
      let (first, last) = (start / target, (end - 1) / target)
      let firstCovered = min(end, (first + 1) * target) - start
      let lastCovered = end - last * target
      return Span(
        first: first, last: last, firstWeight: Float(firstCovered) / Float(target),
        lastWeight: Float(lastCovered) / Float(target), scale: Float(target) / Float(source))
    }
  }
}
