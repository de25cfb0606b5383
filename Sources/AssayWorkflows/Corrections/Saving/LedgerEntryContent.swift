import AssayCore
import AssayStore

/// The content of a new entry, without the members common to all entries.
struct LedgerEntryContent {
  var target: CorrectionTarget
  var kind: CorrectionKind
  var members: [JSONValue.Member] = []
  /// The uuids of conflicts that the change itself resolves.
  var resolves: [String] = []

  /// The image's size as stored in payloads.
  static func size(_ size: ImageSize) -> JSONValue.Member {
    .init("size", .array([JSONValue(size.height), JSONValue(size.width)]))
  }

  /// A mask as a COCO RLE string.
  static func counts(_ mask: Mask) -> JSONValue {
    .string(String(decoding: mask.compressed, as: UTF8.self))
  }

  /// A change of pixels: the added and removed pixels, the area after the change, and whether the
  /// mask is now empty.
  static func delta(from before: Mask, to after: Mask) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    let added = after.subtracting(before)
    let removed = before.subtracting(after)
    if !added.isEmpty { members.append(.init("added", counts(added))) }
    if !removed.isEmpty { members.append(.init("removed", counts(removed))) }
    members.append(.init("area", JSONValue(after.area)))
    if after.isEmpty { members.append(.init("empty", .bool(true))) }
    return members
  }
}

/// Builds entries from changes, based on one state of a sample.
struct LedgerEntryBuilder {
  let service: CorrectionService
  var sample: SampleState
  /// The entry that the change is based on; `nil` for the import.
  let seen: Int64?

  private var key: String { sample.identity.key }

