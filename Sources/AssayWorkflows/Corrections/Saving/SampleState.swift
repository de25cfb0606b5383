import AssayCore
import AssayStore

/// What the desk keeps of a sample between two saves.
struct SampleState: Sendable {
  let sample: SampleRecord
  let dataset: DatasetRecord
  /// The names of the dataset's classes.
  let classes: [String]
  let identity: SampleIdentity
  let signature: CheckedImage.Signature
  /// Where else the catalog has found entries of this image.
  let places: [SampleIdentity]
  var replay: CorrectionReplay
  /// About how many bytes of memory all of this takes.
  private(set) var bytes: Int
  /// The last entry of the sample's own that was taken in; 0 for none.
  private var taken: Int64 = 0

  /// True if entries of other places were taken in: adopted ones can be undone.
  private var hasAdopted = false

  /// Reads a sample from catalog and ledger.
  ///
  /// - Parameter known: the sample as it was kept before; where its image's file is the same, it is not
  ///   hashed again.
  init(
    _ sample: SampleRecord, of dataset: DatasetRecord, in catalog: Catalog, _ ledger: Ledger,
    known: SampleState?
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
    replay = CorrectionReplay(imported, contentHash: hash)
    bytes = Self.bytes(of: imported)
    places = try catalog.places(of: current.id)
    try readAll(ledger)
  }

  /// Takes in the entries that the ledger has got since.
  mutating func catchUp(with ledger: Ledger) throws {
    let last = try ledger.lastSequence(dataset: identity.dataset, key: identity.key) ?? 0
    guard last > taken else { return }
    let entries = try ledger.entries(
      after: taken, upTo: last, dataset: identity.dataset, key: identity.key)
    if hasAdopted || entries.contains(where: { $0.kind == CorrectionKind.adopt.rawValue }) {
      replay = CorrectionReplay(replay.imported, contentHash: identity.contentHash)
      bytes = Self.bytes(of: replay.imported)
      return try readAll(ledger)
    }
    for entry in entries { take(entry) }
    taken = last
  }

  private mutating func readAll(_ ledger: Ledger) throws {
    let all = try SampleEntries(of: identity, movedFrom: places, in: ledger)
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
  /// Works on a sample as the ledger has it now, while no other thread does.
  func working<Value: Sendable>(
    on sample: SampleRecord, _ work: (inout SampleState) throws -> Value
  ) throws(CorrectionError) -> Value {
    let slot = samples.withLock { $0.slot(sample.id) }
    let outcome: Result<Value, CorrectionError> = slot.state.withLock { state in
      do {
        var current = try self.current(sample, state)
        // One owner, so that appending copies nothing; what was taken in is kept where the work fails, too.
        state = nil
        defer {
          let bytes = current.bytes
          state = current
          samples.withLock { $0.weigh(sample.id, bytes: bytes) }
        }
        try current.catchUp(with: ledger)
        return .success(try work(&current))
      } catch {
        return .failure(CorrectionError(wrapping: error))
      }
    }
    return try outcome.get()
  }

  private func current(_ sample: SampleRecord, _ state: SampleState?) throws -> SampleState {
    guard let dataset = try catalog.dataset(ofSample: sample.id) else {
      throw CorrectionError.unknownSample(key: sample.key, dataset: "?", suggestion: nil)
    }
    guard let state, state.dataset == dataset,
      CheckedImage(dataset: dataset, sample: state.sample).signature() == state.signature
    else { return try SampleState(sample, of: dataset, in: catalog, ledger, known: state) }
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
