import AssayCore
import GRDB

extension Catalog {
  /// All runs, by name.
  package func runs() throws -> [RunRecord] {
    try read("listing the runs") { database in
      try Row.fetchAll(database, sql: RunRecord.query + " ORDER BY r.name")
        .map { try RunRecord(row: $0, in: database) }
    }
  }

  /// Returns the run with the given name.
  ///
  /// - Throws: ``StoreError/unknownName(_:_:suggestion:known:)``.
  package func run(named name: String) throws -> RunRecord {
    guard let run = try findRun(named: name) else { throw try unknownRun(name) }
    return run
  }

  /// Returns the run with the given name; `nil` if there is none.
  package func findRun(named name: String) throws -> RunRecord? {
    try read("looking for a run") { database in
      try Row.fetchOne(database, sql: RunRecord.query + " WHERE r.name = ?", arguments: [name])
        .map { try RunRecord(row: $0, in: database) }
    }
  }

  /// The latest run of this model on these samples, in this order, with the same settings and
  /// created since the dataset's current import; `nil` if there is none. It can have pending
  /// samples.
  package func findRun(
    model: Int64, dataset: Int64, settings: String, samples: [Int64]
  ) throws -> RunRecord? {
    try read("looking for an earlier run") { database in
      try Row.fetchOne(
        database,
        sql: RunRecord.query + """
           JOIN dataset d ON d.id = r.dataset AND d.version = r.datasetVersion
          WHERE r.model = ? AND r.dataset = ? AND r.settings = ? AND r.samplesHash = ?
          ORDER BY r.id DESC LIMIT 1
          """, arguments: [model, dataset, settings, Self.hash(of: samples)]
      ).map { try RunRecord(row: $0, in: database) }
    }
  }

  /// Creates a run with all its samples pending.
  ///
  /// - Throws: ``StoreError/nameTaken(_:_:)``, ``StoreError/badName(_:)``,
  ///   ``StoreError/duplicateClass(_:)``.
  package func createRun(_ draft: RunDraft) throws -> RunRecord {
    try write("creating a run") { database in
      let id = try insertRun(draft, in: database)
      let insert = try RawStatement(
        database,
        """
        INSERT INTO runSample (run, sample, position, status) VALUES (?1, ?2, ?3, 'pending')
        """)
      insert.bind(id, at: 1)
      for (position, sample) in draft.samples.enumerated() {
        insert.bind(sample, at: 2)
        insert.bind(Int64(draft.positions?[position] ?? position), at: 3)
        try insert.run()
      }
      return try RunRecord.fetch(id, in: database)
    }
  }

  /// Inserts a run and its classes, without its samples.
  ///
  /// - Returns: its id.
  func insertRun(_ draft: RunDraft, in database: Database) throws -> Int64 {
    let version =
      try draft.datasetVersion ?? DatasetRecord.fetch(draft.dataset, in: database).importVersion
    let name = try runName(draft, in: database)
    let id = try database.insert(
      """
      INSERT INTO run (name, model, dataset, datasetVersion, view, settings, versions,
        samplesHash, task, createdAt)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        name, draft.model, draft.dataset, version, draft.view, draft.settings, draft.versions,
        Self.hash(of: draft.samples), draft.task.rawValue,
        draft.createdAt ?? RecordTime.now(),
      ])
    var classes: Set<String> = []
    for (ordinal, name) in draft.classes.enumerated() {
      guard classes.insert(name).inserted else { throw StoreError.duplicateClass(name) }
      try database.execute(
        sql: "INSERT INTO runClass (run, ordinal, name) VALUES (?, ?, ?)",
        arguments: [id, ordinal, name])
    }
    return id
  }

  /// The draft's name, or the first free one of `MODEL-VIEW`, `MODEL-VIEW-2`, ….
  private func runName(_ draft: RunDraft, in database: Database) throws -> String {
    func isTaken(_ name: String) throws -> Bool {
      try Bool.fetchOne(
        database, sql: "SELECT 1 FROM run WHERE name = ?", arguments: [name]) ?? false
    }
    if let name = draft.name {
      try Name.checked(name)
      guard try !isTaken(name) else { throw StoreError.nameTaken(.run, name) }
      return name
    }
    let model = try draft.model.map { try ModelRecord.fetch($0, in: database).name } ?? "imported"
    let stem = model + "-" + draft.view.replacing("/", with: "-")
    var name = stem
    var number = 1
    while try isTaken(name) {
      number += 1
      name = "\(stem)-\(number)"
    }
    return try Name.checked(name)
  }

  /// SHA-256 of the ids, each as 8 bytes, little-endian.
  private static func hash(of samples: [Int64]) -> String {
    var hash = ContentHash()
    samples.map(\.littleEndian).withUnsafeBytes { hash.update($0) }
    return hash.hexadecimal()
  }
}

extension RunRecord {
  /// Runs as `r`; further clauses can follow.
  static let query = """
    SELECT r.*,
      (SELECT count(*) FROM runSample x WHERE x.run = r.id) AS total,
      (SELECT count(*) FROM runSample x WHERE x.run = r.id AND x.status = 'done') AS done,
      (SELECT count(*) FROM runSample x WHERE x.run = r.id AND x.status = 'failed') AS failed
    FROM run r
    """

  init(row: Row, in database: Database) throws {
    let id: Int64 = row["id"]
    let model: Int64? = row["model"]
    self.init(
      id: id, name: row["name"], model: try model.map { try ModelRecord.fetch($0, in: database) },
      task: try row.stored("task", of: "run"),
      dataset: try DatasetRecord.fetch(row["dataset"], in: database),
      datasetVersion: row["datasetVersion"], view: row["view"], settings: row["settings"],
      versions: row["versions"],
      classes: try String.fetchAll(
        database, sql: "SELECT name FROM runClass WHERE run = ? ORDER BY ordinal",
        arguments: [id]),
      createdAt: row["createdAt"], total: row["total"], done: row["done"], failed: row["failed"])
  }

  static func fetch(_ id: Int64, in database: Database) throws -> RunRecord {
    let row = try Row.fetchOne(database, sql: query + " WHERE r.id = ?", arguments: [id])
    guard let row else { throw StoreError.removedMeanwhile(.run) }
    return try RunRecord(row: row, in: database)
  }
}
