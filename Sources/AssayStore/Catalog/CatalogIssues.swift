package import AssayCore
import GRDB

extension Catalog {
  /// The issues of a dataset's current import, in source order.
  package func issues(
    of dataset: Int64, kind: IssueKind? = nil, limit: Int? = nil
  ) throws -> [IssueRecord] {
    try read("reading the issues") { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT x.* FROM issue x
          JOIN import i ON i.id = x.import JOIN dataset d ON d.id = i.dataset AND d.version = i.version
          WHERE d.id = ?1 AND (?2 IS NULL OR x.kind = ?2)
          ORDER BY x.id LIMIT ?3
          """, arguments: [dataset, kind?.rawValue, limit ?? -1]
      ).map(IssueRecord.init(row:))
    }
  }

  /// The number of issues of each kind in the current import, most frequent first.
  package func issueCounts(of dataset: Int64) throws -> [IssueCount] {
    try read("counting the issues") { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT x.kind, x.severity, count(*) AS count FROM issue x
          JOIN import i ON i.id = x.import JOIN dataset d ON d.id = i.dataset AND d.version = i.version
          WHERE d.id = ? GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2
          """, arguments: [dataset]
      ).map { row in
        IssueCount(
          kind: try row.stored("kind", of: "issue"),
          severity: try row.stored("severity", of: "issue"), count: row["count"])
      }
    }
  }
}

extension IssueRecord {
  init(row: Row) throws {
    self.init(
      id: row["id"],
      issue: Issue(
        try row.stored("kind", of: "issue"), try row.stored("severity", of: "issue"),
        at: IssueLocation(file: row["file"], line: row["line"], pointer: row["pointer"]),
        sampleKey: row["sampleKey"],
        row["message"]),
      sample: row["sample"])
  }
}
