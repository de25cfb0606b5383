import AssayCore
import Foundation
import GRDB

/// A sample as entries name it, whether or not the catalog has it.
struct CorrectedSampleName: Hashable, Comparable, Sendable {
  var dataset: String
  var key: String

  static func < (a: Self, b: Self) -> Bool { (a.dataset, a.key) < (b.dataset, b.key) }
}

/// A dataset as recorded in a state of the mirror.
struct MirroredDataset: Hashable, Sendable {
  var id: Int64
  var version: Int
}

/// The entry that a state must reach.
struct MirrorTarget: Hashable, Sendable {
  var ledger: String
  var head: LedgerHead
  /// True if the state follows the ledger.
  var isHead: Bool
}

/// The work that brings a state of the mirror up to an entry of the ledger.
struct MirrorPlan {
  /// The state that is continued; `nil` if it is rebuilt.
  var state: Int64?
  /// States that are no longer needed.
  var dropped: [Int64] = []
  /// The datasets that the catalog has.
  var datasets: [String: MirroredDataset]
  /// The datasets that changed since the state was created, or that no longer exist.
  var stale: Set<String>
  /// The samples that must be checked.
  var touched: Set<CorrectedSampleName> = []
  /// True if the state is up to date.
  var isDone = false

  /// The number of states for single entries that are kept.
  static let keptStates = 4

  /// A plan for an empty mirror.
  init(new target: MirrorTarget, _ ledger: Ledger, in database: Database) throws {
    datasets = try Self.datasets(in: database)
    stale = Set(datasets.keys)
    touched = Set(
      try ledger.samples().filter { $0.first <= target.head.sequence }.map(\.place))
  }

  private static func datasets(in database: Database) throws -> [String: MirroredDataset] {
    var datasets: [String: MirroredDataset] = [:]
    for row in try Row.fetchAll(database, sql: "SELECT name, id, version FROM main.dataset") {
      datasets[row["name"]] = MirroredDataset(id: row["id"], version: row["version"])
    }
    return datasets
  }

  /// - Parameter schema: the schema with the mirror's tables.
  init(_ target: MirrorTarget, _ ledger: Ledger, schema: String, in database: Database) throws {
    let rows = try Row.fetchAll(
      database,
      sql: "SELECT id, ledger, sequence, hash, isHead FROM \(schema).truthState ORDER BY id")
    datasets = try Self.datasets(in: database)
    let places = try Row.fetchAll(
      database, sql: "SELECT dataset, key FROM \(schema).staleTruth"
    )
    .map { CorrectedSampleName(dataset: $0["dataset"], key: $0["key"]) }
    stale = Set(datasets.keys)

    let mine = rows.first { row in
      let (sequence, isHead): (Int64, Bool) = (row["sequence"], row["isHead"])
      return isHead == target.isHead && (isHead || sequence == target.head.sequence)
    }
    var isUsable = false
    if let mine {
      isUsable = try Self.leads(mine, to: target, ledger)
      if isUsable {
        stale = try Self.stale(datasets, state: mine["id"], schema: schema, in: database)
        // A state of the past is rebuilt, not updated.
        isUsable = target.isHead || (stale.isEmpty && places.isEmpty)
      }
    }
    if let mine, isUsable {
      let sequence: Int64 = mine["sequence"]
      state = mine["id"]
      isDone = sequence == target.head.sequence && stale.isEmpty && places.isEmpty
      guard !isDone else { return }
      touched = Set(places)
      if sequence < target.head.sequence {
        touched.formUnion(try ledger.samples(after: sequence).map(\.place))
      }
      for name in stale { touched.formUnion(try ledger.samples(dataset: name).map(\.place)) }
    } else {
      stale = Set(datasets.keys)
      touched = Set(
        try ledger.samples().filter { $0.first <= target.head.sequence }.map(\.place))
      dropped = mine.map { [$0["id"]] } ?? []
    }
    if target.isHead {
      // States of another import would have to be rebuilt in any case.
      if state != nil && !stale.isEmpty || !places.isEmpty {
        dropped += rows.filter { !($0["isHead"] as Bool) }.map { $0["id"] }
      }
    } else if state == nil {
      let others = rows.filter { !($0["isHead"] as Bool) }.map { $0["id"] as Int64 }
      dropped += others.filter { !dropped.contains($0) }.dropLast(Self.keptStates - 1)
    }
  }

  /// Returns whether the last entry of a state is an entry of this ledger up to the target.
  private static func leads(_ state: Row, to target: MirrorTarget, _ ledger: Ledger) throws -> Bool
  {
    let (uuid, sequence, hash): (String, Int64, [UInt8]) = (
      state["ledger"], state["sequence"], Array(state["hash"] as Data)
    )
    guard uuid == target.ledger, sequence <= target.head.sequence else { return false }
    return try hash == ledger.hash(at: sequence, head: target.head)
  }

  /// The names of the datasets that differ from those recorded in a state.
  private static func stale(
    _ datasets: [String: MirroredDataset], state: Int64, schema: String, in database: Database
  ) throws -> Set<String> {
    var known: [String: MirroredDataset?] = [:]
    let rows = try Row.fetchAll(
      database, sql: "SELECT name, dataset, version FROM \(schema).truthDataset WHERE state = ?",
      arguments: [state])
    for row in rows {
      let (id, version): (Int64?, Int?) = (row["dataset"], row["version"])
      var dataset: MirroredDataset?
      if let id, let version { dataset = MirroredDataset(id: id, version: version) }
      known.updateValue(dataset, forKey: row["name"])
    }
    var stale = Set(datasets.filter { known[$0.key] != .some($0.value) }.keys)
    for (name, dataset) in known where dataset != datasets[name] { stale.insert(name) }
    return stale
  }
}

extension Ledger {
  /// The hash of an entry; for 0, the hash that the first entry follows.
  func hash(at sequence: Int64, head: LedgerHead) throws -> [UInt8]? {
    if sequence == head.sequence { return head.hash }
    if sequence == 0 { return LedgerHash.first(ledger: uuid) }
    return try entry(sequence: sequence)?.hash
  }
}

extension LedgerSample {
  var place: CorrectedSampleName { CorrectedSampleName(dataset: dataset, key: key) }
}
