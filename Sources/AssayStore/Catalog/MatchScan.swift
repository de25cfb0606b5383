package import AssayCore
import GRDB

extension Catalog {
  /// The tallies of a detector's evaluation, by sample id, without their rows.
  ///
  /// - Throws: ``StoreError/damaged(table:_:)``.
  package func detectionTallies(of evaluation: Int64) throws -> [DetectionTallyRecord] {
    try read("reading tallies") { database in
      let statement = try RawStatement(
        database,
        """
        SELECT sample, truths, matches, errors FROM detectionTally
        WHERE evaluation = ?1 ORDER BY sample
        """)
      statement.bind(evaluation, at: 1)
      var tallies: [DetectionTallyRecord] = []
      while try statement.step() {
        let sample = statement.integer(0)
        guard let truths = Int(exactly: statement.integer(1)), truths >= 0,
          let matches = PackedBytes.unpacked(statement.bytes(2)),
          let errors = PackedBytes.unpacked(statement.bytes(3))
        else {
          throw StoreError.damaged(
            table: "detectionTally", "the counts of sample \(sample) cannot be read")
        }
        tallies.append(
          DetectionTallyRecord(sample: sample, matches: matches, errors: errors, truths: truths))
      }
      return tallies
    }
  }

  /// The matches of an evaluation by sample, in the order of `samples`, or by sample id if all are
  /// requested. Samples without matches are omitted.
  ///
  /// - Throws: ``StoreError/damaged(table:_:)``.
  package func matches(
    of evaluation: Int64, samples: [Int64]? = nil
  ) throws -> [SampleMatches] {
    try read("reading matches") { database in
      let scan = try MatchScan(
        of: evaluation,
        where: samples == nil ? "1" : "sample = ?2", order: "sample, ordinal", in: database)
      guard let samples else { return try scan.grouped() }
      return try samples.flatMap { sample in
        scan.statement.bind(sample, at: 2)
        return try scan.grouped()
      }
    }
  }

  /// The matches of an evaluation with one kind of error: detections by descending confidence;
  /// missed objects by sample id.
  ///
  /// - Parameter limit: the maximum number of matches; `nil` for all.
  /// - Throws: ``StoreError/damaged(table:_:)``.
  package func mistakes(
    of evaluation: Int64, _ kind: DetectionErrorKind, limit: Int? = nil
  ) throws -> [SampleMatch] {
    try read("reading matches") { database in
      let scan = try MatchScan(
        of: evaluation, where: "error = ?2",
        order: "confidence DESC NULLS LAST, sample, ordinal LIMIT ?3", in: database)
      scan.statement.bind(constant: kind.stored, at: 2)
      scan.statement.bind(Int64(limit ?? -1), at: 3)
      return try scan.all()
    }
  }
}

/// Reads matches of one evaluation.
private struct MatchScan {
  /// Parameters from the second one on are the condition's.
  let statement: RawStatement
  /// The numbers of the evaluation's classes and thresholds.
  private let classes: Int
  private let bits: UInt64

  init(
    of evaluation: Int64, where condition: String, order: String, in database: Database
  ) throws {
    statement = try RawStatement(
      database,
      """
      SELECT sample, prediction, annotation, class, confidence, iou, error, matched, ignored FROM match
      WHERE evaluation = ?1 AND \(condition) ORDER BY \(order)
      """)
    statement.bind(evaluation, at: 1)
    let row = try Row.fetchOne(
      database,
      sql: """
        SELECT *, (SELECT count(*) FROM evaluationClass WHERE evaluation = ?1) AS classes
        FROM evaluation WHERE id = ?1
        """, arguments: [evaluation])
    classes = row?["classes"] ?? 0
    bits = (try row.flatMap { try MatchSettings(row: $0) })?.bits ?? 0
  }

  func all() throws -> [SampleMatch] {
    defer { statement.reset() }
    var matches: [SampleMatch] = []
    while try statement.step() { matches.append(try match()) }
    return matches
  }

  /// The matches, grouped by sample.
  func grouped() throws -> [SampleMatches] {
    defer { statement.reset() }
    var groups: [SampleMatches] = []
    var rows: [MatchRecord] = []
    var sample: Int64?
    while try statement.step() {
      let next = try match()
      if next.sample != sample, let sample {
        groups.append(SampleMatches(sample: sample, rows: rows))
        rows = []
      }
      sample = next.sample
      rows.append(next.match)
    }
    if let sample { groups.append(SampleMatches(sample: sample, rows: rows)) }
    return groups
  }

  private func match() throws -> SampleMatch {
    let sample = statement.integer(0)
    var error: DetectionErrorKind?
    if !statement.isNull(6) {
      error = DetectionErrorKind(stored: statement.textBytes(6))
      guard error != nil else {
        throw StoreError.unknownValue(table: "match", column: "error", value: statement.text(6))
      }
    }
    let match = MatchRecord(
      prediction: statement.optionalInteger(1).map { Int($0) },
      annotation: statement.optionalInteger(2).map { Int($0) },
      class: Int(statement.integer(3)), confidence: statement.optionalReal(4),
      iou: statement.optionalReal(5), error: error,
      matched: UInt64(bitPattern: statement.integer(7)),
      ignored: UInt64(bitPattern: statement.integer(8)))
    guard match.fault(classes: classes, bits: bits) == nil else {
      throw StoreError.damaged(
        table: "match",
        "a match of sample \(sample) does not fit an evaluation of \(classes) classes")
    }
    return SampleMatch(sample: sample, match: match)
  }
}

extension DetectionErrorKind {
  /// Parses a stored kind without creating a `String`.
  fileprivate init?(stored bytes: UnsafeBufferPointer<UInt8>) {
    let found = Self.allCases.first { kind in
      kind.stored.withUTF8Buffer { bytes.elementsEqual($0) }
    }
    guard let found else { return nil }
    self = found
  }
}
