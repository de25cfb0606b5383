import AssayCore
import AssayStore
import AssayWorkflows
import Testing

@testable import AssayReview

/// Tests of several queues of one server, and of samples that are shared or assigned.
struct ReviewHubTests {
  /// The reviews of a server on the catalog of `ReviewWorld`, besides its own one.
  private struct Server {
    let world: ReviewWorld
    let hub: ReviewHub

    init(_ reviews: [(name: String, entries: [ReviewDraft.Entry])]) throws {
      world = try ReviewWorld.labels()
      for review in reviews { try Self.save(review.name, review.entries, in: world) }
      let clock = world.clock
      hub = ReviewHub(
        catalog: world.catalog, ledger: world.ledger,
        settings: ReviewServerSettings(
          catalogPath: world.catalog.path, review: nil, author: "anna"),
        clock: { clock.now })
    }

    static func save(
      _ name: String, _ entries: [ReviewDraft.Entry], in world: ReviewWorld,
      settings: String = "{}", replaces: Bool = false
    ) throws {
      _ = try world.catalog.saveReview(
        ReviewDraft(
          name: name, dataset: world.catalog.resolve("set").dataset.id, subject: "set",
          order: .random, settings: settings, entries: entries), replaces: replaces)
    }
  }

  private static func entry(
    _ sample: Int64, _ people: [String] = [], isShared: Bool = false
  ) -> ReviewDraft.Entry {
    var entry = ReviewDraft.Entry(sample: sample, score: nil, reason: "random")
    (entry.people, entry.isShared) = (people, isShared)
    return entry
  }

  @Test("Two queues share the leases, and a queue that was made anew is opened again")
  func queues() throws {
    let ids = try ReviewWorld.labels().ids
    let server = try Server([
      ("one", ids.prefix(2).map { Self.entry($0) }), ("two", ids.prefix(3).map { Self.entry($0) }),
    ])
    let (one, two) = (try server.hub.backend(named: "one"), try server.hub.backend(named: "two"))
    let first = try one.next(after: -1, for: server.world.session("anna"))
    #expect(first["position"] == 0)
    // The first sample is anna's, also in the other queue.
    #expect(try two.next(after: -1, for: server.world.session("ben"))["position"] == 1)
    let items = try two.queue(from: 0, limit: 3, for: server.world.session("ben"))["items"]
    #expect(items?.elements?.first?["held_by"] == "anna")

    #expect(try server.hub.backend(named: "one") === one)
    try Server.save("one", [Self.entry(ids[2])], in: server.world, replaces: true)
    let again = try server.hub.backend(named: "one")
    #expect(again !== one)
    #expect(try again.session(of: server.world.session("anna"))["review"]?["total"] == 1)
    #expect(throws: RequestRefusal.self) { try server.hub.backend(named: "three") }
    let names = try server.hub.list().elements?.compactMap { $0["name"]?.text }
    #expect(names == ["one", "rev", "two"])
  }

  @Test("A person gets the own part, then what belongs to nobody, and never another's")
  func parts() throws {
    let ids = try ReviewWorld.labels().ids
    let server = try Server([
      ("parts", [Self.entry(ids[0]), Self.entry(ids[1], ["ben"]), Self.entry(ids[2], ["anna"])])
    ])
    let backend = try server.hub.backend(named: "parts")
    let anna = server.world.session("anna")
    #expect(try backend.next(after: -1, for: anna)["position"] == 2)
    let queue = try backend.queue(from: 0, limit: 3, for: anna)
    #expect(queue["counts"]?["left"] == 2)
    #expect(queue["total"] == 3)
    #expect(queue["parts"]?.elements?.map { $0["author"] } == ["anna", "ben"])
    let carla = server.world.session("carla")
    #expect(try backend.next(after: -1, for: carla)["position"] == 0)
    #expect(try backend.next(after: 0, for: carla)["position"] == .null)
    // Another assignment is there when the page is loaded again.
    try server.world.catalog.assign(
      [(ids[1], ["carla"], false)], of: server.world.catalog.review(named: "parts").id)
    #expect(try server.hub.backend(named: "parts").next(after: 0, for: carla)["position"] == 1)
  }

  @Test("In a shared sample nothing shows what others save, and nobody holds it")
  func shared() throws {
    let ids = try ReviewWorld.labels().ids
    let server = try Server([("both", [Self.entry(ids[0], ["anna", "ben"], isShared: true)])])
    let backend = try server.hub.backend(named: "both")
    let (anna, ben) = (server.world.session("anna"), server.world.session("ben"))
    #expect(try backend.sample(ids[0], for: anna)["shared"] == true)
    #expect(try backend.sample(ids[0], for: ben)["held_by"] == .null)
    let reply = try backend.save(
      server.world.save(["kind": "label", "category": "sad", "done": true], match: "none"),
      to: ids[0], wantsState: true)
    #expect(!reply.isConflict && reply.json["status"] == "done")

    let seen = try backend.sample(ids[0], for: ben)
    #expect(seen["status"] == "open" && seen["label"] == "happy" && seen["history"] == [])
    #expect(try backend.sample(ids[0], for: anna)["label"] == "sad")
    let item = try backend.queue(from: 0, limit: 1, for: ben)["items"]?.elements?.first
    #expect(item?["status"] == "open" && item?["label"] == "happy")
    let watch = try WatchRequest([
      "sample": .integer(ids[0]), "sequence": 0, "active": true,
    ])
    #expect(try backend.watch(watch, for: ben)["changed"]?["head"] == .null)
    #expect(try backend.watch(watch, for: ben)["open"] == [])
    #expect(try backend.next(after: -1, for: ben)["position"] == 0)
    #expect(try backend.next(after: -1, for: anna)["position"] == .null)

    // In the queue that decides, both are shown, and one that was changed since is not taken.
    try Server.save(
      "decide", [Self.entry(ids[0])], in: server.world, settings: #"{"adjudicates":"both"}"#)
    let decide = try server.hub.backend(named: "decide")
    let versions = try #require(
      try decide.sample(ids[0], for: server.world.session("carla"))["versions"]?.elements)
    #expect(versions.map { $0["author"] } == ["anna", "ben"])
    #expect(versions[0]["label"] == "sad" && versions[1]["status"] == "open")
    let entry = try #require(versions[0]["entry"]?.text)
    let other = "33333333-2222-4333-8444-555555555555"
    #expect(throws: RequestRefusal.self) {
      try decide.save(
        server.world.save(
          ["kind": "agree", "entry": .string(other), "uuid": .string(other)], match: "none"),
        to: ids[0], wantsState: false)
    }
    let taken = try decide.save(
      server.world.save(
        ["kind": "agree", "entry": .string(entry), "uuid": .string(other)], match: "none"),
      to: ids[0], wantsState: true)
    #expect(taken.json["status"] == "done")
    #expect(taken.json["state"]?["label"] == "sad")
    let summary = try decide.summary(for: anna)
    #expect(summary["counts"]?["done"] == 1 && summary["corrected"] == 1)
  }
}
