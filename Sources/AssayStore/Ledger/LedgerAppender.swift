package import AssayCore
import GRDB

extension Ledger {
  /// Appends entries in one transaction, all of them or none, and returns when they are on disk.
  ///
  /// An entry is not appended again if the ledger has its uuid with the same sample, target, kind
  /// and visit. An entry that does not follow the last one of the sample's main branch is kept as a
  /// conflict, unless all entries since then edit tags, or it adds or removes one label of a set and
  /// no entry since then contradicts it (``LabelEdit``): then it follows the last one. An edit of
  /// tags is never a conflict: it counts on any branch; nor is an entry of an independent version,
  /// which is not on the main branch. `.head` means the last entry of the main branch
  /// at the time of writing.
  ///
  /// - Throws: ``LedgerError/badEntry(uuid:_:)``, ``LedgerError/unknownParent(uuid:parent:)``,
  ///   ``LedgerError/uuidTaken(uuid:sequence:)``, ``LedgerError/notWritable(path:_:)``,
  ///   ``LedgerError/busy(path:)``, ``LedgerError/diskFull(path:)``.
  /// - Returns: the outcome of each entry.
  @discardableResult
  package func append(_ drafts: [CorrectionDraft]) throws -> [AppendOutcome] {
    let rows = drafts.map(LedgerRow.init)
    for row in rows { try Self.check(row) }
    return try appending { appender in try rows.map { try appender.append($0) } }
  }

  /// Appends one entry; see ``append(_:)-([CorrectionDraft])``.
  @discardableResult
  package func append(_ draft: CorrectionDraft) throws -> AppendOutcome {
    let row = LedgerRow(draft)
    try Self.check(row)
    return try appending { try $0.append(row) }
  }

  /// Appends the entries that a closure passes to the appender, in one transaction that is rolled
  /// back if the closure throws. The appender must not be used after the call.
  package func appending<Value>(_ work: (LedgerAppender) throws -> Value) throws -> Value {
    guard access != .readOnly else {
      throw LedgerError.cannotOpen(path: path, reason: "it was opened for reading only")
    }
    let (value, hasRepeats) = try write(Self.saving) { database in
      let appender = try LedgerAppender(database, ledger: uuid)
      return (try work(appender), appender.hasRepeats)
    }
    // The process that first wrote an entry may have been killed before the folder was on disk.
    if hasRepeats {
      do {
        try LedgerLocation(path: path).synchronizeFolder()
      } catch LedgerError.sqlite(_, let message, _) {
        throw LedgerError.unconfirmed(path: path, message)
      }
    }
    return value
  }

  /// The operation named in errors while entries are appended.
  static let saving = "saving"

  static func check(_ row: LedgerRow) throws(LedgerError) {
    if let fault = LedgerLimits.fault(of: row) {
      throw LedgerError.badEntry(uuid: String(row.uuid.prefix(40)), fault)
    }
  }
}

