package import AssayCore
package import AssayStore
package import Foundation
import Synchronization

/// Saves corrections for the command line and for the editor's server.
///
/// It converts changes of the ground truth to ledger entries and back. It caches the replay of each
/// sample, so that the cost of a save depends only on its own change. Entries written by other
/// processes are read before each operation. The methods can be called from any thread; calls for
/// one sample are serialized.
package final class CorrectionService: Sendable {
  package let catalog: Catalog
  package let ledger: Ledger
  let clock: @Sendable () -> Date
  let samples = Mutex(SampleStateCache())
  let runs = Mutex<[Int64: RunCache]>([:])

  /// - Parameters:
  ///   - catalog: reads the imported ground truth; must be writable if image content hashes are to
  ///     be stored.
  ///   - clock: returns the time of an entry.
  package init(
    catalog: Catalog, ledger: Ledger, clock: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.catalog = catalog
    self.ledger = ledger
    self.clock = clock
  }

  /// The identity of a sample in the ledger. Its image is hashed unless its hash is known and the
  /// file is unchanged since.
  ///
  /// - Throws: ``CorrectionError``.
  package func identity(of sample: SampleRecord) throws(CorrectionError) -> SampleIdentity {
    try working(on: sample) { state in state.identity }
  }

  /// The imported ground truth of a sample.
  ///
  /// - Throws: ``CorrectionError``.
  package func imported(of sample: SampleRecord) throws(CorrectionError) -> ImportedTruth {
    try working(on: sample) { state in state.replay.imported }
  }

  /// The current ground truth of a sample.
  ///
  /// - Parameters:
  ///   - sequence: the last entry to read; `nil` for all.
  ///   - version: one person's version; `nil` for the ground truth that counts.
  /// - Throws: ``CorrectionError``.
  package func truth(
    of sample: SampleRecord, upTo sequence: Int64? = nil, as version: IndependentVersion? = nil
  ) throws(CorrectionError) -> EffectiveTruth {
    try working(on: sample, as: version) { state in
      guard let sequence, sequence < state.replay.lastSequence ?? 0 else {
        return state.replay.truth()
      }
      return CorrectionReplay.replay(
        state.replay.imported, state.replay.entries, contentHash: state.identity.contentHash,
        upTo: sequence)
    }
  }
  /// The sample with a key in a dataset.
  ///
  /// - Throws: ``CorrectionError``; `StoreError` if the dataset does not exist.
  package func sample(_ name: SampleName) throws -> SampleRecord {
    try catalog.sample(named: name)
  }

  /// The contents of a sample before an entry, and after it.
  ///
  /// - Throws: ``CorrectionError``.
  package func contents(
    around entry: LedgerEntry, of sample: SampleRecord
  ) throws(CorrectionError) -> (before: ReplayedContent, after: ReplayedContent) {
    try working(on: sample, as: IndependentVersion(entry)) { state in
      guard let after = state.replay.content(after: entry.sequence),
        let before = state.replay.content(after: entry.parent)
      else {
        throw CorrectionError.unknownEntry("\(entry.sequence)", key: state.identity.key)
      }
      return (before, after)
    }
  }
}

extension CorrectionService {
  /// Saves a change as a ledger entry, which is on disk when this method returns.
  ///
  /// A change that is based on an outdated state of the sample is kept as a conflict. Repeating a
  /// save with the same uuid returns the existing entry.
  ///
  /// - Throws: ``CorrectionError``; nothing is saved in that case. It contains
  ///   `LedgerError.uuidTaken` for a different change with a uuid that the ledger already has.
  package func save(_ save: CorrectionSave) throws(CorrectionError) -> SaveOutcome {
    try check(save)
    return try working(on: save.sample, as: save.version) { state in
      if let known = try ledger.entry(uuid: save.uuid), known.sample.key == state.identity.key,
        known.sample.dataset == state.identity.dataset
      {
        // The parent may have changed by now, and the change may have no effect on it: compare the
        // intended change.
        guard state.isRepeat(save, of: known) else {
          throw LedgerError.uuidTaken(uuid: save.uuid, sequence: known.sequence)
        }
        try synchronize(known)
        return outcome(known, isRepeat: true, &state)
      }
      let appended = try ledger.append(draft(save, &state))
      try state.catchUp(with: ledger)
      return outcome(appended.entry, isRepeat: appended.isRepeat, &state)
    }
  }

  /// Saves changes of many samples in one transaction: all of them or none.
  ///
  /// Several changes to one sample must concern different items, because each is based on the state
  /// before all of them.
  ///
  /// - Parameter progress: reports each prepared change.
  /// - Throws: ``CorrectionError``; ``Interrupted``. Nothing is saved in these cases.
  package func save(
    all saves: [CorrectionSave], progress: any ProgressSink = NoProgress()
  ) throws -> [AppendOutcome] {
    var drafts: [CorrectionDraft] = []
    drafts.reserveCapacity(saves.count)
    for (place, save) in saves.enumerated() {
      try Interruption.check("nothing was saved")
      drafts.append(try prepared(save))
      progress.report(Double(place + 1) / Double(saves.count), "preparing corrections")
    }
    return try append(drafts)
  }

