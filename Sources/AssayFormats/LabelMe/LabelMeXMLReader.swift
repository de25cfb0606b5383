import AssayCore
import AssayImaging

/// Reads the objects of one annotation of the LabelMe tool.
struct LabelMeXMLReader {
  let tree: any SourceTree
  let files: SortedFiles
  /// The path of the annotation, and the key of the image.
  let file: String
  let key: String
  /// The size of the image; `nil` if it is unknown.
  let size: ImageSize?

  private(set) var regions: [LabeledRegion] = []
  private(set) var issues: [Issue] = []
  /// The number of objects, without deleted ones.
  private(set) var read = 0
  private(set) var deleted = 0

  /// The elements of an object that are not further fields.
  private static let own: Set<String> = [
    "name", "deleted", "polygon", "segm", "parts", "occluded", "id", "type", "attributes",
  ]
  private static let fileLimit = 512 << 20

  init(
    _ tree: any SourceTree, _ files: SortedFiles, file: String, key: String, size: ImageSize?
  ) {
    self.tree = tree
    self.files = files
    self.file = file
    self.key = key
    self.size = size
  }

  /// Returns whether a document is an annotation of the LabelMe tool, and not Pascal VOC's.
  static func isLabelMe(_ root: XMLElement) -> Bool {
    guard root.name == "annotation" else { return false }
    let source = root.first("source")
    if root.first("imagesize") != nil || source?.first("sourceImage") != nil { return true }
    return root.children.contains { child in
      child.name == "object"
        && (child.first("deleted") != nil || child.first("segm") != nil
          || child.first("polygon")?.first("pt") != nil)
    }
  }

  /// The size that an annotation states; `nil` if it states none.
  static func size(of root: XMLElement) -> ImageSize? {
    guard let element = root.first("imagesize"),
      let width = element.text(of: "ncols").flatMap({ Int($0) }),
      let height = element.text(of: "nrows").flatMap({ Int($0) }), width > 0, height > 0
    else { return nil }
    return ImageSize.checked(width: width, height: height)
  }

  private mutating func note(
    _ kind: IssueKind, _ line: Int, _ text: String, _ severity: Issue.Severity = .error
  ) {
    issues.append(
      Issue(kind, severity, at: IssueLocation(file: file, line: line), sampleKey: key, text))
  }

  mutating func read(_ root: XMLElement) {
    for object in root.children where object.name == "object" {
      if ["1", "true", "yes"].contains(object.text(of: "deleted") ?? "") {
        deleted += 1
      } else {
        read(object: object)
      }
    }
  }

  private mutating func read(object: XMLElement) {
    read += 1
    guard let name = object.text(of: "name") else {
      return note(.missingLabel, object.line, "object \(read) has no name; left out")
    }
    let title = "object \(read) (\(name))"
    guard let (shape, more) = shape(of: object, title) else { return }
    var region = LabeledRegion(
      category: Category(name: name), shape: shape,
      at: IssueLocation(file: file, line: object.line), title: title)
    region.attributes = more + attributes(of: object)
    region.sourceID = object.text(of: "id").flatMap { Int64($0) }.map { .integer($0) }
    regions.append(region)
  }

  // MARK: Shapes

  private mutating func shape(
    of object: XMLElement, _ title: String
  ) -> (LabeledRegion.Shape, [JSONValue.Member])? {
    if let polygon = object.first("polygon") {
      guard let points = points(polygon, title) else { return nil }
      return (shape(points, isBox: object.text(of: "type") == "bounding_box"), user(polygon))
    }
    if let segment = object.first("segm") {
      guard let mask = mask(segment, title) else { return nil }
      var members = user(segment)
      for name in ["box", "scribbles"] {
        guard let element = segment.first(name), case .object = element.json else { continue }
        members.append(JSONValue.Member(name, element.json))
      }
      return (.mask(mask), members)
    }
    note(.missingField, object.line, "\(title) has neither polygon nor segm; left out")
    return nil
  }

  /// A box, a polygon, a line or a point, by the number of points.
  private func shape(_ points: [Double], isBox: Bool) -> LabeledRegion.Shape {
    if isBox, points.count >= 4 {
      let x = stride(from: 0, to: points.count, by: 2).map { points[$0] }
      let y = stride(from: 1, to: points.count, by: 2).map { points[$0] }
      let (left, top) = (x.min() ?? 0, y.min() ?? 0)
      return .box(
        Box(x: left, y: top, width: (x.max() ?? 0) - left, height: (y.max() ?? 0) - top))
    }
    switch points.count {
    case 2: return .points(points)
    case 4: return .polylines([points])
    default: return .polygons([points])
    }
  }