/// Appends entries within a transaction.
package final class LedgerAppender {
  private let reader: LedgerReader
  private let insertion: RawStatement
  private var head: LedgerHead
  /// The last entries of main branches, by sample.
  private var mainHeads: [SampleKey: Int64] = [:]
  /// True if the ledger already had one of the entries.
  private(set) var hasRepeats = false

  init(_ database: Database, ledger uuid: String) throws {
    reader = try LedgerReader(database)
    head = try reader.head(ledger: uuid)
    insertion = try RawStatement(
      database,
      """
      INSERT INTO correction (\(LedgerReader.columns))
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
      """)
  }

  /// Returns the entry with the given uuid.
  package func entry(uuid: String) throws -> LedgerEntry? {
    let entry = try reader.entry(uuid: uuid)
    if entry != nil { hasRepeats = true }
    return entry
  }

  /// The uuid of the entry's parent; `nil` if there is none.
  package func parentUUID(of entry: LedgerEntry) throws -> String? {
    try entry.parent.flatMap { try reader.uuid(of: $0) }
  }

  /// Appends an entry; see ``Ledger/append(_:)-([CorrectionDraft])``.
  package func append(_ row: LedgerRow) throws -> AppendOutcome {
    try Ledger.check(row)
    let sample = SampleKey(row.sample)
    let mainHead = try mainHeads[sample] ?? reader.mainHead(of: row.sample)
    if let known = try entry(uuid: row.uuid) {
      guard known.isSameSave(as: row) else {
        throw LedgerError.uuidTaken(uuid: row.uuid, sequence: known.sequence)
      }
      mainHeads[sample] = mainHead
      return AppendOutcome(
        entry: known, isRepeat: true,
        isConflict: try !commutes(row) && !reader.isOnMainBranch(known.sequence, of: known.sample),
        head: mainHead ?? known.sequence)
    }
    var parent = try parent(of: row, mainHead: mainHead)
    if parent != mainHead, try reader.canFollow(row, madeOn: parent) { parent = mainHead }
    var entry = LedgerEntry(
      sequence: head.sequence + 1, uuid: row.uuid, format: row.format, sample: row.sample,
      target: row.target, kind: row.kind, visit: row.visit, parent: parent, payload: row.payload,
      previousHash: head.hash, hash: [])
    entry.hash = LedgerHash.hash(of: entry)
    try insert(entry)
    head = LedgerHead(sequence: entry.sequence, hash: entry.hash)
    let isBeside = parent != mainHead || row.format == IndependentVersion.entryFormat
    mainHeads[sample] = isBeside ? mainHead : entry.sequence
    return AppendOutcome(
      entry: entry, isRepeat: false, isConflict: isBeside && !commutes(row),
      head: (isBeside ? mainHead : nil) ?? entry.sequence)
  }

  /// True for entries that are no conflict wherever they are: edits of tags and fields, and those
  /// of independent versions.
  private func commutes(_ row: LedgerRow) -> Bool {
    CorrectionKind(rawValue: row.kind)?.isSampleEdit == true
      || row.format == IndependentVersion.entryFormat
  }

  /// The sequence of a row's parent entry; `nil` for none.
  private func parent(of row: LedgerRow, mainHead: Int64?) throws -> Int64? {
    switch row.parent {
    case .head: return mainHead
    case .sequence(0): return nil
    case .sequence(let sequence):
      guard try reader.isEntry(sequence, of: row.sample) else {
        throw LedgerError.unknownParent(uuid: row.uuid, parent: String(sequence))
      }
      return sequence
    case .entry(let uuid):
      guard let parent = try reader.entry(uuid: uuid), parent.sample.isSamePlace(as: row.sample)
      else { throw LedgerError.unknownParent(uuid: row.uuid, parent: String(uuid.prefix(40))) }
      return parent.sequence
    }
  }

  private func insert(_ entry: LedgerEntry) throws {
    insertion.bind(entry.sequence, at: 1)
    insertion.bind(entry.uuid, at: 2)
    insertion.bind(entry.format, at: 3)
    insertion.bind(entry.sample.dataset, at: 4)
    insertion.bind(entry.sample.key, at: 5)
    insertion.bind(entry.sample.contentHash, at: 6)
    insertion.bind(entry.target, at: 7)
    insertion.bind(entry.kind, at: 8)
    insertion.bind(entry.visit, at: 9)
    insertion.bind(entry.parent, at: 10)
    insertion.bind(entry.payload, at: 11)
    try entry.previousHash.withUnsafeBytes { previous in
      try entry.hash.withUnsafeBytes { hash in
        insertion.bind(noCopy: previous, at: 12)
        insertion.bind(noCopy: hash, at: 13)
        try insertion.run()
      }
    }
  }
}

/// A sample's identity by its bytes: Swift treats some texts as equal that the ledger distinguishes
/// (é as one scalar or two).
struct SampleKey: Hashable {
  private let bytes: [UInt8]

  init(_ sample: SampleIdentity) {
    bytes = Array(sample.dataset.utf8) + [0] + Array(sample.key.utf8)
  }
}

extension SampleIdentity {
  /// Returns whether both have the same dataset and key, byte by byte.
  func isSamePlace(as other: SampleIdentity) -> Bool { SampleKey(self) == SampleKey(other) }
}

extension LedgerEntry {
  /// Returns whether a row is this entry sent again. The payload is ignored, because the time can
  /// differ.
  fileprivate func isSameSave(as row: LedgerRow) -> Bool {
    sample.isSamePlace(as: row.sample) && target.utf8.elementsEqual(row.target.utf8)
      && kind == row.kind && visit == row.visit
  }
}
