import AssayCore
import AssayStore
import Foundation
import Testing

@testable import AssayWorkflows

@Suite("People of a review")
struct ReviewPeopleTests {
  /// A review of ten faces, of which four are shared by anna and ben.
  private struct Shared {
    let world: ReviewWorld
    let service: CorrectionService
    let review: ReviewRecord

    init(_ sharing: ReviewSharing, samples: Int = 10) throws {
      world = try ReviewWorld(samples: samples)
      review = try ReviewBuilder(catalog: world.opened()).review(
        ReviewRequest(["r1"], seed: 3, sharing: sharing)
      ).review
      service = try world.service()
    }

    func queue() throws -> ReviewQueue {
      let queue = try ReviewQueue(catalog: world.opened(), review: review)
      try queue.loadVersions(service)
      return queue
    }

    /// Saves a person's own version.
    func save(
      _ change: CorrectionSave.Change, to item: ReviewQueue.Item, by author: String,
      done: Bool = true
    ) throws {
      _ = try service.save(
        CorrectionSave(
          uuid: UUID().uuidString.lowercased(), visit: UUID().uuidString.lowercased(),
          sample: item.sample, author: author, tool: "test", done: done,
          version: IndependentVersion(review: review.name, author: author, base: review.base),
          change: change))
    }
  }

  private static let two = ReviewSharing(overlap: 0.4, annotators: ["anna", "ben"])

  @Test("A stated share of the queue goes to all, by the seed; the rest is divided by weight")
  func division() throws {
    let sharing = ReviewSharing(
      overlap: 0.2, annotators: ["anna", "ben", "carla"], perSample: 2,
      parts: [.init(author: "anna", weight: 3), .init(author: "ben")])
    let entries = (0..<100).map { ReviewDraft.Entry(sample: $0, score: nil, reason: "") }
    let first = sharing.assigned(entries, seed: 1)
    #expect(first == sharing.assigned(entries, seed: 1))
    #expect(first.filter(\.isShared) != sharing.assigned(entries, seed: 2).filter(\.isShared))
    let shared = first.filter(\.isShared)
    #expect(shared.count == 20)
    #expect(shared.allSatisfy { $0.people.count == 2 })
    #expect(Set(shared.map(\.people)).count == 3)
    let rest = first.filter { !$0.isShared }
    #expect(rest.count { $0.people == ["anna"] } == 60)
    #expect(rest.count { $0.people == ["ben"] } == 20)
    #expect(rest.prefix(8).count { $0.people == ["anna"] } == 6)
  }

