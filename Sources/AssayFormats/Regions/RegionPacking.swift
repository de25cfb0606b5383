import AssayCore

/// One image with its regions checked and packed; the work of a worker thread.
struct PackedImage: Sendable {
  struct Region: Sendable {
    var category: Category
    /// ``ShapeKind/label`` for the label of the image with its fields; at most one region of an image.
    var kind: ShapeKind
    var area: Double?
    /// `nil` for a label of the whole image.
    var box: Box?
    var isCrowd: Bool
    var sourceID: SourceID?
    /// The range in ``PackedImage/geometry``; `nil` for a box alone.
    var geometry: Range<Int>?
    var attributes: String?
  }

  /// The annotations of another person.
  struct Other: Sendable {
    var name: String
    var label: Category?
    var regions: [Region]
  }

  var path: String
  var split: String?
  var size: ImageSize?
  var isThere: Bool
  /// The state of the image file, for a later import.
  var stamp: FileStamp?
  var isRejected: Bool
  var annotationsRead: Int
  /// The labels of the whole image.
  var label: Category?
  var labels: [Category]
  /// The number of annotations of the source that ``label`` stands for.
  var labelCount: Int
  var regions: [Region] = []
  /// The annotations of other people.
  var others: [Other] = []
  var geometry: [UInt8] = []
  /// Additional fields of the image.
  var attributes: String?
  var issues: [Issue]
}

extension PackedImage {
  /// The field of an image that lists the people whose annotations are beside its labels, including
  /// those who found nothing in it.
  private static let annotators = "annotators"
  /// The largest coordinate that is accepted, in pixels.
  private static let reach = 1e7

  /// Checks and packs the regions of an image.
  ///
  /// - Parameters:
  ///   - image: the annotations.
  ///   - path: the path of the image below the root.
  ///   - probe: the image's header; `nil` if the file does not exist.
  init(_ image: LabeledImage, path: String, split: String?, probe: ImageProbe?) {
    self.path = path
    self.split = split
    isThere = probe != nil
    stamp = probe?.stamp
    isRejected = image.isRejected
    annotationsRead = image.annotationsRead
    label = image.label
    labels = image.labels
    labelCount = image.label != nil && image.labelIsAnnotation ? 1 : 0
    issues = image.issues
    var fields = image.attributes
    if !image.others.isEmpty {
      fields.append(.init(Self.annotators, .array(image.others.map { .string($0.name) })))
    }
    attributes = Self.text(of: fields)
    size = image.statedSize
    if case .success(let found) = probe?.size { noteSize(found, image.statedSize, probe) }
    if case .failure(let problem) = probe?.size {
      issues = [Issue(problem.kind, .error, at: IssueLocation(file: path), problem.message)]
      isRejected = true
    }
    guard !isRejected else { return }
    regions.reserveCapacity(image.regions.count)
    for region in image.regions { add(region) }
    if labelCount == 0 { settleLabel(label) }
    for other in image.others {
      let own = regions
      regions = []
      for region in other.regions { add(region) }
      if !other.labelIsAnnotation { settleLabel(other.label) }
      others.append(Other(name: other.name, label: other.label, regions: regions))
      regions = own
    }
  }

  /// Makes the annotation with fields that gave the image its label that label, so that both are one row.
  private mutating func settleLabel(_ label: Category?) {
    guard let label,
      let place = regions.firstIndex(where: {
        $0.kind == .tag && $0.category.name == label.name
          && ($0.attributes != nil || $0.sourceID != nil)
      })
    else { return }
    regions[place].kind = .label
  }

  /// Takes the size of the image, and reports another stated size.
  private mutating func noteSize(_ found: ImageSize, _ stated: ImageSize?, _ probe: ImageProbe?) {
    size = found
    guard let stated, stated != found else { return }
    let stored = probe?.storedSize
    let isRotated = stored == stated && probe?.orientation != .up
    note(
      .imageSize, IssueLocation(file: path),
      "the annotations state \(stated), and the image is \(found)"
        + (isRotated
          ? ": its EXIF orientation rotates it, and the annotations are probably for the unrotated "
            + "image; kept as they are"
          : "; the image's size is used"))
  }

  private mutating func note(
    _ kind: IssueKind, _ location: IssueLocation, _ message: String,
    severity: Issue.Severity = .warning
  ) {
    issues.append(Issue(kind, severity, at: location, sampleKey: path, message))
  }

