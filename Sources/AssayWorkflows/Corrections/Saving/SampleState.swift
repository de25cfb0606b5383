import AssayCore
import AssayImaging
import AssayStore
import Foundation

/// The state of a sample that the service caches between two saves.
struct SampleState: Sendable {
  let sample: SampleRecord
  let dataset: DatasetRecord
  /// The names of the dataset's classes.
  let classes: [String]
  let identity: SampleIdentity
  let signature: CheckedImage.Signature
  /// The other identities under which the catalog has found entries for this image.
  let places: [SampleIdentity]
  var replay: CorrectionReplay
  /// The approximate memory use of the state in bytes.
  private(set) var bytes: Int
  /// The last of the sample's own entries that was applied; 0 for none.
  private var taken: Int64 = 0

  /// True if entries of other identities were applied: adopted ones can be undone.
  private var hasAdopted = false

  /// Reads a sample from the catalog and the ledger.
  ///
  /// - Parameter known: the cached state; if the image file is unchanged, it is not hashed again.
  init(
    _ sample: SampleRecord, of dataset: DatasetRecord, in catalog: Catalog, _ ledger: Ledger,
    version: IndependentVersion? = nil, known: SampleState?
  ) throws {
    self.dataset = dataset
    guard let current = try catalog.samples(ids: [sample.id]).first,
      var imported = try catalog.importedTruths(of: [sample.id]).first
    else {
      throw CorrectionError.unknownSample(
        key: sample.key, dataset: dataset.name, suggestion: nil)
    }
    self.sample = current
    let image = CheckedImage(dataset: dataset, sample: current)
    signature = image.signature()
    let hash: String
    if let known, known.signature == signature, known.identity.key == current.key {
      hash = known.identity.contentHash
    } else {
      hash = try SampleContentHash(catalog: catalog, dataset: dataset).hash(of: current)
      try catalog.setContentHash(current.id, hash)
    }
    identity = SampleIdentity(dataset: dataset.name, key: current.key, contentHash: hash)
    classes = try catalog.taxonomy(of: dataset.id).names
    imported.size = imported.size ?? image.size()
    imported = imported.replaying(ledger: ledger.uuid)
    replay = CorrectionReplay(imported, contentHash: hash, version: version)
    bytes = Self.bytes(of: imported)
    places = try catalog.places(of: current.id)
    try readAll(ledger)
  }

  /// Applies the entries that were appended to the ledger since.
  mutating func catchUp(with ledger: Ledger) throws {
    let last = try ledger.lastSequence(dataset: identity.dataset, key: identity.key) ?? 0
    guard last > taken else { return }
    let entries = try ledger.entries(
      after: taken, upTo: last, dataset: identity.dataset, key: identity.key)
    if hasAdopted || entries.contains(where: { $0.kind == CorrectionKind.adopt.rawValue }) {
      return try readAll(ledger)
    }
    for entry in entries { take(entry) }
    taken = last
  }

  private mutating func readAll(_ ledger: Ledger) throws {
    let all = try SampleEntries(of: identity, movedFrom: places, in: ledger)
    replay = CorrectionReplay(
      replay.imported, contentHash: identity.contentHash,
      version: replay.version?.based(on: all.entries))
    bytes = Self.bytes(of: replay.imported)
    hasAdopted = !all.adopted.isEmpty
    for entry in all.entries { take(entry) }
    taken = all.entries.last { $0.sample.key == identity.key }?.sequence ?? 0
  }

  private mutating func take(_ entry: LedgerEntry) {
    replay.append(entry)
    bytes += Self.bytesOfEntry + Self.bytesOfPayloadByte * entry.payload.utf8.count
  }

  /// The memory that replay uses for an entry: its text, its mask runs, and the states before and
  /// after it.
  private static let bytesOfEntry = 2_048
  private static let bytesOfPayloadByte = 32

  private static func bytes(of imported: ImportedTruth) -> Int {
    imported.objects.reduce(8_192) { $0 + 512 + 8 * ($1.geometry?.count ?? 0) }
  }
}

