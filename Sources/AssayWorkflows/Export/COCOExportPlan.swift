import AssayCore
import AssayFormats
import AssayStore

/// The contents of the files of a COCO export, and their ids.
struct COCOExportPlan: Sendable {
  /// One file: the samples of one split.
  struct Part: Sendable {
    var split: String?
    /// The file's path relative to the folder.
    var file: String
    /// Indices into ``COCOExportPlan/samples``, ascending.
    var samples: [Int]
  }

  let samples: [SampleRecord]
  let taxonomy: Taxonomy
  private(set) var parts: [Part] = []
  /// The ids of the samples and of the classes, as written.
  private(set) var imageIDs: [SourceID] = []
  private(set) var categoryIDs: [SourceID] = []
  /// The number of images and classes with a new id, because the source has none or the id is
  /// already used in the file.
  private(set) var renumbered = 0
  /// The number of annotations by shape that the files cannot hold: lines, points, labels of images.
  private(set) var leftOut: [ShapeKind: Int] = [:]
  /// The number of all annotations.
  private(set) var annotations = 0
  /// True if an image has further fields.
  private var hasFields = false
  /// The number of images with further fields that COCO's readers take for others, which are left out.
  private(set) var leftOutFields = 0
  /// The number of fields of annotations that are called like COCO's own, which are left out.
  private(set) var leftOutAttributes = 0
  /// The first number for annotations without an id in each part, and the number of such
  /// annotations before each chunk of samples.
  private var freshFrom: [Int64] = []
  private var freshBefore: [[Int]] = []
  private var place: [(part: Int, chunk: Int)] = []

  /// The number of samples processed at a time.
  static let chunk = 64

  init(samples: [SampleRecord], taxonomy: Taxonomy) {
    self.samples = samples
    self.taxonomy = taxonomy
    var bySplit: [String?: [Int]] = [:]
    for (index, sample) in samples.enumerated() { bySplit[sample.split, default: []].append(index) }
    let splits = bySplit.keys.sorted(by: SplitName.precedes)
    let stems = FileNames.stems(for: splits.map { $0.map { "instances_\($0)" } ?? "instances" })
    parts = zip(splits, stems).map { split, stem in
      Part(split: split, file: "annotations/\(stem).json", samples: bySplit[split] ?? [])
    }
    var fresh = IDAllocator(taxonomy.categories.map(\.sourceID))
    categoryIDs = fresh.ids
    renumbered = fresh.renumbered
    imageIDs = samples.map { $0.sourceID ?? .integer(0) }
    for part in parts {
      fresh = IDAllocator(part.samples.map { samples[$0].sourceID })
      renumbered += fresh.renumbered
      for (index, id) in zip(part.samples, fresh.ids) { imageIDs[index] = id }
    }
  }

  /// The numbers of annotations of a chunk of samples.
  private struct Numbers: Sendable {
    var count = 0
    /// Those without an id.
    var nameless = 0
    var largest: Int64 = 0
    var leftOut: [ShapeKind: Int] = [:]
    var leftOutAttributes = 0
  }

  /// Counts the images with further fields that cannot be written.
  mutating func countFields(of dataset: DatasetRecord, _ catalog: Catalog) throws {
    hasFields = try catalog.hasSampleFields(in: dataset.id)
    guard hasFields else { return }
    for start in stride(from: 0, to: samples.count, by: 1024) {
      let ids = samples[start..<min(start + 1024, samples.count)].map(\.id)
      try catalog.forEachFields(of: ids) { _, fields in
        if fields.contains(where: { COCODatasetImage.reservedFields.contains($0.name) }) {
          leftOutFields += 1
        }
      }
    }
  }

  /// The further fields of images that are written.
  ///
  /// - Parameter indices: indices of ``samples``.
  func fields(of indices: [Int], _ catalog: Catalog) throws -> [[JSONValue.Member]] {
    var fields = [[JSONValue.Member]](repeating: [], count: indices.count)
    guard hasFields else { return fields }
    try catalog.forEachFields(of: indices.map { samples[$0].id }) { place, found in
      fields[place] = found.filter { !COCODatasetImage.reservedFields.contains($0.name) }
    }
    return fields
  }