  private mutating func points(_ polygon: XMLElement, _ title: String) -> [Double]? {
    var points: [Double] = []
    for point in polygon.all("pt") {
      for name in ["x", "y"] {
        guard let value = point.text(of: name).flatMap({ DecimalNumber.value(of: $0) }) else {
          note(
            .badField, point.line,
            "\(title): a point has no \(name), or it is no number; left out")
          return nil
        }
        points.append(value)
      }
    }
    guard !points.isEmpty else {
      note(.badShape, polygon.line, "\(title): the polygon has no points; left out")
      return nil
    }
    return points
  }

  // MARK: Masks

  /// The pixels of a mask that are not black.
  private mutating func mask(_ segment: XMLElement, _ title: String) -> Mask? {
    guard let text = segment.text(of: "mask"), let stated = StatedPath(text) else {
      note(.missingField, segment.line, "\(title): the segm names no mask; left out")
      return nil
    }
    guard !stated.isOutside else {
      note(
        .outsideRoot, segment.line,
        "\(title): the mask '\(text.prefix(200))' leaves the folder; left out")
      return nil
    }
    guard let index = place(ofMask: stated.path) else {
      note(
        .unpairedMask, segment.line, "\(title): the mask \(stated.path) does not exist; left out")
      return nil
    }
    let path = files[index]
    do {
      let bytes = try tree.readAll(path, limit: Self.fileLimit)
      let header = try ImageCodec.header(of: bytes)
      guard header.kind == .png else {
        note(
          .unsupportedFile, segment.line,
          "\(title): \(path) is a JPEG mask: JPEG changes values; left out")
        return nil
      }
      if let size, header.orientedSize != size {
        note(
          .maskSize, segment.line,
          "\(title): the mask is \(header.orientedSize), and its image \(size); left out")
        return nil
      }
      return Self.mask(of: try ImageCodec.decode(bytes, as: .rgb8))
    } catch {
      note(.unreadableImage, segment.line, "\(title): \(path): \(error); left out")
      return nil
    }
  }

  private static func mask(of raster: Raster<UInt8>) -> Mask {
    var gray = Raster<UInt8>(repeating: 0, width: raster.width, height: raster.height)
    raster.elements.withUnsafeBufferPointer { source in
      gray.elements.withUnsafeMutableBufferPointer { target in
        for pixel in target.indices {
          target[pixel] = source[3 * pixel] | source[3 * pixel + 1] | source[3 * pixel + 2]
        }
      }
    }
    return Mask(gray)
  }

  /// The file of a mask: in `Masks` in the place of `Annotations`, or below the annotation's folder.
  private func place(ofMask name: String) -> Int? {
    let folder = SortedFiles.folder(of: file)
    let masks = VOCFolders.imageFolder(forXML: folder, images: "Masks")
    let folders = [
      SortedFiles.join(masks.images, masks.below), SortedFiles.join(folder, "Masks"),
      String(folder),
    ]
    for folder in folders {
      if let index = files.index(of: SortedFiles.join(folder, name)) { return index }
    }
    return nil
  }

  // MARK: Attributes

  private func user(_ element: XMLElement) -> [JSONValue.Member] {
    element.text(of: "username").map { [JSONValue.Member("username", .string($0))] } ?? []
  }

  private func attributes(of object: XMLElement) -> [JSONValue.Member] {
    var rest = object
    rest.children = object.children.filter { !Self.own.contains($0.name) }
    rest.text = ""
    var members: [JSONValue.Member] = []
    if !rest.children.isEmpty || !rest.attributes.isEmpty, case .object(let found) = rest.json {
      members = found.filter { $0.value != .string("") && $0.name != "username" }
    }
    if let text = object.text(of: "attributes") {
      members.append(JSONValue.Member("attributes", .string(text)))
    }
    switch object.text(of: "occluded") {
    case "yes": members.append(JSONValue.Member("occluded", .integer(1)))
    case "no": members.append(JSONValue.Member("occluded", .integer(0)))
    case let text?: members.append(JSONValue.Member("occluded", JSONValue(scalar: text)))
    case nil: break
    }
    for name in ["hasparts", "ispartof"] {
      guard let text = object.first("parts")?.text(of: name) else { continue }
      let ids = text.split(separator: ",").map { JSONValue(scalar: String($0).trimmingBlanks) }
      members.append(JSONValue.Member(name, .array(ids)))
    }
    return members
  }
}