  /// - Throws: ``CorrectionError``; the errors of reading a run.
  mutating func entry(_ change: CorrectionSave.Change, of save: CorrectionSave) throws
    -> LedgerEntryContent
  {
    switch change {
    case .label(let name):
      try check(category: name)
      try checkTakesLabels()
      return LedgerEntryContent(target: .label, kind: .label, members: label(name))
    case .addLabel(let name), .removeLabel(let name):
      try check(category: name)
      guard let before = sample.replay.imported.labels else {
        throw CorrectionError.oneLabel(dataset: sample.dataset.name)
      }
      var members: [JSONValue.Member] = [.init("category", .string(name))]
      if seen == nil {
        members.append(.init("before", .array(before.sorted().map { .string($0) })))
      }
      var kind = CorrectionKind.remove
      if case .addLabel = change { kind = .add }
      return LedgerEntryContent(target: .label, kind: kind, members: members)
    case .region(let category, let after, let isEmptied, let parts):
      try check(category: category)
      try checkTakesRegions()
      let before = try region(of: category)
      try check(after, isEmptied, of: before.size, category: category)
      let region = parts.region(after, beside: try instances(of: category))
      return LedgerEntryContent(
        target: target(of: category), kind: .mask,
        members: mask(from: before, to: region, category: category))
    case .object(let target, let after, let isEmptied):
      let object = try object(target)
      guard let before = sample.replay.pixels(of: target, after: seen) else {
        throw CorrectionError.noSize(key: key)
      }
      try check(after, isEmptied, of: before.size, category: object.category)
      return LedgerEntryContent(
        target: target, kind: .mask,
        members: mask(
          from: before, to: RegionParts.Region(mask: after), category: object.category))
    case .add(let category, let mask, let fields):
      try check(category: category)
      try checkTakesRegions()
      let size = try size()
      guard mask.size == size else {
        throw CorrectionError.wrongSize(found: mask.size, image: size)
      }
      guard !mask.isEmpty else { throw CorrectionError.emptyObject }
      return LedgerEntryContent(
        target: .sample, kind: .add,
        members: [
          .init("category", .string(category)), LedgerEntryContent.size(size),
          .init("mask", LedgerEntryContent.counts(mask)), .init("area", JSONValue(mask.area)),
        ] + (try attributes(fields)))
    case .draw(let category, let outline, let fields):
      try check(category: category)
      try checkTakesRegions()
      let size = try size()
      try check(outline, in: size)
      return LedgerEntryContent(
        target: .sample, kind: .add,
        members: [
          .init("category", .string(category)), LedgerEntryContent.size(size), outline.member,
        ] + (try attributes(fields)))
    case .outline(let target, let outline):
      let object = try object(target)
      let size = try size()
      try check(outline, in: size)
      try check(outline, replaces: object)
      var members: [JSONValue.Member] = [
        .init("category", .string(object.category)), LedgerEntryContent.size(size), outline.member,
      ]
      if seen == nil, let box = object.box { members.append(.init("before", box.json)) }
      return LedgerEntryContent(target: target, kind: .outline, members: members)
    case .attributes(let target, let fields):
      let object = try object(target)
      try ObjectFields.check(fields, of: object)
      let set = ObjectFields.completed(fields, of: object)
      return LedgerEntryContent(
        target: target, kind: .attributes,
        members: [
          .init("category", .string(object.category)), .init("attributes", .object(set)),
        ])
    case .remove(let target):
      let object = try object(target)
      return LedgerEntryContent(
        target: target, kind: .remove, members: [.init("category", .string(object.category))])
    case .category(let target, let name):
      try check(category: name)
      let object = try object(target)
      var members: [JSONValue.Member] = [.init("category", .string(name))]
      if seen == nil { members.append(.init("before", .string(object.category))) }
      return LedgerEntryContent(target: target, kind: .label, members: members)
    case .accept: return LedgerEntryContent(target: .sample, kind: .accept)
    case .take(let run, let category, let score, let share, let dropsMasks):
      var entry = try take(
        run, category: category, score: score, share: share ?? usualShare,
        dropsMasks: dropsMasks)
      if let share { entry.members.append(.init("smallestShare", .number(share))) }
      return entry
    case .reject(let reason):
      guard !reason.allSatisfy(\.isWhitespace) else { throw CorrectionError.noReason }
      return LedgerEntryContent(
        target: .sample, kind: .reject, members: [.init("reason", .string(reason))])
    case .unsure: return LedgerEntryContent(target: .sample, kind: .unsure)
    case .bad(let reason):
      return LedgerEntryContent(
        target: .sample, kind: .bad,
        members: reason.map { [.init("reason", .string($0))] } ?? [])
    case .skip: return LedgerEntryContent(target: .sample, kind: .skip)
    case .note:
      guard let note = save.note, !note.allSatisfy(\.isWhitespace) else {
        throw CorrectionError.noNote
      }
      return LedgerEntryContent(target: .sample, kind: .note)
    case .undo(let uuid):
      return LedgerEntryContent(
        target: .sample, kind: .undo, members: [.init("entry", .string(try undone(uuid)))])
    case .redo(let uuid):
      return LedgerEntryContent(
        target: .sample, kind: .redo, members: [.init("entry", .string(try redone(uuid)))])
    case .keep(let conflict, let choice): return try keep(conflict, choice)
    case .agree(let agreed): return try agree(agreed)
    }
  }

  // MARK: Members

  /// The member with the fields of a new object; none if it has none.
  private func attributes(_ fields: [JSONValue.Member]) throws -> [JSONValue.Member] {
    guard !fields.isEmpty else { return [] }
    try ObjectFields.check(fields, of: nil)
    return [.init("attributes", .object(fields))]
  }

