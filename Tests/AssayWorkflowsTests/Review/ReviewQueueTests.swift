import AssayCore
import AssayStore
import Foundation
import Testing

import AssayWorkflows

/// Ten faces in a catalog and a ledger next to it, with a review of all of them by `r1`.
final class ReviewWorld {
  let world: EvaluateCatalog
  var path: String { world.catalog.path }

  init(samples: Int = 10) throws {
    world = try EvaluateCatalog()
    try world.importFaces(
      (0..<samples).map { $0 % 2 == 0 ? "happy" : "sad" }, classes: ["happy", "sad"])
    // Sample 0 is the least confident one.
    let rows = (0..<samples).map { number -> [Float] in
      let lead = Float(number) / 64
      return [0.5 + lead, 0.5 - lead]
    }
    try world.run("r1", classes: ["happy", "sad"], rows)
  }

  /// The catalog as opened by a command.
  func opened() throws -> Catalog {
    try CorrectedCatalog.open(path, .readWrite, reportingTo: NoProgress()).catalog
  }

  func service(_ clock: @escaping @Sendable () -> Date = { Date() }) throws -> CorrectionService {
    CorrectionService(
      catalog: try Catalog.open(path, .readWrite),
      ledger: try Ledger.open(Ledger.path(forCatalog: path), .create), clock: clock)
  }

  func sample(_ key: String) throws -> SampleRecord {
    let samples = try world.catalog.samples(in: world.catalog.resolve("faces"))
    return try #require(samples.first { $0.key == key })
  }

  @discardableResult
  func save(
    _ change: CorrectionSave.Change, to key: String, by author: String = "anna",
    seconds: Double? = nil, done: Bool = false, parent: CorrectionDraft.Parent = .head,
    at service: CorrectionService
  ) throws -> EffectiveTruth {
    try service.save(
      CorrectionSave(
        uuid: UUID().uuidString.lowercased(), visit: UUID().uuidString.lowercased(),
        sample: sample(key), parent: parent, author: author, tool: "test", seconds: seconds,
        done: done, change: change)
    ).truth
  }
}

@Suite struct ReviewQueueTests {
  private static func states(_ queue: ReviewQueue) -> [String] {
    queue.items(from: 0, limit: .max).map { "\($0.sample.key) \($0.state.status.rawValue)" }
  }

