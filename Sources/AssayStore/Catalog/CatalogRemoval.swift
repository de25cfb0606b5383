import GRDB

extension Catalog {
  /// Removes the object with the given name and everything that depends on it, in one transaction.
  ///
  /// Removing a dataset also removes its views, partitions, runs and reviews; removing a run also
  /// removes its evaluations. A partition is named `DATASET/PARTITION`, or by its name alone if
  /// that is unique. A review is only a list: its corrections are kept.
  ///
  /// - Returns: the removed objects.
  /// - Throws: ``StoreError/unknownName(_:_:suggestion:known:)``;
  ///   ``StoreError/modelInUse(_:runs:)`` for a model that has runs.
  package func remove(_ kind: NameKind, named name: String) throws -> Removal {
    try translating(path, "removing “\(name)”") {
      try connection.unsafeReentrantWrite { database in
        // The order of deletion keeps the references valid; checking each would scan whole tables.
        try database.execute(sql: "PRAGMA foreign_keys = OFF")
        defer { try? database.execute(sql: "PRAGMA foreign_keys = ON") }
        return try write("removing “\(name)”") { database in
          switch kind {
          case .dataset: try removeDataset(name, in: database)
          case .view: try removeView(name, in: database)
          case .partition: try removePartition(name, in: database)
          case .model: try removeModel(name, in: database)
          case .run: try removeRun(name, in: database)
          case .review: try removeReview(name, in: database)
          }
        }
      }
    }
  }

  private func removeDataset(_ name: String, in database: Database) throws -> Removal {
    let id = try dataset(named: name).id
    var removal = Removal(kind: .dataset, name: name)
    func names(_ table: String) throws -> [String] {
      try String.fetchAll(
        database, sql: "SELECT name FROM \(table) WHERE dataset = ? ORDER BY name",
        arguments: [id])
    }
    removal.views = try names("view")
    removal.partitions = try names("partition")
    removal.runs = try names("run")
    removal.reviews = try names("review")
    removal.evaluations = try Self.deleteRuns("dataset = ?", [id], in: database)
    try Self.deletePartitions("dataset = ?", [id], in: database)
    try Self.deleteReviews("dataset = ?", [id], in: database)
    try Self.deleteFindings("dataset = ?", [id], in: database)
    try CorrectionMirror.forget(dataset: id, in: database)
    let samples = "SELECT id FROM sample WHERE dataset = ?"
    try database.execute(
      literal: """
        DELETE FROM view WHERE dataset = \(id);
        DELETE FROM issue WHERE import IN (SELECT id FROM import WHERE dataset = \(id));
        """)
    try database.execute(
      sql: """
        DELETE FROM geometry WHERE id IN (SELECT geometry FROM annotation WHERE sample IN (\(samples)))
        """, arguments: [id])
    try database.execute(
      sql: """
        DELETE FROM sampleCategory
        WHERE annotationSet IN (SELECT id FROM annotationSet WHERE dataset = ?)
        """, arguments: [id])
    for table in ["annotation", "pixels"] {
      try database.execute(
        sql: "DELETE FROM \(table) WHERE sample IN (\(samples))", arguments: [id])
    }
    try database.execute(sql: "DELETE FROM sample WHERE dataset = ?", arguments: [id])
    removal.samples = database.changesCount
    try database.execute(
      literal: """
        DELETE FROM annotationSet WHERE dataset = \(id);
        DELETE FROM category WHERE taxonomy IN (SELECT id FROM taxonomy WHERE dataset = \(id));
        DELETE FROM taxonomy WHERE dataset = \(id);
        DELETE FROM import WHERE dataset = \(id);
        DELETE FROM dataset WHERE id = \(id);
        """)
    return removal
  }

  private func removeView(_ name: String, in database: Database) throws -> Removal {
    // The list of a sample is of no use without its view.
    try Self.deletePartitions(
      """
      name = ?1 AND dataset = (SELECT dataset FROM view WHERE name = ?1)
      AND json_extract(rule, '$.\(Catalog.sampleMember)') IS NOT NULL
      """, [name], in: database)
    try database.execute(sql: "DELETE FROM view WHERE name = ?", arguments: [name])
    guard database.changesCount == 1 else { throw try unknown(.view, name) }
    return Removal(kind: .view, name: name)
  }