extension CorrectionService {
  /// Runs a closure on the current state of a sample, with exclusive access.
  ///
  /// - Parameter version: one person's version of it; `nil` for the ground truth that counts.
  func working<Value: Sendable>(
    on sample: SampleRecord, as version: IndependentVersion? = nil,
    _ work: (inout SampleState) throws -> Value
  ) throws(CorrectionError) -> Value {
    let key = SampleStateKey(sample: sample.id, version: version)
    let slot = samples.withLock { $0.slot(key) }
    let outcome: Result<Value, CorrectionError> = slot.state.withLock { state in
      do {
        var current = try self.current(sample, version, state)
        // A single reference, so that appending does not copy; applied entries are kept even if the
        // work fails.
        state = nil
        defer {
          let bytes = current.bytes
          state = current
          samples.withLock { $0.weigh(key, bytes: bytes) }
        }
        try current.catchUp(with: ledger)
        return .success(try work(&current))
      } catch {
        return .failure(CorrectionError(wrapping: error))
      }
    }
    return try outcome.get()
  }

  private func current(
    _ sample: SampleRecord, _ version: IndependentVersion?, _ state: SampleState?
  ) throws -> SampleState {
    guard let dataset = try catalog.dataset(ofSample: sample.id) else {
      throw CorrectionError.unknownSample(key: sample.key, dataset: "?", suggestion: nil)
    }
    guard let state, state.dataset == dataset,
      CheckedImage(dataset: dataset, sample: state.sample).signature() == state.signature
    else {
      return try SampleState(
        sample, of: dataset, in: catalog, ledger, version: version, known: state)
    }
    return state
  }
}

extension CorrectionError {
  init(wrapping error: any Error) {
    self =
      switch error {
      case let error as CorrectionError: error
      case let error as StoreError: .catalog(error)
      case let error as LedgerError: .ledger(error)
      case let error as SampleImageError: .picture(error)
      default: .other(error)
      }
  }
}

/// Detects a save that the ledger already has: the same uuid, sent again.
extension SampleState {
  /// Compares the meaning, not the encoding: the time differs, and a save without an explicit
  /// parent may have a different one now.
  ///
  /// - Parameter known: the sample's entry with that uuid.
  mutating func isRepeat(_ save: CorrectionSave, of known: LedgerEntry) -> Bool {
    let payload = (try? JSONValue(parsing: known.payload)) ?? .null
    let remarks = CorrectionMetadata(payload)
    guard known.visit == save.visit, remarks.author == save.author, remarks.note == save.note,
      remarks.isDone == save.done
    else { return false }
    return isSame(save.change, as: known, payload, CorrectionTarget(text: known.target))
  }

  private mutating func isSame(
    _ change: CorrectionSave.Change, as known: LedgerEntry, _ payload: JSONValue,
    _ target: CorrectionTarget?
  ) -> Bool {
    let category = payload["category"]?.text
    switch (change, CorrectionKind(rawValue: known.kind)) {
    case (.label(let name), .label): return target == .label && category == name
    case (.addLabel(let name), .add), (.removeLabel(let name), .remove):
      return target == .label && category == name
    case (.region(let name, let after, _, let parts), .mask):
      guard case .region(_, name)? = target else { return false }
      if case .from(let area) = parts, max(area, 0) != Self.count(payload["instanceArea"]) {
        return false
      }
      return isSame(after, as: known, payload) { replay, sequence in
        replay.region(of: name, after: sequence)
      }
    case (.object(let object, let after, _), .mask):
      guard target == object else { return false }
      return isSame(after, as: known, payload) { replay, sequence in
        replay.pixels(of: object, after: sequence)
      }
    case (.add(let name, let mask, let fields), .add):
      return category == name && payload["mask"] == LedgerEntryContent.counts(mask)
        && ObjectFields.isSame(fields, as: payload["attributes"])
    case (.draw(let name, let outline, let fields), .add):
      return category == name && (try? ObjectOutline(payload)) == outline
        && ObjectFields.isSame(fields, as: payload["attributes"])
    case (.outline(let object, let outline), .outline):
      return target == object && (try? ObjectOutline(payload)) == outline
    case (.attributes(let object, let fields), .attributes):
      return target == object && ObjectFields.isSame(fields, as: payload["attributes"])
    case (.remove(let object), .remove): return target == object
    case (.category(let object, let name), .label): return target == object && category == name
    case (.accept, .accept), (.unsure, .unsure), (.skip, .skip): return true
    case (.take(let run, let name, let score, let share, _), .take):
      let own = payload["run"]?.text
      guard own == run || own == run.split(separator: "@").first.map(String.init),
        share == payload["smallestShare"]?.double, score == nil || score == payload["score"]?.double
      else { return false }
      return name.map { Self.isTake(of: $0, payload) } ?? true
    case (.reject(let reason), .reject): return payload["reason"]?.text == reason
    case (.bad(let reason), .bad): return payload["reason"]?.text == reason
    case (.note, .note): return payload["keep"] == nil
    case (.undo(let entry), .undo), (.redo(let entry), .redo):
      return entry == nil || payload["entry"]?.text == entry
    case (.keep(let conflict, let choice), .take), (.keep(let conflict, let choice), .note),
      (.keep(let conflict, let choice), .merge):
      return payload["keep"]?.text == choice.rawValue
        && payload["resolves"]?.elements?.contains(.string(conflict)) == true
    case (.agree(let agreed), .take):
      return payload["consensus"] == LedgerEntryContent.consensus(agreed)
    default: return false
    }
  }

