package import AssayCore
import GRDB

extension Catalog {
  /// Stores the findings of a view in place of those of the same kinds of its last checks, in one
  /// transaction; those of other kinds stay.
  ///
  /// - Parameters:
  ///   - view: the view as typed.
  ///   - kinds: the kinds that were looked for.
  ///   - settings: the settings of the check, as JSON text.
  package func replaceFindings(
    of dataset: Int64, view: String, kinds: [FindingKind], settings: String,
    with findings: [FindingRecord]
  ) throws {
    try write("storing findings") { database in
      let inspection = try Self.inspection(dataset, view, settings, in: database)
      let old = "inspection = ? AND kind IN (\(Condition.placeholders(kinds.count)))"
      let arguments: StatementArguments = [inspection] + StatementArguments(kinds.map(\.rawValue))
      try database.execute(
        sql: "DELETE FROM findingSample WHERE finding IN (SELECT id FROM finding WHERE \(old))",
        arguments: arguments)
      try database.execute(sql: "DELETE FROM finding WHERE \(old)", arguments: arguments)
      let insert = try RawStatement(
        database, "INSERT INTO findingSample (finding, position, sample) VALUES (?1, ?2, ?3)")
      for finding in findings {
        let id = try database.insert(
          "INSERT INTO finding (inspection, kind, severity, score, message) VALUES (?, ?, ?, ?, ?)",
          [
            inspection, finding.kind.rawValue, finding.severity.rawValue, finding.score,
            finding.message,
          ])
        insert.bind(id, at: 1)
        for (position, sample) in finding.samples.enumerated() {
          insert.bind(Int64(position), at: 2)
          insert.bind(sample, at: 3)
          try insert.run()
        }
      }
    }
  }

  /// The row id of the check of a view, with new settings and the time of now.
  private static func inspection(
    _ dataset: Int64, _ view: String, _ settings: String, in database: Database
  ) throws -> Int64 {
    let known = try Int64.fetchOne(
      database, sql: "SELECT id FROM inspection WHERE dataset = ? AND view = ?",
      arguments: [dataset, view])
    let now = RecordTime.now()
    guard let known else {
      return try database.insert(
        "INSERT INTO inspection (dataset, view, settings, createdAt) VALUES (?, ?, ?, ?)",
        [dataset, view, settings, now])
    }
    try database.execute(
      sql: "UPDATE inspection SET settings = ?, createdAt = ? WHERE id = ?",
      arguments: [settings, now, known])
    return known
  }

  /// The findings of the last checks of a view, by kind and in their order.
  ///
  /// - Throws: ``StoreError/unknownValue(table:column:value:)`` for a kind of a later version.
  package func findings(of dataset: Int64, view: String) throws -> [FindingRecord] {
    let order = Dictionary(
      FindingKind.allCases.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    return try read("reading findings") { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT f.* FROM finding f JOIN inspection i ON i.id = f.inspection
          WHERE i.dataset = ? AND i.view = ? ORDER BY f.id
          """, arguments: [dataset, view]
      ).map { row in
        var finding = FindingRecord(
          try row.stored("kind", of: "finding"), score: row["score"],
          samples: try Int64.fetchAll(
            database, sql: "SELECT sample FROM findingSample WHERE finding = ? ORDER BY position",
            arguments: [row["id"] as Int64]),
          row["message"])
        finding.severity = try row.stored("severity", of: "finding")
        return finding
      }.enumerated().sorted { a, b in
        (order[a.element.kind] ?? 0, a.offset) < (order[b.element.kind] ?? 0, b.offset)
      }.map(\.element)
    }
  }

  /// The part of a partition that each sample is in, by row id.
  ///
  /// - Throws: ``StoreError/unknownName(_:_:suggestion:known:)``.
  package func members(ofPartition name: String, in dataset: Int64) throws -> [Int64: String] {
    let partitions = try partitions(of: dataset)
    guard let partition = partitions.first(where: { $0.name == name }) else {
      throw StoreError.unknownName(
        .partition, name, suggestion: NearMiss.suggestion(for: name, among: partitions.map(\.name)),
        known: partitions.map(\.name))
    }
    return try read("reading a partition") { database in
      let statement = try RawStatement(
        database, "SELECT sample, part FROM partitionMember WHERE partition = ?1")
      statement.bind(partition.id, at: 1)
      var members: [Int64: String] = [:]
      while try statement.step() { members[statement.integer(0)] = statement.text(1) }
      return members
    }
  }

  /// Deletes findings by a condition on the table `inspection`.
  static func deleteFindings(
    _ condition: String, _ arguments: StatementArguments, in database: Database
  ) throws {
    let inspections = "SELECT id FROM inspection WHERE \(condition)"
    let findings = "SELECT id FROM finding WHERE inspection IN (\(inspections))"
    for sql in [
      "DELETE FROM findingSample WHERE finding IN (\(findings))",
      "DELETE FROM finding WHERE inspection IN (\(inspections))",
      "DELETE FROM inspection WHERE \(condition)",
    ] {
      try database.execute(sql: sql, arguments: arguments)
    }
  }
}
