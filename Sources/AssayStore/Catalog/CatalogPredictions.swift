import AssayCore
import GRDB

extension Catalog {
  /// The samples that a run still has to process, in its order.
  package func pending(of run: Int64) throws -> [PendingSample] {
    try read("reading what is pending") { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT position, sample FROM runSample WHERE run = ? AND status = 'pending'
          ORDER BY position
          """, arguments: [run]
      ).map { PendingSample(position: $0["position"], sample: $0["sample"]) }
    }
  }

  /// The samples that failed in a run, in its order.
  package func failures(of run: Int64) throws -> [FailedSample] {
    try read("reading what failed") { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT position, sample, ifnull(message, '') AS message FROM runSample
          WHERE run = ? AND status = 'failed' ORDER BY position
          """, arguments: [run]
      ).map {
        FailedSample(position: $0["position"], sample: $0["sample"], message: $0["message"])
      }
    }
  }

  /// Stores scores and marks their samples as done, in one transaction. Replaces earlier scores of
  /// these samples.
  ///
  /// - Throws: ``StoreError/badScores(run:sample:expected:count:)``,
  ///   ``StoreError/scoreNotFinite(run:sample:)``, ``StoreError/notInRun(run:sample:)``.
  package func record(_ predictions: [SampleScores], in run: Int64) throws {
    try write("storing predictions") { database in
      let row = try Row.fetchOne(
        database,
        sql: "SELECT name, (SELECT count(*) FROM runClass WHERE run = ?1) FROM run WHERE id = ?1",
        arguments: [run])
      guard let row else { throw StoreError.removedMeanwhile(.run) }
      let name: String = row[0]
      let classes: Int = row[1]
      let markDone = try RawStatement(
        database,
        """
        UPDATE runSample SET status = 'done', message = NULL WHERE run = ?1 AND sample = ?2
        """)
      let insert = try RawStatement(
        database,
        """
        INSERT OR REPLACE INTO prediction (run, sample, ordinal, class, confidence, margin, scores)
        VALUES (?1, ?2, 0, ?3, ?4, ?5, ?6)
        """)
      markDone.bind(run, at: 1)
      insert.bind(run, at: 1)
      for prediction in predictions {
        let sample = prediction.sample
        guard prediction.scores.count == classes, let top = TopScores(prediction.scores) else {
          throw StoreError.badScores(
            run: name, sample: sample, expected: classes, count: prediction.scores.count)
        }
        guard prediction.scores.allSatisfy(\.isFinite) else {
          throw StoreError.scoreNotFinite(run: name, sample: sample)
        }
        markDone.bind(sample, at: 2)
        try markDone.run()
        guard database.changesCount == 1 else {
          throw StoreError.notInRun(run: name, sample: sample)
        }
        insert.bind(sample, at: 2)
        insert.bind(Int64(top.index), at: 3)
        insert.bind(top.confidence, at: 4)
        insert.bind(top.margin, at: 5)
        let bits = prediction.scores.map(\.bitPattern.littleEndian)
        try bits.withUnsafeBytes { bytes in
          insert.bind(noCopy: bytes, at: 6)
          try insert.run()
        }
      }
    }
  }

  /// Stores predicted classes of a run without scores and marks their samples as done, in one
  /// transaction. Replaces earlier predictions for these samples.
  ///
  /// The row has no scores, and its confidence and margin, which the table requires, are 1.
  ///
  /// - Throws: ``StoreError/badScores(run:sample:expected:count:)`` for a class that the run does
  ///   not have, ``StoreError/notInRun(run:sample:)``.
  package func record(_ labels: [SampleLabel], in run: Int64) throws {
    try write("storing predictions") { database in
      let record = try RunRecord.fetch(run, in: database)
      let markDone = try RawStatement(
        database,
        """
        UPDATE runSample SET status = 'done', message = NULL WHERE run = ?1 AND sample = ?2
        """)
      let insert = try RawStatement(
        database,
        """
        INSERT OR REPLACE INTO prediction (run, sample, ordinal, class, confidence, margin, scores)
        VALUES (?1, ?2, 0, ?3, 1, 1, zeroblob(0))
        """)
      markDone.bind(run, at: 1)
      insert.bind(run, at: 1)
      for label in labels {
        guard record.isLabelsOnly, record.classes.indices.contains(label.class) else {
          throw StoreError.badScores(
            run: record.name, sample: label.sample, expected: record.classes.count,
            count: label.class)
        }
        markDone.bind(label.sample, at: 2)
        try markDone.run()
        guard database.changesCount == 1 else {
          throw StoreError.notInRun(run: record.name, sample: label.sample)
        }
        insert.bind(label.sample, at: 2)
        insert.bind(Int64(label.class), at: 3)
        try insert.run()
      }
    }
  }

  /// Marks a sample as failed in a run, with the reason.
  ///
  /// - Throws: ``StoreError/notInRun(run:sample:)``.
  package func recordFailure(of sample: Int64, in run: Int64, message: String) throws {
    try write("storing a failure") { database in
      try database.execute(
        sql: "UPDATE runSample SET status = 'failed', message = ? WHERE run = ? AND sample = ?",
        arguments: [message, run, sample])
      guard database.changesCount == 1 else {
        throw StoreError.notInRun(
          run: try RunRecord.fetch(run, in: database).name, sample: sample)
      }
    }
  }

  /// The predictions of a run, in its order; with an expression, only for matching samples.
  ///
  /// Samples that have been retired since are included.
  ///
  /// - Throws: ``StoreError/expression(_:)``.
  package func predictions(
    of run: Int64, where expression: String? = nil
  ) throws -> [PredictionRecord] {
    try asking("reading predictions") { database in
      let record = try RunRecord.fetch(run, in: database)
      let query = try RunQuery(record, where: expression, truth: truth, in: database)
      let statement = try RawStatement(
        database,
        """
        SELECT q.class, q.confidence, q.margin, q.scores, \(query.columns)
        FROM \(query.tables)
        JOIN prediction q ON q.run = r.run AND q.sample = r.sample AND q.ordinal = 0
        WHERE \(query.condition) ORDER BY r.position
        """)
      statement.bind(query.arguments)
      var predictions: [PredictionRecord] = []
      predictions.reserveCapacity(record.done)
      while try statement.step() {
        let scores = try Self.scores(
          statement.bytes(3), of: Int(statement.integer(0)), in: record)
        predictions.append(
          PredictionRecord(
            sample: try SampleRecord(
              statement, from: 4, classes: query.classCount), scores: scores,
            predicted: Int(statement.integer(0)), confidence: statement.real(1),
            margin: statement.real(2)))
      }
      return predictions
    }
  }
}

/// The highest of several scores (the first of equal ones), and its margin over the second highest.
struct TopScores: Hashable {
  let index: Int
  let confidence: Double
  /// The confidence itself if there is only one score.
  let margin: Double

  /// `nil` for no scores.
  init?(_ scores: [Float]) {
    guard var best = scores.first else { return nil }
    var place = 0
    var second: Float?
    for (index, score) in scores.enumerated().dropFirst() {
      if score > best {
        second = best
        best = score
        place = index
      } else if score > second ?? -.infinity {
        second = score
      }
    }
    index = place
    confidence = Double(best)
    margin = Double(best) - (second.map(Double.init) ?? 0)
  }
}
