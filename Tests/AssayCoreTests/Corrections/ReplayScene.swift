import AssayCore

/// One sample and its correction entries, numbered like in a ledger.
struct ReplayScene {
  static let hash = String(repeating: "a", count: 64)

  let imported: ImportedTruth
  /// Receives every entry as it is made; the state after a part of them is replayed from the start.
  private var replay: CorrectionReplay
  private(set) var entries: [LedgerEntry] = []
  /// The sample that the next entries refer to.
  var place = SampleIdentity(dataset: "d", key: "k", contentHash: ReplayScene.hash)
  /// The author and the visit of the next entries.
  var author = "anna"
  var visit = "v1"

  init(_ imported: ImportedTruth) {
    self.imported = imported
    replay = CorrectionReplay(imported, contentHash: Self.hash)
  }

  /// A uuid that shows its number.
  static func uuid(_ number: Int) -> String {
    let digits = String(number)
    return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
  }

  /// The ground truth after all entries, or after some.
  func truth(upTo sequence: Int64? = nil) -> EffectiveTruth {
    guard let sequence else {
      var replay = replay
      return replay.truth()
    }
    return CorrectionReplay.replay(imported, entries, contentHash: Self.hash, upTo: sequence)
  }

  /// Adds an entry.
  ///
  /// - Parameter parent: `nil` for the main branch's last, `.some(nil)` for none.
  /// - Returns: its sequence number.
  @discardableResult
  mutating func add(
    _ kind: String, _ target: CorrectionTarget = .sample, _ members: [JSONValue.Member] = [],
    parent: Int64?? = nil, done: Bool = false, resolves: [Int64] = [], seconds: Double? = nil,
    format: Int64 = 1
  ) -> Int64 {
    var payload = members + [.init("author", .string(author))]
    if done { payload.append(.init("done", .bool(true))) }
    if let seconds { payload.append(.init("seconds", .number(seconds))) }
    if !resolves.isEmpty {
      payload.append(.init("resolves", .array(resolves.map { .string(Self.uuid(Int($0))) })))
    }
    return add(
      raw: JSONValue.object(payload).canonicalText, kind, target.text, parent: parent,
      format: format)
  }

  /// Adds an entry with any payload and target.
  @discardableResult
  mutating func add(
    raw payload: String, _ kind: String, _ target: String, parent: Int64?? = nil,
    format: Int64 = 1
  ) -> Int64 {
    let sequence = Int64(entries.count + 1)
    entries.append(
      LedgerEntry(
        sequence: sequence, uuid: Self.uuid(entries.count + 1), format: format, sample: place,
        target: target, kind: kind, visit: visit, parent: parent ?? replay.head,
        payload: payload, previousHash: [], hash: []))
    replay.append(entries[entries.count - 1])
    return sequence
  }

  /// Adds the change that sets a class's region, as an editor would.
  @discardableResult
  mutating func draw(
    _ category: String, _ after: Mask, parent: Int64?? = nil, kind: String = "mask",
    done: Bool = false
  ) -> Int64 {
    let before = replay.region(of: category, after: parent ?? replay.head)
    return add(
      kind, .region(set: "labels", category: category),
      Self.delta(before ?? Mask(emptyOf: after.size), after), parent: parent, done: done)
  }

  mutating func undo(_ sequence: Int64, parent: Int64?? = nil) {
    add("undo", .sample, [.init("entry", .string(Self.uuid(Int(sequence))))], parent: parent)
  }

  mutating func redo(_ sequence: Int64) {
    add("redo", .sample, [.init("entry", .string(Self.uuid(Int(sequence))))])
  }

  mutating func label(_ name: String, parent: Int64?? = nil, done: Bool = false) -> Int64 {
    add("label", .label, [.init("category", .string(name))], parent: parent, done: done)
  }

  static func delta(_ before: Mask, _ after: Mask) -> [JSONValue.Member] {
    [size(after.size)]
      + [("added", after.subtracting(before)), ("removed", before.subtracting(after))]
      .filter { !$0.1.isEmpty }.map { .init($0.0, counts($0.1)) }
  }

  static func size(_ size: ImageSize) -> JSONValue.Member {
    .init("size", [JSONValue(size.height), JSONValue(size.width)])
  }

  static func counts(_ mask: Mask) -> JSONValue {
    .string(String(decoding: mask.compressed, as: UTF8.self))
  }

  static func made(_ sequence: Int64, _ occurrence: Int = 0) -> CorrectionTarget {
    .made(entry: uuid(Int(sequence)), occurrence: occurrence)
  }
}

extension Mask {
  /// A mask drawn in rows: `#` is set.
  init(rows: String...) {
    let size = ImageSize(width: rows[0].count, height: rows.count)
    let pixels = rows.flatMap { row in row.map { $0 == "#" ? UInt8(1) : 0 } }
    self =
      Raster(width: size.width, height: size.height, elements: pixels).map { Mask($0) }
      ?? Mask(emptyOf: size)
  }
}

extension AnnotatedObject {
  /// An imported instance.
  init(_ id: Int64, _ category: String, _ mask: Mask, isCrowd: Bool = false) {
    self.init(
      target: .annotation(set: "labels", sourceID: .integer(id), occurrence: 0),
      category: category, mask: mask, isCrowd: isCrowd, sourceID: .integer(id))
  }
}

extension EffectiveTruth {
  /// The pixels of an object.
  func mask(_ target: CorrectionTarget) -> Mask? {
    guard let size else { return nil }
    return objects.first { $0.target == target }.flatMap { try? $0.mask(in: size) }
  }

  /// Label, objects by target and exclusion: the parts on which replays must agree.
  var content: [String] {
    [label ?? "-", leftOut ?? "-"]
      + objects.map { "\($0.target.text) \($0.category) \($0.geometry ?? []) \($0.isChanged)" }
      .sorted()
  }
}
