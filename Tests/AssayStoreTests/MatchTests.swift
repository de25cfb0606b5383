import AssayCore
import Foundation
import GRDB
import GRDBSQLite
import Testing

@testable import AssayStore

@Suite("Evaluations of detections")
struct MatchTests {
  private let sample: MatchSample
  private var catalog: Catalog { sample.house.catalog }

  init() throws { sample = try MatchSample() }

  private func tamper(_ sql: String) throws {
    try catalog.connection.inDatabase { try $0.execute(sql: sql) }
  }

  @Test("Tallies and matches come back as they were given")
  func roundTrip() throws {
    let evaluation = try sample.evaluate()
    #expect(evaluation.matching == MatchSample.settings)
    #expect(try catalog.evaluation(named: "default", of: sample.run) == evaluation)
    var bare = MatchSample.tallies
    for index in bare.indices { bare[index].rows = [] }
    #expect(try catalog.detectionTallies(of: evaluation.id) == bare)
    let all = try catalog.matches(of: evaluation.id)
    #expect(all.map(\.sample) == [1, 2, 3])
    #expect(all.map(\.rows) == MatchSample.tallies.map(\.rows))
    #expect(
      try catalog.matches(of: evaluation.id, samples: [3, 99, 1]).map(\.sample) == [3, 1])
    #expect(try catalog.matches(of: evaluation.id, samples: [2]) == [all[1]])
  }

  @Test("Many matches of a sample with a long tally are stored without reading that tally for each")
  func longTally() throws {
    var random = SplitMix64(seed: 1)
    // Noise, which is stored uncompressed.
    let errors = (0..<2_000_000).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    let row = MatchRecord(
      prediction: 0, annotation: nil, class: 0, confidence: 0.5, error: .background)
    let tally = DetectionTallyRecord(
      sample: 1, matches: [1], errors: errors, rows: Array(repeating: row, count: 50_000),
      truths: 0)
    let before = try pagesRead()
    try sample.evaluate(tallies: [tally])
    // The tally alone has 123 pages: reading them for each match would be 6 million.
    let pages = try pagesRead() - before
    #expect(pages > 50_000 && pages < 2_000_000, "\(pages) pages")
  }

  /// The number of pages that the connection has accessed so far, in its cache or in the file.
  private func pagesRead() throws -> Int {
    try catalog.connection.inDatabase { database in
      var sum = 0
      for counter in [SQLITE_DBSTATUS_CACHE_HIT, SQLITE_DBSTATUS_CACHE_MISS] {
        var count: Int32 = 0
        var most: Int32 = 0
        sqlite3_db_status(database.sqliteConnection, counter, &count, &most, 0)
        sum += Int(count)
      }
      return sum
    }
  }

  @Test("A large tally is kept smaller than it is")
  func packed() throws {
    try sample.evaluate()
    let sizes = try catalog.sql("SELECT length(matches) FROM detectionTally ORDER BY sample").rows
    // One byte states how it is stored.
    #expect(sizes[0] == [.integer(4)])
    #expect(sizes[2] == [.integer(1)])
    guard case .integer(let size) = sizes[1][0] else { return }
    #expect(size < 100)
  }

  @Test("What is counted of each sample can be asked for in SQL")
  func counts() throws {
    try sample.evaluate()
    let rows = try catalog.sql(
      """
      SELECT truths, detections, truePositives, falsePositives, classErrors, placeErrors, bothErrors,
        duplicates, backgroundErrors, missed FROM detectionTally ORDER BY sample
      """
    ).rows
    let expected: [[Int64]] = [
      // Scores 0.9, 0.8, 0.5 and 0.3 count; 0.9 and 0.5 are correct.
      [3, 4, 2, 2, 1, 0, 0, 1, 0, 0],
      // 0.7 is on a crowd, 0.6 is wrong; 0.2 does not count.
      [1, 2, 0, 1, 0, 1, 0, 0, 0, 1],
      [0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    ]
    #expect(rows == expected.map { $0.map { .integer($0) } })
    #expect(
      try catalog.sql("SELECT iouThresholds, workingIoU, workingScore FROM evaluation").rows
        == [[.text("[0.5,0.75,0.8999999999999999]"), .real(0.5), .real(0.3)]])
  }

  @Test("Mistakes of a type, the most confident first")
  func mistakes() throws {
    let evaluation = try sample.evaluate()
    func found(_ kind: DetectionErrorKind, limit: Int? = nil) throws -> [String] {
      try catalog.mistakes(of: evaluation.id, kind, limit: limit).map {
        "\($0.sample) \($0.match.confidence ?? -1)"
      }
    }
    #expect(try found(.background) == ["1 0.1", "3 0.05"])
    #expect(try found(.background, limit: 1) == ["1 0.1"])
    #expect(try found(.missed) == ["2 -1.0"])
    #expect(try found(.class) == ["1 0.3"])
  }

  @Test("An evaluation is replaced with its matches, or kept")
  func replaced() throws {
    try sample.evaluate()
    #expect(throws: StoreError.evaluationExists("default", run: "det")) {
      try sample.evaluate(replace: false)
    }
    let evaluation = try sample.evaluate(tallies: [MatchSample.tallies[2]])
    #expect(try catalog.matches(of: evaluation.id).map(\.sample) == [3])
    #expect(try catalog.sql("SELECT count(*) FROM match").rows == [[.integer(1)]])
    #expect(try catalog.sql("SELECT count(*) FROM detectionTally").rows == [[.integer(1)]])
  }

  @Test("What does not fit the evaluation is refused and changes nothing")
  func refused() throws {
    let kept = try sample.evaluate()
    func changed(_ change: (inout MatchRecord) -> Void) -> DetectionTallyRecord {
      var tally = MatchSample.tallies[0]
      change(&tally.rows[0])
      return tally
    }
    var negative = MatchSample.tallies[0]
    negative.truths = -1
    let bad = [
      changed { $0.class = 2 }, changed { $0.class = -1 }, changed { $0.confidence = nil },
      changed { $0.confidence = .nan }, changed { $0.iou = .infinity },
      changed { $0.prediction = -1 }, changed { $0.annotation = -1 },
      changed { $0.prediction = nil }, changed { $0.matched = 8 },
      changed { $0.ignored = 1 << 63 },
      changed { ($0.prediction, $0.confidence, $0.annotation) = (nil, nil, nil) }, negative,
    ]
    for tally in bad {
      #expect(throws: StoreError.self) { try sample.evaluate(tallies: [tally]) }
    }
    #expect(try catalog.matches(of: kept.id).count == 3)
  }

  @Test(
    "Thresholds that matches cannot go by are refused",
    arguments: [
      nil, MatchSettings(thresholds: [], iou: 0.5, score: 0.3),
      MatchSettings(thresholds: [0.5], iou: 0.6, score: 0.3),
      MatchSettings(thresholds: [0.6, 0.5], iou: 0.5, score: 0.3),
      MatchSettings(thresholds: [0.5, 1.5], iou: 0.5, score: 0.3),
      MatchSettings(thresholds: [0.5, .nan], iou: 0.5, score: 0.3),
      MatchSettings(thresholds: [0.5], iou: 0.5, score: .nan),
      MatchSettings(thresholds: (0..<64).map { Double($0) / 64 }, iou: 0.5, score: 0.3),
    ])
  func badMatching(matching: MatchSettings?) throws {
    #expect(throws: StoreError.self) { try sample.evaluate(matching: matching) }
    #expect(try catalog.sql("SELECT count(*) FROM evaluation").rows == [[.integer(0)]])
  }

  @Test("Sixty-three thresholds have a bit each")
  func manyThresholds() throws {
    let matching = MatchSettings(
      thresholds: (0..<63).map { Double($0) / 64 }, iou: 62.0 / 64, score: 0)
    var tally = MatchSample.tallies[2]
    tally.rows[0].matched = 1 << 62
    let evaluation = try sample.evaluate(tallies: [tally], matching: matching)
    #expect(try catalog.matches(of: evaluation.id)[0].rows == tally.rows)
    #expect(try catalog.keys("coco", "run(det).true_positives = 1") == ["2"])
    #expect(try catalog.keys("coco", "run(det, iou: 0.5).true_positives = 0") == ["2"])
  }

  @Test(
    "Damaged matches are an error",
    arguments: [
      "class = 2", "class = -1", "prediction = -1", "annotation = -1", "matched = 8",
      "ignored = -1", "iou = 9e999", "error = 'unheard of'", "confidence = NULL",
    ])
  func damagedMatches(change: String) throws {
    let evaluation = try sample.evaluate()
    try tamper("UPDATE match SET \(change) WHERE sample = 3")
    #expect(throws: StoreError.self) { try catalog.matches(of: evaluation.id) }
    #expect(throws: StoreError.self) { try catalog.matches(of: evaluation.id, samples: [3]) }
    #expect(try catalog.matches(of: evaluation.id, samples: [1]).count == 1)
  }

  @Test(
    "Damaged tallies are an error",
    arguments: [
      "matches = x''", "matches = x'02'", "matches = x'01'", "matches = x'01FFFFFFFF00'",
      "errors = x'0105000000010203'",
      "truths = -1",
    ])
  func damagedTallies(change: String) throws {
    let evaluation = try sample.evaluate()
    try tamper("UPDATE detectionTally SET \(change) WHERE sample = 2")
    let error = #expect(throws: StoreError.self) {
      try catalog.detectionTallies(of: evaluation.id)
    }
    #expect("\(String(describing: error))".contains("detectionTally"))
  }

  @Test(
    "Damaged thresholds are an error",
    arguments: [
      "iouThresholds = 'x'", "iouThresholds = '[]'", "iouThresholds = '[\"a\"]'",
      "iouThresholds = '[0.9, 0.5]'", "workingIoU = NULL", "workingIoU = 0.6",
      "workingScore = NULL",
    ])
  func damagedThresholds(change: String) throws {
    let evaluation = try sample.evaluate()
    try tamper("UPDATE evaluation SET \(change)")
    #expect(throws: StoreError.self) { try catalog.evaluations(of: sample.run) }
    #expect(throws: StoreError.self) { try catalog.matches(of: evaluation.id) }
    #expect(throws: StoreError.self) { try catalog.keys("coco", "run(det).missed > 0") }
  }

  @Test(
    "A run or a dataset that goes takes its detections, tallies and matches with it",
    arguments: [(NameKind.run, "det"), (.dataset, "coco")])
  func removal(kind: NameKind, name: String) throws {
    try catalog.record(
      [
        SampleDetections(
          sample: 1,
          detections: [
            Detection(
              class: 0, confidence: 1, box: Box(x: 0, y: 0, width: 1, height: 1))
          ])
      ], in: sample.run.id)
    try sample.evaluate()
    try sample.evaluate("strict")
    #expect(try catalog.remove(kind, named: name).evaluations == 2)
    for table in ["detection", "detectionTally", "match", "evaluation"] {
      #expect(
        try catalog.sql("SELECT count(*) FROM \(table)").rows == [[.integer(0)]], "\(table)")
    }
    #expect(try catalog.sql("PRAGMA foreign_key_check").rows.isEmpty)
  }
}
