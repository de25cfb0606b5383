import AssayCore
import AssayFormats
import AssayStore

/// The images of an export in the order in which they are written, split by split, with their files.
struct ExportPlan: Sendable {
  let scope: ExportScope
  /// The samples, in the order of the export.
  let samples: [SampleRecord]
  let dataset: ExportDataset
  let mapping: ClassMapping
  let exporter: any DatasetExporter
  let fitting: ExportFitting
  /// The change of the shapes of objects; `nil` for none.
  let transform: ShapeTransform?
  /// True if an image has further fields.
  private let hasImageFields: Bool
  /// The images of each split, as a range of ``samples``.
  private(set) var ranges: [Range<Int>] = []
  /// The path of each image's file.
  private(set) var paths: [String] = []
  /// The archives of the images, split by split; empty if images are files.
  private(set) var shards: [ExportShard] = []
  /// The number of images with another file name than in the source.
  private(set) var renamed = 0
  /// For each image, the number of objects of the images of its split before it; -1 for an image that
  /// is left out.
  var firstObjects: [Int32] = []
  /// For each image, whether it has a usable file, or pixels; empty if that was not checked.
  var hasFiles: [Bool] = []

  /// The number of samples that are processed at a time.
  static let chunk = 64

  init(
    _ scope: ExportScope, _ mapping: ClassMapping, _ facts: ExportFacts, format: ExportFormat,
    variant: ExportVariant?, transform: ShapeTransform? = nil
  ) {
    self.transform = transform
    hasImageFields = facts.hasImageFields
    var facts = facts
    if transform == .boxes { facts.hasShapes = false }
    self.scope = scope
    self.mapping = mapping
    var dataset = ExportDataset(name: scope.dataset.name, classes: mapping.classes, splits: [])
    facts.fill(&dataset, scope, mapping)
    if format == .cvat { dataset.addKeypointClasses() }
    let can = DatasetExporters.exporter(for: format, variant, dataset).capabilities
    var bySplit: [String?: [SampleRecord]] = [:]
    for sample in scope.samples { bySplit[can.heldSplit(sample.split), default: []].append(sample) }
    let splits = bySplit.keys.sorted(by: SplitName.precedes)
    let folders = FileNames.stems(for: splits.map { $0 ?? "" })
    for (split, folder) in zip(splits, folders) {
      var written = Self.split(
        split, folder, can, isOnly: splits.count == 1, bySplit[split]?.count ?? 0)
      // Two splits whose names become the same have folders of their own.
      let name = written.folder
      var number = 2
      while dataset.splits.contains(where: { $0.folder.lowercased() == written.folder.lowercased() }
      ) {
        written.folder = "\(name)-\(number)"
        number += 1
      }
      if case .files = can.splits, written.folder != name { written.name = written.folder }
      dataset.splits.append(written)
    }
    for (place, name) in can.names(of: dataset.classes).enumerated() {
      dataset.classes[place].name = name
    }
    facts.tracks.fill(&dataset, scope, mapping)
    self.dataset = dataset
    exporter = DatasetExporters.exporter(for: format, variant, dataset)
    fitting = ExportFitting(
      exporter.capabilities, isMultiLabel: scope.dataset.isMultiLabel,
      voids: Set(mapping.classes.indices.filter { mapping.classes[$0].isVoid }),
      stuff: Set(mapping.classes.indices.filter { mapping.classes[$0].isThing == false }),
      caption: dataset.caption)
    var samples: [SampleRecord] = []
    samples.reserveCapacity(scope.samples.count)
    for split in splits {
      let start = samples.count
      samples += bySplit[split] ?? []
      ranges.append(start..<samples.count)
    }
    self.samples = samples
    namePaths(facts.tags)
  }

