package import AssayCore
import GRDB

extension Catalog {
  /// Imports a dataset in one transaction, completely or not at all.
  ///
  /// `body` writes the batches and returns the result. If it throws, or the process is killed, the
  /// catalog stays unchanged. With `draft.replace`, the samples of an existing dataset are matched
  /// by key and keep their ids, and those whose key no longer exists are marked as retired.
  ///
  /// - Throws: ``StoreError/nameTaken(_:_:)`` if the name belongs to a view, or to a dataset and
  ///   `draft.replace` is not set; ``StoreError/duplicateKey(_:)``, ``StoreError/badBatch(_:)``;
  ///   any error that `body` throws.
  package func importDataset(
    _ draft: ImportDraft,
    _ body: (ImportWriter) throws -> (ImportOutcome, inputHash: String?)
  ) throws -> ImportSummary {
    closeReaders()
    return try translating(path, "importing “\(draft.name)”") {
      try connection.unsafeReentrantWrite { database in
        let isAlone = CatalogFile.setRollbackJournalIfAlone(database)
        defer { if isAlone { try? CatalogFile.setWriteAheadLog(database, busyTimeout: 0) } }
        // The writer uses only row ids that it created; looking up each of them again would cost
        // half as much as writing the row.
        try database.execute(sql: "PRAGMA foreign_keys = OFF")
        defer { try? database.execute(sql: "PRAGMA foreign_keys = ON") }
        return try write("importing “\(draft.name)”") { database in
          try importDataset(draft, in: database, body)
        }
      }
    }
  }

  private func importDataset(
    _ draft: ImportDraft, in database: Database,
    _ body: (ImportWriter) throws -> (ImportOutcome, inputHash: String?)
  ) throws -> ImportSummary {
    let old = try findDataset(named: draft.name)
    if old == nil || !draft.replace {
      try claim(viewOrDataset: draft.name, as: .dataset, in: database)
    }
    let target = try ImportTarget(draft, replacing: old, in: database)
    let writer = try ImportWriter(target, in: database)
    let (outcome, inputHash) = try body(writer)
    guard outcome.accepted == writer.written else {
      throw StoreError.badBatch(
        "\(outcome.accepted) samples accepted, but \(writer.written) written")
    }
    guard outcome.read == outcome.accepted + outcome.rejected else {
      throw StoreError.badBatch(
        "\(outcome.read) read is not \(outcome.accepted) accepted + \(outcome.rejected) rejected")
    }
    try writer.finish(outcome.ordinals)
    let retired = try retire(target, in: database)
    try database.execute(
      sql: """
        UPDATE issue
        SET sample = (SELECT id FROM sample WHERE dataset = ?1 AND key = issue.sampleKey)
        WHERE import = ?2 AND sampleKey IS NOT NULL
        """, arguments: [target.dataset, target.importID])
    try database.execute(
      sql: """
        UPDATE import
        SET inputHash = ?, read = ?, accepted = ?, rejected = ?, samples = ?, issues = ?
        WHERE id = ?
        """,
      arguments: [
        inputHash, outcome.read, outcome.accepted, outcome.rejected, writer.written, writer.issues,
        target.importID,
      ])
    return ImportSummary(
      dataset: try DatasetRecord.fetch(target.dataset, in: database), added: writer.added,
      kept: writer.kept, retired: retired)
  }

  /// Marks the samples that only earlier imports had.
  ///
  /// - Returns: the number of newly marked samples.
  private func retire(_ target: ImportTarget, in database: Database) throws -> Int {
    guard target.isReplacement else { return 0 }
    try database.execute(
      sql: "UPDATE sample SET retired = 1 WHERE dataset = ? AND import <> ? AND retired = 0",
      arguments: [target.dataset, target.importID])
    return database.changesCount
  }
}
