package import AssayCore
import GRDB

/// The review marks of the samples of a dataset, from the catalog's copy of the ledger.
package struct ReviewMarks: Hashable, Sendable {
  /// The review state of one sample.
  package struct Mark: Hashable, Sendable {
    package var status: ReviewStatus
    package var conflicts: Int
    package var label = Label.imported
  }

  /// The label that a sample has after its corrections.
  package enum Label: Hashable, Sendable {
    /// The imported label.
    case imported
    /// This class; `nil` if the sample has no label.
    case corrected(String?)
    /// A class that the dataset does not have; only the ledger has its name.
    case unknownClass
  }

  /// By sample id; samples without entries are omitted.
  package var samples: [Int64: Mark]
  /// The last ledger entry that they include; 0 if there is none.
  package var sequence: Int64
}

extension Catalog {
  /// The review marks of the samples of a dataset.
  ///
  /// - Throws: ``StoreError/unknownValue(table:column:value:)`` for a status from a later version.
  package func reviewMarks(of dataset: Int64) throws -> ReviewMarks {
    guard let state = truth.marks else { return ReviewMarks(samples: [:], sequence: 0) }
    return try read("reading what was corrected") { database in
      var marks = ReviewMarks(samples: [:], sequence: 0)
      marks.sequence =
        try Int64.fetchOne(
          database, sql: "SELECT sequence FROM \(truth.schema).truthState WHERE id = ?",
          arguments: [state]) ?? 0
      let statement = try RawStatement(
        database,
        """
        SELECT z.sample, z.status, z.conflicts, z.isChanged, c.name,
          z.sample IN (
            SELECT i.sample FROM \(truth.schema).correctionIssue i
            WHERE i.state = ?1 AND i.kind = 'unknownClass' AND i.sample IS NOT NULL)
        FROM \(truth.schema).correctedSample z
        CROSS JOIN sample s ON s.id = z.sample
        LEFT JOIN category c ON c.id = z.label
        WHERE z.state = ?1 AND s.dataset = ?2
        """)
      statement.bind(state, at: 1)
      statement.bind(dataset, at: 2)
      while try statement.step() {
        let text = statement.text(1)
        guard let status = ReviewStatus(rawValue: text) else {
          throw StoreError.unknownValue(table: "correctedSample", column: "status", value: text)
        }
        let label: ReviewMarks.Label =
          if statement.integer(3) == 0 {
            .imported
          } else if statement.integer(5) != 0 {
            .unknownClass
          } else {
            .corrected(statement.optionalText(4))
          }
        marks.samples[statement.integer(0)] = ReviewMarks.Mark(
          status: status, conflicts: Int(statement.integer(2)), label: label)
      }
      return marks
    }
  }
}