  /// The entry that a save would create, based on the current state of the sample.
  func prepared(_ save: CorrectionSave) throws(CorrectionError) -> CorrectionDraft {
    try check(save)
    return try working(on: save.sample, as: save.version) { state in try draft(save, &state) }
  }

  /// Appends prepared entries in one transaction.
  func append(_ drafts: [CorrectionDraft]) throws(CorrectionError) -> [AppendOutcome] {
    do {
      return try ledger.append(drafts)
    } catch {
      throw CorrectionError(wrapping: error)
    }
  }

  private func outcome(
    _ entry: LedgerEntry, isRepeat: Bool, _ state: inout SampleState
  ) -> SaveOutcome {
    SaveOutcome(
      entry: entry, isRepeat: isRepeat, isConflict: state.replay.branch(of: entry.uuid) != nil,
      truth: state.replay.truth())
  }

  /// Appends an existing entry again, which returns once it is on disk: the process that first
  /// wrote the entry may have died before that.
  private func synchronize(_ known: LedgerEntry) throws {
    guard let target = CorrectionTarget(text: known.target),
      let kind = CorrectionKind(rawValue: known.kind)
    else { return }
    _ = try ledger.append(
      CorrectionDraft(
        uuid: known.uuid, sample: known.sample, target: target, kind: kind, visit: known.visit,
        parent: .head, payload: .object([])))
  }

  // MARK: The entry

  private func draft(_ save: CorrectionSave, _ state: inout SampleState) throws -> CorrectionDraft {
    let (seen, parent) = try place(save.parent, state)
    var maker = LedgerEntryBuilder(service: self, sample: state, seen: seen)
    let entry = try maker.entry(save.change, of: save)
    var members = entry.members
    members.append(.init("author", .string(save.author)))
    members.append(.init("tool", .string(save.tool)))
    members.append(.init("time", .string(clock().formatted(.iso8601))))
    if let seconds = save.seconds { members.append(.init("seconds", .number(seconds))) }
    if let note = save.note { members.append(.init("note", .string(note))) }
    if save.done { members.append(.init("done", .bool(true))) }
    if entry.kind.changesTruth {
      members.append(.init("set", .string(state.replay.imported.set)))
    }
    let resolves = save.resolves + entry.resolves.filter { !save.resolves.contains($0) }
    if !resolves.isEmpty {
      members.append(.init("resolves", .array(resolves.map { .string($0) })))
    }
    if let version = save.version {
      members.append(.init("independent", .string(version.review)))
    }
    return CorrectionDraft(
      uuid: save.uuid, sample: state.identity, target: entry.target, kind: entry.kind,
      visit: save.visit, parent: parent, payload: .object(members),
      isIndependent: save.version != nil)
  }

  /// The state that a change is based on, and the parent to store in the ledger.
  private func place(
    _ parent: CorrectionDraft.Parent, _ state: SampleState
  ) throws -> (seen: Int64?, parent: CorrectionDraft.Parent) {
    let seen: Int64?
    switch parent {
    case .head:
      // The ledger knows the last entry of the main branch only.
      guard state.replay.version != nil else { return (state.replay.head, .head) }
      seen = state.replay.head
    case .sequence(0): seen = nil
    case .sequence(let sequence):
      guard state.replay.has(sequence) else {
        throw CorrectionError.unknownParent("\(sequence)", key: state.identity.key)
      }
      seen = sequence
    case .entry(let uuid):
      guard let sequence = state.replay.sequence(of: uuid) else {
        throw CorrectionError.unknownParent(uuid, key: state.identity.key)
      }
      seen = sequence
    }
    // If the sample's last entry is under an earlier name of the sample, it is not in the ledger
    // under the current name: use the last entry under the current name instead.
    let own = state.replay.head(under: state.identity)
    return (seen, .sequence((seen == state.replay.head ? own : seen) ?? 0))
  }

  // MARK: Validation

  /// The maximum number of characters of an author, a reason and a note.
  static let authorLimit = 200
  static let textLimit = 10_000

  private func check(_ save: CorrectionSave) throws(CorrectionError) {
    if let asked = save.ledger, asked != ledger.uuid {
      throw .otherLedger(asked: asked, ours: ledger.uuid)
    }
    guard !save.author.allSatisfy(\.isWhitespace) else { throw .noAuthor }
    if let version = save.version, version.author != save.author {
      throw .otherVersion(author: save.author, of: version.author)
    }
    try check(save.author, "author", limit: Self.authorLimit)
    if let note = save.note { try check(note, "note", limit: Self.textLimit) }
    switch save.change {
    case .reject(let reason), .bad(let reason?):
      try check(reason, "reason", limit: Self.textLimit)
    default: break
    }
    if let seconds = save.seconds, !(seconds >= 0 && seconds.isFinite) { throw .badSeconds }
  }

  private func check(_ text: String, _ what: String, limit: Int) throws(CorrectionError) {
    let count = text.count
    guard count <= limit else { throw .tooLong(what: what, count: count, limit: limit) }
  }
}
