import AssayCore
import GRDB

/// The facts about one sample besides its annotations.
package struct SampleDetails: Hashable, Sendable {
  /// The part of each partition that it is in.
  package var parts: [(partition: String, part: String)] { partNames.map { ($0[0], $0[1]) } }
  private var partNames: [[String]]
  /// Its issues of the present import, and the findings of checks.
  package var issues: [(kind: String, detail: String)] { issueTexts.map { ($0[0], $0[1]) } }
  private var issueTexts: [[String]]
  /// The fields of the source that have no column, as one JSON object; `nil` if there are none.
  package var attributes: String?

  init(parts: [[String]], issues: [[String]], attributes: String?) {
    partNames = parts
    issueTexts = issues
    self.attributes = attributes
  }
}

extension Catalog {
  /// The details of a sample; empty for an unknown one.
  package func details(of sample: Int64) throws -> SampleDetails {
    return try read("reading a sample") { database in
      let parts = try Row.fetchAll(
        database,
        sql: """
          SELECT p.name AS partition, m.part AS part FROM partitionMember m
          JOIN partition p ON p.id = m.partition WHERE m.sample = ? ORDER BY 1
          """, arguments: [sample]
      ).map { [$0["partition"] as String, $0["part"] as String] }
      let issues = try Row.fetchAll(
        database,
        sql: """
          SELECT x.kind AS kind, x.message AS detail FROM issue x WHERE x.sample = ?1
          UNION ALL SELECT f.kind, f.message FROM findingSample y JOIN finding f ON f.id = y.finding
          WHERE y.sample = ?1
          """, arguments: [sample]
      ).map { [$0["kind"] as String, ($0["detail"] as String?) ?? ""] }
      let attributes = try String.fetchOne(
        database, sql: "SELECT attributes FROM sample WHERE id = ?", arguments: [sample])
      return SampleDetails(
        parts: parts, issues: issues, attributes: attributes)
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
