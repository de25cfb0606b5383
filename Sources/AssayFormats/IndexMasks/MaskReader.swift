import AssayCore
import AssayImaging

/// Reads one pair: the image's header, and the mask's values as regions.
struct MaskReader: Sendable {
  let tree: any SourceTree
  /// The tree of the images; `nil` for ``tree``.
  var images: (any SourceTree)?
  let classes: IndexClasses
  /// The meaning of the colors of color masks; `nil` if they have none.
  let colors: LabelColors?

  private static let fileLimit = 512 << 20

  /// The maximum number of different values in a mask without class names; a photograph has more.
  private static let openLimit = 64

  /// The values of a mask at the image's size, and the number of pixels with an unknown color.
  private enum Values {
    case narrow(Raster<UInt8>, unknown: Int)
    /// Values of 16 bits.
    case wide(Raster<UInt16>)
  }

  /// Never fails: problems are part of the result.
  func read(_ pair: MaskPair) -> MaskReading {
    var reading = MaskReading(pair: pair)
    do {
      let image = ImageProbe(images ?? tree, pair.image)
      let size: ImageSize
      switch image.size {
      case .success(let found): size = found
      case .failure(let problem):
        throw MaskProblem(problem.kind, at: pair.image.path, problem.message)
      }
      reading.size = size
      switch try values(&reading, image: image, size: size) {
      case .narrow(let raster, let unknown):
        reading.refusal = reading.palette?.refusal(classes)
        if reading.refusal == nil { try read(raster, unknown: unknown, into: &reading) }
      case .wide(let raster): try read(raster, into: &reading)
      }
    } catch let problem as MaskProblem {
      reading.problem = problem
    } catch {
      reading.problem = MaskProblem(.unreadableImage, at: pair.mask.path, "\(error); left out")
    }
    return reading
  }

  private func read(
    _ raster: Raster<UInt8>, unknown colors: Int, into reading: inout MaskReading
  ) throws {
    var raster = raster
    var counts = Array(repeating: 0, count: 1 << 8)
    raster.elements.withUnsafeBufferPointer { pixels in
      for pixel in pixels { counts[Int(pixel)] += 1 }
    }
    try check(different: counts.count { $0 > 0 }, reading.pair)
    if counts[Int(IndexClasses.narrowVoid)] > 0, let hidden = classes.hiddenByNarrowVoid {
      reading.refusal =
        "this mask has 8 bits per value, where 255 is void, and the classes name 255 “\(hidden)”; save all "
        + "masks with 16 bits per value, or call 255 void in the list of classes"
      return
    }
    let unknown = classes.unify(&raster, counts: counts)
    try warn(
      colors + unknown.reduce(0) { $0 + counts[Int($1)] }, unknown.map { UInt16($0) }, &reading)
    for (value, mask) in Mask.labels(of: raster) {
      add(mask, classes.widened(value), isWide: false, to: &reading)
    }
  }

  private func read(_ raster: Raster<UInt16>, into reading: inout MaskReading) throws {
    var raster = raster
    var counts = Array(repeating: 0, count: 1 << 16)
    var values: [UInt16] = []
    raster.elements.withUnsafeBufferPointer { pixels in
      for pixel in pixels {
        if counts[Int(pixel)] == 0 { values.append(pixel) }
        counts[Int(pixel)] += 1
      }
    }
    values.sort()
    try check(different: values.count, reading.pair)
    if classes.isOpen, counts[Int(IndexClasses.narrowVoid)] > 0 {
      reading.refusal =
        "255 in masks of 16 bits can be a class or void, and nothing names the classes; name them in "
        + "a classes.txt or with --classes a,b,c. 255 is void if it has no name there"
      return
    }
    let unknown = classes.unify(&raster, values: values)
    try warn(unknown.reduce(0) { $0 + counts[Int($1)] }, unknown, &reading)
    for (value, mask) in Mask.labels(of: raster) {
      add(mask, value, isWide: true, to: &reading)
    }
  }

  private func add(_ mask: Mask, _ value: UInt16, isWide: Bool, to reading: inout MaskReading) {
    guard value != 0 || !classes.hasBackground else { return }
    reading.regions.append(
      MaskReading.Region(
        value: value, isWide: isWide, area: mask.area, box: mask.boundingBox,
        geometry: mask.compressed))
  }