  private static func split(
    _ name: String?, _ stem: String, _ can: ExportCapabilities, isOnly: Bool, _ count: Int
  ) -> ExportDataset.Split {
    guard let name else {
      if isOnly, let only = can.onlySplit {
        return .init(name: only, folder: can.missingSplitFolder.isEmpty ? "" : only, images: count)
      }
      let folder = isOnly ? "" : can.missingSplitFolder
      let isNamed = can.readsMissingSplit && !folder.isEmpty
      return .init(name: isNamed ? folder : nil, folder: folder, images: count)
    }
    let written = can.split(name)
    if case .folders = can.splits, let written {
      return .init(name: written, folder: written, images: count)
    }
    // A reader takes the name from the folder or file.
    if case .files = can.splits {
      return .init(name: written, folder: written ?? stem, images: count)
    }
    return .init(name: written, folder: stem, images: count)
  }

  /// Names the images' files: the names of the source, safe for every file system, different from each
  /// other in their folder without regard to case and suffix.
  ///
  /// - Parameter tags: the classes of the source that tags give samples, by the sample's id.
  private mutating func namePaths(_ tags: [Int64: Set<Int>]) {
    var used: Set<String> = []
    let isFlat = exporter.hasFlatNames
    paths.reserveCapacity(samples.count)
    let digits = samples.lazy.map { Int($0.key) == nil ? 0 : $0.key.utf8.count }.max() ?? 0
    for (split, range) in ranges.enumerated() {
      for sample in samples[range] {
        let tagged = (tags[sample.id] ?? []).compactMap { mapping.ordinals[$0] }
        let labels = Set(labels(of: sample) + tagged)
        // An image of several classes cannot lie in the folder of one.
        let label = labels.count == 1 ? labels.first : nil
        let folder = exporter.imageFolder(split: split, label: label)
        var name = ExportFileName(key: sample.key, location: sample.location, digits: digits)
        if exporter.isSharded { name.makeKey() }
        var stem = name.stem
        var number = 1
        while !used.insert((isFlat ? "" : folder + "/") + stem.lowercased()).inserted {
          // First with the folders of the source, which say more than a number.
          stem = number == 1 ? name.longStem : "\(name.longStem)-\(number)"
          number += 1
        }
        if sample.location != nil, stem + name.suffix != name.original { renamed += 1 }
        paths.append((folder.isEmpty ? "" : folder + "/") + stem + name.suffix)
      }
    }
  }

  /// Distributes the images that are written over archives, in their order, and moves their paths there.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of images of an archive.
  ///   - sizes: the number of bytes of an image's file, as far as it is known.
  mutating func makeShards(limit: Int, sizes: (SampleRecord) -> Int) {
    for (split, range) in ranges.enumerated() {
      let name = exporter.imageFolder(split: split, label: nil)
      var (number, count, bytes, start) = (0, 0, 0, range.lowerBound)
      func path() -> String {
        let digits = String(number)
        return name + "-" + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
          + ".tar"
      }
      for index in range where firstObjects[index] >= 0 {
        let size = sizes(samples[index])
        if count == limit || count > 0 && size > ExportShard.byteLimit - bytes {
          shards.append(ExportShard(path: path(), samples: start..<index))
          (number, count, bytes, start) = (number + 1, 0, 0, index)
        }
        count += 1
        bytes += size
        paths[index] = path() + paths[index].dropFirst(name.count)
      }
      if count > 0 {
        shards.append(ExportShard(path: path(), samples: start..<range.upperBound))
      }
    }
  }

  /// The ordinals of the labels of a sample after the changes of classes, ascending.
  private func labels(of sample: SampleRecord) -> [Int] {
    // Labels beside regions come with the annotations.
    let all =
      scope.dataset.isMultiLabel ? sample.categories : sample.category.map { [$0] } ?? []
    return Set(all.compactMap { mapping.ordinals[$0] }).sorted()
  }

  /// The split of an image.
  func split(of index: Int) -> Int {
    ranges.firstIndex { $0.contains(index) } ?? 0
  }

  // MARK: Reading