  private mutating func add(_ region: LabeledRegion) {
    if case .tag = region.shape {
      regions.append(
        Region(
          category: region.category, kind: .tag, area: nil, box: nil, isCrowd: region.isCrowd,
          sourceID: region.sourceID, geometry: nil, attributes: Self.text(of: region.attributes)))
      return
    }
    guard let bounds = bounds(of: region) else { return }
    let box = region.box.flatMap { statedBox($0, of: region) } ?? bounds
    noteBeyond(bounds, region)
    let start = geometry.count
    var packed = Region(
      category: region.category, kind: .box, area: box.area, box: box, isCrowd: region.isCrowd,
      sourceID: region.sourceID, geometry: nil, attributes: Self.text(of: region.attributes))
    switch region.shape {
    case .box, .tag: break
    case .polygons(let polygons):
      Geometry.pack(polygons: polygons, into: &geometry)
      packed.kind = .polygon
      packed.area = size.map { Double(Geometry.polygons(polygons).mask(in: $0).area) }
      packed.geometry = start..<geometry.count
    case .mask(let mask):
      mask.appendCompressed(to: &geometry)
      packed.kind = .mask
      packed.area = Double(mask.area)
      packed.geometry = start..<geometry.count
    case .polylines(let lines):
      Geometry.pack(polygons: lines, into: &geometry)
      packed.kind = .polyline
      packed.area = nil
      packed.geometry = start..<geometry.count
    case .points(let points):
      Geometry.pack(polygons: [points], into: &geometry)
      packed.kind = .points
      packed.area = nil
      packed.geometry = start..<geometry.count
    }
    regions.append(packed)
  }

  /// The bounding box of a region; `nil`, with an issue, if the region is left out.
  private mutating func bounds(of region: LabeledRegion) -> Box? {
    switch region.shape {
    case .box(let box): return statedBox(box, of: region, isOnly: true)
    case .tag: return nil
    case .polygons(let polygons):
      let points = polygons.joined()
      guard polygons.contains(where: { $0.count >= 6 }),
        polygons.allSatisfy({ $0.count.isMultiple(of: 2) }),
        points.allSatisfy({ $0.isFinite && abs($0) <= Self.reach })
      else {
        note(
          .badShape, region.location,
          "\(region.title): the polygon has fewer than three points, or a coordinate that is not a "
            + "usable number; left out", severity: .error)
        return nil
      }
      return COCOPolygons.bounds(of: polygons)
    case .polylines(let lines):
      return bounds(of: lines, least: 2, "the line has fewer than two points", region)
    case .points(let points):
      return bounds(of: [points], least: 1, "there is no point", region)
    case .mask(let mask):
      guard let bounds = mask.boundingBox else {
        note(
          .badShape, region.location, "\(region.title): the mask is empty; left out",
          severity: .error)
        return nil
      }
      return bounds
    }
  }

  /// The bounding box of lines or points; `nil`, with an issue, if they are left out.
  ///
  /// - Parameters:
  ///   - least: the minimum number of points of each list.
  ///   - shortage: the problem with fewer points.
  private mutating func bounds(
    of lists: [[Double]], least: Int, _ shortage: String, _ region: LabeledRegion
  ) -> Box? {
    let isUsable = lists.joined().allSatisfy { $0.isFinite && abs($0) <= Self.reach }
    guard isUsable, !lists.isEmpty,
      lists.allSatisfy({ $0.count >= 2 * least && $0.count.isMultiple(of: 2) })
    else {
      note(
        .badShape, region.location,
        "\(region.title): "
          + (isUsable ? shortage : "a coordinate is not a usable number") + "; left out",
        severity: .error)
      return nil
    }
    return Box(around: lists)
  }

  private mutating func statedBox(
    _ box: Box, of region: LabeledRegion, isOnly: Bool = false
  ) -> Box? {
    let values = [box.x, box.y, box.width, box.height]
    let isUsable = values.allSatisfy { $0.isFinite && abs($0) <= Self.reach }
    guard isUsable, box.width >= 0, box.height >= 0 else {
      note(
        .badShape, region.location,
        "\(region.title): the box has "
          + (isUsable ? "a negative size" : "a coordinate that is not a usable number")
          + (isOnly ? "; left out" : "; taken from the shape"), severity: isOnly ? .error : .warning
      )
      return nil
    }
    if box.width == 0 || box.height == 0 {
      note(.badShape, region.location, "\(region.title): the box has no area; kept")
    }
    return box
  }

  /// Reports shapes that extend more than a pixel beyond the image; less is rounding.
  private mutating func noteBeyond(_ box: Box, _ region: LabeledRegion) {
    guard let size else { return }
    guard
      box.x < -1 || box.y < -1 || box.x + box.width > Double(size.width) + 1
        || box.y + box.height > Double(size.height) + 1
    else { return }
    note(
      .badShape, region.location,
      "\(region.title): it extends beyond its image of \(size); kept, and clipped at the edge in "
        + "masks")
  }

  /// The attributes as a JSON object with its members sorted by name; `nil` for none.
  static func text(of attributes: [JSONValue.Member]) -> String? {
    guard !attributes.isEmpty else { return nil }
    return JSONValue.object(attributes.sorted { $0.name < $1.name }).text()
  }
}