  private func values(
    _ reading: inout MaskReading, image: ImageProbe, size: ImageSize
  ) throws -> Values {
    let pair = reading.pair
    let bytes = try tree.readAll(pair.mask.path, limit: Self.fileLimit)
    do {
      let header = try ImageCodec.header(of: bytes)
      guard let orientation = ImageProbe.orientation(ofMask: header, size: size, image: image)
      else {
        throw MaskProblem(
          .maskSize, at: pair.mask.path,
          "the mask is \(header.orientedSize), and its image \(size); left out")
      }
      let problem = Self.refusal(header).map {
        MaskProblem(.unsupportedFile, at: pair.mask.path, $0 + "; left out")
      }
      if let problem { throw problem }
      if header.bitDepth == 16 {
        return .wide(
          orientation.apply(to: try ImageCodec.decodeValues(bytes, oriented: true)))
      }
      if header.channels == 4, header.bitDepth == 8 { try Self.checkAlpha(bytes, pair) }
      if header.isPalette, colors == nil { reading.palette = try MaskPalette(bytes) }
      let found = try decode(bytes, header, pair)
      return .narrow(orientation.apply(to: found.raster), unknown: found.unknown)
    } catch let error as ImageError {
      throw MaskProblem(.unreadableImage, at: pair.mask.path, "\(error); left out")
    }
  }

  /// The reason why an image cannot be a mask.
  private static func refusal(_ header: ImageHeader) -> String? {
    if header.isLossy {
      let name = header.kind.name
      return "a \(name) mask: \(name) changes values; save it as PNG"
    }
    if header.channels == 2 || header.channels == 4, header.kind != .png {
      return "a mask with an alpha channel; save it as PNG without one"
    }
    if header.bitDepth == 16, header.channels > 2 {
      return
        "a color mask with 16 bits per channel; save it with 8 bits per channel, or as gray values"
    }
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

  /// - Throws: ``MaskProblem`` for a color that is transparent in some pixels and opaque in others: what the mask
  /// shows is then in its alpha channel.
  private static func checkAlpha(_ bytes: [UInt8], _ pair: MaskPair) throws {
    let raster = try ImageCodec.decodeWithAlpha(bytes)
    var transparent: Set<UInt32> = []
    var opaque: Set<UInt32> = []
    for start in stride(from: 0, to: raster.elements.count, by: 4) {
      let color = raster.elements[start..<start + 3].reduce(0) { $0 << 8 | UInt32($1) }
      if raster.elements[start + 3] == 0 {
        transparent.insert(color)
      } else {
        opaque.insert(color)
      }
      guard transparent.count + opaque.count <= openLimit else { return }
    }
    guard !transparent.isDisjoint(with: opaque) else { return }
    throw MaskProblem(
      .maskValue, at: pair.mask.path,
      "pixels of one color are transparent and opaque, so the mask is in the alpha channel, which is not read; "
        + "save it as gray values without transparency; left out")
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

  private func check(different: Int, _ pair: MaskPair) throws {
    guard classes.isOpen, different > Self.openLimit else { return }
    throw MaskProblem(
      .maskValue, at: pair.mask.path,
      "the mask has \(different) different values, like a photograph or a soft mask; left out "
        + "(name the classes of an index mask in a classes.txt or with --classes)")
  }

  /// Warns about pixels without a class.
  ///
  /// - Throws: ``MaskProblem`` if there are too many, or there is only one class that they could
  ///   have.
  private func warn(
    _ strange: Int, _ values: [UInt16], _ reading: inout MaskReading
  ) throws {
    guard strange > 0, let area = reading.size?.area else { return }
    let file = reading.pair.mask.path
    let list = values.prefix(5).map(String.init).joined(separator: ", ")
    let what =
      values.isEmpty
      ? "\(strange) of \(area) pixels \(strange == 1 ? "has" : "have") a color of no class"
      : "\(strange) of \(area) pixels \(strange == 1 ? "has a value" : "have values") of no class "
        + "(\(list)\(values.count > 5 ? ", …" : ""))"
    guard 2 * strange <= area, classes.only == nil else {
      throw MaskProblem(.maskValue, at: file, "\(what); left out")
    }
    reading.warning = MaskProblem(.maskValue, at: file, "\(what); kept as void")
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
    /// The canonical value.
    var value: UInt16
    /// True if the mask has 16 bits per value.
    var isWide: Bool
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
  /// The colors of the mask's values; `nil` if it has no palette, or a list gives the meaning of colors.
  var palette: MaskPalette?
  /// The reason why the whole source is refused; `nil` for none.
  var refusal: String?

  init(pair: MaskPair) { self.pair = pair }
}
