import AssayCore
import GRDB

extension Catalog {
  /// Adds a run with the rows of all its parts, in one transaction.
  ///
  /// - Parameters:
  ///   - parts: all parts of the run, verified.
  ///   - draft: the run; its samples are those of the parts.
  ///   - list: the ``hash(of:)`` of the run's samples.
  ///   - progress: receives the fraction that is done; the merge stops if it throws.
  /// - Throws: ``StoreError``, ``PartFault``, ``PartMismatch``; any error that `progress` throws.
  package func merge(
    _ parts: [PartFile], as draft: RunDraft, list: String, progress: (Double) throws -> Void
  ) throws -> RunRecord {
    closeReaders()
    return try translating(path, "merging parts") {
      try connection.unsafeReentrantWrite { database in
        let isAlone = CatalogFile.setRollbackJournalIfAlone(database)
        defer { if isAlone { try? CatalogFile.setWriteAheadLog(database, busyTimeout: 0) } }
        // The rows were written with foreign keys on, and their samples are checked below.
        try database.execute(sql: "PRAGMA foreign_keys = OFF")
        defer { try? database.execute(sql: "PRAGMA foreign_keys = ON") }
        return try write("merging parts") { database in
          var draft = draft
          draft.samples = try PartSamples(parts).checked(
            in: database, dataset: draft.dataset, list: list)
          let run = try insertRun(draft, in: database)
          try PartCopy(parts).run(into: run, of: database, progress)
          return try RunRecord.fetch(run, in: database)
        }
      }
    }
  }

  /// Returns this catalog with the runs of some parts in place of its own runs. The rows are copied to
  /// a temporary file; the catalog stays as it is.
  ///
  /// - Parameters:
  ///   - runs: the runs, with different names.
  ///   - staging: a path at which there is no file; the caller removes the file.
  /// - Throws: the errors of ``merge(_:as:list:progress:)``.
  package func showing(
    _ runs: [ShownParts], staging: String, progress: (Double) throws -> Void
  ) throws -> (catalog: Catalog, runs: [RunRecord]) {
    let overlay = try Catalog.open(staging, .create)
    try translating(staging, "copying parts") {
      try overlay.connection.inDatabase { database in
        try database.execute(sql: "PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF")
      }
    }
    for (index, shown) in runs.enumerated() {
      var draft = shown.draft
      draft.samples = try read("reading samples") {
        try PartSamples(shown.parts).checked(in: $0, dataset: draft.dataset, list: shown.list)
      }
      guard let first = shown.parts.first else { continue }
      let model = try translating(first.path, "reading a part") {
        try first.connect().inDatabase { try Row.fetchOne($0, sql: "SELECT * FROM model") }
      }
      try overlay.write("copying parts") { database in
        draft.model = try model.map { try Self.insert(model: $0, in: database) }
        draft.name = nil
        let run = try overlay.insertRun(draft, in: database)
        try database.execute(
          sql: "UPDATE run SET name = ? WHERE id = ?", arguments: [shown.name, run])
        try PartCopy(shown.parts).run(into: run, of: database) {
          try progress((Double(index) + $0) / Double(runs.count))
        }
      }
    }
    let catalog = try overlaid(by: staging)
    return (catalog, try runs.map { try catalog.run(named: $0.name) })
  }

  /// Adds the model of a part, unless another part has the same one.
  private static func insert(model: Row, in database: Database) throws -> Int64 {
    let (name, hash): (String, String) = (model["name"], model["hash"])
    let manifest: String = model["manifest"]
    let known = try Row.fetchOne(
      database, sql: "SELECT id, hash, manifest FROM model WHERE name = ?", arguments: [name])
    if let known, known["hash"] == hash, known["manifest"] == manifest { return known["id"] }
    // Two catalogs can have different models of one name.
    return try database.insert(
      "INSERT INTO model (name, hash, task, path, manifest) VALUES (?, ?, ?, ?, ?)",
      [
        known == nil ? name : "\(name) \(hash.prefix(12))", hash, model["task"] as String,
        model["path"] as String, manifest,
      ])
  }
}

/// The parts of a run that a catalog is to show under a name.
package struct ShownParts {
  package var parts: [PartFile]
  package var draft: RunDraft
  package var name: String
  /// The ``Catalog/hash(of:)`` of the run's samples.
  package var list: String

  package init(_ parts: [PartFile], as draft: RunDraft, named name: String, list: String) {
    self.parts = parts
    self.draft = draft
    self.name = name
    self.list = list
  }
}

/// The reason why parts do not fit a catalog.
package enum PartMismatch: Error, Hashable, Sendable {
  /// The samples are not the catalog's.
  case otherSamples
}

/// The samples of all parts of a run.
private struct PartSamples {
  /// The ids by position.
  private let ids: [Int64]

