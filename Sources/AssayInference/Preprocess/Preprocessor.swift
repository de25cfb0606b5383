package import AssayCore
package import AssayImaging

/// Converts images to a model's input values according to its manifest.
///
/// Color first, then the resize with the manifest's filter, in 8 bits except for `bilinear-float`,
/// then scale and offset in float64, rounded once to float32. Each thread needs its own: it caches the
/// last resize.
package struct Preprocessor {
  private let input: ModelInput
  /// The value of each pixel level, per channel.
  private let tables: [[Float]]
  private var resampler: BilinearResampler?

  package init(_ input: ModelInput) {
    self.input = input
    tables = (0..<input.color.channels).map { channel in
      (0...255).map { Float(input.value(of: Double($0), channel: channel)) }
    }
  }

  /// The pixel mode that a raster must be decoded to, without loss or conversion.
  package var mode: PixelMode { input.color == .gray ? .gray8 : .rgb8 }

  /// True if an image of the input's size is the input, so that the resize can be done ahead.
  private var isRepeatable: Bool {
    !input.resize.cropsAfterwards && !input.filter.isUnrounded && input.hasFixedSize
  }

  /// The size of an image's input.
  func size(of raster: Raster<UInt8>) -> ImageSize {
    input.hasFixedSize
      ? input.size : input.plan(for: ImageSize(width: raster.width, height: raster.height)).target
  }

  /// The size of an image's input if it differs from image to image; else `nil`.
  func ownSize(of raster: Raster<UInt8>) -> ImageSize? {
    input.hasFixedSize ? nil : size(of: raster)
  }

  /// An image with the same input values, to be kept instead of a large original: of the model's size if
  /// its resize gives 8 bits and changes nothing when it is done again; else the original.
  package mutating func kept(_ raster: Raster<UInt8>) -> Raster<UInt8> {
    isRepeatable ? picture(of: raster) : raster
  }

  /// The image in the model's size and colors, 8 bits, red before blue.
  ///
  /// - Parameter raster: at least one pixel, 1 or 3 channels.
  package mutating func picture(of raster: Raster<UInt8>) -> Raster<UInt8> {
    let colored =
      input.color == .gray ? GrayConversion.gray(raster) : GrayConversion.rgb(raster)
    let source = ImageSize(width: raster.width, height: raster.height)
    if source == input.size, isRepeatable { return colored }
    guard input.resize == .stretch, input.filter == .bilinear else {
      return input.plan(for: source).apply(to: colored, filter: input.filter)
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
  ///   - target: memory for one sample: a value per pixel and channel of ``size(of:)``.
  package mutating func fill(
    _ raster: Raster<UInt8>, into target: UnsafeMutableBufferPointer<Float>
  ) {
    let size = size(of: raster)
    precondition(target.count == size.area * input.color.channels)
    if input.filter.isUnrounded {
      return fillUnrounded(raster, into: target)
    }
    let picture = picture(of: raster)
    let channels = input.color.channels
    let area = size.area
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

  private func fillUnrounded(
    _ raster: Raster<UInt8>, into target: UnsafeMutableBufferPointer<Float>
  ) {
    let colored =
      input.color == .gray ? GrayConversion.gray(raster) : GrayConversion.rgb(raster)
    let source = ImageSize(width: raster.width, height: raster.height)
    let picture = input.plan(for: source).applyUnrounded(to: colored)
    let area = picture.width * picture.height
    let channels = input.color.channels
    for channel in 0..<channels {
      let place = input.color == .bgr ? channels - 1 - channel : channel
      var next = input.layout == .nhwc ? channel : channel * area
      let step = input.layout == .nhwc ? channels : 1
      for cell in 0..<area {
        target[next] = Float(
          input.value(of: Double(picture.elements[cell * channels + place]), channel: channel))
        next += step
      }
    }
  }

  /// A raster's input values, in the tensor's order, and the size of the input.
  package mutating func tensor(of raster: Raster<UInt8>) -> (values: [Float], size: ImageSize) {
    let size = size(of: raster)
    let wanted = size.area * input.color.channels
    let values = [Float](unsafeUninitializedCapacity: wanted) { buffer, count in
      let memory = UnsafeMutableBufferPointer(rebasing: buffer[..<wanted])
      memory.initialize(repeating: 0)
      fill(raster, into: memory)
      count = wanted
    }
    return (values, size)
  }

  /// A raster's input values, in the tensor's order.
  package mutating func values(of raster: Raster<UInt8>) -> [Float] { tensor(of: raster).values }
}
