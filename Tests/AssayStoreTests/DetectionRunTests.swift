import AssayCore
import Foundation
import GRDB
import Testing

@testable import AssayStore

@Suite("Runs of detection")
struct DetectionRunTests {
  private let house: TemporaryCatalog
  private let run: RunRecord

  init() throws {
    house = try TemporaryCatalog()
    let dataset = try house.catalog.importRegions(sixImages).dataset
    run = try house.catalog.createRun(
      RunDraft(
        name: "det", task: .detection, dataset: dataset.id, view: "coco",
        classes: ["person", "dog"], samples: [3, 1, 2]))
  }

  /// A detection with all optional values.
  private let full = Detection(
    class: 1, confidence: 0.1 + 0.2, box: Box(x: -1.5, y: 0.1, width: 1e-7, height: 1 / 3),
    counts: [0x30, 0x31], area: 7,
    scores: [.init(class: 1, score: 0.3), .init(class: 0, score: 0.1)])

  private func plain(_ confidence: Double, x: Double = 0, class: Int = 0) -> Detection {
    Detection(
      class: `class`, confidence: confidence, box: Box(x: x, y: 0, width: 2, height: 1))
  }

  @Test("Detections come back to the bit, in the order of the run")
  func roundTrip() throws {
    let catalog = house.catalog
    try catalog.record(
      [
        SampleDetections(sample: 1, detections: [plain(0.9), full]),
        SampleDetections(sample: 3, detections: []),
      ], in: run.id)
    let found = try catalog.detections(of: run.id)
    #expect(found.map(\.sample.id) == [3, 1])
    #expect(found.map(\.detections) == [[], [plain(0.9), full]])
    #expect(try catalog.pending(of: run.id).map(\.sample) == [2])
    #expect(try catalog.run(named: "det").done == 2)
    #expect(try catalog.run(named: "det").task == .detection)
  }

