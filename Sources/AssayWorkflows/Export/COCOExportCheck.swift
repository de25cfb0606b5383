import AssayCore
import AssayFormats
package import AssayStore

/// Reads a COCO export back and compares it with the catalog: every image, and every annotation
/// with its class, ids, crowd flag, area, box, further fields, and pixels.
package struct COCOExportCheck {
  private let catalog: Catalog
  private let summary: COCOExportSummary
  private let plan: COCOExportPlan
  private var places: [String: Int] = [:]
  private var verification = COCOVerification()
  /// The indices of the import's samples in the plan; `nil` for a sample that is not in the plan.
  private var samples: [Int?] = []
  private var isSeen: [Bool]
  private var categories: [Category] = []
  private var groups: [Group] = []

  /// The annotations of one image, as read.
  private struct Group {
    var sample: Int
    var annotations: [(annotation: ImportedAnnotation, geometry: [UInt8]?)]
  }

  package init(of summary: COCOExportSummary, catalog: Catalog) {
    self.catalog = catalog
    self.summary = summary
    plan = summary.plan
    isSeen = Array(repeating: false, count: plan.samples.count)
    for (place, sample) in plan.samples.enumerated() { places[Self.key(sample)] = place }
  }

  /// - Throws: ``SourceError``, `FormatError`, `StoreError`, ``Interrupted``.
  package mutating func run(progress: any ProgressSink = NoProgress()) throws -> COCOVerification {
    let tree = try DirectoryTree(summary.folder)
    let images = ListedImages(
      name: "images", paths: plan.samples.map { $0.location ?? $0.key })
    _ = try Importers.importer(for: .coco).run(tree, ImportOptions(images: images)) { batch in
      try Interruption.check("what was written stays, not verified")
      try take(batch)
      progress.report(batch.progress, "reading \(summary.view) back")
    }
    try compareGroups()
    for (place, isSeen) in isSeen.enumerated() where !isSeen {
      verification.note("image \(plan.samples[place].key) is not in the file")
    }
    if verification.annotations != plan.annotations {
      verification.note(
        "\(Counted.text(verification.annotations, "annotation", "annotations")) read, expected \(plan.annotations)"
      )
    }
    return verification
  }

  private static func key(_ sample: SampleRecord) -> String { sample.location ?? sample.key }

  private mutating func take(_ batch: ImportedBatch) throws {
    categories += batch.newCategories
    for sample in batch.samples { take(sample) }
    try compareFields(batch.samples)
    for annotation in batch.annotations {
      guard samples.indices.contains(annotation.sample), let sample = samples[annotation.sample]
      else { continue }
      let entry = (annotation, annotation.geometry.map { Array(batch.geometry[$0]) })
      if groups.last?.sample != sample {
        if groups.count >= 256 { try compareGroups() }
        groups.append(Group(sample: sample, annotations: []))
      }
      groups[groups.count - 1].annotations.append(entry)
    }
  }

  private mutating func take(_ sample: ImportedSample) {
    verification.images += 1
    let place = places[sample.location ?? sample.key]
    samples.append(place)
    guard let place else {
      return verification.note("image \(sample.key) is in the file but not in the view")
    }
    isSeen[place] = true
    let truth = plan.samples[place]
    if sample.sourceID != plan.imageIDs[place] {
      verification.note("image \(truth.key): its id is \(Self.text(sample.sourceID))")
    }
    if sample.size != truth.size { verification.note("image \(truth.key): its size differs") }
    if sample.split != truth.split {
      verification.note("image \(truth.key): its split is \(sample.split ?? "none")")
    }
  }

  private mutating func compareFields(_ read: [ImportedSample]) throws {
    let places = samples.suffix(read.count)
    let known = zip(read, places).compactMap { sample, place in place.map { (sample, $0) } }
    let expected = try plan.fields(of: known.map(\.1), catalog)
    for ((sample, place), fields) in zip(known, expected) {
      let text = fields.isEmpty ? nil : JSONValue.object(fields).text()
      if !Self.isSame(sample.attributes, text) {
        verification.note("image \(plan.samples[place].key): its further fields differ")
      }
    }
  }

  private static func text(_ id: SourceID?) -> String { id.map { "\($0)" } ?? "none" }

  private mutating func compareGroups() throws {
    let (groups, ids) = (self.groups, self.groups.map { plan.samples[$0.sample].id })
    self.groups.removeAll(keepingCapacity: true)
    var found = verification
    try catalog.forEachAnnotations(of: ids) { index, truth in
      compare(groups[index], truth, &found)
    }
    verification = found
  }

  /// Returns whether two JSON texts are the same but for the order of members.
  private static func isSame(_ a: String?, _ b: String?) -> Bool {
    guard a != b, let a, let b else { return a == b }
    guard let first = try? JSONValue(parsing: a), let second = try? JSONValue(parsing: b) else {
      return false
    }
    return first.membersSorted == second.membersSorted
  }

  private func compare(
    _ group: Group, _ truth: [AnnotationRecord], _ found: inout COCOVerification
  ) {
    let sample = plan.samples[group.sample]
    found.annotations += group.annotations.count
    if group.annotations.count != truth.count {
      found.note(
        "image \(sample.key): \(Counted.text(group.annotations.count, "annotation", "annotations")), expected \(truth.count)"
      )
    }
    for (entry, truth) in zip(group.annotations, truth) {
      let (read, geometry) = entry
      if read.isCrowd { found.crowds += 1 }
      var wrong: [String] = []
      if categories[read.category].name != plan.taxonomy.categories[truth.category].name {
        wrong.append("class")
      }
      if let id = truth.sourceID, read.sourceID != id { wrong.append("id") }
      if read.isCrowd != truth.isCrowd { wrong.append("crowd") }
      if truth.area != nil, read.area != truth.area { wrong.append("area") }
      if read.box != truth.box { wrong.append("box") }
      let written = COCODatasetInstance.writable(truth.attributes).attributes
      if !Self.isSame(read.attributes, written) { wrong.append("further fields") }
      if !Self.samePixels(read.shape, geometry, truth, sample.size) { wrong.append("pixels") }
      if !wrong.isEmpty {
        found.note(
          "image \(sample.key), annotation \(Self.text(truth.sourceID ?? read.sourceID)): "
            + wrong.joined(separator: ", "))
      }
    }
  }

  /// Returns whether two regions have the same kind and the same pixels; equal bytes mean equal
  /// pixels.
  private static func samePixels(
    _ shape: ShapeKind, _ geometry: [UInt8]?, _ truth: AnnotationRecord, _ size: ImageSize?
  ) -> Bool {
    if shape == truth.shape, geometry == truth.geometry { return true }
    guard shape == truth.shape, let size, let geometry,
      let read = try? Geometry(shape: shape, packed: geometry, size: size).mask(in: size),
      let stored = try? truth.region(in: size)
    else { return false }
    return read == stored
  }
}

/// A source tree with the names of images that cannot be read: the comparison does not need the
/// image files.
private struct ListedImages: SourceTree {
  var name: String
  var paths: [String]

  var isSingleFile: Bool { false }

  func files() throws -> [SourceFile] {
    paths.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map {
      SourceFile(path: $0, size: 0, modified: 0)
    }
  }

  func read(
    _ path: String, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws -> Int { throw SourceError.unreadable(path: path) }
}