  /// Reads images with their annotations.
  ///
  /// - Parameters:
  ///   - objects: whether to read the objects.
  ///   - checksFiles: whether to look for the images' files.
  ///   - counts: receives the changes of shapes.
  /// - Throws: `StoreError`, `MaskError`.
  func images(
    _ indices: some Collection<Int>, _ catalog: Catalog, objects: Bool = true,
    checksFiles: Bool = false, counts: (ShapeCounts) -> Void = { _ in }
  ) throws -> [ExportImage] {
    var shapes = ShapeCounts()
    defer { counts(shapes) }
    let can = exporter.capabilities
    var images = indices.map(bareImage)
    if can.needsFiles || can.usesDisplayedSize || checksFiles {
      let tree = try? DatasetRoot.tree(of: scope.dataset)
      for (place, index) in indices.enumerated() {
        guard let location = samples[index].location else { continue }
        let size = tree.flatMap { ImageFrame.displayedSize(of: location, in: $0) }
        images[place].hasFile = size != nil
        if can.usesDisplayedSize, let size { images[place].size = size }
        if can.needsDisplayedSize, size != samples[index].size { images[place].size = nil }
      }
    }
    if hasImageFields {
      try catalog.forEachFields(of: indices.map { samples[$0].id }) {
        images[$0].fields = $1
      }
    }
    // Tags without fields are labels.
    guard objects || dataset.hasTags else { return images }
    let ids = indices.map { samples[$0].id }
    try catalog.forEachAnnotations(of: ids, regionsOnly: false) { place, annotations in
      images[place].objects = try annotations.compactMap { annotation in
        guard let category = mapping.ordinals[annotation.category],
          !(mapping.dropsCrowds && annotation.isCrowd)
        else { return nil }
        let size = samples[images[place].number].size
        var object = try ExportObject(annotation, category: category, size: size)
        if var changed = object, let transform {
          transform.apply(to: &changed, in: size, &shapes)
          object = changed
        }
        return object
      }
      images[place].settleTags()
    }
    return images
  }

  private func bareImage(_ index: Int) -> ExportImage {
    let sample = samples[index]
    var image = ExportImage(
      number: index, path: paths[index], split: split(of: index), size: sample.size)
    image.labels = labels(of: sample)
    image.sourceID = sample.sourceID
    if hasFiles.indices.contains(index) { image.hasFile = hasFiles[index] }
    if firstObjects.indices.contains(index) { image.firstObject = Int(max(0, firstObjects[index])) }
    return image
  }
}

/// An archive with images of one split.
struct ExportShard: Sendable {
  var path: String
  /// The images, as a range of the plan's samples; those that are left out are not in the archive.
  var samples: Range<Int>

  /// The maximum number of bytes of the images of an archive with several.
  static let byteLimit = 1 << 30
}

/// The file name of an exported image.
private struct ExportFileName {
  /// The name in the source; empty for pixels of the catalog.
  var original: String
  var stem: String
  /// The stem with the folders of the source.
  var longStem: String
  /// With its dot.
  var suffix: String

  init(key: String, location: String?, digits: Int) {
    guard let location else {
      original = ""
      let text = Int(key).map { "\($0)" } ?? key
      let padding = Int(key) == nil ? 0 : max(0, digits - text.count)
      stem = SafeFileName.of(String(repeating: "0", count: padding) + text)
      longStem = stem
      suffix = ".png"
      return
    }
    original = location.split(separator: "/").last.map(String.init) ?? location
    let parts = Self.parts(of: original)
    stem = SafeFileName.of(parts.stem)
    suffix = parts.suffix
    let whole = location.split(separator: "/").joined(separator: "_")
    longStem = SafeFileName.of(Self.parts(of: whole).stem)
  }

  /// Makes the stem a key of WebDataset, which ends at the first dot of a member's name.
  mutating func makeKey() {
    stem = stem.replacing(".", with: "_")
    longStem = longStem.replacing(".", with: "_")
    suffix = suffix.lowercased()
  }

  private static func parts(of name: String) -> (stem: String, suffix: String) {
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex, PairPath.isImageName(name)
    else { return (name, ".jpg") }
    return (String(name[..<dot]), String(name[dot...]))
  }
}

