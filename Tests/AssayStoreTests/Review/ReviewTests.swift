import AssayCore
import Foundation
import GRDB
import Testing

@testable import AssayStore

struct ReviewTests {
  /// Six faces and a review of the first four in reverse order.
  private static func reviewed(_ temporary: TemporaryCatalog) throws -> ReviewRecord {
    let catalog = temporary.catalog
    try catalog.importFaces(sixFaces)
    let samples = try catalog.samples(in: catalog.resolve("faces"))
    return try catalog.saveReview(
      ReviewDraft(
        name: "first", dataset: catalog.dataset(named: "faces").id, subject: "faces",
        order: .random, expression: "width = 2", settings: #"{"asked":1}"#, seed: .max,
        entries: samples.prefix(4).reversed().enumerated().map { place, sample in
          ReviewDraft.Entry(
            sample: sample.id, score: place == 0 ? nil : Double(place) / 4, reason: "why \(place)")
        }))
  }

  @Test("A review is read back as it was kept")
  func roundTrip() throws {
    let temporary = try TemporaryCatalog()
    let review = try Self.reviewed(temporary)
    #expect(review.name == "first")
    #expect(review.dataset.name == "faces")
    #expect(review.order == .random)
    #expect(review.expression == "width = 2")
    #expect(review.seed == .max)
    #expect(review.total == 4)
    #expect(try temporary.catalog.review(named: "first") == review)
    #expect(try temporary.catalog.reviews() == [review])
    let items = try temporary.catalog.reviewItems(of: review.id)
    #expect(items.map(\.position) == [0, 1, 2, 3])
    #expect(items.map(\.sample.key) == ["3", "2", "1", "0"])
    #expect(items.map(\.score) == [nil, 0.25, 0.5, 0.75])
    #expect(items.map(\.reason) == ["why 0", "why 1", "why 2", "why 3"])
    // The classes are angry, happy, sad.
    #expect(items.map(\.sample.category) == [0, 1, 2, 1])
    let part = try temporary.catalog.reviewItems(of: review.id, from: 1, limit: 2)
    #expect(part == Array(items[1...2]))
  }

