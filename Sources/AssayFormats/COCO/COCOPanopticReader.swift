import AssayCore
import AssayImaging
import CSimdJSON

/// Reads batches of a panoptic file's annotations and their PNG files: one mask per segment.
///
/// The ordinals of the annotations are those of the segments in the batch.
struct COCOPanopticReader: COCOListReader {
  /// The reader of ordinary annotations of the same file.
  let base: COCOAnnotationReader
  let folder: COCOPanopticFolder

  private static let fileLimit = 512 << 20
  /// The maximum number of segments of an image.
  static let segmentLimit = 100_000

  /// One annotation: an image, its PNG file and its segments.
  private struct Map {
    var pointer: String
    var sample: Int
    var key: String
    var size: ImageSize?
    var segments: [JSONValue]
    /// The path of the PNG file, and its name in messages.
    var path: String
  }

  func read(_ span: JSONOutline.Batch, worker: Int) throws -> COCOAnnotationReader.Part {
    try base.parsers[worker].parse(assay_coco_annotations, base.tree, base.path, span.bytes) {
      batch in
      var part = COCOAnnotationReader.Part(findings: OddityIssues(base.path))
      part.end = span.bytes.upperBound
      guard let records = batch.annotations else { return part }
      for index in 0..<batch.count {
        let work = COCOAnnotation(
          record: records + index, batch: batch, place: span.first + index)
        guard let map = map(work, &part) else { continue }
        add(map, &part)
      }
      return part
    }
  }

  private func map(
    _ work: COCOAnnotation, _ part: inout COCOAnnotationReader.Part
  ) -> Map? {
    let text = work.batch.text(work.record.pointee.attributes)
    let fields = try? JSONValue(parsing: text)
    guard let fields, let segments = fields["segments_info"]?.elements else {
      part.read += 1
      part.findings.note(
        .badAnnotation, work.pointer + "/segments_info",
        "\(work.title) has no list 'segments_info'; left out")
      return nil
    }
    part.read += segments.count
    let lost = Self.lost(segments.count)
    guard let image = base.image(of: work, &part.findings), let sample = image.sample else {
      return nil
    }
    let name =
      fields["file_name"]?.text ?? String(SortedFiles.stem(of: image.key)) + ".png"
    switch folder.folder.place(of: name) {
    case .path(let path, isThere: true), .repaired(let path, isThere: true, _):
      return Map(
        pointer: work.pointer, sample: sample, key: image.key, size: image.size,
        segments: segments, path: path)
    case .path(let path, isThere: false), .repaired(let path, isThere: false, _):
      part.findings.note(
        .panopticFile, work.pointer + "/file_name", key: image.key,
        "\(path), the map of \(image.key), does not exist; left out\(lost)")
    case .outside:
      part.findings.note(
        .outsideRoot, work.pointer + "/file_name", key: image.key,
        "the map of \(image.key) is outside the folder; left out\(lost)")
    }
    return nil
  }

  /// The end of a message about a map that is left out.
  private static func lost(_ segments: Int) -> String {
    " with its \(segments == 1 ? "segment" : "\(segments) segments")"
  }

  /// Adds the segments of an image.
  private func add(_ map: Map, _ part: inout COCOAnnotationReader.Part) {
    let pixels: [(id: Int, mask: Mask)]
    do {
      let bytes = try folder.tree.readAll(map.path, limit: Self.fileLimit)
      let header = try ImageCodec.header(of: bytes)
      guard header.kind == .png, header.bitDepth <= 8 else {
        part.findings.note(
          .panopticFile, map.pointer + "/file_name", key: map.key,
          "\(map.path) is not a PNG of 8 bits, which a map of segments must be; left out\(Self.lost(map.segments.count))"
        )
        return
      }
      if let size = map.size, size != header.size {
        part.findings.note(
          .panopticSize, map.pointer + "/file_name", key: map.key,
          "\(map.path) is \(header.size), and its image is \(size); left out\(Self.lost(map.segments.count))"
        )
        return
      }
      let raster = try ImageCodec.decode(bytes, as: .rgb8, oriented: false)
      guard let found = Mask.segments(of: raster, limit: Self.segmentLimit) else {
        part.findings.note(
          .panopticFile, map.pointer + "/file_name", key: map.key,
          "\(map.path) has more than \(Self.segmentLimit) different colors, so it is no map of "
            + "segments; left out\(Self.lost(map.segments.count))")
        return
      }
      pixels = found
    } catch {
      part.findings.note(
        .panopticFile, map.pointer + "/file_name", key: map.key,
        "\(map.path): \(error); left out\(Self.lost(map.segments.count))")
      return
    }
    var masks = Dictionary(uniqueKeysWithValues: pixels.map { ($0.id, $0.mask) })
    var seen: Set<Int> = []
    for (place, segment) in map.segments.enumerated() {
      let pointer = "\(map.pointer)/segments_info/\(place)"
      let fields = COCOSegment(segment)
      guard let id = fields.id, let category = fields.category else {
        part.findings.note(
          .badSegment, pointer, key: map.key,
          "the segment's 'id' or 'category_id' is missing or of the wrong type; left out")
        continue
      }
      guard seen.insert(id).inserted else {
        part.findings.note(
          .repeatedSegment, pointer + "/id", key: map.key,
          "segment \(id): another segment of the image has this id; left out")
        continue
      }
      let mask = masks.removeValue(forKey: id)
      guard let label = base.categories.find(category)?.place else {
        part.findings.note(
          .truthOfUnknownCategory, pointer + "/category_id", key: map.key,
          "segment \(id): there is no category \(category); left out")
        continue
      }
      guard let mask else {
        part.findings.note(
          .emptySegment, pointer, key: map.key,
          "segment \(id) has no pixels in \(map.path); left out")
        continue
      }
      add(fields, id, label, mask, map, pointer, &part)
    }
    // Pixels of id 0 belong to no segment in COCO's format, too.
    masks[0] = nil
    if let first = masks.keys.min() {
      let count = masks.values.reduce(0) { $0 + $1.area }
      part.findings.note(
        .unlistedPixels, map.pointer + "/segments_info", key: map.key,
        "\(map.path): \(Counted.text(count, "pixel belongs", "pixels belong")) to "
          + "\(Counted.text(masks.count, "segment that is", "segments that are")) not listed (id \(first)"
          + "\(masks.count > 1 ? ", …" : "")); \(count == 1 ? "it has" : "they have") no class"
      )
    }
  }

