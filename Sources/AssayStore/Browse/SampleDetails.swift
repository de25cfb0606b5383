import AssayCore
import GRDB

/// The facts about one sample besides its annotations.
package struct SampleDetails: Sendable {
  /// The part of each partition that it is in, by the partition's name.
  package var parts: [(partition: String, part: String)]
  /// Its issues of the present import.
  package var issues: [(kind: String, detail: String)]
  /// The findings of checks that name it.
  package var findings: [SampleFinding]
  /// True if a view of its dataset has been checked.
  package var isChecked: Bool
  /// The runs that keep an embedding of it, by name.
  package var embeddings: [String]
  /// The fields of the source that have no column, as one JSON object; `nil` if there are none.
  package var attributes: String?
}

/// A finding of a check, as seen from one of its samples.
package struct SampleFinding: Hashable, Sendable {
  /// The kind's spelling; of a later version too.
  package var kind: String
  /// One sentence without keys.
  package var message: String
  /// The other samples that it names, in its order; at most ``limit``.
  package var others: [Int64]
  /// The number of all others.
  package var count: Int

  /// The maximum number of samples that are listed.
  package static let limit = 24
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
            """, arguments: [sample]
        ).map { ($0["kind"], $0["message"]) },
        findings: try Self.findings(of: sample, in: database),
        isChecked: try Bool.fetchOne(
          database,
          sql: """
            SELECT EXISTS (SELECT 1 FROM inspection i JOIN sample s ON s.dataset = i.dataset
            WHERE s.id = ?)
            """, arguments: [sample]) ?? false,
        embeddings: try String.fetchAll(
          database,
          sql: """
            SELECT r.name FROM run r JOIN sample s ON s.dataset = r.dataset
            WHERE s.id = ?1
              AND EXISTS (SELECT 1 FROM embedding e WHERE e.run = r.id AND e.sample = ?1
                AND cosine(e.vector, e.vector) IS NOT NULL)
            ORDER BY 1
            """, arguments: [sample]),
        attributes: try String.fetchOne(
          database, sql: "SELECT attributes FROM sample WHERE id = ?", arguments: [sample]))
    }
  }

  /// The findings that name a sample. One that checks of several views have is listed once.
  private static func findings(of sample: Int64, in database: Database) throws -> [SampleFinding] {
    var seen: Set<SampleFinding> = []
    return try Row.fetchAll(
      database,
      sql: """
        SELECT f.id AS id, f.kind AS kind, f.message AS message,
          (SELECT count(DISTINCT z.sample) FROM findingSample z
           WHERE z.finding = f.id AND z.sample <> ?1) AS others
        FROM findingSample y JOIN finding f ON f.id = y.finding
        WHERE y.sample = ?1 GROUP BY f.id ORDER BY f.id
        """, arguments: [sample]
    ).compactMap { row in
      let finding = SampleFinding(
        kind: row["kind"], message: row["message"],
        others: try Int64.fetchAll(
          database,
          sql: """
            SELECT z.sample FROM findingSample z JOIN sample s ON s.id = z.sample
            WHERE z.finding = ? AND z.sample <> ? AND NOT s.retired
            GROUP BY z.sample ORDER BY min(z.position) LIMIT \(SampleFinding.limit)
            """, arguments: [row["id"] as Int64, sample]),
        count: row["others"])
      return seen.insert(finding).inserted ? finding : nil
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
