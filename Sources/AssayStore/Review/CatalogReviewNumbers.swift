import AssayCore
import GRDB

/// One detection of a sample, without its location.
package struct ScoredDetection: Hashable, Sendable {
  package var sample: Int64
  /// An index into the run's classes.
  package var `class`: Int
  package var confidence: Double
}

extension Catalog {
  /// The ids of the samples that a run has done, ascending, including retired ones.
  ///
  /// - Parameter all: whether to include pending and failed samples.
  package func doneSampleIDs(of run: Int64, all: Bool = false) throws -> [Int64] {
    try read("reading the samples of a run") { database in
      let statement = try RawStatement(
        database,
        """
        SELECT sample FROM runSample WHERE run = ?1 \(all ? "" : "AND status = 'done'")
        ORDER BY sample
        """)
      statement.bind(run, at: 1)
      var ids: [Int64] = []
      while try statement.step() { ids.append(statement.integer(0)) }
      return ids
    }
  }

  /// A run's detections with a confidence in a range, by sample id, then descending confidence.
  ///
  /// - Throws: ``StoreError/damaged(table:_:)`` for a class that the run does not have.
  package func detections(
    of run: RunRecord, confidence: ClosedRange<Double>
  ) throws -> [ScoredDetection] {
    try read("reading predictions") { database in
      let statement = try RawStatement(
        database,
        """
        SELECT sample, class, confidence FROM detection
        WHERE run = ?1 AND confidence BETWEEN ?2 AND ?3 ORDER BY sample, ordinal
        """)
      statement.bind(run.id, at: 1)
      statement.bind(confidence.lowerBound, at: 2)
      statement.bind(confidence.upperBound, at: 3)
      var found: [ScoredDetection] = []
      while try statement.step() {
        let number = statement.integer(1)
        guard let ordinal = Int(exactly: number), run.classes.indices.contains(ordinal) else {
          throw StoreError.damaged(
            table: "detection", "run “\(run.name)” has no class \(number)")
        }
        found.append(
          ScoredDetection(
            sample: statement.integer(0), class: ordinal, confidence: statement.real(2)))
      }
      return found
    }
  }
}
