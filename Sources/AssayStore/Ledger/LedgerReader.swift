import AssayCore
import GRDB

/// Reads entries on a connection.
struct LedgerReader {
  /// The columns of an entry in the order of the row.
  static let columns =
    "sequence, uuid, format, dataset, key, contentHash, target, kind, visit, parent, payload, "
    + "previousHash, hash"

  /// The condition of entries that do not belong to independent versions: only these can be on the
  /// main branch.
  static let ofMainBranch = "format <> \(IndependentVersion.entryFormat)"

  private let database: Database

  init(_ database: Database) throws {
    self.database = database
  }

  func head(ledger uuid: String) throws -> LedgerHead {
    let statement = try RawStatement(
      database, "SELECT sequence, hash FROM correction ORDER BY sequence DESC LIMIT 1")
    guard try statement.step() else {
      return LedgerHead(sequence: 0, hash: LedgerHash.first(ledger: uuid))
    }
    return LedgerHead(sequence: statement.integer(0), hash: Array(statement.bytes(1)))
  }

  func entry(uuid: String) throws -> LedgerEntry? {
    let statement = try RawStatement(
      database, "SELECT \(Self.columns) FROM correction WHERE uuid = ?1")
    statement.bind(uuid, at: 1)
    return try statement.step() ? Self.entry(statement) : nil
  }

  func uuid(of sequence: Int64) throws -> String? {
    try String.fetchOne(
      database, sql: "SELECT uuid FROM correction WHERE sequence = ?", arguments: [sequence])
  }

  func isEntry(_ sequence: Int64, of sample: SampleIdentity) throws -> Bool {
    let statement = try RawStatement(
      database, "SELECT 1 FROM correction WHERE sequence = ?1 AND dataset = ?2 AND key = ?3")
    statement.bind(sequence, at: 1)
    statement.bind(sample.dataset, at: 2)
    statement.bind(sample.key, at: 3)
    return try statement.step()
  }

  /// The last entry of a sample's main branch, in which each entry was made after the one before;
  /// `nil` if the sample has none.
  func mainHead(of sample: SampleIdentity) throws -> Int64? {
    var head: Int64?
    try forEachParent(of: sample) { sequence, parent in
      if parent == head { head = sequence }
    }
    return head
  }

  /// Returns whether an entry that was made after an earlier entry of the main branch can follow
  /// the last one: every entry in between is an edit of tags; or it edits one label of a set, and
  /// every entry in between is an edit that commutes with it, an edit of tags, a note or a skip.
  ///
  /// - Parameter parent: the entry that it was made after; `nil` for none.
  func canFollow(_ row: LedgerRow, madeOn parent: Int64?) throws -> Bool {
    guard row.format == Ledger.entryFormat else { return false }
    let edit = LabelEdit(kind: row.kind, target: row.target, payload: row.payload)
    let statement = try RawStatement(
      database,
      """
      SELECT sequence, parent, kind, target, payload, format FROM correction
      WHERE dataset = ?1 AND key = ?2 AND \(Self.ofMainBranch) ORDER BY sequence
      """)
    statement.bind(row.sample.dataset, at: 1)
    statement.bind(row.sample.key, at: 2)
    var head: Int64?
    var isBehind = parent == nil
    while try statement.step() {
      guard statement.optionalInteger(1) == head else { continue }
      head = statement.integer(0)
      defer { isBehind = isBehind || head == parent }
      guard isBehind else { continue }
      guard statement.integer(5) == Ledger.entryFormat else { return false }
      let kind = statement.text(2)
      if CorrectionKind(rawValue: kind)?.isSampleEdit == true { continue }
      guard let edit else { return false }
      if [CorrectionKind.note.rawValue, CorrectionKind.skip.rawValue].contains(kind) { continue }
      guard
        let other = LabelEdit(kind: kind, target: statement.text(3), payload: statement.text(4)),
        edit.commutes(with: other)
      else { return false }
    }
    return isBehind
  }

  func isOnMainBranch(_ sequence: Int64, of sample: SampleIdentity) throws -> Bool {
    var (head, isFound) = (nil as Int64?, false)
    try forEachParent(of: sample) { entry, parent in
      guard parent == head else { return }
      head = entry
      isFound = isFound || entry == sequence
    }
    return isFound
  }

  private func forEachParent(
    of sample: SampleIdentity, _ body: (_ sequence: Int64, _ parent: Int64?) -> Void
  ) throws {
    let statement = try RawStatement(
      database,
      """
      SELECT sequence, parent FROM correction
      WHERE dataset = ?1 AND key = ?2 AND \(Self.ofMainBranch) ORDER BY sequence
      """)
    statement.bind(sample.dataset, at: 1)
    statement.bind(sample.key, at: 2)
    while try statement.step() { body(statement.integer(0), statement.optionalInteger(1)) }
  }

  static func entry(_ statement: RawStatement) -> LedgerEntry {
    LedgerEntry(
      sequence: statement.integer(0), uuid: statement.text(1), format: statement.integer(2),
      sample: SampleIdentity(
        dataset: statement.text(3), key: statement.text(4), contentHash: statement.text(5)),
      target: statement.text(6), kind: statement.text(7), visit: statement.text(8),
      parent: statement.optionalInteger(9), payload: statement.text(10),
      previousHash: Array(statement.bytes(11)), hash: Array(statement.bytes(12)))
  }
}
