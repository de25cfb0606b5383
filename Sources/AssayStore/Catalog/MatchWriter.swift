import AssayCore
import GRDB

/// Writes the tallies and matches of a detector's evaluation.
struct MatchWriter {
  private let evaluation: Int64
  private let settings: MatchSettings
  private let classes: Int
  private let insertTally: RawStatement
  private let insertMatch: MultiInsert

  init(
    _ evaluation: Int64, _ settings: MatchSettings, classes: Int, in database: Database
  ) throws {
    self.evaluation = evaluation
    self.settings = settings
    self.classes = classes
    insertTally = try RawStatement(
      database,
      """
      INSERT INTO detectionTally (evaluation, sample, truths, \(MatchCounts.columns), matches, errors)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
      """)
    insertTally.bind(evaluation, at: 1)
    insertMatch = try MultiInsert(
      database,
      """
      INSERT INTO match (evaluation, sample, ordinal, prediction, annotation, class, confidence, iou,
        error, matched, ignored)
      """, row: "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
  }

  /// - Throws: ``StoreError/badMatches(sample:_:)``.
  func write(_ tally: DetectionTallyRecord) throws {
    guard tally.truths >= 0 else {
      throw StoreError.badMatches(sample: tally.sample, "a negative count")
    }
    for row in tally.rows {
      if let what = row.fault(classes: classes, bits: settings.bits) {
        throw StoreError.badMatches(sample: tally.sample, what)
      }
    }
    insertTally.bind(tally.sample, at: 2)
    insertTally.bind(Int64(tally.truths), at: 3)
    let counts = MatchCounts(tally.rows, settings)
    for (place, count) in zip(Int32(4)..., counts.values) {
      insertTally.bind(Int64(count), at: place)
    }
    try PackedBytes.packed(tally.matches).withUnsafeBytes { matches in
      try PackedBytes.packed(tally.errors).withUnsafeBytes { errors in
        insertTally.bind(noCopy: matches, at: 13)
        insertTally.bind(noCopy: errors, at: 14)
        try insertTally.run()
      }
    }
    try insertMatch.insert(tally.rows.count) { index, statement, base in
      let row = tally.rows[index]
      statement.bind(evaluation, at: base + 1)
      statement.bind(tally.sample, at: base + 2)
      statement.bind(Int64(index), at: base + 3)
      statement.bind(row.prediction.map { Int64($0) }, at: base + 4)
      statement.bind(row.annotation.map { Int64($0) }, at: base + 5)
      statement.bind(Int64(row.class), at: base + 6)
      statement.bind(row.confidence, at: base + 7)
      statement.bind(row.iou, at: base + 8)
      if let error = row.error {
        statement.bind(constant: error.stored, at: base + 9)
      } else {
        statement.bind(nil as Int64?, at: base + 9)
      }
      statement.bind(Int64(bitPattern: row.matched), at: base + 10)
      statement.bind(Int64(bitPattern: row.ignored), at: base + 11)
    }
  }
}

extension DetectionErrorKind {
  /// The spelling in the catalog, which does not change when the key in JSON is renamed.
  var stored: StaticString {
    switch self {
    case .class: "class"
    case .place: "place"
    case .both: "both"
    case .duplicate: "duplicate"
    case .background: "background"
    case .missed: "missed"
    }
  }
}

/// The counts of one sample at the working IoU and score that queries use.
struct MatchCounts: Hashable {
  /// The columns of ``values``.
  static let columns = """
    detections, truePositives, falsePositives, classErrors, placeErrors, bothErrors, duplicates,
    backgroundErrors, missed
    """

  private(set) var detections = 0
  private(set) var truePositives = 0
  private(set) var falsePositives = 0
  private(set) var errors: [DetectionErrorKind: Int] = [:]

  init(_ rows: [MatchRecord], _ settings: MatchSettings) {
    let bit = settings.workingBit
    for row in rows {
      guard row.prediction != nil else {
        if row.error == .missed { errors[.missed, default: 0] += 1 }
        continue
      }
      guard let confidence = row.confidence, confidence >= settings.score else { continue }
      detections += 1
      if let error = row.error { errors[error, default: 0] += 1 }
      guard row.ignored & bit == 0 else { continue }
      if row.matched & bit == 0 { falsePositives += 1 } else { truePositives += 1 }
    }
  }

  var values: [Int] {
    [detections, truePositives, falsePositives]
      + ([.class, .place, .both, .duplicate, .background, .missed] as [DetectionErrorKind])
      .map { errors[$0] ?? 0 }
  }
}
