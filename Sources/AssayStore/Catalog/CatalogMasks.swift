import AssayCore
import GRDB

extension Catalog {
  /// Stores the predictions of a segmentation run and marks the samples as done, in one
  /// transaction. Replaces earlier predictions for these samples.
  ///
  /// - Throws: ``StoreError/badMasks(run:sample:_:)``, ``StoreError/notInRun(run:sample:)``.
  package func record(_ samples: [SampleMasks], in run: Int64) throws {
    try write("storing predictions") { database in
      let record = try RunRecord.fetch(run, in: database)
      let markDone = try RawStatement(
        database,
        "UPDATE runSample SET status = 'done', message = NULL WHERE run = ?1 AND sample = ?2")
      let clear = try ["maskPrediction", "probabilityMap"].map {
        try RawStatement(database, "DELETE FROM \($0) WHERE run = ?1 AND sample = ?2")
      }
      let insertMask = try RawStatement(
        database,
        """
        INSERT INTO maskPrediction (run, sample, class, area, meanInside, meanDistance, counts)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
        """)
      let insertMap = try RawStatement(
        database,
        """
        INSERT INTO probabilityMap (run, sample, class, width, height, bytes)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6)
        """)
      for statement in [markDone, insertMask, insertMap] + clear { statement.bind(run, at: 1) }
      for sample in samples {
        try sample.check(classes: record.classes.count, run: record.name)
        for statement in [markDone, insertMask, insertMap] + clear {
          statement.bind(sample.sample, at: 2)
        }
        try markDone.run()
        guard database.changesCount == 1 else {
          throw StoreError.notInRun(run: record.name, sample: sample.sample)
        }
        for statement in clear { try statement.run() }
        for mask in sample.masks { try mask.insert(insertMask) }
        for map in sample.maps { try map.insert(insertMap) }
      }
    }
  }

  /// The predictions of a segmentation run, without maps and without stored masks, in its order; with an
  /// expression, only for matching samples. The masks are read by ``masks(of:samples:_:)``.
  ///
  /// Samples that have been retired since are included.
  ///
  /// - Throws: ``StoreError/expression(_:)``.
  package func maskPredictions(
    of run: Int64, where expression: String? = nil
  ) throws -> [MaskPredictionRecord] {
    try asking("reading predictions") { database in
      let record = try RunRecord.fetch(run, in: database)
      let query = try RunQuery(record, where: expression, truth: truth, in: database)
      let statement = try RawStatement(
        database,
        """
        SELECT q.class, q.area, q.meanInside, q.meanDistance, NULL, \(query.columns)
        FROM \(query.tables)
        LEFT JOIN maskPrediction q ON q.run = r.run AND q.sample = r.sample
        WHERE \(query.condition) AND r.status = 'done' ORDER BY r.position, q.class
        """)
      statement.bind(query.arguments)
      var predictions: [MaskPredictionRecord] = []
      while try statement.step() {
        let sample = try SampleRecord(statement, from: 5, classes: query.classCount)
        if predictions.last?.sample.id != sample.id {
          predictions.append(MaskPredictionRecord(sample: sample, masks: []))
        }
        guard !statement.isNull(0) else { continue }
        predictions[predictions.count - 1].masks.append(
          try MaskPrediction(statement, run: record))
      }
      return predictions
    }
  }

  /// Passes a run's probability maps to `body`, in the order of `ids`: once per id, with an empty
  /// list if the sample has none.
  ///
  /// Several threads can do this concurrently; each reads on its own connection and decompresses
  /// its own data.
  ///
  /// - Parameter body: receives the sample's index in `samples`, and its maps in the order of the
  ///   run's classes.
  /// - Throws: ``StoreError/damaged(table:_:)`` for a map of the wrong size, or of a class that the
  ///   run does not have; any error that `body` throws.
  package func maps(
    of run: Int64, samples ids: [Int64],
    _ body: (_ index: Int, _ maps: [ProbabilityMapRecord]) throws -> Void
  ) throws {
    try withReader("reading probability maps") { database in
      let classes =
        try Int.fetchOne(
          database, sql: "SELECT count(*) FROM runClass WHERE run = ?", arguments: [run]) ?? 0
      try Self.scan(
        """
        SELECT class, width, height, bytes FROM probabilityMap
        WHERE run = ?1 AND sample = ?2 ORDER BY class
        """, of: run, ids, in: database, to: body
      ) { try ProbabilityMapRecord($0, sample: $1, classes: classes) }
    }
  }