  private func removePartition(_ name: String, in database: Database) throws -> Removal {
    let pieces = name.split(separator: "/", maxSplits: 1)
    let ids = try Int64.fetchAll(
      database,
      sql: """
        SELECT p.id FROM partition p JOIN dataset d ON d.id = p.dataset
        WHERE p.name = ?1 AND (?2 IS NULL OR d.name = ?2)
        """, arguments: [pieces.last.map(String.init), pieces.count == 2 ? String(pieces[0]) : nil])
    guard ids.count == 1, let id = ids.first else {
      let known = try String.fetchAll(
        database,
        sql: """
          SELECT d.name || '/' || p.name FROM partition p JOIN dataset d ON d.id = p.dataset
          ORDER BY 1
          """)
      throw StoreError.unknownName(.partition, name, suggestion: nil, known: known)
    }
    try Self.deletePartitions("id = ?", [id], in: database)
    return Removal(kind: .partition, name: name)
  }

  private func removeModel(_ name: String, in database: Database) throws -> Removal {
    let model = try model(named: name)
    let runs = try String.fetchAll(
      database, sql: "SELECT name FROM run WHERE model = ? ORDER BY name", arguments: [model.id])
    guard runs.isEmpty else { throw StoreError.modelInUse(name, runs: runs) }
    try database.execute(sql: "DELETE FROM model WHERE id = ?", arguments: [model.id])
    return Removal(kind: .model, name: name)
  }

  private func removeRun(_ name: String, in database: Database) throws -> Removal {
    let run = try run(named: name)
    var removal = Removal(kind: .run, name: name)
    removal.evaluations = try Self.deleteRuns("id = ?", [run.id], in: database)
    return removal
  }

  private func removeReview(_ name: String, in database: Database) throws -> Removal {
    let review = try review(named: name)
    try Self.deleteReviews("id = ?", [review.id], in: database)
    return Removal(kind: .review, name: name)
  }

  /// - Returns: the number of removed evaluations.
  private static func deleteRuns(
    _ condition: String, _ arguments: StatementArguments, in database: Database
  ) throws -> Int {
    let runs = "run IN (SELECT id FROM run WHERE \(condition))"
    let evaluations = try deleteEvaluations(runs, arguments, in: database)
    for table in [
      "embedding", "prediction", "maskPrediction", "probabilityMap", "detection", "runSample",
      "runClass",
    ] {
      try database.execute(sql: "DELETE FROM \(table) WHERE \(runs)", arguments: arguments)
    }
    try database.execute(sql: "DELETE FROM run WHERE \(condition)", arguments: arguments)
    return evaluations
  }

  /// - Returns: the number of removed evaluations.
  @discardableResult
  static func deleteEvaluations(
    _ condition: String, _ arguments: StatementArguments, in database: Database
  ) throws -> Int {
    let evaluations = "SELECT id FROM evaluation WHERE \(condition)"
    for table in [
      "score", "tally", "pixelTally", "labelTally", "match", "detectionTally", "evaluationClass",
    ] {
      try database.execute(
        sql: "DELETE FROM \(table) WHERE evaluation IN (\(evaluations))", arguments: arguments)
    }
    try database.execute(sql: "DELETE FROM evaluation WHERE \(condition)", arguments: arguments)
    return database.changesCount
  }

  private static func deletePartitions(
    _ condition: String, _ arguments: StatementArguments, in database: Database
  ) throws {
    for table in ["partitionMember", "partitionPart"] {
      try database.execute(
        sql: """
          DELETE FROM \(table)
          WHERE partition IN (SELECT id FROM partition WHERE \(condition))
          """, arguments: arguments)
    }
    try database.execute(sql: "DELETE FROM partition WHERE \(condition)", arguments: arguments)
  }
}
