package import AssayCore
import GRDB

/// Parts of runs that are computed apart from the catalog.
extension Catalog {
  /// The tables with the rows of a run's samples, which parts carry and a merge copies.
  static let runTables = [
    "runSample", "prediction", "maskPrediction", "probabilityMap", "detection", "embedding",
  ]

  /// Creates a catalog with a run of some of this catalog's samples, which keep their ids; images
  /// and ground truth stay in this catalog.
  ///
  /// - Parameters:
  ///   - path: a file that does not exist.
  ///   - draft: the run; with ``RunDraft/positions``.
  /// - Throws: ``StoreError``.
  package func makePart(
    at path: String, _ draft: RunDraft, samples: [SampleRecord]
  ) throws -> (part: Catalog, run: RunRecord) {
    let part = try Catalog.open(path, .create)
    try part.keepTables(["annotationSet", "run", "runClass"] + Self.runTables)
    try part.writeInPlace()
    let head = try rowsOfRun(dataset: draft.dataset, model: draft.model)
    let run = try part.write("creating a part") { database in
      let importID = try head.insert(into: database)
      let insert = try RawStatement(
        database,
        """
        INSERT INTO sample (id, dataset, key, width, height, import) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
        """)
      insert.bind(draft.dataset, at: 2)
      insert.bind(importID, at: 6)
      for sample in samples {
        insert.bind(sample.id, at: 1)
        insert.bind(sample.key, at: 3)
        insert.bind((sample.size?.width).map(Int64.init), at: 4)
        insert.bind((sample.size?.height).map(Int64.init), at: 5)
        try insert.run()
      }
      return try part.createRun(draft)
    }
    return (part, run)
  }

  /// The rows of a dataset, its current import and a model, with all their columns.
  func rowsOfRun(dataset: Int64, model: Int64?) throws -> RunHead {
    try read("reading the dataset of a run") { database in
      func row(_ sql: String, _ id: Int64?) throws -> Row? {
        try Row.fetchOne(database, sql: sql, arguments: [id])
      }
      return RunHead(rows: [
        ("dataset", try row("SELECT * FROM dataset WHERE id = ?", dataset)),
        (
          "import",
          try row(
            """
            SELECT i.* FROM import i JOIN dataset d ON d.id = i.dataset AND d.version = i.version
            WHERE d.id = ?
            """, dataset)
        ),
        ("model", try row("SELECT * FROM model WHERE id = ?", model)),
      ])
    }
  }

