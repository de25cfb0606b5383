import AssayCore
import GRDB

/// Short summaries of runs' predictions for some samples.
extension Catalog {
  /// The class that a classification run predicts for each sample, and its confidence, in the order
  /// of `ids`; `nil` for samples without a prediction in the run.
  ///
  /// - Throws: `StoreError`.
  package func topPredictions(
    of run: Int64, samples ids: [Int64]
  ) throws -> [(class: Int, confidence: Double)?] {
    try withReader("reading predictions") { database in
      let statement = try RawStatement(
        database,
        "SELECT class, confidence FROM prediction WHERE run = ?1 AND sample = ?2 AND ordinal = 0")
      statement.bind(run, at: 1)
      return try ids.map { id in
        statement.bind(id, at: 2)
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        return (Int(statement.integer(0)), statement.real(1))
      }
    }
  }

  /// The scores that a classification or multi-label run assigns to each sample, one per class of
  /// the run, in the order of `ids`; `nil` for samples without scores in the run.
  ///
  /// - Throws: `StoreError`.
  package func scores(of run: RunRecord, samples ids: [Int64]) throws -> [[Float]?] {
    try withReader("reading predictions") { database in
      let statement = try RawStatement(
        database,
        "SELECT class, scores FROM prediction WHERE run = ?1 AND sample = ?2 AND ordinal = 0")
      statement.bind(run.id, at: 1)
      return try ids.map { id in
        statement.bind(id, at: 2)
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        return try Self.scores(statement.bytes(1), of: Int(statement.integer(0)), in: run)
      }
    }
  }

  /// A stored row of scores; for a run without scores 1 for the predicted class and 0 for others.
  ///
  /// - Throws: ``StoreError/unknownValue(table:column:value:)``.
  static func scores(
    _ bytes: UnsafeRawBufferPointer, of predicted: Int, in run: RunRecord
  ) throws -> [Float] {
    guard bytes.isEmpty, run.isLabelsOnly else {
      return try scores(bytes, classes: run.classes.count)
    }
    guard run.classes.indices.contains(predicted) else {
      throw StoreError.unknownValue(table: "prediction", column: "class", value: "\(predicted)")
    }
    var scores = [Float](repeating: 0, count: run.classes.count)
    scores[predicted] = 1
    return scores
  }

  /// A stored row of scores.
  ///
  /// - Throws: ``StoreError/unknownValue(table:column:value:)`` for a row of the wrong length.
  static func scores(_ bytes: UnsafeRawBufferPointer, classes: Int) throws -> [Float] {
    guard bytes.count == 4 * classes else {
      throw StoreError.unknownValue(
        table: "prediction", column: "scores", value: "\(bytes.count) bytes")
    }
    return (0..<classes).map { index in
      let bits = bytes.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self)
      return Float(bitPattern: UInt32(littleEndian: bits))
    }
  }

  /// The masks that a segmentation run predicts for each sample, in the order of `ids`: the class,
  /// the area in pixels and the mean probability inside (`nil` if there is none); empty masks are
  /// omitted.
  ///
  /// - Throws: `StoreError`.
  package func maskSummaries(
    of run: Int64, samples ids: [Int64]
  ) throws -> [[(class: Int, area: Int, mean: Double?)]] {
    try withReader("reading predictions") { database in
      let statement = try RawStatement(
        database,
        """
        SELECT class, area, meanInside FROM maskPrediction
        WHERE run = ?1 AND sample = ?2 AND area > 0 ORDER BY class
        """)
      statement.bind(run, at: 1)
      return try ids.map { id in
        statement.bind(id, at: 2)
        defer { statement.reset() }
        var masks: [(class: Int, area: Int, mean: Double?)] = []
        while try statement.step() {
          masks.append(
            (
              Int(statement.integer(0)), Int(statement.integer(1)),
              statement.isNull(2) ? nil : statement.real(2)
            ))
        }
        return masks
      }
    }
  }
}