  @Test("A name is taken once, unless the review is to be made anew")
  func replacing() throws {
    let temporary = try TemporaryCatalog()
    let review = try Self.reviewed(temporary)
    let draft = ReviewDraft(
      name: "first", dataset: review.dataset.id, subject: "faces/train", order: .uncertainty,
      entries: [])
    #expect(throws: StoreError.nameTaken(.review, "first")) {
      try temporary.catalog.saveReview(draft)
    }
    #expect(try temporary.catalog.review(named: "first").total == 4)
    let other = try temporary.catalog.saveReview(draft, replaces: true)
    #expect(other.subject == "faces/train")
    #expect(other.total == 0)
    #expect(try temporary.catalog.reviews() == [other])
    #expect(try rows(temporary, "reviewSample") == 0)
    #expect(throws: StoreError.badName("a b")) {
      try temporary.catalog.saveReview(
        ReviewDraft(name: "a b", dataset: 1, subject: "", order: .random, entries: []))
    }
  }

  @Test("An unknown review is an error that names the near one")
  func unknown() throws {
    let temporary = try TemporaryCatalog()
    _ = try Self.reviewed(temporary)
    let error = #expect(throws: StoreError.self) {
      try temporary.catalog.review(named: "frist")
    }
    #expect("\(try #require(error))".contains("did you mean “first”?"))
    #expect(try temporary.catalog.findReview(named: "frist") == nil)
  }

  @Test("A sample twice is refused, and nothing of the review is kept")
  func twice() throws {
    let temporary = try TemporaryCatalog()
    try temporary.catalog.importFaces(sixFaces)
    let sample = try temporary.catalog.samples(in: temporary.catalog.resolve("faces"))[0]
    let entry = ReviewDraft.Entry(sample: sample.id, score: nil, reason: "")
    #expect(throws: StoreError.self) {
      try temporary.catalog.saveReview(
        ReviewDraft(
          name: "twice", dataset: 1, subject: "faces", order: .random, entries: [entry, entry]))
    }
    #expect(try temporary.catalog.reviews().isEmpty)
  }

  @Test("Samples that are retired leave the list, and come back with it")
  func retired() throws {
    let temporary = try TemporaryCatalog()
    let review = try Self.reviewed(temporary)
    try temporary.catalog.importFaces(sixFaces.filter { $0.key != "2" }, replace: true)
    let items = try temporary.catalog.reviewItems(of: review.id)
    #expect(items.map(\.sample.key) == ["3", "1", "0"])
    #expect(items.map(\.position) == [0, 2, 3])
    try temporary.catalog.importFaces(sixFaces, replace: true)
    #expect(try temporary.catalog.reviewItems(of: review.id).count == 4)
  }

  @Test("A review is removed alone, and goes with its dataset")
  func removal() throws {
    let temporary = try TemporaryCatalog()
    let review = try Self.reviewed(temporary)
    let removal = try temporary.catalog.remove(.review, named: "first")
    #expect(removal == Removal(kind: .review, name: "first"))
    #expect(try rows(temporary, "reviewSample") == 0)
    #expect(try temporary.catalog.dataset(named: "faces").samples == 6)
    _ = try temporary.catalog.saveReview(
      ReviewDraft(
        name: "second", dataset: review.dataset.id, subject: "faces", order: .random,
        entries: [.init(sample: 1, score: 1, reason: "")]))
    let all = try temporary.catalog.remove(.dataset, named: "faces")
    #expect(all.reviews == ["second"])
    #expect(try rows(temporary, "review") == 0)
    #expect(try rows(temporary, "reviewSample") == 0)
  }

  @Test("Without a ledger nobody did anything")
  func noMarks() throws {
    let temporary = try TemporaryCatalog()
    let review = try Self.reviewed(temporary)
    #expect(
      try temporary.catalog.reviewMarks(of: review.dataset.id)
        == ReviewMarks(samples: [:], sequence: 0))
  }

  private func rows(_ temporary: TemporaryCatalog, _ table: String) throws -> Int? {
    try temporary.catalog.connection.inDatabase {
      try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)")
    }
  }
}

struct LedgerActivityTests {
  @Test("Who did what is read without what they changed")
  func activity() throws {
    let temporary = try TemporaryCatalog()
    let ledger = try Ledger.open(temporary.path("assay.ledger.db"), .create)
    func draft(
      _ key: String, _ kind: CorrectionKind, _ payload: JSONValue, dataset: String = "faces"
    )
      -> CorrectionDraft
    {
      CorrectionDraft(
        uuid: UUID().uuidString.lowercased(),
        sample: SampleIdentity(
          dataset: dataset, key: key, contentHash: String(repeating: "0", count: 64)),
        target: .sample, kind: kind, visit: "0f8fad5b-d9cb-469f-a165-70867728950e", parent: .head,
        payload: payload)
    }
    _ = try ledger.append([
      draft(
        "1", .accept,
        ["author": "anna", "time": "2026-11-21T14:40:05Z", "seconds": 3, "done": true]),
      draft("2", .note, ["author": "“<b>”", "seconds": "long", "done": "yes"]),
      draft("1", .skip, ["author": "bea", "seconds": 0.5], dataset: "other"),
      draft("2", .unsure, ["author": "bea", "seconds": 1.25, "done": false]),
    ])
    let activity = try ledger.activity(in: "faces")
    #expect(activity.map(\.sequence) == [1, 2, 4])
    #expect(activity.map(\.key) == ["1", "2", "2"])
    #expect(activity.map(\.kind) == ["accept", "note", "unsure"])
    #expect(activity.map(\.author) == ["anna", "“<b>”", "bea"])
    #expect(activity.map(\.time) == ["2026-11-21T14:40:05Z", nil, nil])
    #expect(activity.map(\.seconds) == [3, nil, 1.25])
    #expect(activity.map(\.isDone) == [true, false, false])
    #expect(try ledger.activity(in: "none").isEmpty)
  }
}