  @Test("What one does in a shared sample neither shows to the other nor counts")
  func blind() throws {
    let shared = try Shared(Self.two)
    let items = try shared.queue().items(from: 0, limit: .max).filter(\.isShared)
    #expect(items.count == 4)
    try shared.save(.label("sad"), to: items[0], by: "anna")
    let queue = try shared.queue()
    #expect(queue.state(of: items[0], for: "anna").status == .done)
    #expect(queue.state(of: items[0], for: "ben").status == .open)
    #expect(queue.counts.done == 0)
    #expect(queue.counts(for: "anna").done == 1)
    #expect(queue.counts(for: "anna").total == 10)
    let ben = try #require(queue.version(of: items[0], by: "ben"))
    #expect(try shared.service.truth(of: items[0].sample, as: ben).history.isEmpty)
    #expect(try shared.service.truth(of: items[0].sample).status == .open)
    #expect(queue.parts.map(\.author) == ["anna", "ben"])
    #expect(queue.parts.map(\.counts.done) == [1, 0])
    // A queue that was opened before sees it after a refresh.
    let early = try ReviewQueue(catalog: shared.world.opened(), review: shared.review)
    try early.loadVersions(shared.service)
    try shared.save(.accept, to: items[1], by: "ben")
    try early.refresh(shared.service)
    #expect(early.state(of: items[1], for: "ben").status == .done)
    #expect(throws: CorrectionError.self) {
      _ = try shared.service.save(
        CorrectionSave(
          uuid: UUID().uuidString.lowercased(), visit: UUID().uuidString.lowercased(),
          sample: items[0].sample, author: "ben", tool: "test",
          version: IndependentVersion(review: shared.review.name, author: "anna"),
          change: .accept))
    }
  }

  @Test("Agreement of labels: kappa of the versions that both finished, and where they differ")
  func agreement() throws {
    let shared = try Shared(ReviewSharing(overlap: 1, annotators: ["anna", "ben"]))
    let items = try shared.queue().items(from: 0, limit: .max)
    for (place, item) in items.enumerated() where place < 9 {
      try shared.save(.accept, to: item, by: "anna")
      // Two of nine differ; the last one is not finished by ben.
      if place < 8 {
        try shared.save(
          place < 2 ? .label(item.sample.category == 0 ? "sad" : "happy") : .accept, to: item,
          by: "ben")
      }
    }
    let report = try AgreementReport(
      AgreementSource(of: shared.queue(), shared.service))
    #expect(report.kind == .labels)
    #expect(report.samples == 8)
    #expect(report.waiting == 2)
    #expect(report.scores[.observed]?.value == 0.75)
    // Both have four of each class in eight samples, and six agree.
    #expect(report.scores[.kappa]?.value == 0.5)
    #expect(report.ranked.prefix(3).map(\.agreement) == [0, 0, 1])
    #expect(Set(report.ranked.prefix(2).map(\.key)) == Set(items.prefix(2).map(\.sample.key)))
    #expect(report.headline(of: "anna")?.value == 0.5)
    #expect(report.pairs.isEmpty)
  }

  @Test("Consensus accepts equal versions, and what differs goes to a review of its own")
  func consensus() throws {
    let shared = try Shared(Self.two)
    let items = try shared.queue().items(from: 0, limit: .max).filter(\.isShared)
    let other = { (item: ReviewQueue.Item) in item.sample.category == 0 ? "sad" : "happy" }
    // Both change it alike, both accept it, they differ, and one is not done.
    for author in ["anna", "ben"] {
      try shared.save(.label(other(items[0])), to: items[0], by: author)
      try shared.save(.accept, to: items[1], by: author)
    }
    try shared.save(.accept, to: items[2], by: "anna")
    try shared.save(.label(other(items[2])), to: items[2], by: "ben")
    try shared.save(.accept, to: items[3], by: "anna")
    let consensus = ReviewConsensus(try shared.queue(), shared.service)
    let plan = try consensus.plan()
    #expect(plan.equal == 2 && plan.majority == 0 && plan.waiting == 1 && plan.open.count == 1)
    let made = try #require(try consensus.record(plan, author: "carla"))
    #expect(made.name == "r1-uncertainty-adjudication")
    #expect(made.adjudicated == shared.review.name)
    let truth = try shared.service.truth(of: items[0].sample)
    #expect(truth.label == other(items[0]))
    #expect(truth.status == .done)
    #expect(truth.corrections == 1)
    let entry = try #require(truth.history.last)
    #expect(entry.remarks.author == "carla" && entry.remarks.consensus == "equal")
    #expect(try shared.service.truth(of: items[1].sample).corrections == 0)
    #expect(try shared.service.truth(of: items[1].sample).status == .done)
    let queue = try ReviewQueue(catalog: shared.world.opened(), review: made)
    let open = queue.items(from: 0, limit: .max)
    #expect(open.map(\.sample.key) == [items[2].sample.key])
    #expect(open[0].reason.hasPrefix("anna: "))
    // Someone takes ben's version; the mirror that other commands read has it.
    let versions = try shared.queue().versions(of: items[2], shared.service)
    let rests = versions.compactMap { version in
      version.entry.map { Agreed.Version(author: version.author, entry: $0) }
    }
    try shared.world.save(
      .agree(
        Agreed(review: shared.review.name, rule: .adjudicated, versions: rests, taken: 1)),
      to: items[2].sample.key, by: "carla", done: true, at: shared.service)
    let catalog = try CorrectedCatalog.open(
      shared.world.path, .readWrite, truth: TruthChoice(corrected: true),
      reportingTo: NoProgress()
    ).catalog
    let record = try #require(
      try catalog.samples(in: catalog.resolve("faces")).first { $0.id == items[2].sample.id })
    #expect(record.category != items[2].sample.category)
    // Again: nothing is decided twice.
    let again = try ReviewConsensus(shared.queue(), shared.service).plan()
    #expect(again.equal == 0 && again.decided == 3 && again.waiting == 1 && again.open.isEmpty)
  }

  @Test("With three people more than half decide, and one who is unsure is no vote")
  func majority() throws {
    let shared = try Shared(ReviewSharing(overlap: 1, annotators: ["anna", "ben", "carla"]))
    let items = try shared.queue().items(from: 0, limit: .max)
    for item in items.prefix(2) {
      try shared.save(.accept, to: item, by: "anna")
      try shared.save(.accept, to: item, by: "ben")
    }
    try shared.save(.label("sad"), to: items[0], by: "carla")
    try shared.save(.unsure, to: items[1], by: "carla", done: false)
    try shared.save(.unsure, to: items[2], by: "anna", done: false)
    try shared.save(.unsure, to: items[2], by: "ben", done: false)
    try shared.save(.accept, to: items[2], by: "carla")
    let plan = try ReviewConsensus(shared.queue(), shared.service).plan()
    #expect(plan.majority + plan.equal == 2)
    #expect(plan.open.map(\.sample.key) == [items[2].sample.key])
    let report = try AgreementReport(AgreementSource(of: shared.queue(), shared.service))
    #expect(report.pairs.count == 3)
    #expect(report.scores[.alpha] != nil && report.scores[.kappa] == nil)
  }

  @Test("What is left of one person goes to others; what was decided stays")
  func reassign() throws {
    let shared = try Shared(
      ReviewSharing(
        overlap: 0.2, annotators: ["anna", "ben"],
        parts: [.init(author: "anna"), .init(author: "ben")]))
    var queue = try shared.queue()
    let own = queue.items(from: 0, limit: .max).filter { $0.people == ["ben"] }
    #expect(own.count == 4)
    try shared.world.save(.accept, to: own[0].sample.key, by: "ben", at: shared.service)
    queue = try shared.queue()
    let outcome = try ReviewAssignment(catalog: shared.world.opened()).assign(
      queue, from: "ben", to: ["anna", "carla"])
    // Anna has both shared samples already, so that they go to carla.
    #expect(outcome.decided == 1)
    #expect(outcome.given.reduce(0, +) == 5)
    #expect(outcome.shared == 2)
    let after = try shared.queue()
    #expect(after.parts.first { $0.author == "ben" }?.counts.total == 1)
    let all = after.items(from: 0, limit: .max)
    #expect(all.filter(\.isShared).allSatisfy { $0.people == ["anna", "carla"] })
    // The review with its people goes away with its name.
    let fresh = try ReviewBuilder(catalog: shared.world.opened()).review(
      ReviewRequest(["r1"], name: shared.review.name, isFresh: true)
    ).review
    #expect(
      try shared.world.opened().reviewItems(of: fresh.id).allSatisfy { $0.people.isEmpty })
  }

  @Test("Versions are listed beside the corrections, and are no conflict with them")
  func beside() throws {
    let shared = try Shared(Self.two)
    let item = try #require(try shared.queue().items(from: 0, limit: .max).first(where: \.isShared))
    let other = item.sample.category == 0 ? "sad" : "happy"
    try shared.save(.label(other), to: item, by: "anna")
    try shared.save(.unsure, to: item, by: "ben", done: false)
    let versions = try shared.service.independentVersions(of: item.sample)
    #expect(versions.map(\.version.author) == ["anna", "ben"])
    #expect(versions.map(\.truth.label) == [other, item.sample.category == 0 ? "happy" : "sad"])
    let listing = try CorrectionListing(of: shared.service.ledger, in: shared.world.opened())
    #expect(listing.independent == 1 && listing.samples.isEmpty)
    // The entries of a version can be looked at and undone by themselves.
    let entry = try #require(try shared.service.ledger.entry(sequence: 1))
    let contents = try shared.service.contents(around: entry, of: item.sample)
    #expect(contents.after.label == other && contents.before.label != other)
    // An ordinary correction of the same sample is no conflict, whatever was saved in versions.
    let truth = try shared.world.save(.label(other), to: item.sample.key, at: shared.service)
    #expect(truth.conflicts.isEmpty && truth.label == other)
    #expect(try shared.service.ledger.verify().firstBad == nil)
  }
}
