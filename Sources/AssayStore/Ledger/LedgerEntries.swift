package import AssayCore
import GRDB

extension Ledger {
  /// Returns the entry with the given uuid; `nil` if there is none.
  package func entry(uuid: String) throws -> LedgerEntry? {
    try read("reading an entry") { try LedgerReader($0).entry(uuid: uuid) }
  }

  /// Returns the entry with the given sequence; `nil` if there is none.
  package func entry(sequence: Int64) throws -> LedgerEntry? {
    try entries(after: sequence - 1, upTo: sequence).first
  }

  /// Entries in ascending sequence.
  ///
  /// - Parameters:
  ///   - after: omits entries up to this sequence.
  ///   - upTo: omits entries after this sequence; `nil` for no limit.
  ///   - dataset: only entries of this dataset; `nil` for any.
  ///   - key: only entries of this sample of the dataset.
  package func entries(
    after: Int64 = 0, upTo: Int64? = nil, dataset: String? = nil, key: String? = nil
  ) throws -> [LedgerEntry] {
    var entries: [LedgerEntry] = []
    try forEachEntry(after: after, upTo: upTo, dataset: dataset, key: key) { entries.append($0) }
    return entries
  }

  /// Passes entries to the body one by one in ascending sequence, all from one snapshot of the
  /// ledger; see ``entries(after:upTo:dataset:key:)``. The body can read the ledger, but not write
  /// it.
  package func forEachEntry(
    after: Int64 = 0, upTo: Int64? = nil, dataset: String? = nil, key: String? = nil,
    _ body: (LedgerEntry) throws -> Void
  ) throws {
    try read("reading entries") { database in
      var conditions = ["sequence > ?1", "sequence <= ?2"]
      if dataset != nil { conditions.append("dataset = ?3") }
      if key != nil { conditions.append("key = ?4") }
      // Reading a dataset's entries through the index would require sorting them, payloads
      // included.
      let statement = try RawStatement(
        database,
        """
        SELECT \(LedgerReader.columns) FROM correction \(key == nil ? "NOT INDEXED" : "")
        WHERE \(conditions.joined(separator: " AND ")) ORDER BY sequence
        """)
      statement.bind(after, at: 1)
      statement.bind(upTo ?? .max, at: 2)
      if let dataset { statement.bind(dataset, at: 3) }
      if let key { statement.bind(key, at: 4) }
      while try statement.step() { try body(LedgerReader.entry(statement)) }
    }
  }

  /// Passes a reader of samples' entries to the body; all it reads is from one snapshot of the ledger. The body cannot
  /// write the ledger.
  package func readingSamples<Result>(
    _ body: (LedgerSampleReader) throws -> Result
  ) throws -> Result {
    try read("reading entries") { try body(LedgerSampleReader($0)) }
  }

  /// The sample's last entry on any branch; `nil` if it has none.
  package func lastSequence(dataset: String, key: String) throws -> Int64? {
    try read("reading a sample's last entry") { database in
      try Int64.fetchOne(
        database, sql: "SELECT max(sequence) FROM correction WHERE dataset = ? AND key = ?",
        arguments: [dataset, key])
    }
  }

  /// The last entry of the sample's main branch, which the next entry must follow; `nil` if there
  /// is none.
  package func mainHead(dataset: String, key: String) throws -> Int64? {
    try read("reading a sample's last entry") { database in
      try LedgerReader(database).mainHead(
        of: SampleIdentity(dataset: dataset, key: key, contentHash: ""))
    }
  }

  /// The samples that have entries, by dataset and key.
  ///
  /// - Parameter after: only samples with entries after this sequence; only those entries are
  ///   counted.
  package func samples(after: Int64 = 0, dataset: String? = nil) throws -> [LedgerSample] {
    try read("listing its samples") { database in
      let statement = try RawStatement(
        database,
        """
        SELECT sample.dataset, sample.key, entries, first, last, contentHash
        FROM (
          SELECT dataset, key, count(*) AS entries, min(sequence) AS first, max(sequence) AS last
          FROM correction WHERE sequence > ?1 \(dataset == nil ? "" : "AND dataset = ?2")
          GROUP BY dataset, key
        ) AS sample JOIN correction ON sequence = last
        ORDER BY sample.dataset, sample.key
        """)
      statement.bind(after, at: 1)
      if let dataset { statement.bind(dataset, at: 2) }
      var samples: [LedgerSample] = []
      while try statement.step() {
        samples.append(
          LedgerSample(
            dataset: statement.text(0), key: statement.text(1), contentHash: statement.text(5),
            entries: Int(statement.integer(2)), first: statement.integer(3),
            last: statement.integer(4)))
      }
      return samples
    }
  }
}
