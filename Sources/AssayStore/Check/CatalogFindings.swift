package import AssayCore
import GRDB

extension Catalog {
  /// Stores the findings of a view in place of those of its last check, in one transaction.
  ///
  /// - Parameters:
  ///   - view: the view as typed.
  ///   - settings: the settings of the check, as JSON text.
  package func replaceFindings(
    of dataset: Int64, view: String, settings: String, with findings: [FindingRecord]
  ) throws {
    try write("storing findings") { database in
      try Self.deleteFindings("dataset = ? AND view = ?", [dataset, view], in: database)
      let inspection = try database.insert(
        """
        INSERT INTO inspection (dataset, view, settings, createdAt)
        VALUES (?, ?, ?, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
        """, [dataset, view, settings])
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

  /// The findings of the last check of a view, in their order.
  ///
  /// - Throws: ``StoreError/unknownValue(table:column:value:)`` for a kind of a later version.
  package func findings(of dataset: Int64, view: String) throws -> [FindingRecord] {
    try read("reading findings") { database in
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
      }
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
