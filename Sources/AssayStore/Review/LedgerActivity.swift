import AssayCore
import GRDB

/// An entry of the ledger without its changes: the author, the kind, the time and the duration.
package struct LedgerActivity: Hashable, Sendable {
  package var sequence: Int64
  package var key: String
  package var kind: String
  package var visit: String
  /// Empty if the entry names none.
  package var author: String
  /// `2026-11-21T14:40:05Z`; `nil` if the entry has none.
  package var time: String?
  /// Active seconds since the visit's previous entry; `nil` if the entry has none.
  package var seconds: Double?
  /// True if the author finished the sample.
  package var isDone: Bool
  /// The review for which the author corrected the sample independently; `nil` for an entry that
  /// counts for everybody.
  package var independent: String?
}

extension Ledger {
  /// The entries about a dataset's samples, in ascending sequence.
  ///
  /// The payloads are not included: masks make up most of their bytes.
  package func activity(in dataset: String) throws -> [LedgerActivity] {
    try read("reading who did what") { database in
      let statement = try RawStatement(
        database,
        """
        SELECT sequence, key, kind, visit, payload ->> '$.author', payload ->> '$.time',
          iif(json_type(payload, '$.seconds') IN ('integer', 'real'), payload ->> '$.seconds', NULL),
          json_type(payload, '$.done') = 'true',
          iif(format = \(IndependentVersion.entryFormat), payload ->> '$.independent', NULL)
        FROM (
          SELECT sequence, format, key, kind, visit, iif(json_valid(payload), payload, '{}') AS payload
          FROM correction WHERE dataset = ?1)
        ORDER BY sequence
        """)
      statement.bind(dataset, at: 1)
      var activity: [LedgerActivity] = []
      while try statement.step() {
        activity.append(
          LedgerActivity(
            sequence: statement.integer(0), key: statement.text(1), kind: statement.text(2),
            visit: statement.text(3), author: statement.optionalText(4) ?? "",
            time: statement.optionalText(5),
            seconds: statement.optionalReal(6).flatMap { $0.isFinite && $0 >= 0 ? $0 : nil },
            isDone: statement.integer(7) != 0,
            independent: statement.optionalText(8)))
      }
      return activity
    }
  }
}
