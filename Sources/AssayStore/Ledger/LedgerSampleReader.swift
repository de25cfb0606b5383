package import AssayCore
import GRDB

/// Reads the entries of samples one after the other, within ``Ledger/readingSamples(_:)``.
package final class LedgerSampleReader {
  private let statement: RawStatement

  init(_ database: Database) throws {
    statement = try RawStatement(
      database,
      """
      SELECT \(LedgerReader.columns) FROM correction
      WHERE dataset = ?1 AND key = ?2 AND sequence <= ?3 ORDER BY sequence
      """)
  }

  /// The entries of a sample in ascending sequence.
  ///
  /// - Parameter sequence: the last entry to read; `nil` for all.
  package func entries(
    upTo sequence: Int64?, dataset: String, key: String
  ) throws -> [LedgerEntry] {
    statement.bind(dataset, at: 1)
    statement.bind(key, at: 2)
    statement.bind(sequence ?? .max, at: 3)
    defer { statement.reset() }
    var entries: [LedgerEntry] = []
    while try statement.step() { entries.append(LedgerReader.entry(statement)) }
    return entries
  }
}
