import AssayCore
import GRDB

/// Writes the detections of a run's samples.
struct DetectionWriter {
  private let run: RunRecord
  private let database: Database
  private let markDone: RawStatement
  private let clear: RawStatement
  private let insert: MultiInsert

  init(_ run: RunRecord, in database: Database) throws {
    self.run = run
    self.database = database
    markDone = try RawStatement(
      database,
      "UPDATE runSample SET status = 'done', message = NULL WHERE run = ?1 AND sample = ?2")
    clear = try RawStatement(database, "DELETE FROM detection WHERE run = ?1 AND sample = ?2")
    insert = try MultiInsert(
      database,
      """
      INSERT INTO detection (run, sample, ordinal, class, confidence, x, y, width, height, area, counts,
        scores, keypoints, attributes)
      """, row: "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    for statement in [markDone, clear] { statement.bind(run.id, at: 1) }
  }

  func write(_ sample: SampleDetections) throws {
    for statement in [markDone, clear] { statement.bind(sample.sample, at: 2) }
    try markDone.run()
    guard database.changesCount == 1 else {
      throw StoreError.notInRun(run: run.name, sample: sample.sample)
    }
    try clear.run()
    let detections = sample.detections.rankedByConfidence
    // One buffer for all blobs, because data bound without a copy must stay in place.
    var blobs: [UInt8] = []
    var ends: [(counts: Int, scores: Int, keypoints: Int)] = []
    ends.reserveCapacity(detections.count)
    for detection in detections {
      if let what = detection.fault(classes: run.classes.count) {
        throw StoreError.badDetections(run: run.name, sample: sample.sample, what)
      }
      if let counts = detection.counts { blobs += counts }
      let middle = blobs.count
      for score in detection.scores { score.append(to: &blobs) }
      let last = blobs.count
      for value in detection.keypoints {
        withUnsafeBytes(of: value.bitPattern.littleEndian) { blobs += $0 }
      }
      ends.append((middle, last, blobs.count))
    }
    try blobs.withUnsafeBytes { bytes in
      try insert.insert(detections.count) { row, statement, base in
        let detection = detections[row]
        let start = row == 0 ? 0 : ends[row - 1].keypoints
        statement.bind(run.id, at: base + 1)
        statement.bind(sample.sample, at: base + 2)
        statement.bind(Int64(row), at: base + 3)
        statement.bind(Int64(detection.class), at: base + 4)
        statement.bind(detection.confidence, at: base + 5)
        statement.bind(detection.box.x, at: base + 6)
        statement.bind(detection.box.y, at: base + 7)
        statement.bind(detection.box.width, at: base + 8)
        statement.bind(detection.box.height, at: base + 9)
        statement.bind(detection.area, at: base + 10)
        if detection.counts == nil {
          statement.bind(nil as Int64?, at: base + 11)
        } else {
          statement.bind(
            noCopy: UnsafeRawBufferPointer(rebasing: bytes[start..<ends[row].counts]),
            at: base + 11)
        }
        if detection.scores.isEmpty {
          statement.bind(nil as Int64?, at: base + 12)
        } else {
          statement.bind(
            noCopy: UnsafeRawBufferPointer(rebasing: bytes[ends[row].counts..<ends[row].scores]),
            at: base + 12)
        }
        if detection.keypoints.isEmpty {
          statement.bind(nil as Int64?, at: base + 13)
        } else {
          statement.bind(
            noCopy: UnsafeRawBufferPointer(
              rebasing: bytes[ends[row].scores..<ends[row].keypoints]), at: base + 13)
        }
        statement.bind(detection.attributes, at: base + 14)
      }
    }
  }
}

extension [Detection] {
  /// The detections by descending confidence; equal ones keep their order.
  fileprivate var rankedByConfidence: [Detection] {
    let isRanked = zip(self, dropFirst()).allSatisfy { $0.confidence >= $1.confidence }
    guard !isRanked else { return self }
    return enumerated().sorted {
      ($1.element.confidence, $0.offset) < ($0.element.confidence, $1.offset)
    }.map(\.element)
  }
}
