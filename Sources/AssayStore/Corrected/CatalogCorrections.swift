package import AssayCore
import GRDB

extension Catalog {
  /// The number of corrections of samples, in the state that this catalog uses. Issues are not
  /// included.
  package func correctionCounts(of samples: [Int64]) throws -> CorrectionCounts {
    guard let marks = truth.marks else { return CorrectionCounts() }
    return try read("counting corrections") { database in
      let wanted = Set(samples)
      var counts = CorrectionCounts()
      let statement = try RawStatement(
        database,
        """
        SELECT sample, corrections, leftOut IS NOT NULL, conflicts
        FROM \(truth.schema).correctedSample WHERE state = \(marks)
        """)
      while try statement.step() {
        guard wanted.contains(statement.integer(0)) else { continue }
        let numbers = (statement.integer(1), statement.integer(3))
        guard 0...Int64(Int32.max) ~= numbers.0, 0...Int64(Int32.max) ~= numbers.1 else {
          throw StoreError.damaged(
            table: "correctedSample",
            "sample \(statement.integer(0)) has \(numbers.0) corrections and \(numbers.1) conflicts"
          )
        }
        counts.corrections += Int(numbers.0)
        if statement.integer(1) > 0 { counts.samples += 1 }
        if statement.integer(2) != 0 { counts.leftOut += 1 }
        counts.conflicts += Int(numbers.1)
      }
      return counts
    }
  }

  /// Issues with corrections, by dataset and key.
  ///
  /// - Parameter dataset: the dataset's name in the entries; `nil` for all.
  package func correctionIssues(of dataset: String? = nil) throws -> [CorrectionIssue] {
    guard let marks = truth.marks else { return [] }
    return try read("reading corrections") { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT * FROM \(truth.schema).correctionIssue
          WHERE state = ?1 AND (?2 IS NULL OR dataset = ?2) ORDER BY dataset, key, id
          """, arguments: [marks, dataset]
      ).map { row in
        CorrectionIssue(
          kind: try row.stored("kind", of: "correctionIssue"), dataset: row["dataset"],
          key: row["key"], sample: row["sample"], entries: row["entries"], message: row["message"])
      }
    }
  }

  /// The other keys under which a sample has entries: its image had another key at the time.
  package func places(of sample: Int64) throws -> [SampleIdentity] {
    guard let marks = truth.marks else { return [] }
    return try read("reading corrections") { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT dataset, key, contentHash FROM \(truth.schema).correctionPlace
          WHERE state = ? AND sample = ? AND upTo IS NULL ORDER BY dataset, key
          """, arguments: [marks, sample]
      ).map {
        SampleIdentity(dataset: $0["dataset"], key: $0["key"], contentHash: $0["contentHash"])
      }
    }
  }

  /// The number of samples of a dataset whose ground truth people changed, in the state that this catalog uses; 0
  /// without a ledger.
  package func correctedSampleCount(of dataset: DatasetRecord) throws -> Int {
    guard let marks = truth.marks else { return 0 }
    return try read("counting corrections") { database in
      try Int.fetchOne(
        database,
        sql: """
          SELECT sum(samples) FROM \(truth.schema).truthDataset WHERE state = ? AND dataset = ?
          """, arguments: [marks, dataset.id]) ?? 0
    }
  }

  /// Returns whether a corrected sample of a dataset has an object in the ground truth that this catalog reads; false
  /// if that is the imported one.
  package func hasCorrectedObjects(in dataset: DatasetRecord) throws -> Bool {
    guard let state = truth.truth else { return false }
    return try read("looking for objects") { database in
      let set = try AnnotationSet(of: dataset.id, in: database).annotationSet
      return try Bool.fetchOne(
        database,
        sql: """
          SELECT EXISTS (SELECT 1 FROM \(truth.schema).correctedAnnotation
            WHERE state = ? AND annotationSet = ? AND shape NOT IN ('label', 'tag'))
          """, arguments: [state, set]) ?? false
    }
  }

  /// The last entry that is part of the ground truth that this catalog currently reads; another
  /// command can add later entries. `nil` if that state no longer exists.
  package func truthSequence() throws -> Int64? {
    guard let marks = truth.marks else { return nil }
    return try read("reading corrections") { database in
      try Int64.fetchOne(
        database, sql: "SELECT sequence FROM \(truth.schema).truthState WHERE id = ?",
        arguments: [marks])
    }
  }
}
