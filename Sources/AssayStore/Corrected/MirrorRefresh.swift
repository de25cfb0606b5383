import AssayCore
import Foundation
import GRDB

/// Brings the catalog's mirror of the ledger up to one of its entries. Every command that opens a
/// catalog does this.
///
/// Only samples that have new entries, or whose dataset has been imported since, are replayed.
/// Everything is written in one transaction. If the catalog cannot be written, the state is created
/// in a separate file, for this process only.
package struct MirrorRefresh {
  /// Computes the content hashes of images of a dataset.
  ///
  /// - Returns: the hashes by row id, without images that cannot be read. They are stored in the
  ///   catalog if possible.
  package typealias Hashing = (DatasetRecord, [SampleRecord]) throws -> [Int64: String]

  let catalog: Catalog
  let ledger: Ledger
  let hashing: Hashing
  /// Threads that replay.
  var workers = max(1, ProcessInfo.processInfo.activeProcessorCount)

  package init(catalog: Catalog, ledger: Ledger, hashing: @escaping Hashing) {
    self.catalog = catalog
    self.ledger = ledger
    self.hashing = hashing
  }

  /// The state as of an entry.
  ///
  /// - Parameter sequence: the entry; 0 for the imported ground truth; `nil` for the ledger's last
  ///   entry.
  /// - Throws: ``TruthError``; any error that the catalog's progress or `hashing` throws, in which
  ///   case nothing is changed.
  package func state(upTo sequence: Int64? = nil) throws -> MirroredState {
    let head = try ledger.head()
    let last = sequence ?? head.sequence
    guard last >= 0, last <= head.sequence, let hash = try ledger.hash(at: last, head: head) else {
      throw TruthError.noSuchEntry(last, last: head.sequence)
    }
    return try state(
      MirrorTarget(
        ledger: ledger.uuid, head: LedgerHead(sequence: last, hash: hash),
        isHead: last == head.sequence))
  }

  private func state(_ target: MirrorTarget) throws -> MirroredState {
    var known: [Int64: String] = [:]
    var tried: Set<Int64> = []
    for _ in 0..<5 {
      let isThere = try catalog.read("reading the mirror") { try CorrectionMirror.exists(in: $0) }
      if isThere {
        let found = try catalog.read("reading the mirror") { database in
          let plan = try MirrorPlan(target, ledger, schema: "main", in: database)
          return try plan.isDone ? MirroredState(plan, target, file: nil, in: database) : nil
        }
        if let found { return found }
      }
      let missing = try unhashed(target, known: known, hasMirror: isThere)
        .mapValues { $0.filter { !tried.contains($0) } }.filter { !$0.value.isEmpty }
      for (dataset, ids) in missing.sorted(by: { $0.key < $1.key }) {
        tried.formUnion(ids)
        do {
          try known.merge(look(at: ids, of: dataset)) { $1 }
        } catch StoreError.removedMeanwhile {
          // Another process has just removed it; the next plan does not have it.
          continue
        }
      }
      if isThere {
        let written = try catalog.writing("applying corrections") { database in
          try write(target, schema: "main", file: nil, known, tried, in: database)
        }
        switch written {
        case .done(let state)?: return state
        case .again?: continue
        case nil: break
        }
      }
      if case .done(let state) = try beside(target, known, tried) { return state }
    }
    throw TruthError.restless(path: catalog.path)
  }

  /// The result of writing.
  private enum Written {
    case done(MirroredState)
    /// Other images must be hashed first.
    case again
  }

  private func unhashed(
    _ target: MirrorTarget, known: [Int64: String], hasMirror: Bool
  ) throws -> [Int64: [Int64]] {
    try catalog.read("looking for images") { database in
      let plan = try plan(target, schema: hasMirror ? "main" : nil, in: database)
      return try EntrySampleLookup(plan.datasets, known: known, in: database).unhashed(plan.touched)
    }
  }

  private func plan(
    _ target: MirrorTarget, schema: String?, in database: Database
  ) throws -> MirrorPlan {
    guard let schema else { return try MirrorPlan(new: target, ledger, in: database) }
    return try MirrorPlan(target, ledger, schema: schema, in: database)
  }

  private func look(at ids: [Int64], of dataset: Int64) throws -> [Int64: String] {
    let record = try catalog.read("looking for a dataset") {
      try DatasetRecord.fetch(dataset, in: $0)
    }
    return try hashing(record, try catalog.samples(ids: ids))
  }

  /// Creates the state in a separate file.
  private func beside(
    _ target: MirrorTarget, _ known: [Int64: String], _ tried: Set<Int64>
  ) throws -> Written {
    try translating(catalog.path, "applying corrections") {
      let file = try MirrorFile.make()
      do {
        let connection = try CatalogFile.openAttaching(catalog.path)
        let written = try connection.inDatabase { database in
          try database.execute(sql: "PRAGMA foreign_keys = OFF")
          try MirrorFile.attach(file, to: database)
          try database.execute(sql: "PRAGMA \(MirrorFile.schema).synchronous = OFF")
          var written = Written.again
          try database.inTransaction(.deferred) {
            written = try write(
              target, schema: MirrorFile.schema, file: file, known, tried, in: database)
            return .commit
          }
          return written
        }
        if case .again = written { CatalogFile.remove(file) }
        return written
      } catch {
        CatalogFile.remove(file)
        throw error
      }
    }
  }

  private func write(
    _ target: MirrorTarget, schema: String, file: String?, _ known: [Int64: String],
    _ tried: Set<Int64>, in database: Database
  ) throws -> Written {
    let plan = try MirrorPlan(target, ledger, schema: schema, in: database)
    if plan.isDone { return .done(try MirroredState(plan, target, file: file, in: database)) }
    let resolution = try EntrySampleLookup(plan.datasets, known: known, in: database)
    guard try resolution.unhashed(plan.touched).values.joined().allSatisfy(tried.contains) else {
      return .again
    }
    let update = try MirrorUpdate(
      plan, target, ledger, resolution, schema: schema, in: database)
    try update.run(catalog: catalog, workers: workers)
    return .done(
      try MirroredState(
        MirrorPlan(target, ledger, schema: schema, in: database), target, file: file, in: database))
  }
}

