import AssayCore
import HTTPTypes
import Testing

@testable import AssayReview

/// Tests of several people in one review: names, leases that are shown, and news of changes.
struct TeamTests {
  private func watch(
    _ world: ReviewWorld, _ author: String, _ sample: Int64?, after sequence: Int64 = 0,
    isActive: Bool = false
  ) throws -> JSONValue {
    let request = try WatchRequest([
      "sample": sample.map { .integer($0) } ?? .null, "sequence": .integer(sequence),
      "active": .bool(isActive),
    ])
    return try world.backend.watch(request, for: world.session(author))
  }

  @Test("A watch says who has what open since when; leaving ends it, and so does a takeover")
  func open() throws {
    let world = try ReviewWorld.labels()
    let id = world.ids[0]
    _ = try world.backend.sample(id, for: world.session("anna"))
    let open = try #require(try watch(world, "bert", nil)["open"]?.elements)
    #expect(open.map { $0["sample"] } == [.integer(id)])
    #expect(open.first?["author"] == "anna")
    let since = try #require(open.first?["since"])
    #expect(try world.backend.sample(id, for: world.session("bert"))["held_since"] == since)
    #expect(try watch(world, "anna", id)["open"] == [])

    try world.backend.lease(id, isTakeover: true, for: world.session("bert"))
    #expect(try watch(world, "bert", id)["open"] == [])
    #expect(try watch(world, "anna", id)["open"]?.elements?.first?["author"] == "bert")
    // Who lost it cannot end the other's lease, and activity does not take it back.
    try world.backend.lease(id, isTakeover: false, for: world.session("anna"))
    #expect(
      try watch(world, "anna", id, isActive: true)["open"]?.elements?.first?["author"] == "bert")

    try world.backend.lease(id, isTakeover: false, for: world.session("bert"))
    #expect(try watch(world, "anna", id)["open"] == [])
    #expect(throws: RequestRefusal.self) {
      try world.backend.lease(9_999, isTakeover: true, for: world.session("anna"))
    }
  }

  @Test("Activity extends a lease; a page that only asks does not")
  func activity() throws {
    let world = try ReviewWorld.labels()
    let id = world.ids[0]
    _ = try world.backend.sample(id, for: world.session("anna"))
    world.clock.pass(SampleLeases.lifetime - 1)
    _ = try watch(world, "anna", id, isActive: true)
    world.clock.pass(SampleLeases.lifetime - 1)
    _ = try watch(world, "anna", id)
    #expect(try watch(world, "bert", nil)["open"]?.elements?.count == 1)
    world.clock.pass(1)
    #expect(try watch(world, "bert", nil)["open"] == [])
  }

  @Test("Whose sample another person changes is told of the entry, and of the conflict")
  func changes() throws {
    let world = try ReviewWorld.labels()
    let id = world.ids[0]
    #expect(try watch(world, "anna", id)["changed"] == .null)
    _ = try world.backend.save(
      world.save(["kind": "accept"], match: "none"), to: id, wantsState: false)
    let told = try watch(world, "bert", id)
    #expect(told["sequence"] == 1)
    #expect(told["changed"]?["head"]?["author"] == "anna")
    #expect(told["changed"]?["head"]?["sequence"] == 1)
    #expect(told["changed"]?["conflict"] == .null)
    #expect(try watch(world, "bert", id, after: 1)["changed"] == .null)

    let uuid = "33333333-2222-4333-8444-555555555555"
    let reply = try world.backend.save(
      world.save(["kind": "unsure", "author": "bert", "uuid": .string(uuid)], match: "none"),
      to: id, wantsState: false)
    #expect(reply.isConflict)
    let changed = try watch(world, "anna", id, after: 1)["changed"]
    #expect(changed?["head"]?["author"] == "anna")
    #expect(changed?["conflict"]?["author"] == "bert")
    #expect(changed?["conflicts"] == 1)
  }

  @Test("A session under another name has the same end, and saves under that name")
  func rename() async throws {
    let bench = try Bench()
    func rename(_ name: JSONValue) async throws -> (code: Int, json: JSONValue) {
      let body = JSONValue.object([.init("author", name)]).text()
      let response = await bench.send(
        .post, "/api/session/author", session: bench.session(), body: Array(body.utf8))
      return (response.code, try await response.json())
    }
    let (code, json) = try await rename(" bert ")
    #expect(code == 200)
    #expect(json["author"] == "bert")
    let session = try #require(bench.sessionIssuer.session(token: json["session"]?.text))
    #expect(session.author == "bert")
    #expect(session.expires == bench.clock.now + ReviewSession.lifetime)
    let long = JSONValue.string(String(repeating: "x", count: 81))
    for bad in ["", " ", 1, .null, "a\u{202E}b", long] as [JSONValue] {
      let refused = try await rename(bad)
      #expect(refused.code == 422)
      #expect(refused.json["error"] == "badAuthor")
    }
  }

  @Test(
    "A watch with members of another type is refused",
    arguments: [
      ["sample": 0, "sequence": 0, "active": true], ["sample": 1, "sequence": -1, "active": true],
      ["sample": 1, "sequence": 0, "active": 1], ["sequence": 0, "active": true],
      ["sample": "1", "sequence": 0, "active": true], [:],
    ] as [JSONValue])
  func badWatch(_ body: JSONValue) {
    #expect(throws: RequestRefusal.self) { try WatchRequest(body) }
  }
}
