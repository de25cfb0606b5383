import AssayCore
import AssayImaging

/// The images of BDD100K's bitmasks, for ``RegionImport``.
struct BDD100KBitmaskSource: RegionSource {
  let name: String
  let items: [BDD100KBitmaskLayout.Item]
  let classes: [Category]
  let issues: [Issue]
  let imagesLeftOut: Int

  private let tree: any SourceTree
  private let layout: BDD100KBitmaskLayout

  private static let fileLimit = 512 << 20
  /// The maximum number of objects that an issue lists.
  private static let listed = 5

  /// - Parameter layout: with the classes of all sets.
  init(_ tree: any SourceTree, _ layout: BDD100KBitmaskLayout) {
    self.tree = tree
    self.layout = layout
    name = tree.name
    items = layout.items
    var kinds: [BDD100KBitmaskClasses] = []
    for kind in layout.sets.compactMap(\.classes) where !kinds.contains(kind) { kinds.append(kind) }
    classes = kinds.flatMap(\.categories)
    issues = layout.issues
    imagesLeftOut = layout.imagesLeftOut
  }

  func path(of item: BDD100KBitmaskLayout.Item) -> String { item.path }

  func split(of item: BDD100KBitmaskLayout.Item) -> String? { item.split }

  func read(_ item: BDD100KBitmaskLayout.Item, image: ImageProbe?) -> LabeledImage {
    var result = LabeledImage()
    let file = layout.masks[item.mask].path
    func note(_ kind: IssueKind, _ severity: Issue.Severity, _ message: String) {
      result.issues.append(
        Issue(kind, severity, at: IssueLocation(file: file), sampleKey: item.path, message))
    }
    func reject(_ kind: IssueKind, _ message: String) -> LabeledImage {
      result.isRejected = true
      note(kind, .error, "\(message); the image is left out")
      return result
    }
    var size: ImageSize?
    if let image {
      // Another problem with the image is reported by the import.
      guard case .success(let found) = image.size else {
        result.isRejected = true
        return result
      }
      size = found
    }
    let raster: Raster<UInt8>
    do {
      let bytes = try tree.readAll(file, limit: Self.fileLimit)
      let header = try ImageCodec.header(of: bytes)
      guard BDD100KBitmask.isPossible(header) else {
        return reject(
          .unsupportedFile, "a bitmask is a PNG of red, green, blue and alpha with 8 bits each")
      }
      let orientation = ImageProbe.orientation(ofMask: header, size: size, image: image)
      guard let orientation else {
        let other = size.map { "\($0)" } ?? "unknown"
        return reject(.maskSize, "the bitmask is \(header.orientedSize), and the image is \(other)")
      }
      raster = orientation.apply(to: try ImageCodec.decodeWithAlpha(bytes))
    } catch {
      return reject(.unreadableImage, "\(error)")
    }
    guard let bitmask = BDD100KBitmask(raster) else {
      return reject(.maskValue, "the bitmask has more than \(BDD100KBitmask.limit) objects")
    }
    result.statedSize = ImageSize(width: raster.width, height: raster.height)
    if let video = item.video { result.attributes = [.init("videoName", .string(video))] }
    result.annotationsRead = bitmask.objects.count
    if bitmask.classless > 0 {
      note(
        .maskValue, .warning,
        Counted.text(bitmask.classless, "pixel has", "pixels have")
          + " an object or attributes and the class 0; read as background")
    }
    let kind = layout.sets[item.set].classes ?? .instances
    var repeated: [Int] = []
    for (place, object) in bitmask.objects.enumerated() {
      if place > 0, bitmask.objects[place - 1].number == object.number,
        repeated.last != object.number
      {
        repeated.append(object.number)
      }
      guard let category = kind.category(of: object.category) else {
        note(
          .maskValue, .error,
          "object \(object.number) has the class \(object.category), and the classes are 1 to "
            + "\(kind.last); left out")
        continue
      }
      if object.hasUnknownBits {
        note(
          .maskValue, .warning,
          "object \(object.number) has the attributes \(object.bits), of which only the lower four "
            + "bits have a meaning; the others are ignored")
      }
      result.regions.append(region(object, category, item, file))
    }
    if !repeated.isEmpty {
      let numbers = repeated.prefix(Self.listed).map(String.init).joined(separator: ", ")
      note(
        .maskValue, .warning,
        "several classes or attributes belong to one number of an object: \(numbers)"
          + (repeated.count > Self.listed ? ", …" : "") + "; kept as an object each")
    }
    return result
  }

  private func region(
    _ object: BDD100KBitmask.Object, _ category: Category, _ item: BDD100KBitmaskLayout.Item,
    _ file: String
  ) -> LabeledRegion {
    var region = LabeledRegion(
      category: category, shape: .mask(object.mask), at: IssueLocation(file: file),
      title: "object \(object.number) (\(category.name))")
    region.isCrowd = object.isCrowd || object.isIgnored
    region.attributes = [
      .init("crowd", .bool(object.isCrowd)), .init("ignored", .bool(object.isIgnored)),
      .init("occluded", .bool(object.isOccluded)), .init("truncated", .bool(object.isTruncated)),
    ]
    // In a video, the number is that of the object in all frames.
    if item.video == nil {
      region.sourceID = .integer(Int64(object.number))
    } else {
      region.attributes.append(.init("track", JSONValue(object.number)))
    }
    return region
  }
}
