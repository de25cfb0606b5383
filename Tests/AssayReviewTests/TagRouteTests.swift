import AssayCore
import AssayStore
import AssayTestSupport
import AssayWorkflows
import Foundation
import HummingbirdCore
import Testing

@testable import AssayReview

@Suite("Changes of tags from the browse page")
struct TagRouteTests {
  private static let path = "/api/browse/tags"

  /// A server on a world of four samples, with a ledger.
  private struct Place {
    let world: ReviewWorld
    let bench: Bench

    init(_ world: ReviewWorld, limits: TagService.Limits = .init()) throws {
      self.world = world
      bench = try Bench(
        browse: BrowseService(
          catalog: world.catalog, ledger: world.ledger, start: BrowseStart(), review: nil,
          version: "1", tagLimits: limits))
    }

    /// The same files after a restart of the server.
    func restarted() throws -> Place { try Place(world) }

    func send(
      _ changes: [String: JSONValue], author: String = "anna"
    ) async throws -> (code: Int, json: JSONValue) {
      let response = await bench.send(
        .post, TagRouteTests.path, session: bench.session(author: author),
        body: body(changes))
      return (response.code, try await response.json())
    }

    func body(_ changes: [String: JSONValue]) -> [UInt8] {
      Bench.tag(ledger: world.ledger.uuid, changes)
    }

    func ids(_ places: Int...) -> JSONValue { .array(places.map { .integer(world.ids[$0]) }) }

    /// The counts of the facet of tags.
    func counts() async throws -> [String: Int64] {
      let response = await bench.send(
        .get, "/api/browse/facets?view=set", session: bench.session())
      let facets = try await response.json()["facets"]?.elements ?? []
      let values = facets.first { $0["field"] == "tag" }?["values"]?.elements ?? []
      return Dictionary(
        uniqueKeysWithValues: values.compactMap { value in
          guard let name = value["value"]?.text, case .integer(let count)? = value["count"] else {
            return nil
          }
          return (name, count)
        })
    }

    func entries() throws -> [LedgerEntry] { try world.ledger.entries() }
  }

  private static func uuid(_ number: Int) -> JSONValue {
    .string("11111111-2222-4333-8444-" + String(format: "%012d", number))
  }

  @Test("Tags are added and removed, counted at once, and only changes are entries")
  func changes() async throws {
    let place = try Place(ReviewWorld.labels())
    let added = try await place.send(["samples": place.ids(0, 1)])
    #expect(added.code == 201)
    #expect(added.json["changed"] == 2 && added.json["already"] == 0)
    #expect(try await place.counts() == ["hard": 2])
    let more = try await place.send(["uuid": Self.uuid(2), "samples": place.ids(1, 2, 2)])
    #expect(more.json["samples"] == 2 && more.json["changed"] == 1 && more.json["already"] == 1)
    let none = try await place.send(["uuid": Self.uuid(3), "samples": place.ids(1, 2)])
    #expect(none.code == 200 && none.json["changed"] == 0 && none.json["already"] == 2)
    let removed = try await place.send([
      "uuid": Self.uuid(4), "samples": place.ids(0, 3), "remove": true,
    ])
    #expect(removed.json["changed"] == 1 && removed.json["removed"] == true)
    #expect(try await place.counts() == ["hard": 2])
    let entries = try place.entries()
    #expect(entries.map(\.kind) == ["tag", "tag", "tag", "untag"])
    #expect(entries.map(\.sample.key) == ["0", "1", "2", "0"])
    #expect(Set(entries.prefix(2).map(\.visit)).count == 1)
    let payload = try JSONValue(parsing: entries[0].payload)
    #expect(payload["author"] == "anna" && payload["tool"] == "browse page")
    #expect(place.bench.responder.tally.now == (saved: 4, conflicts: 0))
  }