  private func add(
    _ fields: COCOSegment, _ id: Int, _ category: Int, _ mask: Mask, _ map: Map,
    _ pointer: String, _ part: inout COCOAnnotationReader.Part
  ) {
    let area = mask.area
    if id == 0 {
      part.findings.note(
        .oddID, pointer + "/id", key: map.key,
        "segment 0: panopticapi takes pixels of this id as unlabeled; kept")
    }
    if let stated = fields.area, stated != Double(area) {
      part.findings.note(
        .segmentArea, pointer + "/area", key: map.key,
        "segment \(id): 'area' is \(stated), and it has \(area) pixels; the stated area is kept")
    } else if fields.area == nil {
      part.findings.note(
        .noArea, pointer + "/area", key: map.key,
        "segment \(id): 'area' is missing or no number; taken as \(area)")
    }
    if fields.box == nil {
      part.findings.note(
        .truthWithoutBox, pointer + "/bbox", key: map.key,
        "segment \(id): 'bbox' is missing or invalid; taken from the pixels")
    }
    if fields.isCrowd == nil {
      part.findings.note(
        .noCrowd, pointer + "/iscrowd", key: map.key,
        "segment \(id): 'iscrowd' is missing or neither 0 nor 1; taken as 0")
    }
    let start = part.geometry.count
    mask.appendCompressed(to: &part.geometry)
    part.annotations.append(
      ImportedAnnotation(
        sample: map.sample, category: category, ordinal: part.annotations.count, shape: .mask,
        isCrowd: fields.isCrowd ?? false, area: fields.area ?? Double(area),
        box: fields.box ?? mask.boundingBox, sourceID: .integer(Int64(id)),
        geometry: start..<part.geometry.count, attributes: fields.attributes))
  }
}

/// The fields of one element of `segments_info`; `nil` where a field is missing or unusable.
struct COCOSegment {
  var id: Int?
  var category: SourceID?
  var area: Double?
  var box: Box?
  var isCrowd: Bool?
  /// Additional fields as one canonical JSON object; `nil` if there are none.
  var attributes: String?

  init(_ value: JSONValue) {
    guard case .object(let members) = value else { return }
    if case .integer(let whole)? = value["id"], (0..<1 << 24).contains(whole) { id = Int(whole) }
    switch value["category_id"] {
    case .integer(let whole): category = .integer(whole)
    case .string(let text): category = .text(text)
    default: break
    }
    area = value["area"]?.double.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
    let numbers = value["bbox"]?.elements?.compactMap(\.double) ?? []
    if numbers.count == 4, value["bbox"]?.elements?.count == 4, numbers.allSatisfy(\.isFinite),
      numbers[2] >= 0, numbers[3] >= 0
    {
      box = Box(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }
    switch value["iscrowd"] {
    case .integer(0), .bool(false): isCrowd = false
    case .integer(1), .bool(true): isCrowd = true
    default: break
    }
    let known: Set = ["id", "category_id", "area", "bbox", "iscrowd"]
    let further = members.filter { !known.contains($0.name) }.sorted { $0.name < $1.name }
    if !further.isEmpty { attributes = JSONValue.object(further).text() }
  }
}