/// A state of the mirror that can be read.
package struct MirroredState: Hashable, Sendable {
  package var id: Int64
  /// The last entry that it includes.
  package var sequence: Int64
  /// The file that contains it, if that is not the catalog.
  package var file: String?
  /// By dataset, as the ledger names it.
  package var datasets: [String: CorrectionCounts] = [:]

  /// The ground truth that a catalog reads.
  ///
  /// - Parameter corrected: whether to use this state in place of the imported ground truth.
  package func reading(corrected: Bool) -> TruthSource {
    TruthSource(marks: id, truth: corrected ? id : nil, mirror: file)
  }

  /// Removes its separate file, if any. A catalog that reads the file removes it when it closes.
  package func discard() {
    if let file { CatalogFile.remove(file) }
  }
}

extension MirroredState {
  /// - Throws: if the plan has no state, so that it was not executed.
  init(_ plan: MirrorPlan, _ target: MirrorTarget, file: String?, in database: Database) throws {
    guard let state = plan.state, plan.isDone else {
      throw DatabaseError(message: "the mirror of the ledger could not be updated")
    }
    self.init(id: state, sequence: target.head.sequence, file: file)
    let schema = file == nil ? "main" : MirrorFile.schema
    let rows = try Row.fetchAll(
      database, sql: "SELECT * FROM \(schema).truthDataset WHERE state = ?", arguments: [state])
    for row in rows {
      var counts = CorrectionCounts()
      counts.corrections = row["corrections"]
      counts.samples = row["samples"]
      counts.leftOut = row["leftOut"]
      counts.conflicts = row["conflicts"]
      counts.issues = row["issues"]
      if counts != CorrectionCounts() { datasets[row["name"]] = counts }
    }
  }
}

extension CorrectionMirror {
  /// Returns whether the catalog has the tables; a catalog of an earlier version that cannot be
  /// written does not.
  static func exists(in database: Database) throws -> Bool {
    try Bool.fetchOne(
      database,
      sql: "SELECT EXISTS (SELECT 1 FROM main.sqlite_schema WHERE name = 'sampleField')") ?? false
  }
}
