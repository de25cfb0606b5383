import GRDB

extension Catalog {
  /// All models, by name.
  package func models() throws -> [ModelRecord] {
    try read("listing the models") { database in
      try Row.fetchAll(database, sql: ModelRecord.query + " ORDER BY name")
        .map(ModelRecord.init(row:))
    }
  }

  /// Returns the model with the given name.
  ///
  /// - Throws: ``StoreError/unknownName(_:_:suggestion:known:)``.
  package func model(named name: String) throws -> ModelRecord {
    guard let model = try findModel(named: name) else { throw try unknown(.model, name) }
    return model
  }

  /// Returns the model with the given name; `nil` if there is none.
  package func findModel(named name: String) throws -> ModelRecord? {
    try read("looking for a model") { database in
      try Row.fetchOne(database, sql: ModelRecord.query + " WHERE name = ?", arguments: [name])
        .map(ModelRecord.init(row:))
    }
  }

  /// Registers a model. Registering an identical model again changes nothing.
  ///
  /// - Throws: ``StoreError/nameTaken(_:_:)`` if another model has the name,
  ///   ``StoreError/badName(_:)``.
  package func addModel(_ draft: ModelDraft) throws -> ModelRecord {
    try write("registering a model") { database in
      try Name.checked(draft.name)
      if let old = try findModel(named: draft.name) {
        guard old.isSame(as: draft) else { throw StoreError.nameTaken(.model, draft.name) }
        return old
      }
      let id = try database.insert(
        "INSERT INTO model (name, hash, task, path, manifest) VALUES (?, ?, ?, ?, ?)",
        [draft.name, draft.hash, draft.task.rawValue, draft.path, draft.manifest])
      return try ModelRecord.fetch(id, in: database)
    }
  }
}

extension ModelRecord {
  static let query = "SELECT id, name, hash, task, path, manifest FROM model"

  init(row: Row) throws {
    self.init(
      id: row["id"], name: row["name"], hash: row["hash"],
      task: try row.stored("task", of: "model"), path: row["path"], manifest: row["manifest"])
  }

  static func fetch(_ id: Int64, in database: Database) throws -> ModelRecord {
    let row = try Row.fetchOne(database, sql: query + " WHERE id = ?", arguments: [id])
    guard let row else { throw StoreError.removedMeanwhile(.model) }
    return try ModelRecord(row: row)
  }

  fileprivate func isSame(as draft: ModelDraft) -> Bool {
    hash == draft.hash && task == draft.task && path == draft.path && manifest == draft.manifest
  }
}