  /// Drops the tables that a part or a plan does not need, each of which takes a page.
  ///
  /// - Parameter names: the tables to keep besides those of datasets and models.
  func keepTables(_ names: [String]) throws {
    let needed = ["grdb_migrations", "dataset", "import", "sample", "model"] + names
    try translating(path, "creating a part") {
      try connection.inDatabase { database in
        try database.execute(sql: "PRAGMA foreign_keys = OFF")
        defer { try? database.execute(sql: "PRAGMA foreign_keys = ON") }
        // They name tables that are dropped.
        let triggers = try String.fetchAll(
          database, sql: "SELECT name FROM sqlite_schema WHERE type = 'trigger'")
        for trigger in triggers { try database.execute(sql: "DROP TRIGGER \(trigger)") }
        let tables = try String.fetchAll(
          database, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'")
        for table in tables where !needed.contains(table) && !table.hasPrefix("sqlite_") {
          try database.execute(sql: "DROP TABLE \(table)")
        }
        try Self.removeIndexOfKeys(database)
        try database.execute(sql: "VACUUM")
      }
    }
  }

  /// Makes the empty table of samples again without its index by key: parts and plans find samples by id, and the
  /// index takes a fifth of their bytes and of the time to write them.
  private static func removeIndexOfKeys(_ database: Database) throws {
    let columns = try Row.fetchAll(
      database,
      sql: "SELECT name, type, \"notnull\", dflt_value, pk FROM pragma_table_info('sample')"
    ).map { row in
      let isRequired: Bool = row["notnull"]
      let isKey: Bool = row["pk"]
      let standard: String? = row["dflt_value"]
      return "\(row["name"] as String) \(row["type"] as String)" + (isKey ? " PRIMARY KEY" : "")
        + (isRequired ? " NOT NULL" : "") + (standard.map { " DEFAULT \($0)" } ?? "")
    }
    try database.execute(sql: "DROP TABLE sample")
    try database.execute(sql: "CREATE TABLE sample (\(columns.joined(separator: ", "))) STRICT")
  }

  /// Does without a journal on disk and without waiting for the disk: the file is thrown away unless its process
  /// completes it and copies it, after a wait for the disk.
  func writeInPlace() throws {
    closeReaders()
    try translating(path, "creating a part") {
      try connection.inDatabase { database in
        guard CatalogFile.setRollbackJournalIfAlone(database),
          try String.fetchOne(database, sql: "PRAGMA journal_mode = MEMORY") == "memory"
        else { throw DatabaseError(resultCode: .SQLITE_BUSY) }
        try database.execute(sql: "PRAGMA synchronous = OFF")
      }
    }
  }

  /// The numbers of samples of a run that failed, and that are pending.
  ///
  /// - Throws: ``StoreError``.
  package func openCounts(of run: Int64) throws -> (failed: Int, pending: Int) {
    try read("counting samples") { database in
      let row = try Row.fetchOne(
        database,
        sql: """
          SELECT count(*) FILTER (WHERE status = 'failed'), count(*) FILTER (WHERE status = 'pending')
          FROM runSample WHERE run = ?
          """, arguments: [run])
      return (row?[0] ?? 0, row?[1] ?? 0)
    }
  }

  /// Completes a part: it becomes one file, which is no catalog any more.
  ///
  /// - Throws: ``StoreError``.
  package func seal(_ identity: PartIdentity) throws {
    try complete(PartFile.seal) { database in
      try database.execute(
        sql: "CREATE TABLE part (identity TEXT NOT NULL) STRICT;  -- JSON")
      try database.execute(
        sql: "INSERT INTO part (identity) VALUES (?)", arguments: [identity.text])
    }
  }

  /// Makes the catalog a file of another kind, after the last change.
  func complete(_ seal: FileSeal, _ change: (Database) throws -> Void) throws {
    try write("completing a part") { database in
      try change(database)
      try database.execute(sql: "PRAGMA application_id = \(seal.applicationID)")
    }
    closeReaders()
    try translating(path, "completing a part") {
      try connection.inDatabase { database in
        guard CatalogFile.setRollbackJournalIfAlone(database) else {
          throw DatabaseError(resultCode: .SQLITE_BUSY)
        }
      }
    }
  }

  /// SHA-256 of the ids and keys of samples, in the order of their run.
  package static func hash(of samples: [SampleRecord]) -> String {
    var hash = SampleListHash()
    for sample in samples { hash.add(sample.id, sample.key) }
    return hash.text
  }
}

/// The rows that the samples and the run of a part or a plan refer to.
struct RunHead {
  /// The rows by table; `nil` for a run without a model.
  let rows: [(table: String, row: Row?)]

  /// Inserts the rows.
  ///
  /// - Returns: the id of the import.
  func insert(into database: Database) throws -> Int64? {
    for case (let table, let row?) in rows {
      let columns = row.columnNames.joined(separator: ", ")
      let marks = row.columnNames.map { _ in "?" }.joined(separator: ", ")
      try database.execute(
        sql: "INSERT INTO \(table) (\(columns)) VALUES (\(marks))",
        arguments: StatementArguments(row.databaseValues))
    }
    return try Int64.fetchOne(database, sql: "SELECT id FROM import")
  }
}

/// The hash of a list of samples.
struct SampleListHash {
  private var hash = ContentHash()
  /// The bytes that are not hashed yet: many short pieces cost more than a long one.
  private var waiting: [UInt8] = []
  private static let limit = 1 << 15

  init() { waiting.reserveCapacity(2 * Self.limit) }

  mutating func add(_ id: Int64, _ key: String) {
    var key = key
    key.withUTF8 { add(id, UnsafeRawBufferPointer($0)) }
  }

  /// - Parameter key: the UTF-8 bytes of the key.
  mutating func add(_ id: Int64, _ key: UnsafeRawBufferPointer) {
    withUnsafeBytes(of: id.littleEndian) { waiting.append(contentsOf: $0) }
    waiting.append(contentsOf: key)
    waiting.append(UInt8(ascii: "\n"))
    guard waiting.count >= Self.limit else { return }
    waiting.withUnsafeBytes { hash.update($0) }
    waiting.removeAll(keepingCapacity: true)
  }

  var text: String {
    var hash = hash
    waiting.withUnsafeBytes { hash.update($0) }
    return hash.hexadecimal()
  }
}
