package import AssayCore
package import AssayImaging

/// Converts images to a model's input values according to its manifest.
///
/// Color first, then the resize in 8 bits (bilinear, equal to OpenCV's), then scale and offset in
/// float64, rounded once to float32. Each thread needs its own: it caches the last resize.
package struct Preprocessor {
  private let input: ModelInput
  /// The value of each pixel level, per channel.
  private let tables: [[Float]]
  private var resampler: BilinearResampler?

  package init(_ input: ModelInput) {
    self.input = input
    tables = (0..<input.color.channels).map { channel in
      (0...255).map { Float(input.value(of: $0, channel: channel)) }
    }
  }

  /// The pixel mode that a raster must be decoded to, without loss or conversion.
  package var mode: PixelMode { input.color == .gray ? .gray8 : .rgb8 }

  /// The image in the model's size and colors, 8 bits, red before blue.
  ///
  /// - Parameter raster: at least one pixel, 1 or 3 channels.
  package mutating func picture(of raster: Raster<UInt8>) -> Raster<UInt8> {
    let colored =
      input.color == .gray ? GrayConversion.gray(raster) : GrayConversion.rgb(raster)
    let source = ImageSize(width: raster.width, height: raster.height)
    if source == input.size { return colored }
    guard input.resize == .stretch else {
      return ResizePlan(input.resize, from: source, to: input.size).apply(to: colored)
    }
    if let resampler, resampler.source == source { return resampler.resample(colored) }
    let resampler = BilinearResampler(from: source, to: input.size, channels: colored.channels)
    self.resampler = resampler
    return resampler.resample(colored)
  }

  /// Writes a raster's input values.
  ///
  /// - Parameters:
  ///   - raster: at least one pixel, 1 or 3 channels.
  ///   - target: memory for one sample, `input.count` values.
  package mutating func fill(
    _ raster: Raster<UInt8>, into target: UnsafeMutableBufferPointer<Float>
  ) {
    precondition(target.count == input.count)
    let picture = picture(of: raster)
    let channels = input.color.channels
    let area = input.size.area
    picture.elements.withUnsafeBufferPointer { pixels in
      for channel in 0..<channels {
        // In bgr, blue comes first.
        let place = input.color == .bgr ? channels - 1 - channel : channel
        let start = input.layout == .nhwc ? channel : channel * area
        let step = input.layout == .nhwc ? channels : 1
        tables[channel].withUnsafeBufferPointer { table in
          var next = start
          var pixel = place
          for _ in 0..<area {
            target[next] = table[Int(pixels[pixel])]
            next &+= step
            pixel &+= channels
          }
        }
      }
    }
  }

  /// A raster's `input.count` input values, in the tensor's order.
  package mutating func values(of raster: Raster<UInt8>) -> [Float] {
    [Float](unsafeUninitializedCapacity: input.count) { buffer, count in
      let memory = UnsafeMutableBufferPointer(rebasing: buffer[..<input.count])
      memory.initialize(repeating: 0)
      fill(raster, into: memory)
      count = input.count
    }
  }
}
