import AssayCore
import GRDB

extension Catalog {
  /// Saves an evaluation with its tallies and scores.
  ///
  /// - Throws: ``StoreError/evaluationExists(_:run:)`` if the run has one with this name and
  ///   `replace` is `false`; ``StoreError/badName(_:)``, ``StoreError/duplicateClass(_:)``,
  ///   ``StoreError/badTally(sample:classes:)``, ``StoreError/badMatching(_:)``,
  ///   ``StoreError/badMatches(sample:_:)``.
  package func saveEvaluation(
    _ draft: EvaluationDraft, replace: Bool
  ) throws -> EvaluationRecord {
    try write("storing an evaluation") { database in
      try Name.checked(draft.name)
      let run = try RunRecord.fetch(draft.run, in: database)
      if let old = try EvaluationRecord.fetch(draft.name, of: run, in: database) {
        guard replace else { throw StoreError.evaluationExists(draft.name, run: run.name) }
        try Self.deleteEvaluations("id = ?", [old.id], in: database)
      }
      let id = try database.insert(
        """
        INSERT INTO evaluation
          (run, name, settings, iouThresholds, workingIoU, workingScore, ledgerSequence, createdAt)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """,
        [
          draft.run, draft.name, draft.settings, draft.matching?.thresholdsText,
          draft.matching?.iou, draft.matching?.score, draft.ledgerSequence, RecordTime.now(),
        ])
      var classes: Set<String> = []
      for (ordinal, name) in draft.classes.enumerated() {
        guard classes.insert(name).inserted else { throw StoreError.duplicateClass(name) }
        try database.execute(
          sql: "INSERT INTO evaluationClass (evaluation, ordinal, name) VALUES (?, ?, ?)",
          arguments: [id, ordinal, name])
      }
      try Self.insert(draft.tallies, of: id, in: database)
      try Self.insert(
        draft.pixelTallies, of: id, classes: draft.classes.count, in: database)
      try Self.insert(
        draft.labelTallies, of: id, classes: draft.classes.count, in: database)
      try Self.insertDetections(of: draft, id, in: database)
      for score in draft.scores {
        try database.execute(
          sql: """
            INSERT INTO score
              (evaluation, metric, category, slice, value, low, high, n, defined, total)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
          arguments: [
            id, score.metric.rawValue, score.category, score.slice, score.value, score.low,
            score.high, score.n, score.defined, score.total,
          ])
      }
      guard let saved = try EvaluationRecord.fetch(draft.name, of: run, in: database) else {
        throw DatabaseError(message: "the evaluation was not stored")
      }
      return saved
    }
  }

  /// Returns the evaluation with the given name.
  ///
  /// - Throws: ``StoreError/unknownEvaluation(_:run:known:)``.
  package func evaluation(named name: String, of run: RunRecord) throws -> EvaluationRecord {
    try read("looking for an evaluation") { database in
      guard let evaluation = try EvaluationRecord.fetch(name, of: run, in: database) else {
        throw StoreError.unknownEvaluation(
          name, run: run.name, known: try evaluations(of: run).map(\.name))
      }
      return evaluation
    }
  }

  /// The evaluations of a run, oldest first.
  package func evaluations(of run: RunRecord) throws -> [EvaluationRecord] {
    try read("listing the evaluations") { database in
      try Row.fetchAll(
        database, sql: "SELECT * FROM evaluation WHERE run = ? ORDER BY id", arguments: [run.id]
      ).map { try EvaluationRecord(row: $0, of: run, in: database) }
    }
  }

  /// The tallies of an evaluation, by sample id.
  ///
  /// - Throws: ``StoreError/damaged(table:_:)`` for a class or a rank that the evaluation cannot have.
  package func tallies(of evaluation: Int64) throws -> [TallyRecord] {
    try read("reading tallies") { database in
      let statement = try RawStatement(
        database,
        """
        SELECT sample, truth, predicted, rank, confidence, margin FROM tally
        WHERE evaluation = ?1 ORDER BY sample
        """)
      statement.bind(evaluation, at: 1)
      let classes =
        try Int.fetchOne(
          database, sql: "SELECT count(*) FROM evaluationClass WHERE evaluation = ?",
          arguments: [evaluation]) ?? 0
      var tallies: [TallyRecord] = []
      while try statement.step() {
        let tally = TallyRecord(
          sample: statement.integer(0), truth: Int(statement.integer(1)),
          predicted: Int(statement.integer(2)), rank: Int(statement.integer(3)),
          confidence: statement.real(4), margin: statement.real(5))
        guard (0..<classes).contains(tally.truth), (0..<classes).contains(tally.predicted),
          (0...classes).contains(tally.rank), tally.confidence.isFinite, tally.margin.isFinite
        else {
          throw StoreError.damaged(
            table: "tally",
            "the numbers of sample \(tally.sample) do not fit an evaluation of \(classes) classes")
        }
        tallies.append(tally)
      }
      return tallies
    }
  }

  /// The scores of an evaluation, in storage order. Earlier spellings of a metric's key are read as
  /// that metric; the table keeps them.
  package func scores(of evaluation: Int64) throws -> [ScoreRecord] {
    try read("reading scores") { database in
      try Row.fetchAll(
        database, sql: "SELECT * FROM score WHERE evaluation = ? ORDER BY id",
        arguments: [evaluation]
      ).map { row in
        let key: String = row["metric"]
        guard let metric = MetricKind(key: key) else {
          throw StoreError.unknownValue(table: "score", column: "metric", value: key)
        }
        return ScoreRecord(
          metric: metric, category: row["category"],
          slice: row["slice"], value: row["value"], low: row["low"], high: row["high"],
          n: row["n"], defined: row["defined"], total: row["total"])
      }
    }
  }

  private static func insert(
    _ tallies: [TallyRecord], of evaluation: Int64, in database: Database
  ) throws {
    let insert = try RawStatement(
      database,
      """
      INSERT INTO tally (evaluation, sample, truth, predicted, rank, confidence, margin)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
      """)
    insert.bind(evaluation, at: 1)
    for tally in tallies {
      insert.bind(tally.sample, at: 2)
      insert.bind(Int64(tally.truth), at: 3)
      insert.bind(Int64(tally.predicted), at: 4)
      insert.bind(Int64(tally.rank), at: 5)
      insert.bind(tally.confidence, at: 6)
      insert.bind(tally.margin, at: 7)
      try insert.run()
    }
  }
}

extension Catalog {
  /// Writes the tallies and matches of a detector's evaluation, if the draft has them.
  private static func insertDetections(
    of draft: EvaluationDraft, _ evaluation: Int64, in database: Database
  ) throws {
    guard let matching = draft.matching else {
      guard draft.detections.isEmpty else {
        throw StoreError.badMatching("matches without their settings")
      }
      return
    }
    if let fault = matching.fault { throw StoreError.badMatching(fault) }
    let writer = try MatchWriter(
      evaluation, matching, classes: draft.classes.count, in: database)
    for tally in draft.detections { try writer.write(tally) }
  }
}

extension EvaluationRecord {
  init(row: Row, of run: RunRecord, in database: Database) throws {
    let id: Int64 = row["id"]
    self.init(
      id: id, name: row["name"], run: run, settings: row["settings"],
      classes: try String.fetchAll(
        database, sql: "SELECT name FROM evaluationClass WHERE evaluation = ? ORDER BY ordinal",
        arguments: [id]),
      createdAt: row["createdAt"], matching: try MatchSettings(row: row),
      ledgerSequence: row["ledgerSequence"])
  }

  static func fetch(
    _ name: String, of run: RunRecord, in database: Database
  ) throws -> EvaluationRecord? {
    try Row.fetchOne(
      database, sql: "SELECT * FROM evaluation WHERE run = ? AND name = ?",
      arguments: [run.id, name]
    ).map { try EvaluationRecord(row: $0, of: run, in: database) }
  }
}
