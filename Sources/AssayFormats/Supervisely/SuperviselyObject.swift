import AssayCore
import AssayImaging

/// One object of an image in Supervisely.
struct SuperviselyObject {
  private let object: JSONValue
  private let pointer: String
  private let title: String

  init(_ object: JSONValue, _ pointer: String, _ title: String) {
    self.object = object
    self.pointer = pointer
    self.title = title
  }

  /// - Parameter declared: the classes that the project declares; empty if it declares none.
  func read(into image: inout JSONImageReading, declared: Set<String>) {
    guard object.members != nil else {
      return image.drop(.badField, pointer, "\(title) is \(object.kindName), not an object")
    }
    guard case .string(let label)? = object.member("classTitle"), !label.isEmpty else {
      return image.drop(.missingLabel, pointer, "\(title) has no class ('classTitle')")
    }
    var attributes = attributes(&image)
    guard let form = form(&attributes, &image) else { return }
    if !declared.isEmpty, !declared.contains(label) {
      image.warn(
        .unknownLabel, pointer + "/classTitle",
        "\(title): the class '\(label.prefix(40))' is not in meta.json; kept")
    }
    var id: SourceID?
    if case .integer(let number)? = object.member("id") { id = .integer(number) }
    image.add(label, form, pointer, title, attributes: attributes, id: id)
  }

  /// The tags, and the further members, which count more.
  private func attributes(_ image: inout JSONImageReading) -> [JSONValue.Member] {
    let read: Set<String> = [
      "id", "classId", "classTitle", "points", "bitmap", "tags", "geometryType", "shape", "nodes",
    ]
    let fields = (object.members ?? []).filter { member in
      !read.contains(member.name) && member.value != .null && member.value != .string("")
    }
    let names = Set(fields.map(\.name))
    let tags = SuperviselyTags.attributes(
      object.member("tags"), pointer + "/tags", title, &image)
    return fields + tags.filter { !names.contains($0.name) }
  }

  /// The kind of shape; older files have only bitmaps and polygons, without a name.
  private var kind: String {
    if let kind = object.member("geometryType")?.text ?? object.member("shape")?.text {
      return kind
    }
    if object.member("bitmap")?.members != nil { return "bitmap" }
    let exterior = object.member("points")?.member("exterior")?.elements?.count ?? 0
    return exterior > 2 ? "polygon" : ""
  }

  private func form(
    _ attributes: inout [JSONValue.Member], _ image: inout JSONImageReading
  ) -> LabeledRegion.Shape? {
    switch kind {
    case "rectangle":
      guard let points = exterior(&image) else { return nil }
      guard points.count == 4, points.allSatisfy(\.isFinite) else {
        image.drop(
          .badShape, pointer + "/points", "\(title): a rectangle has two corners of finite numbers")
        return nil
      }
      let (left, top) = (min(points[0], points[2]), min(points[1], points[3]))
      return .box(
        Box(
          x: left, y: top, width: max(points[0], points[2]) - left + 1,
          height: max(points[1], points[3]) - top + 1))
    case "polygon":
      guard let points = exterior(&image) else { return nil }
      return polygon(points, &attributes, &image)
    case "bitmap": return mask(&image).map { .mask($0) }
    case "line", "polyline": return exterior(&image).map { .polylines([$0]) }
    case "point": return exterior(&image).map { .points($0) }
    case "graph":
      let nodes = object.member("nodes")?.members ?? []
      guard !nodes.isEmpty,
        let points = JSONImageReading.points(
          .array(nodes.map { $0.value.member("loc") ?? .null }))
      else {
        image.drop(.badField, pointer + "/nodes", "\(title): 'nodes' has no points 'loc'")
        return nil
      }
      attributes.append(.init("nodes", .object(nodes)))
      return .points(points)
    case let kind:
      image.drop(
        .unsupportedField, pointer,
        kind.isEmpty
          ? "\(title) has no 'geometryType'"
          : "\(title): shapes of type '\(kind.prefix(40))' are not supported")
      return nil
    }
  }

