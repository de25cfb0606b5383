package import AssayCore
import GRDB

extension Catalog {
  /// All datasets, by name.
  package func datasets() throws -> [DatasetRecord] {
    try read("listing the datasets") { database in
      try Row.fetchAll(database, sql: DatasetRecord.query + " ORDER BY d.name")
        .map(DatasetRecord.init(row:))
    }
  }

  /// Returns the dataset with the given name.
  ///
  /// - Throws: ``StoreError/unknownName(_:_:suggestion:known:)``.
  package func dataset(named name: String) throws -> DatasetRecord {
    guard let dataset = try findDataset(named: name) else {
      throw try unknown(.dataset, name)
    }
    return dataset
  }

  /// Returns the dataset with the given name; `nil` if there is none.
  package func findDataset(named name: String) throws -> DatasetRecord? {
    try read("looking for a dataset") { database in
      try Row.fetchOne(
        database, sql: DatasetRecord.query + " WHERE d.name = ?", arguments: [name]
      ).map(DatasetRecord.init(row:))
    }
  }

  /// The classes of the dataset's labels, in order; empty if it has none.
  package func taxonomy(of dataset: Int64) throws -> Taxonomy {
    try read("reading the classes") { database in
      Taxonomy(try AnnotationSet(of: dataset, in: database).categories.map(\.category))
    }
  }

  /// The number of samples per split and label, by split, then ordinal; samples without a label
  /// come last.
  package func splitCounts(of dataset: Int64) throws -> [SplitCount] {
    try read("counting the labels") { database in
      let labels = try AnnotationSet(of: dataset, in: database)
      let set =
        if labels.isMultiLabel {
          "LEFT JOIN \(truth.labelRows) c ON c.sample = s.id"
        } else if labels.hasTags {
          "LEFT JOIN \(truth.imageLabelRows(set: labels.annotationSet)) c ON c.sample = s.id"
        } else {
          "LEFT JOIN category c ON c.id = \(truth.label)"
        }
      return try Row.fetchAll(
        database,
        sql: """
          SELECT s.sourceSplit AS split, c.ordinal AS category, count(*) AS count
          FROM sample s
          \(truth.labelJoin(set: "?"))
          \(set)
          WHERE s.dataset = ? AND s.retired = 0
          GROUP BY 1, 2 ORDER BY 1, 2 NULLS LAST
          """, arguments: [labels.annotationSet, dataset]
      ).map { row in
        let category: Int? = row["category"]
        guard category ?? 0 >= 0 else {
          throw StoreError.damaged(
            table: "annotation", "there are labels whose class is missing")
        }
        return SplitCount(split: row["split"], category: category, count: row["count"])
      }
    }
  }

  /// Sets the current location of the dataset's source. Nothing is read from there; the images in
  /// the new location may differ, so corrected images are checked again.
  ///
  /// - Parameter options: the new options of the current import, as JSON text; `nil` to keep them.
  package func relink(
    dataset: Int64, root: String, isSingleFile: Bool, options: String? = nil
  ) throws {
    try write("moving a dataset's root") { database in
      if let options {
        try database.execute(
          sql: """
            UPDATE import SET options = ?1
            WHERE dataset = ?2 AND version = (SELECT version FROM dataset WHERE id = ?2)
            """, arguments: [options, dataset])
      }
      try database.execute(
        sql: "UPDATE dataset SET root = ?, isSingleFile = ? WHERE id = ?",
        arguments: [root, isSingleFile, dataset])
      try database.execute(
        sql: """
          UPDATE sample SET contentHash = NULL
          WHERE dataset = ? AND location IS NOT NULL AND contentHash IS NOT NULL
          """, arguments: [dataset])
      try database.execute(
        sql: "UPDATE truthDataset SET version = -1 WHERE dataset = ?", arguments: [dataset])
    }
  }
}

extension DatasetRecord {
  /// Datasets as `d` with their current import as `i`; a WHERE clause can follow.
  static let query = """
    SELECT d.id, d.name, d.format, d.root, d.isSingleFile, d.version, i.inputHash, i.options,
      i.samples, i.read, i.accepted, i.rejected, i.issues, i.importedAt,
      (SELECT ifnull(sum(t.regions), 0) FROM annotationSet t
        WHERE t.dataset = d.id AND t.name = '\(AnnotationSet.name)') AS regions,
      (SELECT ifnull(max(t.multiLabel), 0) FROM annotationSet t WHERE t.dataset = d.id) AS multiLabel
    FROM dataset d JOIN import i ON i.dataset = d.id AND i.version = d.version
    """

  init(row: Row) throws {
    self.init(
      id: row["id"], name: row["name"], format: try row.stored("format", of: "dataset"),
      root: row["root"], isSingleFile: row["isSingleFile"], importVersion: row["version"],
      inputHash: row["inputHash"], options: row["options"], samples: row["samples"],
      read: row["read"], accepted: row["accepted"], rejected: row["rejected"],
      issues: row["issues"], regions: row["regions"],
      isMultiLabel: row["multiLabel"], importedAt: row["importedAt"])
  }

  /// Returns the dataset with the given id.
  static func fetch(_ id: Int64, in database: Database) throws -> DatasetRecord {
    let row = try Row.fetchOne(database, sql: query + " WHERE d.id = ?", arguments: [id])
    guard let row else { throw StoreError.removedMeanwhile(.dataset) }
    return try DatasetRecord(row: row)
  }
}
