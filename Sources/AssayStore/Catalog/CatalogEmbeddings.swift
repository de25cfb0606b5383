import AssayCore
import GRDB

/// The vector of a sample of a run.
package struct SampleEmbedding: Hashable, Sendable {
  /// The id of the sample.
  package let sample: Int64
  /// Finite values; as many in all samples of a run.
  package let vector: [Float]

  package init(sample: Int64, vector: [Float]) {
    self.sample = sample
    self.vector = vector
  }
}

extension Catalog {
  /// Stores vectors beside the predictions of a run, in one transaction. Replaces earlier ones of these samples.
  ///
  /// - Throws: ``StoreError/notInRun(run:sample:)``, ``StoreError/scoreNotFinite(run:sample:)``.
  package func record(_ embeddings: [SampleEmbedding], in run: Int64) throws {
    try write("storing embeddings") { database in
      let record = try RunRecord.fetch(run, in: database)
      let isMember = try RawStatement(
        database, "SELECT 1 FROM runSample WHERE run = ?1 AND sample = ?2")
      let insert = try RawStatement(
        database, "INSERT OR REPLACE INTO embedding (run, sample, vector) VALUES (?1, ?2, ?3)")
      isMember.bind(run, at: 1)
      insert.bind(run, at: 1)
      for embedding in embeddings {
        guard embedding.vector.allSatisfy(\.isFinite) else {
          throw StoreError.scoreNotFinite(run: record.name, sample: embedding.sample)
        }
        isMember.bind(embedding.sample, at: 2)
        guard try isMember.step() else {
          throw StoreError.notInRun(run: record.name, sample: embedding.sample)
        }
        isMember.reset()
        insert.bind(embedding.sample, at: 2)
        let bits = embedding.vector.map(\.bitPattern.littleEndian)
        try bits.withUnsafeBytes { bytes in
          insert.bind(noCopy: bytes, at: 3)
          try insert.run()
        }
      }
    }
  }

  /// The number of samples of a run with a vector, and the number of values of each; `nil` if there are none.
  package func embeddingSize(of run: Int64) throws -> (samples: Int, dimension: Int)? {
    try read("reading embeddings") { database in
      let row = try Row.fetchOne(
        database,
        sql: "SELECT count(*), ifnull(max(length(vector)) / 4, 0) FROM embedding WHERE run = ?",
        arguments: [run])
      guard let row, row[0] as Int > 0 else { return nil }
      return (row[0], row[1])
    }
  }

  /// The vectors of a run's samples, in its order.
  ///
  /// - Parameter each: gets a sample's id, its key and its vector; an error that it throws ends the reading.
  package func forEachEmbedding(
    of run: Int64, _ each: (Int64, String, [Float]) throws -> Void
  ) throws {
    try read("reading embeddings") { database in
      let statement = try RawStatement(
        database,
        """
        SELECT s.id, s.key, e.vector FROM embedding e
        JOIN runSample r ON r.run = e.run AND r.sample = e.sample
        JOIN sample s ON s.id = e.sample
        WHERE e.run = ?1 AND r.status = 'done' ORDER BY r.position
        """)
      statement.bind(run, at: 1)
      while try statement.step() {
        try each(
          statement.integer(0), statement.text(1), Self.floats(statement.bytes(2)))
      }
    }
  }

  private static func floats(_ bytes: UnsafeRawBufferPointer) -> [Float] {
    (0..<bytes.count / 4).map { index in
      let bits = bytes.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self)
      return Float(bitPattern: UInt32(littleEndian: bits))
    }
  }
}