  /// Passes a run's stored predictions to `body`, in the order of `ids`: once per id, with an empty
  /// list if the sample has none.
  ///
  /// - Parameter body: receives the sample's index in `ids`, and its predictions in the order of
  ///   the run's classes.
  /// - Throws: ``StoreError/damaged(table:_:)`` for a class that the run does not have; any error
  ///   that `body` throws.
  package func masks(
    of run: RunRecord, samples ids: [Int64],
    _ body: (_ index: Int, _ masks: [MaskPrediction]) throws -> Void
  ) throws {
    try withReader("reading predicted masks") { database in
      try Self.scan(
        """
        SELECT class, area, meanInside, meanDistance, counts FROM maskPrediction
        WHERE run = ?1 AND sample = ?2 ORDER BY class
        """, of: run.id, ids, in: database, to: body
      ) { row, _ in try MaskPrediction(row, run: run) }
    }
  }

  /// Passes the rows of each sample to `body`.
  ///
  /// - Parameters:
  ///   - sql: a query with a run as its first and a sample as its second argument.
  ///   - read: reads a row of a sample.
  private static func scan<Row>(
    _ sql: String, of run: Int64, _ ids: [Int64], in database: Database,
    to body: (Int, [Row]) throws -> Void, _ read: (RawStatement, Int64) throws -> Row
  ) throws {
    let statement = try RawStatement(database, sql)
    statement.bind(run, at: 1)
    for (index, id) in ids.enumerated() {
      statement.bind(id, at: 2)
      var rows: [Row] = []
      while try statement.step() { rows.append(try read(statement, id)) }
      statement.reset()
      try body(index, rows)
    }
  }

  /// Returns whether a run has probability maps.
  package func hasMaps(run: Int64) throws -> Bool {
    try read("looking for probability maps") { database in
      try Bool.fetchOne(
        database, sql: "SELECT EXISTS (SELECT 1 FROM probabilityMap WHERE run = ?)",
        arguments: [run]) ?? false
    }
  }
}

extension SampleMasks {
  /// - Throws: ``StoreError/badMasks(run:sample:_:)``.
  fileprivate func check(classes: Int, run: String) throws {
    func refuse(_ what: String) -> StoreError {
      .badMasks(run: run, sample: sample, what)
    }
    for numbers in [masks.map(\.class), maps.map(\.class)] {
      guard numbers.allSatisfy({ (0..<classes).contains($0) }) else {
        throw refuse("a class that the run does not have")
      }
      guard Set(numbers).count == numbers.count else { throw refuse("a class twice") }
    }
    for mask in masks {
      guard mask.area >= 0, mask.meanInside?.isFinite ?? true, mask.meanDistance.isFinite else {
        throw refuse("a number that is not finite")
      }
    }
    for map in maps {
      guard map.width > 0, map.height > 0,
        map.width.multipliedReportingOverflow(by: map.height) == (map.bytes.count, false)
      else { throw refuse("a map that is not of its size") }
    }
  }
}

extension MaskPrediction {
  fileprivate func insert(_ statement: RawStatement) throws {
    statement.bind(Int64(self.class), at: 3)
    statement.bind(Int64(area), at: 4)
    statement.bind(meanInside, at: 5)
    statement.bind(meanDistance, at: 6)
    guard let counts else {
      statement.bind(nil as Int64?, at: 7)
      return try statement.run()
    }
    try counts.withUnsafeBytes { bytes in
      statement.bind(noCopy: bytes, at: 7)
      try statement.run()
    }
  }

  fileprivate init(_ row: RawStatement, run: RunRecord) throws {
    let number = Int(row.integer(0))
    guard run.classes.indices.contains(number) else {
      throw StoreError.damaged(
        table: "maskPrediction", "run “\(run.name)” has no class \(number)")
    }
    self.init(
      class: number, area: Int(row.integer(1)), meanInside: row.optionalReal(2),
      meanDistance: row.real(3), counts: row.isNull(4) ? nil : Array(row.bytes(4)))
  }
}

extension ProbabilityMapRecord {
  fileprivate func insert(_ statement: RawStatement) throws {
    statement.bind(Int64(self.class), at: 3)
    statement.bind(Int64(width), at: 4)
    statement.bind(Int64(height), at: 5)
    try stored.withUnsafeBytes { bytes in
      statement.bind(noCopy: bytes, at: 6)
      try statement.run()
    }
  }

  fileprivate init(_ row: RawStatement, sample: Int64, classes: Int) throws {
    let number = Int(row.integer(0))
    guard (0..<classes).contains(number) else {
      throw StoreError.damaged(
        table: "probabilityMap",
        "a map of sample \(sample) is of class \(number), and its run has \(classes) classes")
    }
    let size = ImageSize.checked(width: Int(row.integer(1)), height: Int(row.integer(2)))
    guard let size, let bytes = Zlib.inflated(row.bytes(3), count: size.area) else {
      throw StoreError.damaged(
        table: "probabilityMap", "a map of sample \(sample) is not of its size")
    }
    self.init(class: number, width: size.width, height: size.height, bytes: bytes)
  }
}
