package import AssayCore

/// The channels of a decoded image, 8 bits each.
package enum PixelMode: String, CaseIterable, Sendable {
  /// One channel; color is reduced by ``GrayConversion``, for every file format.
  case gray8
  /// Red, green, blue; gray is repeated.
  case rgb8
  /// One channel for gray, three for color; palettes become color.
  case native
  /// One channel for gray, three for color, one of raw indices for a palette; gray below 8 bits
  /// also keeps its raw values, so that label masks keep their painted values.
  case stored
}

/// Reads images of each ``ImageKind``, and writes PNG and JPEG.
///
/// Rules for all files: alpha is dropped and the underlying color kept (as PIL's `convert("RGB")`
/// and OpenCV do); of 16 bits the upper 8 are kept; color profiles and gamma are ignored; CMYK
/// becomes RGB without a profile; the EXIF orientation is applied. Memory for pixels is allocated
/// only after the header's size has been checked against ``ImageSize/pixelLimit`` and the file's
/// length.
package enum ImageCodec {
  /// Reads the header.
  ///
  /// - Parameter bytes: the file, or a prefix of it that reaches the image data. A shorter prefix
  ///   throws ``ImageError/truncated(_:)``: pass the whole file then.
  /// - Throws: ``ImageError``.
  package static func header(of bytes: UnsafeRawBufferPointer) throws(ImageError) -> ImageHeader {
    guard !bytes.isEmpty else { throw .empty }
    guard let kind = ImageKind.detect(bytes) else {
      throw .unknownKind(firstBytes: Array(bytes.prefix(8)))
    }
    return try kind.format.header(bytes)
  }

  /// Reads the header; see ``header(of:)-(UnsafeRawBufferPointer)``.
  package static func header(of bytes: [UInt8]) throws(ImageError) -> ImageHeader {
    try lending(bytes, header(of:))
  }

  /// Decodes a whole file.
  ///
  /// - Parameters:
  ///   - bytes: the file.
  ///   - mode: the channels to return.
  ///   - oriented: whether to apply the file's orientation to the pixels; `false` returns them as
  ///     stored.
  /// - Returns: 1 or 3 channels of 8 bits, of the header's `orientedSize`.
  /// - Throws: ``ImageError``; a truncated or damaged file never returns an image.
  package static func decode(
    _ bytes: UnsafeRawBufferPointer, as mode: PixelMode, oriented: Bool = true
  ) throws(ImageError) -> Raster<UInt8> {
    let header = try header(of: bytes)
    let stored = try header.kind.format.decode(bytes, header: header, raw: mode == .stored)
    let wanted =
      switch mode {
      case .gray8: GrayConversion.gray(stored)
      case .rgb8: GrayConversion.rgb(stored)
      case .native, .stored: stored
      }
    return oriented ? header.orientation.apply(to: wanted) : wanted
  }

  /// Decodes a whole file; see ``decode(_:as:oriented:)-(UnsafeRawBufferPointer,_,_)``.
  package static func decode(
    _ bytes: [UInt8], as mode: PixelMode, oriented: Bool = true
  ) throws(ImageError) -> Raster<UInt8> {
    try lending(bytes) { (buffer) throws(ImageError) in
      try decode(buffer, as: mode, oriented: oriented)
    }
  }

  /// Decodes the values of a label map: gray of 1 to 16 bits, or palette indices, as stored and
  /// unscaled; alpha is dropped.
  ///
  /// - Parameter oriented: whether to apply the file's orientation.
  /// - Throws: ``ImageError``; ``ImageError/unsupported(_:reason:)`` for lossy files, whose values are not
  ///   exact, and for colors.
  package static func decodeValues(
    _ bytes: [UInt8], oriented: Bool = false
  ) throws(ImageError) -> Raster<UInt16> {
    try lending(bytes) { (buffer) throws(ImageError) in
      let header = try header(of: buffer)
      guard !header.isLossy else {
        throw .unsupported(header.kind, reason: "its pixels are not exact, so it is no label map")
      }
      guard header.channels <= 2 else {
        throw .unsupported(
          header.kind, reason: "a label map has one value per pixel, not a color")
      }
      let orientation = oriented ? header.orientation : .up
      let format = header.kind.format
      if header.bitDepth == 16 {
        return orientation.apply(to: try format.decodeWide(buffer, header: header))
      }
      let stored = try format.decode(buffer, header: header, raw: true)
      let values = stored.elements.map { UInt16($0) }
      guard let raster = Raster(width: stored.width, height: stored.height, elements: values) else {
        throw .outOfMemory(header.kind)
      }
      return orientation.apply(to: raster)
    }
  }

  /// Decodes a PNG of red, green, blue and alpha with 8 bits each, in which all four are values. The
  /// orientation is applied.
  ///
  /// - Returns: 4 channels.
  /// - Throws: ``ImageError``; ``ImageError/unsupported(_:reason:)`` for other files.
  package static func decodeWithAlpha(_ bytes: [UInt8]) throws(ImageError) -> Raster<UInt8> {
    try lending(bytes) { (buffer) throws(ImageError) in
      let header = try header(of: buffer)
      guard header.kind == .png, header.channels == 4, header.bitDepth == 8 else {
        throw .unsupported(header.kind, reason: "expected red, green, blue and alpha of 8 bits")
      }
      return header.orientation.apply(to: try PNGDecoder.decodeAlpha(buffer, header: header))
    }
  }

  /// Returns whether a file that can be decoded has its end marker, IEND of a PNG. That of a JPEG is looked for by
  /// decoding.
  package static func hasEnd(_ bytes: UnsafeRawBufferPointer, header: ImageHeader) -> Bool {
    header.kind != .png || PNGHeader.hasEnd(bytes)
  }

  /// Decodes a whole file for measuring and comparing images: a JPEG at 1/2, 1/4 or 1/8 of its size if
  /// its longer side keeps at least `longest` pixels. All of the file is read and checked, as by
  /// ``decode(_:as:oriented:)-(UnsafeRawBufferPointer,_,_)``.
  ///
  /// - Returns: 1 channel for gray, 3 for color; oriented.
  /// - Throws: ``ImageError``.
  package static func decodeReduced(
    _ bytes: UnsafeRawBufferPointer, header: ImageHeader, longest: Int
  ) throws(ImageError) -> Raster<UInt8> {
    guard header.kind == .jpeg else {
      let stored = try header.kind.format.decode(bytes, header: header, raw: false)
      return header.orientation.apply(to: stored)
    }
    let side = max(header.size.width, header.size.height)
    let denominator = [8, 4, 2].first { side / $0 >= longest } ?? 1
    return header.orientation.apply(
      to: try JPEGDecoder.decode(bytes, header: header, denominator: denominator))
  }

  /// Decodes a JPEG whose end marker is missing, as
  /// ``decodeReduced(_:header:longest:)``, if all of its rows are there.
  ///
  /// - Returns: `nil` if pixels are missing, or if that cannot be known: of several scans, the last ones
  ///   could be missing.
  package static func decodeWithoutEnd(
    _ bytes: UnsafeRawBufferPointer, header: ImageHeader, longest: Int
  ) -> Raster<UInt8>? {
    guard header.kind == .jpeg, !header.isProgressive,
      JPEGHeader.componentsOfLastScan(bytes) == header.channels
    else { return nil }
    // With the marker in place, libjpeg warns exactly if the data ends before the last row.
    return try? lending(Array(bytes) + [0xFF, 0xD9]) { (whole) throws(ImageError) in
      try decodeReduced(whole, header: header, longest: longest)
    }
  }

  /// Writes an 8-bit PNG: gray for 1 channel, RGB for 3. The same raster gives the same bytes.
  ///
  /// - Throws: ``ImageError/notEncodable(width:height:channels:)`` for an empty raster or other channels.
  package static func encodePNG(
    _ raster: Raster<UInt8>, compression: PNGCompression = .balanced
  ) throws(ImageError) -> [UInt8] {
    guard raster.channels != 2 else {
      throw .notEncodable(width: raster.width, height: raster.height, channels: 2)
    }
    return try PNGEncoder.encode(raster, compression: compression)
  }

  /// Writes a PNG of 16-bit gray.
  ///
  /// - Parameters:
  ///   - high: the higher byte of each pixel, one channel.
  ///   - low: the lower byte, of the same size.
  /// - Throws: ``ImageError/notEncodable(width:height:channels:)`` for empty rasters, other channels or
  ///   two sizes.
  package static func encodeWidePNG(
    high: Raster<UInt8>, low: Raster<UInt8>
  ) throws(ImageError) -> [UInt8] {
    guard high.channels == 1, low.channels == 1, high.width == low.width, high.height == low.height
    else {
      throw .notEncodable(width: low.width, height: low.height, channels: low.channels)
    }
    var both = Raster<UInt8>(
      repeating: 0, width: low.width, height: low.height, channels: 2)
    both.elements.withUnsafeMutableBufferPointer { target in
      for (channel, plane) in [high, low].enumerated() {
        plane.elements.withUnsafeBufferPointer { source in
          for place in source.indices { target[2 * place + channel] = source[place] }
        }
      }
    }
    return try PNGEncoder.encode(both, compression: .balanced)
  }

  /// Writes a JPEG, color at half resolution: for viewing, never for measuring.
  ///
  /// - Parameter quality: libjpeg's, in `1...100`.
  /// - Throws: ``ImageError/notEncodable(width:height:channels:)`` for an empty raster, other channels than
  ///   1 and 3, or a side above 65,500.
  package static func encodeJPEG(
    _ raster: Raster<UInt8>, quality: Int = 85
  ) throws(ImageError) -> [UInt8] {
    try JPEGEncoder.encode(raster, quality: quality)
  }

  private static func lending<Value>(
    _ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) throws(ImageError) -> Value
  ) throws(ImageError) -> Value {
    let result = bytes.withUnsafeBytes { buffer -> Result<Value, ImageError> in
      do throws(ImageError) {
        return .success(try body(buffer))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}
