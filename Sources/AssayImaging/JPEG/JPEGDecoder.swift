import AssayCore
import CImageCodecs

/// Decodes a JPEG whose header has been read.
enum JPEGDecoder {
  /// - Parameters:
  ///   - bytes: the whole file.
  ///   - header: the header that ``JPEGHeader`` read from the same bytes.
  ///   - denominator: 1, 2, 4 or 8: each side is divided by it and rounded up. All of the file is read
  ///     and checked in each case.
  /// - Returns: 1 channel for gray, else RGB; as stored, not oriented.
  static func decode(
    _ bytes: UnsafeRawBufferPointer, header: ImageHeader, denominator: Int = 1
  ) throws(ImageError) -> Raster<UInt8> {
    // A block of 8×8 takes at least one bit: a short file cannot fill a large image.
    guard header.size.area / 512 <= bytes.count else { throw .truncated(.jpeg) }
    let whole = image_codecs_shape(
      width: UInt32(header.size.width), height: UInt32(header.size.height),
      channels: UInt32(header.channels))
    let reduced = image_codecs_shape(
      width: UInt32((header.size.width + denominator - 1) / denominator),
      height: UInt32((header.size.height + denominator - 1) / denominator),
      channels: UInt32(header.channels))
    let decoded = try CodecBuffer.fill(kind: .jpeg, shape: reduced) { pixels, message in
      image_codecs_jpeg_decode_reduced(
        bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count, whole, UInt32(denominator),
        pixels, message)
    }
    return header.channels == 4 ? CMYKConversion.rgb(invertedCMYK: decoded) : decoded
  }
}

/// CMYK to RGB without a color profile.
enum CMYKConversion {
  /// The RGB of inverted CMYK, as Adobe's programs write it into JPEGs and PIL assumes for all of
  /// them: 255 is no ink. Each color is `K − (255 − C)·K/255` in PIL's rounded 8-bit product.
  ///
  /// - Precondition: 4 channels.
  static func rgb(invertedCMYK raster: Raster<UInt8>) -> Raster<UInt8> {
    precondition(raster.channels == 4)
    var rgb = Raster<UInt8>(
      repeating: 0, width: raster.width, height: raster.height, channels: 3)
    raster.elements.withUnsafeBufferPointer { source in
      rgb.elements.withUnsafeMutableBufferPointer { target in
        for pixel in 0..<raster.width * raster.height {
          let black = Int(source[4 * pixel + 3])
          for channel in 0..<3 {
            let ink = 255 - Int(source[4 * pixel + channel])
            let product = ink * black + 128
            target[3 * pixel + channel] = UInt8(
              clamping: black - (product >> 8 + product) >> 8)
          }
        }
      }
    }
    return rgb
  }
}
