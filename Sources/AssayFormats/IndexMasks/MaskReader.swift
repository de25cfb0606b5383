import AssayCore
import AssayImaging

/// Reads one pair: the image's header, and the mask's values as regions.
struct MaskReader: Sendable {
  let tree: any SourceTree
  let classes: IndexClasses
  /// The meaning of the colors of color masks; `nil` if they have none.
  let colors: LabelColors?

  private static let fileLimit = 512 << 20

  /// The maximum number of different values in a mask without class names; a photograph has more.
  private static let openLimit = 64

  /// Never fails: problems are part of the result.
  func read(_ pair: MaskPair) -> MaskReading {
    var reading = MaskReading(pair: pair)
    do {
      let image = ImageProbe(tree, pair.image)
      let size: ImageSize
      switch image.size {
      case .success(let found): size = found
      case .failure(let problem):
        throw MaskProblem(problem.kind, at: pair.image.path, problem.message)
      }
      reading.size = size
      var values = try values(pair, image: image, size: size)
      var counts = Array(repeating: 0, count: 256)
      values.raster.elements.withUnsafeBufferPointer { pixels in
        for pixel in pixels { counts[Int(pixel)] += 1 }
      }
      try check(counts, pair)
      let unknown = classes.unify(&values.raster, counts: counts)
      let strange = values.unknown + unknown.reduce(0) { $0 + counts[Int($1)] }
      if strange > 0 {
        reading.warning = try warning(strange, unknown, of: size.area, pair)
      }
      for (value, mask) in Mask.labels(of: values.raster) {
        guard value != 0 || !classes.hasBackground else { continue }
        reading.regions.append(
          MaskReading.Region(
            value: value, area: mask.area, box: mask.boundingBox, geometry: mask.compressed))
      }
    } catch let problem as MaskProblem {
      reading.problem = problem
    } catch {
      reading.problem = MaskProblem(.unreadableImage, at: pair.mask.path, "\(error); left out")
    }
    return reading
  }

  /// The mask's values, at the image's size, and the number of pixels with an unknown color.
  private func values(
    _ pair: MaskPair, image: ImageProbe, size: ImageSize
  ) throws -> (raster: Raster<UInt8>, unknown: Int) {
    let bytes = try tree.readAll(pair.mask.path, limit: Self.fileLimit)
    do {
      let header = try ImageCodec.header(of: bytes)
      let isTurned = header.size == image.storedSize && header.orientation == .up
      if header.orientedSize != size, !isTurned {
        throw MaskProblem(
          .maskSize, at: pair.mask.path,
          "the mask is \(header.orientedSize), and its image \(size); left out")
      }
      let problem = Self.refusal(header).map {
        MaskProblem(.unsupportedFile, at: pair.mask.path, $0 + "; left out")
      }
      if let problem { throw problem }
      var found = try decode(bytes, header, pair)
      // The mask was painted over the stored pixels of a file that its EXIF orientation rotates.
      if header.orientedSize != size { found.raster = image.orientation.apply(to: found.raster) }
      return found
    } catch let error as ImageError {
      throw MaskProblem(.unreadableImage, at: pair.mask.path, "\(error); left out")
    }
  }

  /// The reason why an image cannot be a mask.
  private static func refusal(_ header: ImageHeader) -> String? {
    if header.kind == .jpeg { return "a JPEG mask: JPEG changes values; save it as PNG" }
    if header.bitDepth == 16 { return "a 16-bit mask; save it with 8 bits per value" }
    return nil
  }

  private func decode(
    _ bytes: [UInt8], _ header: ImageHeader, _ pair: MaskPair
  ) throws -> (raster: Raster<UInt8>, unknown: Int) {
    if let colors, header.isPalette {
      let found = colors.places(of: try ImageCodec.decode(bytes, as: .rgb8))
      // A palette can have other colors than the list's while using the list's numbers.
      if found.unknown == 0 { return found }
    }
    let raster = try ImageCodec.decode(bytes, as: .stored)
    guard raster.channels == 3 else { return (raster, 0) }
    if let colors { return colors.places(of: raster) }
    guard let gray = Self.gray(raster) else {
      throw MaskProblem(
        .maskValue, at: pair.mask.path,
        "the mask is in color and there is no label_colors.txt (R G B name); left out"
      )
    }
    return (gray, 0)
  }

  /// The single channel of an image whose three channels are equal.
  private static func gray(_ raster: Raster<UInt8>) -> Raster<UInt8>? {
    var gray = Raster<UInt8>(repeating: 0, width: raster.width, height: raster.height)
    let isGray = raster.elements.withUnsafeBufferPointer { source in
      gray.elements.withUnsafeMutableBufferPointer { target in
        for pixel in target.indices {
          let value = source[3 * pixel]
          guard value == source[3 * pixel + 1], value == source[3 * pixel + 2] else { return false }
          target[pixel] = value
        }
        return true
      }
    }
    return isGray ? gray : nil
  }

  private func check(_ counts: [Int], _ pair: MaskPair) throws {
    let different = counts.count { $0 > 0 }
    guard classes.isOpen, different > Self.openLimit else { return }
    throw MaskProblem(
      .maskValue, at: pair.mask.path,
      "the mask has \(different) different values, like a photograph or a soft mask; left out "
        + "(name the classes of an index mask in a classes.txt or with --classes)")
  }

  /// The warning about pixels without a class.
  ///
  /// - Throws: ``MaskProblem`` if there are too many, or there is only one class that they could
  ///   have.
  private func warning(
    _ strange: Int, _ values: [UInt8], of area: Int, _ pair: MaskPair
  ) throws -> MaskProblem {
    let list = values.prefix(5).map(String.init).joined(separator: ", ")
    let what =
      values.isEmpty
      ? "\(strange) of \(area) pixels have a color of no class"
      : "\(strange) of \(area) pixels have values of no class "
        + "(\(list)\(values.count > 5 ? ", …" : ""))"
    guard 2 * strange <= area, classes.only == nil else {
      throw MaskProblem(.maskValue, at: pair.mask.path, "\(what); left out")
    }
    return MaskProblem(.maskValue, at: pair.mask.path, "\(what); kept as void")
  }
}

/// A problem with a pair's files.
struct MaskProblem: Error, Hashable {
  var kind: IssueKind
  var file: String
  var message: String

  init(_ kind: IssueKind, at file: String, _ message: String) {
    self.kind = kind
    self.file = file
    self.message = message
  }
}

/// The result of reading one pair.
struct MaskReading: Sendable {
  /// All pixels with one value.
  struct Region: Sendable {
    var value: UInt8
    var area: Int
    var box: Box?
    /// The mask's packed ``Geometry``.
    var geometry: [UInt8]
  }

  var pair: MaskPair
  /// `nil` if the image cannot be read.
  var size: ImageSize?
  /// By value, without background.
  var regions: [Region] = []
  /// The reason why the pair is omitted; `nil` if it is kept.
  var problem: MaskProblem?
  /// The problem with a pair that is kept.
  var warning: MaskProblem?

  init(pair: MaskPair) { self.pair = pair }
}
