import AssayCore

/// The regions of a COCO file by image: those of one category, or of all.
///
/// Source: the format of cocodataset.org and pycocotools 2.0.11: `segmentation` is a list of polygons, or run
/// lengths with `counts` as a list or as a string.
struct COCORegions: Sendable {
  struct Image: Sendable {
    var id: JSONValue
    var name: String
    var size: ImageSize
  }

  /// In the order of the file of instances.
  private(set) var images: [Image] = []
  private(set) var notes: [String] = []
  private let path: String
  private var categories: Set<JSONValue>?
  private var regions: [JSONValue: [JSONValue]] = [:]

  /// The most bytes of a file: it is held in memory as a whole.
  private static let fileLimit = 1 << 28

  /// - Throws: ``FileSegmentationError``, ``SourceError``.
  init(instances path: String, category: String?) throws {
    self.path = path
    let content = try Self.content(path)
    guard let images = content["images"]?.elements else {
      throw FileSegmentationError.badCOCO(file: path, reason: "it has no list “images”")
    }
    for (index, image) in images.enumerated() {
      if let mark = ["neg_category_ids", "not_exhaustive_category_ids"].first(where: {
        image[$0] != nil
      }) {
        throw FileSegmentationError.badCOCO(
          file: path,
          reason: "/images/\(index) has '\(mark)', as LVIS has, whose annotations are complete "
            + "only for the categories that were verified in each image; this is not supported")
      }
      guard let id = image["id"], let width = image["width"]?.whole,
        let height = image["height"]?.whole,
        let size = ImageSize.checked(width: width, height: height)
      else {
        throw FileSegmentationError.badCOCO(
          file: path, reason: "/images/\(index) needs id, width and height")
      }
      self.images.append(
        Image(
          id: id.asKey, name: image["file_name"]?.text ?? "/images/\(index)", size: size))
    }
    guard !self.images.isEmpty else {
      throw FileSegmentationError.badCOCO(file: path, reason: "it has no images")
    }
    if let category {
      let list = content["categories"]?.elements ?? []
      categories = Set(
        list.filter { $0["name"]?.text == category }.compactMap { $0["id"]?.asKey })
      guard categories?.isEmpty == false else {
        throw FileSegmentationError.unknownCategory(
          category, known: list.compactMap { $0["name"]?.text })
      }
    }
    try collect(content["annotations"]?.elements ?? [], place: "/annotations")
  }

  /// - Throws: ``FileSegmentationError``, ``SourceError``.
  init(results path: String, of truth: COCORegions) throws {
    self.path = path
    categories = truth.categories
    let content = try Self.content(path)
    guard let results = content.elements ?? content["annotations"]?.elements else {
      throw FileSegmentationError.badCOCO(
        file: path, reason: "COCO results are a list of objects with image_id and segmentation")
    }
    try collect(results, place: "")
    let known = Set(truth.images.map(\.id))
    let strangers = regions.keys.count { !known.contains($0) }
    if strangers > 0 {
      notes.append("\(strangers) images of the results are not in the truth and were left out")
    }
  }

  private static func content(_ path: String) throws -> JSONValue {
    let tree = try DirectoryTree(path)
    let bytes = try tree.readAll(tree.name, limit: fileLimit)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw FileSegmentationError.badCOCO(file: path, reason: "it is not UTF-8")
    }
    do {
      return try JSONValue(parsing: text)
    } catch {
      throw FileSegmentationError.badCOCO(file: path, reason: "no JSON: \(error)")
    }
  }

  private mutating func collect(_ annotations: [JSONValue], place: String) throws {
    for (index, annotation) in annotations.enumerated() {
      if let categories, let category = annotation["category_id"],
        !categories.contains(category.asKey)
      {
        continue
      }
      guard let image = annotation["image_id"], let region = annotation["segmentation"] else {
        throw FileSegmentationError.badCOCO(
          file: path, reason: "\(place)/\(index) needs image_id and segmentation")
      }
      regions[image.asKey, default: []].append(region)
    }
  }

  /// The union of an image's regions.
  ///
  /// - Throws: ``FileSegmentationError/badCOCO(file:reason:)``.
  func mask(of image: Image) throws -> Mask {
    let masks = try (regions[image.id] ?? []).map { region in
      if region.elements == nil {
        let sides = region["size"]?.elements?.map(\.whole)
        guard sides == [image.size.height, image.size.width] else {
          throw FileSegmentationError.badCOCO(
            file: path,
            reason: "a region of \(image.name) has another size than the image, \(image.size)")
        }
      }
      do {
        return try Self.mask(region, size: image.size)
      } catch let error as MaskError {
        throw FileSegmentationError.badCOCO(
          file: path, reason: "a region of \(image.name): \(error)")
      }
    }
    return Mask.union(of: masks, size: image.size)
  }

  private static func mask(_ region: JSONValue, size: ImageSize) throws -> Mask {
    if let polygons = region.elements {
      return Mask(
        polygons: polygons.map { ($0.elements ?? []).compactMap(\.double) }, size: size)
    }
    if let counts = region["counts"]?.text {
      return try Mask(size: size, compressed: counts.utf8)
    }
    guard let runs = region["counts"]?.elements else { throw MaskError.damaged }
    return try Mask(
      size: size,
      runs: runs.enumerated().map { place, run in
        guard let run = run.whole.flatMap(UInt32.init(exactly:)) else {
          throw MaskError.badRun(at: place)
        }
        return run
      })
  }
}

extension JSONValue {
  /// A number without a fraction.
  fileprivate var whole: Int? {
    if case .integer(let value) = self { return Int(exactly: value) }
    return double.flatMap { Int(exactly: $0) }
  }

  /// An id: 7 and 7.0 are one.
  fileprivate var asKey: JSONValue {
    whole.map { .integer(Int64($0)) } ?? self
  }
}
