import AssayCore
import AssayStore
import Foundation
import Testing

import AssayWorkflows

@Suite struct ReviewBuilderTests {
  private static func build(
    _ question: ReviewRequest, in world: EvaluateCatalog
  ) throws -> ReviewBuilder.Built {
    try ReviewBuilder(catalog: world.catalog).review(question)
  }

  private static func keys(_ review: ReviewRecord, in world: EvaluateCatalog) throws -> [String] {
    try world.catalog.reviewItems(of: review.id).map(\.sample.key)
  }

  @Test("A review is kept with its question, and the same question goes on with it")
  func resumes() throws {
    let world = try EvaluateCatalog.small()
    let first = try Self.build(ReviewRequest(["r1"], limit: 3), in: world)
    #expect(!first.isResumed)
    let review = first.review
    #expect(review.name == "r1-uncertainty")
    #expect(review.runs == ["r1"])
    #expect(review.task == .classification)
    #expect(review.limit == 3)
    #expect(review.isCorrected == false)
    // Margins .8, .6, .2, .4.
    #expect(try Self.keys(review, in: world) == ["2", "3", "1"])
    let again = try Self.build(ReviewRequest(["r1"], limit: 3), in: world)
    #expect(again.isResumed)
    #expect(again.review == review)
    // The same with an equivalent request.
    let spelled = try Self.build(
      ReviewRequest(["run:r1"], order: .uncertainty, limit: 3, seed: 9), in: world)
    #expect(spelled.review == review)
    let byName = try Self.build(ReviewRequest(["r1-uncertainty"]), in: world)
    #expect(byName.review == review)
    #expect(try Self.build(ReviewRequest([], name: "r1-uncertainty"), in: world).review == review)
    // An empty request means the only review.
    #expect(try Self.build(ReviewRequest([]), in: world).review == review)
  }

  @Test("Another question makes another review, under a name of its own")
  func another() throws {
    let world = try EvaluateCatalog.small()
    let first = try Self.build(ReviewRequest(["r1"]), in: world).review
    let limited = try Self.build(ReviewRequest(["r1"], limit: 1), in: world).review
    #expect(limited.name == "r1-uncertainty-2")
    let filtered = try Self.build(
      ReviewRequest(["faces/test", "r1"], expression: "label = happy"), in: world
    ).review
    #expect(filtered.name == "faces-test-r1-uncertainty")
    #expect(filtered.expression == "label = happy")
    #expect(try world.catalog.reviews().count == 3)
    #expect(try Self.build(ReviewRequest(["r1"]), in: world).review == first)
  }

  @Test("A view means the same review although there are more runs now")
  func laterRuns() throws {
    let world = try EvaluateCatalog.small()
    _ = try world.catalog.remove(.run, named: "r2")
    let first = try Self.build(ReviewRequest(["faces"]), in: world)
    #expect(first.review.order == .uncertainty)
    #expect(first.remarks.first == "the run over faces is r1")
    try world.run("r2", classes: ["happy", "sad"], [[0, 1], [0, 1], [0, 1], [0, 1]])
    let again = try Self.build(ReviewRequest(["faces"]), in: world)
    #expect(again.isResumed)
    #expect(again.review == first.review)
  }

  @Test("A run that was removed and made anew is another one")
  func otherRun() throws {
    let world = try EvaluateCatalog.small()
    let first = try Self.build(ReviewRequest(["r1"]), in: world).review
    _ = try world.catalog.remove(.run, named: "r1")
    #expect(try Self.build(ReviewRequest([first.name]), in: world).isResumed)
    #expect(throws: ReviewError.self) { try Self.build(ReviewRequest(["r1"]), in: world) }
  }

  @Test("A name that another question has is refused, and --fresh puts the new one in its place")
  func names() throws {
    let world = try EvaluateCatalog.small()
    _ = try Self.build(ReviewRequest(["r1"], name: "mine"), in: world)
    #expect(throws: ReviewError.nameTaken("mine", subject: "r1", order: .uncertainty)) {
      try Self.build(ReviewRequest(["r2"], name: "mine"), in: world)
    }
    let fresh = try Self.build(ReviewRequest(["r2"], name: "mine", isFresh: true), in: world)
    #expect(!fresh.isResumed)
    #expect(fresh.review.subject == "r2")
    #expect(try world.catalog.reviews().map(\.name) == ["mine"])
    let anew = try Self.build(ReviewRequest(["r2"], isFresh: true), in: world)
    #expect(anew.review.name == "mine")
    #expect(anew.review.id != fresh.review.id || !anew.isResumed)
    #expect(throws: StoreError.badName("a b")) {
      try Self.build(ReviewRequest(["r2"], name: "a b", isFresh: true), in: world)
    }
  }

  @Test("A review that is there takes no conditions")
  func conditions() throws {
    let world = try EvaluateCatalog.small()
    _ = try Self.build(ReviewRequest(["r1"], name: "mine"), in: world)
    #expect(throws: ReviewError.keptReview("mine", subject: "r1")) {
      try Self.build(ReviewRequest(["mine"], limit: 2), in: world)
    }
    #expect(throws: ReviewError.several("review mine", "anything else")) {
      try Self.build(ReviewRequest(["mine", "r1"]), in: world)
    }
  }

  @Test("Nothing to review is said with the reasons")
  func nothing() throws {
    let world = try EvaluateCatalog.small()
    let error = #expect(throws: ReviewError.self) {
      try Self.build(ReviewRequest(["r1"], expression: "width > 99"), in: world)
    }
    #expect(error?.description == "r1 has no samples to review: --where width > 99")
    #expect(try world.catalog.reviews().isEmpty)
    #expect(throws: StoreError.self) {
      try Self.build(ReviewRequest(["r1"], expression: "widht > 99"), in: world)
    }
  }

  @Test("Without a subject the only dataset is meant, and of several none")
  func noSubject() throws {
    let world = try EvaluateCatalog.small()
    let built = try Self.build(ReviewRequest([], order: .random), in: world)
    #expect(built.review.subject == "faces")
    #expect(built.review.name == "faces-random")
    let empty = try EvaluateCatalog()
    let error = #expect(throws: ReviewError.self) {
      try Self.build(ReviewRequest([]), in: empty)
    }
    #expect(error?.description.contains("create one with `assay import PATH --name NAME`") == true)
    try empty.importFaces(["a"], classes: ["a"], as: "one")
    try empty.importFaces(["a"], classes: ["a"], as: "two")
    #expect(throws: ReviewError.noSubject(datasets: ["one", "two"], reviews: [])) {
      try Self.build(ReviewRequest([]), in: empty)
    }
  }

  @Test("A dataset that was imported again is said")
  func importedAgain() throws {
    let world = try EvaluateCatalog.small()
    _ = try Self.build(ReviewRequest(["r1"]), in: world)
    try world.importFaces(["happy", "sad", "happy"], classes: ["happy", "sad"], replace: true)
    let again = try Self.build(ReviewRequest(["r1"]), in: world)
    #expect(again.isResumed)
    #expect(
      again.remarks == ["faces was imported again since this list was made; --fresh rebuilds it"])
    #expect(try ReviewQueue(catalog: world.catalog, review: again.review).counts.total == 3)
  }
}