  private func label(_ name: String) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = [.init("category", .string(name))]
    if seen == nil { members.append(.init("before", JSONValue(sample.replay.imported.label))) }
    return members
  }

  func mask(
    from before: Mask, to region: RegionParts.Region, category: String
  ) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = [
      .init("category", .string(category)), LedgerEntryContent.size(before.size),
    ]
    members += LedgerEntryContent.delta(from: before, to: region.mask)
    if region.instanceArea > 0 {
      members.append(.init("instanceArea", JSONValue(region.instanceArea)))
    }
    if region.droppedParts > 0 {
      members.append(.init("droppedParts", JSONValue(region.droppedParts)))
      members.append(.init("droppedArea", JSONValue(region.droppedArea)))
    }
    if seen == nil, !before.isEmpty {
      members.append(.init("before", LedgerEntryContent.counts(before)))
    }
    return members
  }

  func target(of category: String) -> CorrectionTarget {
    .region(set: sample.replay.imported.set, category: category)
  }

  /// The members of an entry that uses a predicted label.
  func takenLabel(_ name: String) throws -> [JSONValue.Member] {
    try check(category: name)
    return label(name)
  }

  // MARK: The base state

  mutating func region(of category: String) throws -> Mask {
    let size = try size()
    guard let region = sample.replay.region(of: category, after: seen) else {
      return Mask(emptyOf: size)
    }
    return region
  }

  /// The pixels of a class's instances, without crowds.
  mutating func instances(of category: String) throws -> Mask {
    let size = try size()
    let objects = try objects().filter { $0.category == category && !$0.isCrowd }
    return Mask.union(
      of: objects.compactMap { sample.replay.pixels(of: $0.target, after: seen) }, size: size)
  }

  /// The objects in the base state.
  mutating func objects() throws -> [AnnotatedObject] {
    sample.replay.content(after: seen)?.objects ?? []
  }

  func size() throws -> ImageSize {
    guard let size = sample.replay.imported.size else { throw CorrectionError.noSize(key: key) }
    return size
  }

  private mutating func object(_ target: CorrectionTarget) throws -> AnnotatedObject {
    guard let content = sample.replay.content(after: seen),
      let object = content.objects.first(where: { $0.target == target })
    else { throw CorrectionError.unknownObject(target, key: key) }
    return object
  }

  // MARK: Validation

  func check(category: String) throws {
    guard !sample.classes.contains(category) else { return }
    throw CorrectionError.unknownCategory(
      category, dataset: sample.dataset.name,
      suggestion: NearMiss.suggestion(for: category, among: sample.classes),
      known: sample.classes)
  }

  /// Checks that the dataset accepts a label. A dataset has labels or regions; one that has neither
  /// yet accepts either.
  private func checkTakesLabels() throws {
    if sample.dataset.isMultiLabel {
      throw CorrectionError.setOfLabels(dataset: sample.dataset.name)
    }
    if sample.dataset.regions > 0, sample.replay.imported.label == nil {
      throw CorrectionError.noLabels(dataset: sample.dataset.name)
    }
  }

  private func checkTakesRegions() throws {
    let dataset = sample.dataset
    guard !dataset.format.hasRegions, !dataset.holdsRegions,
      try dataset.isMultiLabel || service.catalog.hasLabels(in: dataset)
    else { return }
    throw CorrectionError.noRegions(dataset: dataset.name)
  }

  private func check(_ outline: ObjectOutline, in size: ImageSize) throws {
    guard outline.isVisible(in: size) else {
      throw CorrectionError.outlineOutside(outline.shape, image: size)
    }
  }

  /// A box stays a box; a region that is drawn stays a region, which has a box of its own.
  private func check(_ outline: ObjectOutline, replaces object: AnnotatedObject) throws {
    switch (outline, object.shape) {
    case (.box, .box), (.polygons, .polygon), (.polygons, .mask): return
    case (.box, _), (.polygons, _):
      throw CorrectionError.otherShape(outline.shape, object: object.shape, key: key)
    }
  }

  private func check(
    _ mask: Mask, _ isEmptied: Bool, of size: ImageSize, category: String
  ) throws {
    guard mask.size == size else {
      throw CorrectionError.wrongSize(found: mask.size, image: size)
    }
    guard !mask.isEmpty || isEmptied else {
      throw CorrectionError.emptyUnsaid(category: category)
    }
  }
}
