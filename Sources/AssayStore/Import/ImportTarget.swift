import AssayCore
import GRDB

/// The rows that an import's samples, classes and issues refer to.
struct ImportTarget {
  let dataset: Int64
  let importID: Int64
  let taxonomy: Int64
  let annotationSet: Int64
  /// True if an earlier import has left samples.
  let isReplacement: Bool
  let isMultiLabel: Bool

  /// Creates the rows of a new dataset, or of the next import of an existing one, whose classes
  /// lose their ordinals until this import introduces them again.
  init(_ draft: ImportDraft, replacing old: DatasetRecord?, in database: Database) throws {
    isReplacement = old != nil
    isMultiLabel = draft.isMultiLabel
    let version = (old?.importVersion ?? 0) + 1
    if let old {
      dataset = old.id
      try database.execute(
        sql: """
          UPDATE dataset SET format = ?, root = ?, isSingleFile = ?, version = ? WHERE id = ?
          """, arguments: [draft.format.rawValue, draft.root, draft.isSingleFile, version, old.id])
      let set = try Row.fetchOne(
        database, sql: "SELECT id, taxonomy FROM annotationSet WHERE dataset = ? AND name = ?",
        arguments: [old.id, AnnotationSet.name])
      guard let set else { throw DatabaseError(message: "dataset “\(old.name)” has no labels") }
      annotationSet = set["id"]
      taxonomy = set["taxonomy"]
      try database.execute(
        sql: "UPDATE annotationSet SET multiLabel = ? WHERE id = ?",
        arguments: [draft.isMultiLabel, annotationSet])
      try database.execute(
        sql: "UPDATE category SET ordinal = NULL, hasUnions = 0 WHERE taxonomy = ?",
        arguments: [taxonomy])
      try AnnotationSet.deleteOthers(of: old.id, in: database)
      try database.execute(
        sql: "DELETE FROM issue WHERE import IN (SELECT id FROM import WHERE dataset = ?)",
        arguments: [old.id])
      try Catalog.deleteFindings("dataset = ?", [old.id], in: database)
    } else {
      dataset = try database.insert(
        """
        INSERT INTO dataset (name, format, root, isSingleFile, version) VALUES (?, ?, ?, ?, ?)
        """, [draft.name, draft.format.rawValue, draft.root, draft.isSingleFile, version])
      taxonomy = try database.insert(
        "INSERT INTO taxonomy (dataset, name) VALUES (?, ?)", [dataset, AnnotationSet.name])
      annotationSet = try database.insert(
        "INSERT INTO annotationSet (dataset, name, taxonomy, multiLabel) VALUES (?, ?, ?, ?)",
        [dataset, AnnotationSet.name, taxonomy, draft.isMultiLabel])
    }
    importID = try database.insert(
      """
      INSERT INTO import
        (dataset, version, options, read, accepted, rejected, samples, issues, importedAt)
      VALUES (?, ?, ?, 0, 0, 0, 0, 0, ?)
      """, [dataset, version, draft.options, RecordTime.now()])
  }

  /// The row id of a class that the import introduces: of the class with that name if an earlier
  /// import had it, else of a new one.
  func introduce(_ category: Category, as ordinal: Int, in database: Database) throws -> Int64 {
    let sourceID = category.sourceID?.databaseValue ?? .null
    let old = try Row.fetchOne(
      database, sql: "SELECT id, ordinal FROM category WHERE taxonomy = ? AND name = ?",
      arguments: [taxonomy, category.name])
    guard let old else {
      return try database.insert(
        """
        INSERT INTO category
          (taxonomy, ordinal, sourceId, name, supercategory, isVoid, attributes)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """,
        [
          taxonomy, ordinal, sourceID, category.name, category.supercategory, category.isVoid,
          category.attributes,
        ])
    }
    guard old["ordinal"] == nil else {
      throw StoreError.badBatch("category “\(category.name)” was introduced twice")
    }
    try database.execute(
      sql: """
        UPDATE category
        SET ordinal = ?, sourceId = ?, supercategory = ?, isVoid = ?, attributes = ? WHERE id = ?
        """,
      arguments: [
        ordinal, sourceID, category.supercategory, category.isVoid, category.attributes,
        old["id"] as Int64,
      ])
    return old["id"]
  }
}

extension Database {
  /// Inserts a row and returns its id.
  func insert(_ sql: String, _ arguments: StatementArguments) throws -> Int64 {
    try execute(sql: sql, arguments: arguments)
    return lastInsertedRowID
  }
}
