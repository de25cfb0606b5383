import AssayCore

extension EffectiveTruth {
  /// The members of a sample's state, as read by the page.
  var members: [JSONValue.Member] {
    [
      .init("head", head.map { .integer($0) } ?? .null),
      .init("status", .string(status.rawValue)), .init("label", JSONValue(label)),
      .init("labels", labels?.json ?? .null),
      .init("note", JSONValue(note)), .init("left_out", JSONValue(leftOut)),
      .init("label_map", .bool(isLabelMap)),
      .init("objects", .array(objects.map { $0.json(in: size) })),
      .init("history", .array(history.map(\.json))),
      .init("conflicts", .array(conflicts.compactMap { $0.json(in: size) })),
    ]
  }
}

extension AnnotatedObject {
  /// - Parameter size: the size of the image; without it, or if the geometry is damaged,
  ///   there are no counts.
  func json(in size: ImageSize?) -> JSONValue {
    var mask: Mask?
    if let size, geometry != nil { mask = try? self.mask(in: size) }
    return [
      "target": .string(target.text), "category": .string(category), "crowd": .bool(isCrowd),
      "shape": .string(shape.rawValue), "box": (box ?? mask?.boundingBox)?.json ?? .null,
      "counts": JSONValue(mask.map { String(decoding: $0.compressed, as: UTF8.self) }),
      "polygons": size.flatMap(editablePolygons)?.json ?? .null,
      "attributes": attributes.flatMap { try? JSONValue(parsing: $0) } ?? .null,
      "changed": .bool(isChanged), "source_id": sourceID.json,
    ]
  }
}

extension AnnotatedObject {
  /// Its polygons if a correction can replace them; `nil` for another shape, damaged geometry, and polygons of a source
  /// that no correction can have (with fewer than three points).
  func editablePolygons(in size: ImageSize) -> ObjectOutline? {
    guard shape == .polygon, let geometry,
      case .polygons(let polygons)? = try? Geometry(shape: shape, packed: geometry, size: size)
    else { return nil }
    return ObjectOutline(polygons: polygons)
  }
}

extension ObjectOutline {
  var json: JSONValue { member.value }
}

extension HistoryItem {
  fileprivate var json: JSONValue {
    [
      "sequence": .integer(entry.sequence), "uuid": .string(entry.uuid),
      "kind": .string(entry.kind), "target": .string(entry.target),
      "category": JSONValue(remarks.category), "author": .string(remarks.author),
      "time": JSONValue(remarks.time), "visit": .string(entry.visit),
      "note": JSONValue(remarks.note),
      "active": .bool(isActive), "conflict": .bool(isConflict),
      "included": .bool(isIncluded),
    ]
  }
}

extension ConflictBranch {
  fileprivate func json(in size: ImageSize?) -> JSONValue? {
    guard let first = entries.first else { return nil }
    let remarks = first.remarks
    return [
      "uuid": .string(first.uuid), "sequence": .integer(first.sequence),
      "entries": JSONValue(entries.count), "author": .string(remarks.author),
      "time": JSONValue(remarks.time), "label": JSONValue(label),
      "labels": labels?.json ?? .null,
      "left_out": JSONValue(leftOut), "objects": .array(objects.map { $0.json(in: size) }),
      "obstacle": JSONValue(obstacle?.text),
    ]
  }
}

extension Set<String> {
  /// The names in alphabetical order.
  fileprivate var json: JSONValue { .array(sorted().map { .string($0) }) }
}

extension SourceID? {
  fileprivate var json: JSONValue {
    switch self {
    case .integer(let id): .integer(id)
    case .text(let id): .string(id)
    case nil: .null
    }
  }
}