  @Test("What was done leaves the queue")
  func done() throws {
    let review = try ReviewWorld()
    let built = try ReviewBuilder(catalog: review.opened()).review(ReviewRequest(["r1"]))
    let service = try review.service()
    try review.save(.accept, to: "0", at: service)
    try review.save(.label("sad"), to: "2", at: service)
    try review.save(.label("happy"), to: "3", done: true, at: service)
    try review.save(.skip, to: "4", at: service)
    try review.save(.unsure, to: "5", at: service)
    try review.save(.bad("blurred"), to: "6", at: service)
    let queue = try ReviewQueue(catalog: review.opened(), review: built.review)
    #expect(
      queue.counts.text == "5 left, 1 started, 2 done, 1 skipped, 1 unsure, 1 out, 0 conflicts")
    #expect(
      queue.items(from: 0, limit: 10, onlyLeft: true).map(\.sample.key) == [
        "1", "2", "7", "8", "9",
      ])
    #expect(
      Self.states(queue).prefix(7) == [
        "0 done", "1 open", "2 started", "3 done", "4 skipped", "5 unsure", "6 left_out",
      ])
    #expect(queue.items(from: 3, limit: 2).map(\.position) == [3, 4])
    #expect(queue.items(from: 9, limit: 2).map(\.position) == [9])
    #expect(queue.items(from: 10, limit: 2).isEmpty)
    #expect(queue.items(from: 0, limit: 0).isEmpty)
    #expect(queue.contains(try review.sample("4").id))
    #expect(!queue.contains(99))
    #expect(queue.item(of: 99) == nil)
  }

  @Test("A fresh queue takes the next ones")
  func fresh() throws {
    let review = try ReviewWorld()
    let question = ReviewRequest(["r1"], limit: 3)
    let first = try ReviewBuilder(catalog: review.opened()).review(question)
    let service = try review.service()
    for key in ["0", "1"] { try review.save(.accept, to: key, at: service) }
    try review.save(.reject("no face"), to: "2", at: service)
    try review.save(.skip, to: "4", at: service)
    let catalog = try review.opened()
    #expect(try ReviewQueue(catalog: catalog, review: first.review).counts.left == 0)
    var again = question
    again.isFresh = true
    let next = try ReviewBuilder(catalog: catalog).review(again)
    #expect(next.review.name == first.review.name)
    #expect(try catalog.reviewItems(of: next.review.id).map(\.sample.key) == ["3", "4", "5"])
    #expect(next.remarks == ["left out: 3 samples that were already done"])
  }

  @Test("A save counts at once, an undo takes it back, and what others wrote is taken in")
  func updates() throws {
    let review = try ReviewWorld()
    let built = try ReviewBuilder(catalog: review.opened()).review(ReviewRequest(["r1"]))
    let queue = try ReviewQueue(catalog: review.opened(), review: built.review)
    let service = try review.service()
    let sample = try review.sample("3")
    queue.update(sample.id, to: ReviewState(try review.save(.accept, to: "3", at: service)))
    #expect(queue.counts.done == 1)
    #expect(queue.counts.left == 9)
    #expect(queue.item(of: sample.id)?.state.status == .done)
    queue.update(sample.id, to: ReviewState(try review.save(.undo(), to: "3", at: service)))
    #expect(queue.counts.left == 10)
    queue.update(99, to: ReviewState(status: .done))
    #expect(queue.counts.total == 10)
    // Another process, such as `assay corrections add`.
    let other = try review.service()
    try review.save(.label("happy"), to: "5", by: "bea", done: true, at: other)
    try review.save(.unsure, to: "7", by: "bea", at: other)
    #expect(queue.counts.done == 0)
    let changed = try queue.refresh(service)
    #expect(Set(changed.keys) == Set(try ["3", "5", "7"].map { try review.sample($0).id }))
    #expect(changed[try review.sample("5").id] == .some("happy"))
    #expect(
      queue.counts.text == "8 left, 0 started, 1 done, 0 skipped, 1 unsure, 0 out, 0 conflicts")
    #expect(try queue.refresh(service).isEmpty)
  }

  @Test("Conflicts are counted until they are settled")
  func conflicts() throws {
    let review = try ReviewWorld()
    let built = try ReviewBuilder(catalog: review.opened()).review(ReviewRequest(["r1"]))
    let service = try review.service()
    try review.save(.label("sad"), to: "0", done: true, parent: .sequence(0), at: service)
    try review.save(
      .label("happy"), to: "0", by: "bea", done: true, parent: .sequence(0), at: service)
    let queue = try ReviewQueue(catalog: review.opened(), review: built.review)
    #expect(queue.counts.conflicts == 1)
    #expect(queue.counts.done == 1)
    #expect(queue.item(of: try review.sample("0").id)?.state.conflicts == 1)
  }

  @Test("Corrections outlive the queue, and count in the next one")
  func removed() throws {
    let review = try ReviewWorld()
    let built = try ReviewBuilder(catalog: review.opened()).review(ReviewRequest(["r1"]))
    try review.save(.accept, to: "0", at: review.service())
    let catalog = try review.opened()
    _ = try catalog.remove(.review, named: built.review.name)
    let again = try ReviewBuilder(catalog: catalog).review(ReviewRequest(["r1"]))
    #expect(again.review.total == 9)
    #expect(!again.isResumed)
  }
}

extension ReviewCounts {
  fileprivate var text: String {
    "\(left) left, \(started) started, \(done) done, \(skipped) skipped, \(unsure) unsure, "
      + "\(leftOut) out, \(conflicts) conflicts"
  }
}
