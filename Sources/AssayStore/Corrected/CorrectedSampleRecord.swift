package import AssayCore
import GRDB

/// The ledger's facts about one sample, in the state that the catalog uses for marks.
package struct CorrectedSampleRecord: Hashable, Sendable {
  /// The row id.
  package var sample: Int64
  /// True if its ground truth differs from the imported one.
  package var isChanged: Bool
  package var status: ReviewStatus
  /// The reason why it is excluded; `nil` if it is included.
  package var leftOut: String?
  /// Visits with a net change.
  package var corrections: Int
  /// All entries about it.
  package var entries: Int
  /// Unresolved branches that were created concurrently.
  package var conflicts: Int
  /// Active seconds.
  package var seconds: Double
  /// The last entry that counts; `nil` if there is none.
  package var head: Int64?
  /// The authors of its entries, sorted.
  package var authors: [String]
}

extension Catalog {
  /// The ledger's facts about samples; those without an entry are omitted. In the order of `ids`.
  package func corrected(of ids: [Int64]) throws -> [CorrectedSampleRecord] {
    guard !ids.isEmpty else { return [] }
    return try withReader("reading what was corrected") { database in
      guard let reader = try CorrectedSampleReader(truth, in: database) else { return [] }
      return try ids.compactMap { try reader.record(of: $0) }
    }
  }

  /// The ledger's facts about all samples of a dataset that have entries, by row id.
  package func corrected(in dataset: Int64) throws -> [CorrectedSampleRecord] {
    guard let state = truth.marks else { return [] }
    return try withReader("reading what was corrected") { database in
      guard let reader = try CorrectedSampleReader(truth, in: database) else { return [] }
      let ids = try Int64.fetchAll(
        database,
        sql: """
          SELECT z.sample FROM \(truth.schema).correctedSample z CROSS JOIN main.sample s
          WHERE z.state = ? AND s.id = z.sample AND s.dataset = ? ORDER BY z.sample
          """, arguments: [state, dataset])
      return try ids.compactMap { try reader.record(of: $0) }
    }
  }
}

/// Reads records on one connection.
private struct CorrectedSampleReader {
  private let find: RawStatement
  private let authors: RawStatement

  /// `nil` if there are none.
  init?(_ truth: TruthSource, in database: Database) throws {
    guard let state = truth.marks else { return nil }
    let schema = truth.schema
    find = try RawStatement(
      database,
      """
      SELECT isChanged, leftOut, corrections, entries, seconds, head, status, conflicts
      FROM \(schema).correctedSample WHERE state = \(state) AND sample = ?1
      """)
    authors = try RawStatement(
      database,
      """
      SELECT author FROM \(schema).correctedBy WHERE state = \(state) AND sample = ?1
      ORDER BY author
      """)
  }

  func record(of id: Int64) throws -> CorrectedSampleRecord? {
    find.bind(id, at: 1)
    defer { find.reset() }
    guard try find.step() else { return nil }
    let text = find.text(6)
    guard let status = ReviewStatus(rawValue: text) else {
      throw StoreError.unknownValue(table: "correctedSample", column: "status", value: text)
    }
    var record = CorrectedSampleRecord(
      sample: id, isChanged: find.integer(0) != 0, status: status, leftOut: find.optionalText(1),
      corrections: Int(find.integer(2)), entries: Int(find.integer(3)),
      conflicts: Int(find.integer(7)), seconds: find.real(4), head: find.optionalInteger(5),
      authors: [])
    authors.bind(id, at: 1)
    defer { authors.reset() }
    while try authors.step() { record.authors.append(authors.text(0)) }
    return record
  }
}