  private func exterior(_ image: inout JSONImageReading) -> [Double]? {
    let points = JSONImageReading.points(object.member("points")?.member("exterior"))
    if points == nil {
      image.drop(
        .badField, pointer + "/points", "\(title): 'points.exterior' is not a list of [x, y]")
    }
    return points
  }

  /// A polygon; one with holes is a mask, and keeps its points as an attribute.
  private func polygon(
    _ exterior: [Double], _ attributes: inout [JSONValue.Member], _ image: inout JSONImageReading
  ) -> LabeledRegion.Shape? {
    let place = pointer + "/points/interior"
    let interior = object.member("points")?.member("interior") ?? .null
    guard interior != .null, interior != .array([]) else { return .polygons([exterior]) }
    let holes = interior.elements?.map { JSONImageReading.points($0) } ?? [nil]
    let usable = holes.compactMap(\.self)
    let reach = 1e7
    guard usable.count == holes.count,
      ([exterior] + usable).allSatisfy({ ring in
        ring.count >= 6 && ring.allSatisfy { $0.isFinite && abs($0) <= reach }
      })
    else {
      image.drop(.badShape, place, "\(title): the polygon or one of its holes is no polygon")
      return nil
    }
    guard let size = image.size else {
      image.drop(.badShape, place, "\(title): a hole needs the size of the image, which is unknown")
      return nil
    }
    attributes.append(.init("points", object.member("points") ?? .null))
    var mask = Mask(polygons: [exterior], size: size)
    for hole in usable { mask = mask.subtracting(Mask(polygons: [hole], size: size)) }
    return .mask(mask)
  }

  // MARK: Bitmaps

  /// The maximum size of a bitmap's PNG.
  private static let pngLimit = 64 << 20
  private static let reach = 1e6

  private func mask(_ image: inout JSONImageReading) -> Mask? {
    let place = pointer + "/bitmap"
    func drop(_ kind: IssueKind, _ text: String) -> Mask? {
      image.drop(kind, place, "\(title): \(text)")
      return nil
    }
    guard let size = image.size else { return drop(.badShape, "the size of the image is unknown") }
    guard let text = object.member("bitmap")?.member("data")?.text else {
      return drop(.missingField, "the data of the bitmap are missing")
    }
    let origin = object.member("bitmap")?.member("origin")?.elements?.compactMap(\.double) ?? []
    guard origin.count == 2, origin.allSatisfy({ $0.isFinite && abs($0) <= Self.reach }) else {
      return drop(.badField, "the origin of the bitmap is not a usable [x, y]")
    }
    guard let packed = Base64.bytes(of: Array(text.utf8)) else {
      return drop(.badShape, "the bitmap is not base64")
    }
    // Some writers leave the compression out.
    let isPlain = packed.starts(with: [0x89, 0x50, 0x4E, 0x47])
    guard let png = isPlain ? packed : ZlibBytes.inflate(packed, limit: Self.pngLimit) else {
      return drop(
        .badShape, "the bitmap is not zlib data of at most \(Self.pngLimit >> 20) MiB")
    }
    guard let raster = Self.raster(png) else {
      return drop(.badShape, "the bitmap is not a PNG of one channel or with alpha")
    }
    let (left, top) = (Int(origin[0].rounded()), Int(origin[1].rounded()))
    if left < 0 || top < 0 || left + raster.width > size.width || top + raster.height > size.height
    {
      image.warn(
        .badShape, place, "\(title): the bitmap extends beyond its image of \(size); cut there")
    }
    return Mask(raster).cropped(x: -left, y: -top, width: size.width, height: size.height)
  }

  /// The pixels: those with an alpha above 0, or with a value or palette index above 0.
  private static func raster(_ png: [UInt8]) -> Raster<UInt8>? {
    guard let header = try? ImageCodec.header(of: png), header.kind == .png else { return nil }
    if header.channels == 2 || header.channels == 4 {
      return PNGAlpha.raster(png, size: header.size, channels: header.channels)
    }
    guard let raster = try? ImageCodec.decode(png, as: .stored, oriented: false),
      raster.channels == 1
    else { return nil }
    return raster
  }
}