  /// The elements of the list of images.
  ///
  /// - Parameter indices: indices of ``samples``.
  func images(of indices: [Int], _ catalog: Catalog) throws -> [UInt8] {
    let fields = try fields(of: indices, catalog)
    var bytes: [UInt8] = []
    for (place, index) in indices.enumerated() {
      if place > 0 { bytes += COCODatasetExporter.separator }
      let sample = samples[index]
      COCODatasetExporter.append(
        COCODatasetImage(
          id: imageIDs[index], fileName: sample.location ?? sample.key, size: sample.size,
          fields: fields[place]), to: &bytes)
    }
    return bytes
  }

  /// Reads the ids of all annotations, so that annotations without one get unique numbers.
  mutating func number(_ catalog: Catalog, workers: Int) throws {
    place = Array(repeating: (0, 0), count: samples.count)
    let labels = samples.count { $0.category != nil }
    if labels > 0 { leftOut[.label] = labels }
    for (number, part) in parts.enumerated() {
      var start = 0
      var before = [0]
      var largest: Int64 = 0
      let (samples, indices) = (samples, part.samples)
      for (position, index) in indices.enumerated() {
        place[index] = (number, position / Self.chunk)
      }
      try OrderedWorkers(workers: workers).run(
        next: { () -> Range<Int>? in
          guard start < indices.count else { return nil }
          defer { start += Self.chunk }
          return start..<min(start + Self.chunk, indices.count)
        },
        transform: { _, range -> Numbers in
          var found = Numbers()
          let ids = indices[range].map { samples[$0].id }
          try catalog.forEachAnnotations(of: ids, geometry: false, regionsOnly: false) {
            _, annotations in
            for annotation in annotations where !annotation.shape.isRegion {
              found.leftOut[annotation.shape, default: 0] += 1
            }
            for annotation in annotations where annotation.shape.isRegion {
              found.count += 1
              found.leftOutAttributes +=
                COCODatasetInstance.writable(annotation.attributes).leftOut
              switch annotation.sourceID {
              case .integer(let id): found.largest = max(found.largest, id)
              case .text: break
              case nil: found.nameless += 1
              }
            }
          }
          return found
        },
        deliver: { found in
          annotations += found.count
          leftOutAttributes += found.leftOutAttributes
          leftOut.merge(found.leftOut, uniquingKeysWith: +)
          before.append((before.last ?? 0) + found.nameless)
          largest = max(largest, found.largest)
        })
      // If the largest id is near the end of the range, there is no room after it.
      let nameless = Int64(before.last ?? 0)
      freshFrom.append(largest < .max - nameless ? largest + 1 : 1)
      freshBefore.append(before)
    }
  }

  /// The annotations of a chunk of a part as JSON, with separators.
  ///
  /// - Throws: `StoreError`, `MaskError`.
  func annotations(of indices: [Int], _ catalog: Catalog) throws -> [UInt8] {
    guard let first = indices.first else { return [] }
    let (part, chunk) = place[first]
    var fresh = freshFrom[part] + Int64(freshBefore[part][chunk])
    var bytes: [UInt8] = []
    try catalog.forEachAnnotations(of: indices.map { samples[$0].id }) { index, annotations in
      let sample = indices[index]
      for annotation in annotations {
        if !bytes.isEmpty { bytes += COCODatasetExporter.separator }
        var id = annotation.sourceID
        if id == nil {
          id = .integer(fresh)
          fresh += 1
        }
        try COCODatasetExporter.append(
          COCODatasetInstance(
            id: id ?? .integer(0), image: imageIDs[sample],
            category: categoryIDs[annotation.category], isCrowd: annotation.isCrowd,
            area: annotation.area, box: annotation.box, shape: annotation.shape,
            geometry: annotation.geometry, size: samples[sample].size,
            attributes: COCODatasetInstance.writable(annotation.attributes).attributes), to: &bytes)
      }
    }
    return bytes
  }
}

/// Assigns ids to items of which some have no id or a duplicate one.
private struct IDAllocator {
  var ids: [SourceID] = []
  var renumbered = 0

  init(_ given: [SourceID?]) {
    var used: Set<SourceID> = []
    var next: Int64 = 1
    let taken = Set(given)
    ids = given.map { id in
      if let id, used.insert(id).inserted { return id }
      while taken.contains(.integer(next)) || used.contains(.integer(next)) { next += 1 }
      used.insert(.integer(next))
      renumbered += 1
      return .integer(next)
    }
  }
}
