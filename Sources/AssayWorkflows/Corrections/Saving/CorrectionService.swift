package import AssayCore
package import AssayStore
package import Foundation
import Synchronization

/// Saves corrections for the command line and for the editor's server.
///
/// It turns what a person wants the truth to be into an entry of the ledger, and back. It keeps each sample's
/// replay, so that a save costs its own change only; entries that other processes wrote are taken in before
/// anything is said. Its methods may be called from any thread: those of one sample take turns.
package final class CorrectionService: Sendable {
  package let catalog: Catalog
  package let ledger: Ledger
  let clock: @Sendable () -> Date
  let samples = Mutex(SampleStateCache())
  let runs = Mutex<[Int64: RunCache]>([:])

  /// - Parameters:
  ///   - catalog: reads the imported truth; where the image's content hash is to be kept, it must be
  ///     writable.
  ///   - clock: tells the time of an entry.
  package init(
    catalog: Catalog, ledger: Ledger, clock: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.catalog = catalog
    self.ledger = ledger
    self.clock = clock
  }

  /// The ledger's name of a sample. Its image is hashed unless its hash is known and the file is
  /// unchanged since.
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
  /// - Parameter sequence: the last entry that is read; `nil` for all.
  /// - Throws: ``CorrectionError``.
  package func truth(
    of sample: SampleRecord, upTo sequence: Int64? = nil
  ) throws(CorrectionError) -> EffectiveTruth {
    try working(on: sample) { state in
      guard let sequence, sequence < state.replay.lastSequence ?? 0 else {
        return state.replay.truth()
      }
      return CorrectionReplay.replay(
        state.replay.imported, state.replay.entries, contentHash: state.identity.contentHash,
        upTo: sequence)
    }
  }
  /// The sample of a dataset with a key.
  ///
  /// - Throws: ``CorrectionError``; `StoreError` for a dataset that is not there.
  package func sample(_ name: SampleName) throws -> SampleRecord {
    try catalog.sample(named: name)
  }

  /// The contents of a sample before an entry, and after it.
  ///
  /// - Throws: ``CorrectionError``.
  package func contents(
    around entry: LedgerEntry, of sample: SampleRecord
  ) throws(CorrectionError) -> (before: ReplayedContent, after: ReplayedContent) {
    try working(on: sample) { state in
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
  /// Saves a change: an entry of the ledger, on disk when this comes back.
  ///
  /// A change that was made on a state which is no longer the sample's last is kept as a conflict. The same
  /// save again, by its uuid, is the entry that there is.
  ///
  /// - Throws: ``CorrectionError``; nothing is saved then. `LedgerError.uuidTaken` in it for another change under a
  ///   uuid that the ledger has.
  package func save(_ save: CorrectionSave) throws(CorrectionError) -> SaveOutcome {
    try check(save)
    return try working(on: save.sample) { state in
      if let known = try ledger.entry(uuid: save.uuid), known.sample.key == state.identity.key,
        known.sample.dataset == state.identity.dataset
      {
        // The parent may be another by now, and the change made on it none: what counts is what was meant.
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
  /// Several of one sample must be about several things, for each is seen from the state before all of them.
  ///
  /// - Parameter progress: is told of each change that was prepared.
  /// - Throws: ``CorrectionError``; ``Interrupted``. Nothing is saved then.
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

  /// The entry that a save would be, seen from the sample as it is now.
  func prepared(_ save: CorrectionSave) throws(CorrectionError) -> CorrectionDraft {
    try check(save)
    return try working(on: save.sample) { state in try draft(save, &state) }
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

  /// The process that wrote an entry first may have died before all of it was on disk: appending it again
  /// says so once it is.
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
    return CorrectionDraft(
      uuid: save.uuid, sample: state.identity, target: entry.target, kind: entry.kind,
      visit: save.visit, parent: parent, payload: .object(members))
  }

  /// The state that a change was made on, and what the ledger is told of it.
  private func place(
    _ parent: CorrectionDraft.Parent, _ state: SampleState
  ) throws -> (seen: Int64?, parent: CorrectionDraft.Parent) {
    let seen: Int64?
    switch parent {
    case .head: return (state.replay.head, .head)
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
    // An entry under an earlier name of the sample is not in the ledger under its present name: the last entry under
    // the present name takes its place.
    let own = state.replay.head(under: state.identity)
    return (seen, .sequence((seen == state.replay.head ? own : seen) ?? 0))
  }

  // MARK: What is refused

  /// Characters of an author, a reason and a note.
  static let authorLimit = 200
  static let textLimit = 10_000

  private func check(_ save: CorrectionSave) throws(CorrectionError) {
    if let asked = save.ledger, asked != ledger.uuid {
      throw .otherLedger(asked: asked, ours: ledger.uuid)
    }
    guard !save.author.allSatisfy(\.isWhitespace) else { throw .noAuthor }
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