  @Test("The highest confidence comes first, equal ones as they were given")
  func order() throws {
    let catalog = house.catalog
    let given = [plain(0.5, x: 0), plain(-1), plain(0.5, x: 1), plain(2), plain(0.5, x: 2)]
    try catalog.record([SampleDetections(sample: 1, detections: given)], in: run.id)
    #expect(
      try catalog.detections(of: run.id)[0].detections
        == [given[3], given[0], given[2], given[4], given[1]])
    #expect(
      try catalog.sql("SELECT ordinal, confidence FROM detection ORDER BY ordinal LIMIT 2").rows
        == [[.integer(0), .real(2)], [.integer(1), .real(0.5)]])
  }

  @Test("More than one statement's rows keep their blobs apart")
  func many() throws {
    // One statement inserts 24 rows.
    let detections = (0..<61).map { number in
      var detection = plain(1 - Double(number) / 100, x: Double(number), class: number % 2)
      if number % 3 > 0 { detection.counts = Array(repeating: UInt8(number), count: number) }
      if number % 4 > 0 {
        detection.scores = (0..<number % 4).map { .init(class: 1, score: Float(number + $0)) }
      }
      return detection
    }
    try house.catalog.record([SampleDetections(sample: 2, detections: detections)], in: run.id)
    #expect(try house.catalog.detections(of: run.id)[0].detections == detections)
  }

  @Test("What a sample had before is replaced; one that failed is done")
  func again() throws {
    let catalog = house.catalog
    try catalog.recordFailure(of: 1, in: run.id, message: "no file")
    #expect(try catalog.failures(of: run.id).map(\.message) == ["no file"])
    try catalog.record(
      [SampleDetections(sample: 1, detections: [plain(0.5), full])], in: run.id)
    try catalog.record([SampleDetections(sample: 1, detections: [full])], in: run.id)
    #expect(try catalog.detections(of: run.id).map(\.detections) == [[full]])
    #expect(try catalog.failures(of: run.id).isEmpty)
  }

  @Test("Detections of the samples for which an expression holds")
  func filtered() throws {
    let catalog = house.catalog
    try catalog.record(
      (1...3).map { SampleDetections(sample: $0, detections: [full]) }, in: run.id)
    let found = try catalog.detections(of: run.id, where: "count(person) = 2")
    #expect(found.map(\.sample.key) == ["1"])
  }

  @Test("Several threads read samples at once, without what they do not want")
  func streaming() throws {
    let catalog = house.catalog
    try catalog.record(
      [
        SampleDetections(sample: 1, detections: [full, plain(0.1)]),
        SampleDetections(sample: 2, detections: [plain(0.2)]),
      ], in: run.id)
    var bare = full
    bare.scores = []
    var bound = full
    bound.counts = nil
    let expected: [(scores: Bool, counts: Bool, first: Detection)] = [
      (false, true, bare), (true, false, bound), (true, true, full),
    ]
    let (run, quiet, last) = (run.id, plain(0.2), plain(0.1))
    DispatchQueue.concurrentPerform(iterations: 6) { turn in
      let (scores, counts, first) = expected[turn % 3]
      var found: [[Detection]] = []
      do {
        try catalog.forEachDetections(
          of: run, samples: [2, 99, 1], scores: scores, counts: counts
        ) { index, detections in
          #expect(index == found.count)
          found.append(detections)
        }
      } catch {
        Testing.Issue.record(error)
      }
      #expect(found == [[quiet], [], [first, last]])
    }
  }

  @Test("What does not fit the run is refused and changes nothing")
  func refused() throws {
    let catalog = house.catalog
    func changed(_ change: (inout Detection) -> Void) -> SampleDetections {
      var detection = full
      change(&detection)
      return SampleDetections(sample: 1, detections: [plain(1), detection])
    }
    let bad = [
      changed { $0.class = 2 }, changed { $0.class = -1 }, changed { $0.confidence = .nan },
      changed { $0.confidence = .infinity }, changed { $0.box.x = .nan },
      changed { $0.box.height = -.infinity }, changed { $0.area = .nan },
      changed { $0.scores = [.init(class: 2, score: 1)] },
      changed { $0.scores = [.init(class: 0, score: .nan)] },
      SampleDetections(sample: 5, detections: [full]),
    ]
    for sample in bad {
      #expect(throws: StoreError.self) {
        try catalog.record([SampleDetections(sample: 3, detections: [full]), sample], in: run.id)
      }
    }
    #expect(try catalog.pending(of: run.id).count == 3)
    #expect(try catalog.sql("SELECT count(*) FROM detection").rows == [[.integer(0)]])
  }

  @Test(
    "Damaged rows are an error, not other detections",
    arguments: [
      "class = 2", "class = -1", "class = 9223372036854775807", "confidence = 9e999",
      "x = -9e999", "area = 9e999", "scores = x'00'", "scores = x'0200000000000000'",
      "scores = x'000000000000807F'",
    ])
  func damaged(change: String) throws {
    let catalog = house.catalog
    try catalog.record([SampleDetections(sample: 1, detections: [full])], in: run.id)
    try catalog.connection.inDatabase {
      try $0.execute(sql: "PRAGMA foreign_keys = OFF; UPDATE detection SET \(change)")
    }
    #expect(throws: StoreError.self) { try catalog.detections(of: run.id) }
    #expect(throws: StoreError.self) {
      try catalog.forEachDetections(of: run.id, samples: [1], scores: true) { _, _ in }
    }
  }

  @Test("What is killed in the middle leaves the samples pending, and can go on")
  func killed() throws {
    struct Killed: Error {}
    let catalog = house.catalog
    try catalog.record([SampleDetections(sample: 3, detections: [full])], in: run.id)
    let copy = house.path("copy.db")
    #expect(throws: Killed.self) {
      try catalog.write("") { _ in
        try catalog.record([SampleDetections(sample: 1, detections: [full])], in: run.id)
        for suffix in ["", "-wal", "-journal"] {
          let file = catalog.path + suffix
          guard FileManager.default.fileExists(atPath: file) else { continue }
          try FileManager.default.copyItem(atPath: file, toPath: copy + suffix)
        }
        throw Killed()
      }
    }
    for survivor in [catalog, try Catalog.open(copy, .readWrite)] {
      #expect(try survivor.pending(of: run.id).map(\.sample) == [1, 2])
      #expect(try survivor.detections(of: run.id).map(\.detections) == [[full]])
      #expect(try survivor.sql("PRAGMA integrity_check").rows == [[.text("ok")]])
      try survivor.record([SampleDetections(sample: 1, detections: [])], in: run.id)
      #expect(try survivor.pending(of: run.id).map(\.sample) == [2])
    }
  }
}