extension ExportObject {
  /// An annotation of the catalog; `nil` for a box that is not there.
  ///
  /// - Throws: `MaskError`.
  init?(_ annotation: AnnotationRecord, category: Int, size: ImageSize?) throws {
    var shape = annotation.shape == .tag ? Shape.tag : .box
    if let packed = annotation.geometry {
      // The size is only used by run lengths, which have none without one.
      let size = size ?? ImageSize(width: 1, height: 1)
      switch try Geometry(shape: annotation.shape, packed: packed, size: size) {
      case .polygons(let polygons): shape = .polygons(polygons)
      case .mask(let mask): shape = .mask(mask)
      case .polylines(let lines): shape = .lines(lines)
      case .points(let points): shape = .points(points)
      }
    }
    let empty = shape == .tag ? Box(x: 0, y: 0, width: 0, height: 0) : nil
    guard let box = annotation.box ?? ExportObject.bounds(of: shape) ?? empty else { return nil }
    self.init(category: category, shape: shape, box: box)
    area = annotation.area
    isCrowd = annotation.isCrowd
    sourceID = annotation.sourceID
    if let text = annotation.attributes, case .object(let members) = try? JSONValue(parsing: text) {
      attributes = members.sorted { $0.name < $1.name }
    }
  }
}

extension AnnotationRecord {
  /// True for a label of the image with the text of a caption.
  fileprivate var isCaption: Bool {
    shape == .tag && attributes?.contains("\"\(ExportObject.captionName)\":\"") == true
  }
}

/// Facts about all images of an export that decide how they are written.
struct ExportFacts: Sendable {
  var keypoints = 0
  /// The classes of the source with objects of another shape than points with keypoints.
  private var otherThanKeypoints: Set<Int> = []
  /// The classes of the source with objects with keypoints.
  private var withKeypoints: Set<Int> = []
  var hasShapes = false
  var hasTags = false
  var hasPredictions = false
  /// True if an image has further fields.
  private(set) var hasImageFields = false
  /// The classes that tags give samples, by the sample's id.
  private(set) var tags: [Int64: Set<Int>] = [:]
  var hasObjectIDs = true
  /// True if an annotation has an id that is a text, which only COCO files of some programs have.
  var hasTextIDs = false
  /// True if no two annotations of a split have the same number; COCO's own ids are not compared.
  private var hasUniqueIDs = true
  var hasObjects = false
  /// The class of captions in the source; `nil` if it has none.
  private let caption: Int?
  /// The largest number of captions of an image.
  private var captionLimit = 0
  /// True if an annotation is no caption.
  private var hasOtherThanCaptions = false
  var attributes: Set<String> = []
  /// The tracks of objects; empty if they are not gathered.
  private(set) var tracks = TrackSurvey()

  /// The maximum number of ids that are compared; those of more annotations do not count as unique.
  private static let comparedIDs = 1 << 22

  /// - Parameter gathersTracks: whether the format has tracks.
  /// - Throws: `StoreError`, ``Interrupted``.
  init(
    _ scope: ExportScope, _ catalog: Catalog, gathersTracks: Bool = false,
    _ progress: any ProgressSink
  ) throws {
    hasImageFields = try catalog.hasSampleFields(in: scope.dataset.id)
    caption = try catalog.taxonomy(of: scope.dataset.id).names.firstIndex(
      of: ExportDataset.captionClass)
    // Many formats number the objects of each image, and a file of COCO has several images.
    var numbers: [String?: Set<Int64>]? = Self.hasCOCOIDs(scope) ? nil : [:]
    var compared = 0
    for start in stride(from: 0, to: scope.samples.count, by: 1024) {
      try Interruption.check("nothing was written")
      let samples = scope.samples[start..<min(start + 1024, scope.samples.count)]
      let splits = samples.map(\.split)
      try catalog.forEachAnnotations(
        of: samples.map(\.id), geometry: gathersTracks, regionsOnly: false
      ) { index, annotations in
        var captions = 0
        defer { captionLimit = max(captionLimit, captions) }
        for annotation in annotations {
          add(annotation, frame: gathersTracks ? start + index : nil)
          if annotation.category == caption, annotation.isCaption {
            captions += 1
          } else if annotation.shape == .tag {
            tags[samples[start + index].id, default: []].insert(annotation.category)
          }
          guard numbers != nil, case .integer(let number)? = annotation.sourceID else { continue }
          compared += 1
          let isNew = numbers?[splits[index], default: []].insert(number).inserted ?? false
          guard !isNew || compared > Self.comparedIDs else { continue }
          hasUniqueIDs = false
          numbers = nil
        }
      }
      progress.report(Double(start) / Double(scope.samples.count), "counting \(scope.view)")
    }
    try tracks.finish(scope.samples, of: scope.dataset, catalog)
  }