  /// Returns whether an entry took only one class, as far as the entry states the class.
  private static func isTake(of name: String, _ payload: JSONValue) -> Bool {
    if let category = (payload["class"] ?? payload["category"])?.text { return category == name }
    if let categories = payload["categories"] { return categories == [.string(name)] }
    return true
  }

  /// A member's integer value; 0 if it is missing.
  private static func count(_ member: JSONValue?) -> Int {
    if case .integer(let value)? = member { Int(value) } else { 0 }
  }

  /// Returns whether a mask equals the result of an entry, or makes the same change to the entry's
  /// base state.
  private mutating func isSame(
    _ after: Mask, as known: LedgerEntry, _ payload: JSONValue,
    _ pixels: (inout CorrectionReplay, Int64?) -> Mask?
  ) -> Bool {
    if pixels(&replay, known.sequence) == after { return true }
    let before = pixels(&replay, known.parent) ?? Mask(emptyOf: after.size)
    guard before.size == after.size else { return false }
    let delta = LedgerEntryContent.delta(from: before, to: after)
    return ["added", "removed", "area", "empty"].allSatisfy { name in
      delta.first { $0.name == name }?.value == payload[name]
    }
  }
}

/// The image of one sample: whether it is the same as before, and its size.
struct CheckedImage {
  /// The file attributes by which an unchanged file is recognized without reading it.
  struct Signature: Hashable, Sendable {
    var version: Int
    var size: Int64 = 0
    var modified: Int64 = 0
    var changed: Int64 = 0
    var inode: UInt64 = 0
  }

  let dataset: DatasetRecord
  let sample: SampleRecord

  /// - Returns: only the dataset's import version for embedded pixels; zeros for a file that cannot
  ///   be accessed.
  func signature() -> Signature {
    var signature = Signature(version: dataset.importVersion)
    guard let location = sample.location else { return signature }
    var facts = stat()
    guard stat(DatasetRoot.file(location, of: dataset), &facts) == 0 else { return signature }
    signature.size = Int64(facts.st_size)
    signature.modified = Self.nanoseconds(facts.st_mtim)
    signature.changed = Self.nanoseconds(facts.st_ctim)
    signature.inode = UInt64(facts.st_ino)
    return signature
  }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }

  /// The image's size in the coordinate frame of the annotations; `nil` if it cannot be determined.
  func size() -> ImageSize? {
    if let size = sample.size { return size }
    guard let location = sample.location, let tree = try? DatasetRoot.tree(of: dataset),
      let bytes = try? tree.readAll(location, limit: SampleImages.fileLimit)
    else { return nil }
    return try? ImageCodec.header(of: bytes).orientedSize
  }
}
