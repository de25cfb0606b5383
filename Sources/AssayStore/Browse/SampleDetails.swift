import AssayCore
import GRDB

/// The facts about one sample besides its annotations.
package struct SampleDetails: Sendable {
  /// The part of each partition that it is in, by the partition's name.
  package var parts: [(partition: String, part: String)]
  /// Its issues of the present import, and the findings of checks.
  package var issues: [(kind: String, detail: String)]
  /// The fields of the source that have no column, as one JSON object; `nil` if there are none.
  package var attributes: String?
}

extension Catalog {
  /// The details of a sample; empty for an unknown one.
  package func details(of sample: Int64) throws -> SampleDetails {
    try read("reading a sample") { database in
      SampleDetails(
        parts: try Row.fetchAll(
          database,
          sql: """
            SELECT p.name AS partition, m.part AS part FROM partitionMember m
            JOIN partition p ON p.id = m.partition WHERE m.sample = ? ORDER BY 1
            """, arguments: [sample]
        ).map { ($0["partition"], $0["part"]) },
        issues: try Row.fetchAll(
          database,
          sql: """
            SELECT x.kind AS kind, x.message AS message FROM issue x WHERE x.sample = ?1
            UNION ALL SELECT f.kind, f.message FROM findingSample y JOIN finding f ON f.id = y.finding
            WHERE y.sample = ?1
            """, arguments: [sample]
        ).map { ($0["kind"], $0["message"]) },
        attributes: try String.fetchOne(
          database, sql: "SELECT attributes FROM sample WHERE id = ?", arguments: [sample]))
    }
  }

  /// The statement that lists the samples of a selection; `nil` if its values cannot be written into its text.
  ///
  /// - Throws: ``StoreError/expression(_:)``.
  package func statement(
    for selection: Selection, where expression: String?
  ) throws -> String? {
    try asking("compiling an expression") { database in
      try SampleQuery(selection, where: expression, truth: truth, in: database).text
    }
  }
}