  /// - Parameter frame: the position of its image; `nil` if tracks are not gathered.
  private mutating func add(_ annotation: AnnotationRecord, frame: Int?) {
    hasObjects = true
    if annotation.category != caption || !annotation.isCaption { hasOtherThanCaptions = true }
    if annotation.shape == .polygon || annotation.shape == .mask { hasShapes = true }
    if annotation.shape == .tag { hasTags = true }
    switch annotation.sourceID {
    case .integer: break
    case .text: hasTextIDs = true
    case nil: hasObjectIDs = false
    }
    var hasKeypoints = false
    defer {
      if annotation.shape != .tag, annotation.shape != .points || !hasKeypoints {
        otherThanKeypoints.insert(annotation.category)
      }
      if hasKeypoints { withKeypoints.insert(annotation.category) }
    }
    guard let text = annotation.attributes,
      case .object(let members) = try? JSONValue(parsing: text)
    else { return }
    if let frame { tracks.add(annotation, members, frame: frame) }
    for member in members {
      if member.name == ExportObject.keypointsName, let list = member.value.elements,
        list.count.isMultiple(of: 3)
      {
        hasKeypoints = !list.isEmpty
        // Points without a region are no objects of a format of keypoints.
        if annotation.shape.isRegion { keypoints = max(keypoints, list.count / 3) }
      } else if attributes.count < 1000 {
        attributes.insert(member.name)
      }
    }
  }

  /// Returns whether the ids of annotations are those of COCO files.
  private static func hasCOCOIDs(_ scope: ExportScope) -> Bool {
    [.coco, .cocoLabels, .lvis].contains(scope.dataset.format)
  }

  func fill(_ dataset: inout ExportDataset, _ scope: ExportScope, _ mapping: ClassMapping) {
    dataset.keypoints = keypoints
    dataset.withKeypoints = Set(
      withKeypoints.compactMap {
        mapping.ordinals.indices.contains($0) ? mapping.ordinals[$0] : nil
      })
    dataset.otherThanKeypoints = Set(
      otherThanKeypoints.compactMap {
        mapping.ordinals.indices.contains($0) ? mapping.ordinals[$0] : nil
      })
    dataset.hasShapes = hasShapes
    dataset.hasTags = hasTags
    dataset.hasCOCOIDs = Self.hasCOCOIDs(scope)
    dataset.hasObjectIDs =
      hasObjectIDs && hasUniqueIDs && hasObjects && (dataset.hasCOCOIDs || !hasTextIDs)
    dataset.hasImageIDs = scope.samples.allSatisfy { sample in
      switch sample.sourceID {
      case .integer: true
      case .text: dataset.hasCOCOIDs
      case nil: false
      }
    }
    dataset.attributes = attributes.subtracting([
      ExportObject.keypointsName, ExportObject.keypointCountName,
    ])
    dataset.isMultiLabel = scope.dataset.isMultiLabel
    dataset.hasObjects = hasObjects
    if let caption, mapping.ordinals.indices.contains(caption),
      let place = mapping.ordinals[caption],
      mapping.classes[place].name == ExportDataset.captionClass
    {
      (dataset.caption, dataset.captions) = (place, captionLimit)
      dataset.hasCaptionsOnly =
        captionLimit > 0 && !hasOtherThanCaptions && !dataset.isMultiLabel
        && !scope.samples.contains { $0.category != nil }
    }
    dataset.hasPredictions = hasPredictions
    dataset.hasLabels =
      scope.dataset.isMultiLabel || !tags.isEmpty || scope.samples.contains { $0.category != nil }
  }
}