  /// - Throws: ``PartFault`` if a position is missing or there twice.
  init(_ parts: [PartFile]) throws {
    let total = parts.reduce(0) { $0 + $1.samples }
    var ids = [Int64](repeating: 0, count: total)
    var isThere = [Bool](repeating: false, count: total)
    for part in parts {
      try translating(part.path, "reading a part") {
        try part.connect().inDatabase { database in
          let scan = try RawStatement(database, "SELECT position, sample FROM runSample")
          while try scan.step() {
            let position = Int(scan.integer(0))
            guard isThere.indices.contains(position), !isThere[position] else {
              throw PartFault.inconsistent("a sample is missing or in two parts")
            }
            isThere[position] = true
            ids[position] = scan.integer(1)
          }
        }
      }
    }
    self.ids = ids
  }

  /// The ids in the order of the run, if a catalog has the same samples under them.
  ///
  /// - Throws: ``PartMismatch/otherSamples``.
  func checked(in database: Database, dataset: Int64, list: String) throws -> [Int64] {
    let find = try RawStatement(
      database, "SELECT key FROM sample WHERE id = ?1 AND dataset = ?2")
    find.bind(dataset, at: 2)
    var hash = SampleListHash()
    for id in ids {
      find.bind(id, at: 1)
      guard try find.step() else { throw PartMismatch.otherSamples }
      hash.add(id, find.text(0))
      find.reset()
    }
    guard hash.text == list else { throw PartMismatch.otherSamples }
    return ids
  }
}

/// Copies the rows of parts into one run, ascending by sample: rows that are appended to a table cost a
/// fraction of those that are put between others.
private struct PartCopy {
  let parts: [PartFile]

  init(_ parts: [PartFile]) { self.parts = parts }

  func run(
    into run: Int64, of database: Database, _ progress: (Double) throws -> Void
  ) throws {
    for (index, table) in Catalog.runTables.enumerated() {
      try copy(table, into: run, of: database) { done in
        try progress((Double(index) + done) / Double(Catalog.runTables.count))
      }
    }
  }

  private func copy(
    _ table: String, into run: Int64, of database: Database, _ progress: (Double) throws -> Void
  ) throws {
    let columns = try String.fetchAll(
      database,
      sql: "SELECT name FROM pragma_table_info(?) WHERE name NOT IN ('id', 'run', 'sample')",
      arguments: [table])
    let names = (["sample"] + columns).joined(separator: ", ")
    let marks = (2...columns.count + 2).map { "?\($0)" }.joined(separator: ", ")
    let insert = try RawStatement(
      database, "INSERT INTO \(table) (run, \(names)) VALUES (?1, \(marks))")
    insert.bind(run, at: 1)
    let query = "SELECT \(names) FROM \(table) ORDER BY \(try order(of: table, in: database))"
    var waiting = try parts.compactMap { try PartCursor($0, table, query) }
      .sorted { $0.next > $1.next }
    let total = Double(max(1, parts.reduce(0) { $0 + $1.samples }))
    var (rows, samples, last) = (0, 0.0, Int64.min)
    while let cursor = waiting.popLast() {
      // Until another part has the next sample.
      let limit = waiting.last?.next ?? .max
      while let sample = try cursor.sample(), sample <= limit {
        cursor.bind(to: insert, columns: Int32(columns.count + 1))
        try insert.run()
        samples += sample == last ? 0 : 1
        last = sample
        rows += 1
        if rows.isMultiple(of: 1024) { try progress(min(1, samples / total)) }
        try cursor.advance()
      }
      guard let next = try cursor.sample() else { continue }
      cursor.next = next
      let place = waiting.firstIndex { $0.next < next } ?? waiting.endIndex
      waiting.insert(cursor, at: place)
    }
  }

  /// The order of a table's rows within a part, ascending by sample.
  private func order(of table: String, in database: Database) throws -> String {
    let keys = try String.fetchAll(
      database, sql: "SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk",
      arguments: [table])
    // Rows with a number of their own, in the order in which they were written.
    return (["sample"] + keys.filter { !["run", "sample"].contains($0) }).joined(separator: ", ")
  }
}

/// The rows of a table of one part, ascending by sample. The file is open from the first to the last row.
private final class PartCursor {
  private let part: PartFile
  private let query: String
  private var connection: DatabaseQueue?
  private var statement: RawStatement?
  private var current: Int64?
  /// The sample of the next row.
  var next: Int64

  /// `nil` if the part has no rows in the table.
  init?(_ part: PartFile, _ table: String, _ query: String) throws {
    let first = try translating(part.path, "reading a part") {
      try part.connect().inDatabase {
        try Int64.fetchOne($0, sql: "SELECT min(sample) FROM \(table)")
      }
    }
    guard let first else { return nil }
    self.part = part
    self.query = query
    next = first
  }

  /// The sample of the current row; `nil` after the last.
  func sample() throws -> Int64? {
    if connection == nil {
      let connection = try part.connect()
      statement = try connection.inDatabase { try RawStatement($0, query) }
      self.connection = connection
      try advance()
    }
    return current
  }

  func advance() throws {
    guard let statement else { return }
    current = try statement.step() ? statement.integer(0) : nil
    if current == nil { self.statement = nil }
  }

  func bind(to insert: RawStatement, columns: Int32) {
    guard let statement else { return }
    for column in 0..<columns { insert.bind(column, of: statement, at: column + 2) }
  }
}
