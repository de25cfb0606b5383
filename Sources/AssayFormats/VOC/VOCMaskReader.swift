import AssayCore
import AssayImaging

/// Reads the masks of one image.
struct VOCMaskReader: Sendable {
  let tree: any SourceTree

  private static let fileLimit = 512 << 20

  /// The values of a mask at the size of its image, and the number of pixels with an unknown color,
  /// whose value is 255.
  struct Values {
    var raster: Raster<UInt8>
    var unknown: Int

    var size: ImageSize { ImageSize(width: raster.width, height: raster.height) }
  }

  /// Reads a mask.
  ///
  /// - Parameters:
  ///   - path: the mask.
  ///   - colors: the values of colors.
  ///   - image: the header of the image; `nil` if it does not exist.
  ///   - size: the size of the image; `nil` if it is unknown.
  /// - Throws: ``MaskProblem``.
  func read(
    _ path: String, _ colors: LabelColors, image: ImageProbe?, size: ImageSize?
  ) throws(MaskProblem) -> Values {
    let bytes: [UInt8]
    do {
      bytes = try tree.readAll(path, limit: Self.fileLimit)
    } catch {
      throw MaskProblem(.unreadableImage, at: path, "\(error); the mask is left out")
    }
    let values: Result<Values, MaskProblem>
    do throws(ImageError) {
      let header = try ImageCodec.header(of: bytes)
      let orientation = ImageProbe.orientation(ofMask: header, size: size, image: image)
      if let problem = Self.problem(header, path, size, fits: orientation != nil) {
        values = .failure(problem)
      } else {
        var found = try Self.decode(bytes, header, colors)
        found.raster = (orientation ?? .up).apply(to: found.raster)
        values = .success(found)
      }
    } catch {
      throw MaskProblem(.unreadableImage, at: path, "\(error); the mask is left out")
    }
    return try values.get()
  }

  /// The reason why an image cannot be the mask of an image with a size.
  private static func problem(
    _ header: ImageHeader, _ path: String, _ size: ImageSize?, fits: Bool
  ) -> MaskProblem? {
    if let size, !fits {
      return MaskProblem(
        .maskSize, at: path,
        "the mask is \(header.orientedSize), and its image \(size); the mask is left out")
    }
    if header.isLossy {
      let name = header.kind.name
      return MaskProblem(
        .unsupportedFile, at: path,
        "a \(name) mask: \(name) changes values; save it as PNG; the mask is left out")
    }
    if header.bitDepth == 16 {
      return MaskProblem(
        .unsupportedFile, at: path,
        "a 16-bit mask; save it with 8 bits per value; the mask is left out")
    }
    return nil
  }

  private static func decode(
    _ bytes: [UInt8], _ header: ImageHeader, _ colors: LabelColors
  ) throws(ImageError) -> Values {
    if header.isPalette {
      let (raster, unknown) = colors.places(of: try ImageCodec.decode(bytes, as: .rgb8))
      // A palette can have other colors than the list's while using the list's numbers.
      if unknown == 0 { return Values(raster: raster, unknown: 0) }
    }
    let raster = try ImageCodec.decode(bytes, as: .stored)
    guard raster.channels == 3 else { return Values(raster: raster, unknown: 0) }
    let (places, unknown) = colors.places(of: raster)
    return Values(raster: places, unknown: unknown)
  }
}