  @Test("A query is evaluated by the server; with another count than the shown one it is refused")
  func queries() async throws {
    let place = try Place(ReviewWorld.labels())
    let query: [String: JSONValue] = ["where": "label = sad", "count": 2]
    #expect(try await place.send(query).json["changed"] == 2)
    let stale = try await place.send(
      query.merging(["uuid": Self.uuid(2), "tag": "x", "count": 3]) { $1 })
    #expect(stale.code == 409 && stale.json["error"] == "countChanged")
    #expect(stale.json["message"]?.text?.contains("selects 2 samples now, not 3") == true)
    let wrong = try await place.send([
      "uuid": Self.uuid(2), "where": "labl = sad", "count": 2,
    ])
    #expect(wrong.code == 400 && wrong.json["error"] == "badExpression")
    let unknown = try await place.send([
      "uuid": Self.uuid(2), "where": "", "count": 4, "view": "sett",
    ])
    #expect(unknown.code == 422 && unknown.json["error"] == "badView")
    let all = try await place.send([
      "uuid": Self.uuid(3), "tag": "every", "where": "", "count": 4,
    ])
    #expect(all.json["changed"] == 4)
    #expect(try await place.counts() == ["hard": 2, "every": 4])
    #expect(try place.entries().count == 6)
  }

  @Test("A repeated request is made once, also after a restart and if its query selects others now")
  func repeats() async throws {
    let place = try Place(ReviewWorld.labels())
    let query: [String: JSONValue] = ["where": "not tag like hard", "count": 4]
    #expect(try await place.send(query).json["changed"] == 4)
    let again = try await place.send(query)
    #expect(again.code == 200 && again.json["repeat"] == true && again.json["changed"] == 4)
    let later = try place.restarted()
    let late = try await later.send(query)
    #expect(late.code == 200 && late.json["repeat"] == true && late.json["changed"] == 4)
    // Somebody removed the tag since: the old request does not add it again.
    _ = try await later.send([
      "uuid": Self.uuid(2), "samples": later.ids(1), "remove": true,
    ])
    #expect(try await place.restarted().send(query).code == 409)
    #expect(try await later.send(query).json["changed"] == 4)
    #expect(try await later.counts() == ["hard": 3])
    #expect(try place.entries().count == 5)
    for other: [String: JSONValue] in [
      query.merging(["tag": "other"]) { $1 }, ["samples": place.ids(0)],
    ] {
      let taken = try await later.send(other)
      #expect(taken.code == 409 && taken.json["error"] == "uuidTaken")
    }
  }

