import AssayCore
import GRDB

extension Catalog {
  /// All reviews, by name.
  package func reviews() throws -> [ReviewRecord] {
    try read("listing the reviews") { database in
      try Row.fetchAll(database, sql: ReviewRecord.query + " ORDER BY v.name")
        .map { try ReviewRecord(row: $0, in: database) }
    }
  }

  /// Returns the review with the given name.
  ///
  /// - Throws: ``StoreError/unknownName(_:_:suggestion:known:)``.
  package func review(named name: String) throws -> ReviewRecord {
    guard let review = try findReview(named: name) else { throw try unknown(.review, name) }
    return review
  }

  /// Returns the review with the given name; `nil` if there is none.
  package func findReview(named name: String) throws -> ReviewRecord? {
    try read("looking for a review") { database in
      try Row.fetchOne(
        database, sql: ReviewRecord.query + " WHERE v.name = ?", arguments: [name]
      ).map { try ReviewRecord(row: $0, in: database) }
    }
  }

  /// Saves a review.
  ///
  /// - Parameter replaces: whether to replace a review with the same name.
  /// - Throws: ``StoreError/badName(_:)``; ``StoreError/nameTaken(_:_:)`` if a review has the name
  ///   and `replaces` is `false`.
  package func saveReview(_ draft: ReviewDraft, replaces: Bool = false) throws -> ReviewRecord {
    try write("storing a review") { database in
      try Name.checked(draft.name)
      if try findReview(named: draft.name) != nil {
        guard replaces else { throw StoreError.nameTaken(.review, draft.name) }
        try Self.deleteReviews("name = ?", [draft.name], in: database)
      }
      let id = try database.insert(
        """
        INSERT INTO review (name, dataset, subject, ordering, expression, settings, seed, createdAt)
        VALUES (?, ?, ?, ?, ?, ?, ?, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
        """,
        [
          draft.name, draft.dataset, draft.subject, draft.order.rawValue, draft.expression,
          draft.settings, Int64(bitPattern: draft.seed),
        ])
      let insert = try MultiInsert(
        database, "INSERT INTO reviewSample (review, position, sample, score, reason)",
        row: "(?, ?, ?, ?, ?)")
      try insert.insert(draft.entries.count) { place, statement, base in
        let entry = draft.entries[place]
        statement.bind(id, at: base + 1)
        statement.bind(Int64(place), at: base + 2)
        statement.bind(entry.sample, at: base + 3)
        statement.bind(entry.score, at: base + 4)
        statement.bind(entry.reason, at: base + 5)
      }
      for entry in draft.entries {
        try Self.assign(
          entry.sample, of: id, to: entry.people, isShared: entry.isShared, in: database)
      }
      guard let review = try findReview(named: draft.name) else {
        throw DatabaseError(message: "the review was not stored")
      }
      return review
    }
  }

  /// The samples of a review in their order, without samples retired since.
  ///
  /// - Parameters:
  ///   - position: the first position.
  ///   - limit: the maximum number of samples; `nil` for all.
  /// - Throws: ``StoreError/damaged(table:_:)``.
  package func reviewItems(
    of review: Int64, from position: Int = 0, limit: Int? = nil
  ) throws -> [ReviewItem] {
    try read("reading a review") { database in
      let statement = try RawStatement(
        database,
        """
        SELECT x.position, x.score, x.reason,
          \(SampleRecord.columns(truth, set: "t.id", hasSets: "t.multiLabel OR t.tags > 0"))
        FROM reviewSample x
        CROSS JOIN sample s ON s.id = x.sample
        LEFT JOIN annotationSet t ON t.dataset = s.dataset AND t.name = '\(AnnotationSet.name)'
        \(truth.labelJoin(set: "t.id"))
        LEFT JOIN category c ON c.id = \(truth.label)
        WHERE x.review = ?1 AND x.position >= ?2 AND s.retired = 0
        ORDER BY x.position LIMIT ?3
        """)
      statement.bind(review, at: 1)
      statement.bind(Int64(position), at: 2)
      statement.bind(Int64(limit ?? -1), at: 3)
      let assigned = try Self.assignments(of: review, in: database)
      var items: [ReviewItem] = []
      while try statement.step() {
        var item = ReviewItem(
          position: Int(statement.integer(0)),
          sample: try SampleRecord(statement, from: 3, classes: nil),
          score: statement.optionalReal(1), reason: statement.text(2))
        if let assignment = assigned[item.sample.id] {
          (item.people, item.isShared) = (assignment.people, assignment.isShared)
        }
        items.append(item)
      }
      return items
    }
  }

  /// A text that changes if a review is made anew or its samples are assigned to others.
  package func state(of review: ReviewRecord) throws -> String {
    try read("reading a review") { database in
      let parts = try Row.fetchAll(
        database,
        sql: """
          SELECT author, isShared, count(*) AS samples, sum(sample) AS ids FROM reviewAssignment
          WHERE review = ? GROUP BY author, isShared ORDER BY author, isShared
          """, arguments: [review.id])
      let texts = parts.map { row in
        let (author, shared): (String, Int64) = (row["author"], row["isShared"])
        let (samples, ids): (Int64, Int64) = (row["samples"], row["ids"])
        return "\(author)\n\(shared) \(samples) \(ids)"
      }
      return ([String(review.id), review.createdAt, review.settings] + texts)
        .joined(separator: "\n")
    }
  }

  /// Assigns samples of a review to other people, in one transaction.
  ///
  /// - Parameter changes: the samples, each with the people whom it belongs to then, and whether each
  ///   of them corrects it independently.
  package func assign(
    _ changes: [(sample: Int64, people: [String], isShared: Bool)], of review: Int64
  ) throws {
    try write("assigning samples of a review") { database in
      for change in changes {
        try database.execute(
          sql: "DELETE FROM reviewAssignment WHERE review = ? AND sample = ?",
          arguments: [review, change.sample])
        try Self.assign(
          change.sample, of: review, to: change.people, isShared: change.isShared, in: database)
      }
    }
  }

  private static func assign(
    _ sample: Int64, of review: Int64, to people: [String], isShared: Bool, in database: Database
  ) throws {
    guard !people.isEmpty else { return }
    let insert = try database.cachedStatement(
      sql: "INSERT INTO reviewAssignment (review, sample, author, isShared) VALUES (?, ?, ?, ?)")
    for author in people {
      try insert.execute(arguments: [review, sample, author, isShared])
    }
  }

  private static func assignments(
    of review: Int64, in database: Database
  ) throws -> [Int64: (people: [String], isShared: Bool)] {
    guard try database.tableExists("reviewAssignment") else { return [:] }
    let statement = try RawStatement(
      database,
      "SELECT sample, author, isShared FROM reviewAssignment WHERE review = ?1 ORDER BY sample, author"
    )
    statement.bind(review, at: 1)
    var found: [Int64: (people: [String], isShared: Bool)] = [:]
    while try statement.step() {
      let sample = statement.integer(0)
      found[sample, default: ([], statement.integer(2) != 0)].people.append(statement.text(1))
    }
    return found
  }

  /// Deletes reviews by a condition on the table `review`.
  static func deleteReviews(
    _ condition: String, _ arguments: StatementArguments, in database: Database
  ) throws {
    for table in ["reviewAssignment", "reviewSample"] {
      try database.execute(
        sql: "DELETE FROM \(table) WHERE review IN (SELECT id FROM review WHERE \(condition))",
        arguments: arguments)
    }
    try database.execute(sql: "DELETE FROM review WHERE \(condition)", arguments: arguments)
  }
}
