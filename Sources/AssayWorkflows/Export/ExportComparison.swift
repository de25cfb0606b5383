import AssayCore
import AssayFormats
import AssayStore

/// Compares images that were read back with what was to be written.
struct ExportComparison: Sendable {
  let plan: ExportPlan
  /// The classes that were read.
  let names: [String]
  /// True if sets of labels were read.
  let isMultiLabel: Bool

  /// - Parameters:
  ///   - samples: images that were read.
  ///   - known: for each of them, its index in the plan; `nil` if the plan does not have it.
  ///   - images: the images of the plan, for those that it has.
  func compare(
    _ samples: [SampleRecord], _ known: [Int?], _ images: [ExportImage], _ result: Catalog
  ) throws -> (found: ExportVerification, seen: [Int], hashes: [CanonicalImage.Digest]) {
    var found = ExportVerification()
    var hashes: [CanonicalImage.Digest] = []
    var place = 0
    var objects = [[ExportObject]](repeating: [], count: samples.count)
    try result.forEachAnnotations(of: samples.map(\.id), regionsOnly: false) { index, annotations in
      objects[index] = try annotations.compactMap {
        try ExportObject($0, category: $0.category, size: samples[index].size)
      }
    }
    var fields = [[JSONValue.Member]](repeating: [], count: samples.count)
    try result.forEachFields(of: samples.map(\.id)) { fields[$0] = $1 }
    for (index, sample) in samples.enumerated() {
      let path = sample.location ?? sample.key
      var read = ExportImage(number: index, path: path, split: 0, size: sample.size)
      read.labels = isMultiLabel ? sample.categories : sample.category.map { [$0] } ?? []
      read.objects = objects[index]
      // Readers of formats without further fields may add their own.
      if plan.exporter.capabilities.imageFields { read.fields = fields[index] }
      read.settleTags()
      found.read.add(read)
      var losses = ExportLosses()
      if known[index] == nil {
        found.note(.extraImages, "image \(path) is not one of the export")
      } else {
        if let expected = plan.fitting.fit(images[place], &losses) {
          compare(sample, &read, expected, &found)
        }
        place += 1
      }
      hashes.append(
        CanonicalImage.hash(
          read, name: String(read.name), split: sample.split, classes: names))
    }
    return (found, known.compactMap { $0 }, hashes)
  }

  private func compare(
    _ sample: SampleRecord, _ read: inout ExportImage, _ expected: ExportImage,
    _ found: inout ExportVerification
  ) {
    let can = plan.exporter.capabilities
    func text(_ what: String) -> String { "image \(expected.path): \(what)" }
    let split = plan.dataset.splits[expected.split].name
    if sample.split != split {
      found.note(
        .splits, text("its split is \(sample.split ?? "none"), expected \(split ?? "none")"))
    }
    if expected.hasFile, let size = expected.size, read.size != size {
      found.note(.sizes, text("its size differs"))
    }
    if can.imageIDs, let id = expected.sourceID, sample.sourceID != id {
      found.note(.imageIDs, text("its id differs"))
    }
    if JSONValue.object(read.fields).membersSorted
      != JSONValue.object(expected.fields).membersSorted
    {
      found.note(.imageFields, text("its further fields differ"))
    }
    let labels = expected.labels.map { plan.dataset.classes[$0].name }.sorted()
    let readLabels = read.labels.map { names[$0] }.sorted()
    if labels != readLabels {
      found.note(.labels, text("its labels are \(readLabels), expected \(labels)"))
    }
    compareObjects(&read, expected, &found)
  }