  @Test("A request that was cut off is completed by its repetition")
  func completion() async throws {
    let place = try Place(ReviewWorld.labels())
    let uuid = try #require(Self.uuid(1).text)
    let hash = try SampleContentHash(
      catalog: place.world.catalog, dataset: place.world.catalog.resolve("set").dataset
    ).hash(of: try #require(place.world.catalog.samples(ids: [place.world.ids[0]]).first))
    _ = try place.world.ledger.append(
      CorrectionDraft(
        uuid: uuid, sample: SampleIdentity(dataset: "set", key: "0", contentHash: hash),
        target: .sample, kind: .tag, visit: uuid, parent: .head,
        payload: ["author": "anna", "tag": "hard", "tool": "browse page"]))
    let rest = try await place.restarted().send(["where": "not tag like hard", "count": 4])
    #expect(rest.code == 201 && rest.json["changed"] == 4)
    #expect(try await place.restarted().counts() == ["hard": 4])
    #expect(try place.entries().count == 4)
  }

  @Test("The numbers of samples and the body have limits")
  func limits() async throws {
    var limits = TagService.Limits()
    #expect(limits.listed == 10_000 && limits.selected == 100_000)
    // As many ids as a request lists fit into its body.
    let many = JSONValue.array((0..<limits.listed).map { .integer(9_000_000_000 + Int64($0)) })
    let largest = Bench.tag(ledger: FakeReview.uuid, ["samples": many])
    #expect(largest.count <= TagBody.limit)
    let parsed = try TagBody(JSONBody.object(largest, valueLimit: TagBody.valueLimit))
    guard case .samples(let ids, _) = parsed.request.subject else {
      Issue.record("no samples")
      return
    }
    #expect(ids.count == limits.listed)

    (limits.listed, limits.selected) = (2, 3)
    let place = try Place(ReviewWorld.labels(), limits: limits)
    for wrong: [String: JSONValue] in [
      ["samples": place.ids(0, 1, 2)], ["where": "", "count": 4],
    ] {
      let reply = try await place.send(wrong)
      #expect(reply.code == 422 && reply.json["error"] == "tooManySamples")
    }
    let long = String(repeating: "x", count: TagBody.limit)
    #expect(try await place.send(["samples": place.ids(0), "tag": .string(long)]).code == 413)
    let crowded = JSONValue.array([JSONValue](repeating: 1, count: TagBody.valueLimit + 1))
    #expect(try await place.send(["samples": crowded]).code == 400)
    #expect(try place.entries().isEmpty)
    #expect(try await place.send(["samples": place.ids(0, 1)]).code == 201)
  }

  @Test("Wrong samples, tags, authors and members are refused, and nothing is changed")
  func refusals() async throws {
    let place = try Place(ReviewWorld.labels())
    let unknown = try await place.send([
      "samples": .array([.integer(place.world.ids[0]), .integer(999_999)])
    ])
    #expect(unknown.code == 404)
    #expect(unknown.json["message"]?.text?.contains("unknown sample 999999") == true)
    for tag in ["", "  ", String(repeating: "x", count: 101), "a\u{7}b", "a\u{202E}b"] {
      let reply = try await place.send(["samples": place.ids(0), "tag": .string(tag)])
      #expect(reply.code == 422 && reply.json["error"] == "badTag", "\(tag)")
    }
    let wrong: [[String: JSONValue]] = [
      ["samples": place.ids(0), "tag": .null], ["samples": place.ids(0), "tag": 7],
      ["samples": []], ["samples": ["1"]], ["samples": [-1]], ["samples": "1"], [:],
      ["samples": place.ids(0), "where": "label = sad"], ["where": "label = sad"],
      ["where": 1, "count": 1], ["where": "", "count": -1], ["where": "", "count": "4"],
      ["samples": place.ids(0), "uuid": "x"], ["samples": place.ids(0), "uuid": .null],
      ["samples": place.ids(0), "remove": 1], ["samples": place.ids(0), "view": ""],
      ["samples": place.ids(0), "view": .null], ["samples": place.ids(0), "ledger": .null],
      ["samples": place.ids(0), "author": .null],
    ]
    for changes in wrong {
      let reply = try await place.send(changes)
      #expect(reply.code == 422, "\(changes)")
      #expect(reply.json["message"]?.text?.isEmpty == false)
    }
    let author = try await place.send(["samples": place.ids(0)], author: "bert")
    #expect(author.code == 409 && author.json["error"] == "otherAuthor")
    let ledger = try await place.send([
      "samples": place.ids(0), "ledger": .string("00000000-0000-4000-8000-000000000000"),
    ])
    #expect(ledger.code == 409 && ledger.json["error"] == "otherLedger")
    #expect(try place.entries().isEmpty)
  }

  @Test("Requests at the same time tag each sample once")
  func concurrent() async throws {
    let place = try Place(ReviewWorld.labels())
    let (session, responder) = (place.bench.session(), place.bench.responder)
    // Four uuids, three times each; each second one has a tag of its own.
    let bodies = (0..<12).map { number in
      place.body([
        "where": "", "count": 4, "uuid": Self.uuid(number % 4),
        "tag": number % 2 == 0 ? "even" : "odd",
      ])
    }
    let replies = try await withThrowingTaskGroup(of: JSONValue.self) { group in
      for body in bodies {
        group.addTask {
          try await responder.answer(
            Bench.request(.post, Self.path, session: session, body: body)
          ).json()
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(replies.allSatisfy { $0["samples"] == 4 })
    #expect(try await place.counts() == ["even": 4, "odd": 4])
    #expect(try place.entries().count == 8)
  }

  @Test("Tags of another process are neither lost nor in conflict, and shown without a restart")
  func otherProcess() async throws {
    let place = try Place(ReviewWorld.labels())
    #expect(try await place.send(["samples": place.ids(0, 1)]).code == 201)
    let path = place.world.folder.path + "/x.db"
    func tag(_ name: String, _ expression: String, isRemoval: Bool = false) throws -> Int {
      let catalog = try CorrectedCatalog.open(path, .readOnly, reportingTo: NoProgress()).catalog
      return try SampleTagging(catalog: catalog).run(
        .init(
          view: "set", tag: name, expression: expression, isRemoval: isRemoval, author: "bert")
      ).changed
    }
    #expect(try tag("hard", "key in (1, 2)") == 1)
    #expect(try tag("night", "key = 3") == 1)
    #expect(try await place.counts() == ["hard": 3, "night": 1])
    #expect(try tag("hard", "key = 0", isRemoval: true) == 1)
    let reply = try await place.send(["uuid": Self.uuid(2), "where": "tag = hard", "count": 2])
    #expect(reply.json["already"] == 2)
    #expect(try await place.counts() == ["hard": 2, "night": 1])
    let again = try await place.send(["uuid": Self.uuid(3), "samples": place.ids(0)])
    #expect(again.json["changed"] == 1)
    #expect(try place.entries().count == 6)
  }

  @Test("Requests at the same time all know the tags of another process")
  func concurrentReading() async throws {
    let place = try Place(ReviewWorld.labels())
    let path = place.world.folder.path + "/x.db"
    let (session, responder) = (place.bench.session(), place.bench.responder)
    for round in 0..<10 {
      let catalog = try CorrectedCatalog.open(path, .readOnly, reportingTo: NoProgress()).catalog
      _ = try SampleTagging(catalog: catalog).run(
        .init(
          view: "set", tag: "round\(round)", expression: "key in (1, 2)", isRemoval: false,
          author: "bert"))
      let totals = try await withThrowingTaskGroup(of: JSONValue?.self) { group in
        for _ in 0..<8 {
          group.addTask {
            try await responder.answer(
              Bench.request(
                .get, "/api/browse/samples?view=set&where=tag%20=%20round\(round)",
                session: session)
            ).json()["total"]
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(totals == [JSONValue?](repeating: 2, count: 8))
    }
  }

  @Test("A sample whose image cannot be read is left out and named")
  func unreadable() async throws {
    let world = try ReviewWorld.masks()
    try FileManager.default.removeItem(atPath: world.folder.path + "/3.png")
    let place = try Place(world)
    let reply = try await place.send(["where": "", "count": 4])
    #expect(reply.json["changed"] == 3 && reply.json["unreadable_samples"] == 1)
    #expect(reply.json["unreadable"] == ["3.png"] && reply.json["already"] == 0)
  }

  @Test("Without a ledger that can be written, the page learns the reason")
  func readOnly() async throws {
    let world = try ReviewWorld.labels()
    let without = BrowseService(
      catalog: world.catalog, ledger: nil, start: BrowseStart(), review: nil, version: "1")
    let overview = try without.overview(of: world.session("anna"))
    #expect(overview["tags"]?["problem"]?.text?.contains("no ledger") == true)
    let bench = try Bench(browse: without)
    let refused = await bench.send(
      .post, Self.path, session: bench.session(),
      body: Bench.tag(ledger: world.ledger.uuid, ["samples": [1]]))
    #expect(refused.code == 503)

    _ = try await Place(world).send(["samples": [.integer(world.ids[0])]])
    let reading = BrowseService(
      catalog: world.catalog, ledger: try Ledger.open(world.ledger.path, .readOnly),
      start: BrowseStart(), review: nil, version: "1")
    let asked = try Bench(browse: reading)
    let unsaved = await asked.send(
      .post, Self.path, session: asked.session(),
      body: Bench.tag(
        ledger: world.ledger.uuid,
        ["uuid": Self.uuid(5), "samples": [.integer(world.ids[1])]]))
    #expect(unsaved.code == 503)
    #expect(try await unsaved.json()["message"]?.text?.contains("for reading only") == true)
    #expect(try world.ledger.entries().count == 1)
  }

  @Test("The page of a sample shows its tags and who made them")
  func sample() async throws {
    let place = try Place(ReviewWorld.labels())
    _ = try await place.send(["samples": place.ids(2), "tag": " night shot "])
    let response = await place.bench.send(
      .get, "/api/browse/samples/\(place.world.ids[2])", session: place.bench.session())
    let json = try await response.json()
    #expect(json["tags"] == ["night shot"])
    let line = try #require(json["corrections"]?.elements?.first)
    #expect(line["kind"] == "tag" && line["detail"] == "night shot" && line["author"] == "anna")
  }
}
