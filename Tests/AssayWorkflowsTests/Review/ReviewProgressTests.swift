import AssayCore
import AssayStore
import Foundation
import Testing

@testable import AssayWorkflows

@Suite struct ReviewProgressTests {
  private static let berlin = TimeZone(identifier: "Europe/Berlin")

  @Test(
    "A day is the place's own",
    arguments: [
      ("2026-11-21T14:40:05Z", "2026-11-21", "2026-11-21"),
      ("2026-11-21T23:30:00Z", "2026-11-21", "2026-11-22"),
      ("2026-07-01T22:00:00Z", "2026-07-01", "2026-07-02"),
      ("2026-12-31T23:00:00Z", "2026-12-31", "2027-01-01"),
    ])
  func days(time: String, utc: String, local: String) throws {
    #expect(LocalDays(.gmt).day(time) == utc)
    #expect(LocalDays(try #require(Self.berlin)).day(time) == local)
  }

  @Test(
    "An invalid time has no day",
    arguments: ["", "yesterday", "2026-11-21", "2026-13-01T00:00:00Z"])
  func noDay(time: String) {
    #expect(LocalDays(.gmt).day(time) == nil)
  }

  @Test("Who decided on what is told by author and day, without a server")
  func byAuthorAndDay() throws {
    let review = try ReviewWorld()
    let built = try ReviewBuilder(catalog: review.opened()).review(ReviewRequest(["r1"]))
    // Late in the day in UTC, and three days later.
    let evening = Date(timeIntervalSince1970: 1_795_300_200)
    let first = try review.service { evening }
    try review.save(.label("sad"), to: "0", seconds: 4, at: first)
    try review.save(.accept, to: "0", seconds: 6, at: first)
    try review.save(.accept, to: "1", seconds: 20, at: first)
    try review.save(.unsure, to: "2", at: first)
    try review.save(.skip, to: "3", seconds: 1, at: first)
    let second = try review.service { evening.addingTimeInterval(3 * 86_400) }
    try review.save(.label("happy"), to: "3", by: "bea", seconds: 7, done: true, at: second)
    try review.save(.label("sad"), to: "4", by: "bea", seconds: 2, at: second)
    let progress = try ReviewProgress(
      of: built.review, catalog: review.opened(),
      ledger: Ledger.open(Ledger.path(forCatalog: review.path), .readOnly), in: .gmt)
    #expect(progress.timeZone == "GMT")
    #expect(progress.counts.left == 6)
    #expect(progress.counts.done == 3)
    #expect(progress.rows.map(\.author) == ["anna", "bea"])
    let days = progress.rows.map(\.day)
    #expect(days == [LocalDays(.gmt).day("2026-11-21T22:30:00Z"), "2026-11-24"])
    // The sample that anna skipped and bea completed counts for bea.
    #expect(progress.rows.map(\.counts.done) == [2, 1])
    #expect(progress.rows.map(\.counts.unsure) == [1, 0])
    #expect(progress.rows.map(\.counts.skipped) == [0, 0])
    #expect(progress.rows.map(\.counts.started) == [0, 1])
    #expect(progress.rows.map(\.entries) == [5, 2])
    #expect(progress.rows.map(\.seconds) == [31, 9])
    // Anna: 10 and 20; bea: 7 and 2. Samples with a decision: 10, 20, and 1 + 7.
    #expect(progress.rows.map(\.median) == [15, 4.5])
    #expect(progress.median == 10)
  }

  @Test("Without a ledger there are no rows")
  func noLedger() throws {
    let review = try ReviewWorld()
    let built = try ReviewBuilder(catalog: review.opened()).review(ReviewRequest(["r1"]))
    let progress = try ReviewProgress(of: built.review, catalog: review.opened(), ledger: nil)
    #expect(progress.rows.isEmpty)
    #expect(progress.median == nil)
    #expect(progress.counts.left == 10)
  }
}