  /// Pairs objects, first in their order, then the equal ones, then those of one class.
  ///
  /// Objects that are the same get the expected attributes: formats add their own, such as `occluded`,
  /// and say numbers as texts.
  private func compareObjects(
    _ read: inout ExportImage, _ expected: ExportImage, _ found: inout ExportVerification
  ) {
    var open = Array(expected.objects.indices)
    var others = Array(read.objects.indices)
    open.removeAll { index in
      guard read.objects.indices.contains(index) else { return false }
      return differences(expected.objects[index], read.objects[index]).isEmpty
    }
    let same = Set(expected.objects.indices).subtracting(open)
    others.removeAll { same.contains($0) }
    for index in same { read.objects[index].attributes = expected.objects[index].attributes }
    // Readers may have another order; of very many objects only the order is compared.
    if open.count * others.count < 1_000_000 {
      open.removeAll { index in
        let place = others.firstIndex {
          differences(expected.objects[index], read.objects[$0]).isEmpty
        }
        guard let place else { return false }
        read.objects[others.remove(at: place)].attributes = expected.objects[index].attributes
        return true
      }
    }
    for index in open {
      let object = expected.objects[index]
      let name = plan.dataset.classes[object.category].name
      let what = "image \(expected.path), annotation \(index + 1) (\(name))"
      guard let place = others.firstIndex(where: { names[read.objects[$0].category] == name })
      else {
        found.note(.objects, "\(what): it was not read back")
        continue
      }
      let other = read.objects[others.remove(at: place)]
      for difference in differences(object, other) {
        found.note(difference, "\(what): its \(difference.rawValue) differ")
      }
    }
    for index in others {
      let name = names[read.objects[index].category]
      found.note(.extraObjects, "image \(expected.path): an annotation too much (\(name))")
    }
  }

  // MARK: Objects

  private func differences(_ a: ExportObject, _ b: ExportObject) -> [ExportDifference] {
    let can = plan.exporter.capabilities
    var found: [ExportDifference] = []
    if plan.dataset.classes[a.category].name != names[b.category] { found.append(.classes) }
    switch (a.shape, b.shape) {
    case (.tag, .tag): break
    case (.box, .box): if !isNear(a.box, b.box) { found.append(.coordinates) }
    case (.polygons(let a), .polygons(let b)), (.lines(let a), .lines(let b)):
      let isSame =
        a.count == b.count && zip(a, b).allSatisfy { isNear($0, $1) }
      if !isSame { found.append(.coordinates) }
    case (.points(let a), .points(let b)): if !isNear(a, b) { found.append(.coordinates) }
    case (.mask(let a), .mask(let b)): if a != b { found.append(.pixels) }
    default: found.append(.shapes)
    }
    if can.statedBoxes, a.shape != .box, a.shape != .tag, !isNear(a.box, b.box) {
      found.append(.coordinates)
    }
    if a.isCrowd != b.isCrowd { found.append(.crowds) }
    if can.areas, let area = a.area, b.area != area { found.append(.areas) }
    if can.objectIDs, let id = a.sourceID, b.sourceID != id { found.append(.objectIDs) }
    if !isSame(a.attributes, b.attributes) { found.append(.attributes) }
    return found
  }

  private func isNear(_ a: Box, _ b: Box) -> Bool {
    isNear([a.x, a.y, a.width, a.height], [b.x, b.y, b.width, b.height])
  }

  private func isNear(_ a: [Double], _ b: [Double]) -> Bool {
    let tolerance = plan.exporter.capabilities.tolerance
    return a.count == b.count && zip(a, b).allSatisfy { abs($0 - $1) <= tolerance }
  }

  /// Returns whether the attributes were read. Formats with typed or fixed attributes may add their
  /// defaults, and say numbers as texts.
  private func isSame(_ a: [JSONValue.Member], _ b: [JSONValue.Member]) -> Bool {
    if case .any = plan.exporter.capabilities.attributes {
      return JSONValue.object(a).membersSorted == JSONValue.object(b).membersSorted
    }
    return a.allSatisfy { attribute in
      guard let other = b.first(where: { $0.name == attribute.name })?.value else { return false }
      if attribute.value.membersSorted == other.membersSorted { return true }
      if let list = attribute.value.elements?.compactMap(\.double),
        let read = other.elements?.compactMap(\.double)
      {
        return isNear(list, read)
      }
      return Self.text(attribute.value) == Self.text(other)
    }
  }

  private static func text(_ value: JSONValue) -> String {
    switch value {
    case .bool(let value): value ? "1" : "0"
    case .string("true"): "1"
    case .string("false"): "0"
    case .number(let number) where number.rounded() == number && abs(number) < 1e15:
      "\(Int64(number))"
    default: value.text ?? value.text()
    }
  }
}
