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

  /// A model with a revised manifest.
  package struct RevisedModel: Hashable, Sendable {
    package let model: ModelRecord
    /// The model with the earlier manifest, under another name; `nil` if no run used it.
    package let kept: ModelRecord?
    /// False if the manifest is the same.
    package let isChanged: Bool
  }

  /// Gives a model another manifest for the same file and task. Runs keep the manifest they were made with: a
  /// model that has runs is renamed to `NAME.v1`, the first such name that is free.
  ///
  /// - Throws: ``StoreError``.
  package func reviseModel(named name: String, manifest: String) throws -> RevisedModel {
    try write("revising a model") { database in
      let old = try model(named: name)
      guard old.manifest != manifest else {
        return RevisedModel(model: old, kept: nil, isChanged: false)
      }
      let runs =
        try Int.fetchOne(
          database, sql: "SELECT count(*) FROM run WHERE model = ?", arguments: [old.id]) ?? 0
      guard runs > 0 else {
        try database.execute(
          sql: "UPDATE model SET manifest = ? WHERE id = ?", arguments: [manifest, old.id])
        return RevisedModel(
          model: try ModelRecord.fetch(old.id, in: database), kept: nil, isChanged: true)
      }
      var version = 1
      while try findModel(named: "\(name).v\(version)") != nil { version += 1 }
      let keptName = try Name.checked("\(name).v\(version)")
      try database.execute(
        sql: "UPDATE model SET name = ? WHERE id = ?", arguments: [keptName, old.id])
      let id = try database.insert(
        "INSERT INTO model (name, hash, task, path, manifest) VALUES (?, ?, ?, ?, ?)",
        [name, old.hash, old.task.rawValue, old.path, manifest])
      return RevisedModel(
        model: try ModelRecord.fetch(id, in: database),
        kept: try ModelRecord.fetch(old.id, in: database), isChanged: true)
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
