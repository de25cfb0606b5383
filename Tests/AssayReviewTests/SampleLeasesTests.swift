import AssayCore
import Testing

@testable import AssayReview

/// Tests which author gets which sample.
struct SampleLeasesTests {
  @Test("A sample is one person's until it is given back or nothing was done to it for long")
  func course() {
    let clock = TestClock()
    let leases = SampleLeases(now: { clock.now })
    #expect(leases.take(1, by: "anna") == nil)
    #expect(leases.take(1, by: "bert")?.author == "anna")
    #expect(leases.holder(of: 1, besides: "bert")?.author == "anna")
    #expect(leases.holder(of: 1, besides: "anna") == nil)
    leases.giveBack(1, by: "bert")
    #expect(leases.holder(of: 1, besides: "bert")?.author == "anna")
    // An author who works on it keeps it.
    clock.pass(SampleLeases.lifetime - 1)
    #expect(leases.take(1, by: "anna") == nil)
    clock.pass(SampleLeases.lifetime - 1)
    #expect(leases.take(1, by: "bert")?.author == "anna")
    // An author whose client crashed does not.
    clock.pass(1)
    #expect(leases.holder(of: 1, besides: "bert") == nil)
    #expect(leases.take(1, by: "bert") == nil)
    leases.giveBack(1, by: "bert")
    #expect(leases.take(1, by: "anna") == nil)
  }

  @Test("A person has only the samples opened last")
  func few() {
    let leases = SampleLeases(now: { 0 })
    for sample in 1...Int64(SampleLeases.most + 2) { leases.take(sample, by: "anna") }
    let held = (1...Int64(SampleLeases.most + 2)).filter {
      leases.holder(of: $0, besides: "bert") != nil
    }
    #expect(held == Array(3...Int64(SampleLeases.most + 2)))
  }

  @Test("Two people are handed different samples, round the end; what is held is told")
  func handing() throws {
    let world = try ReviewWorld.labels()
    let (anna, bert) = (world.session("anna"), world.session("bert"))
    func next(_ after: Int, _ session: ReviewSession) throws -> JSONValue? {
      try world.backend.next(after: after, for: session)["position"]
    }
    #expect(try next(-1, anna) == 0)
    #expect(try next(-1, bert) == 1)
    #expect(try next(-1, anna) == 0)
    #expect(try next(0, anna) == 2)
    #expect(
      try world.backend.next(after: 1, for: bert) == [
        "position": .null, "sample": .null, "held": 2,
      ])
    let items = try #require(
      world.backend.queue(from: 0, limit: 3, for: bert)["items"]?.elements)
    #expect(items.map { $0["held_by"] } == ["anna", .null, "anna"])
    // Samples that anna has finished are no longer left; one that she opened long ago is free.
    _ = try world.backend.save(
      world.save(["kind": "accept"], match: "none"), to: world.ids[0], wantsState: false)
    #expect(try next(1, bert) == .null)
    world.clock.pass(SampleLeases.lifetime)
    #expect(try next(1, bert) == 2)
    #expect(try world.backend.next(after: 2, for: anna)["held"] == 0)
  }

  @Test("Who opens a sample by hand gets it where it is free, and else is told who has it")
  func byHand() throws {
    let world = try ReviewWorld.labels()
    let (anna, bert) = (world.session("anna"), world.session("bert"))
    #expect(try world.backend.sample(world.ids[1], for: anna)["held_by"] == .null)
    #expect(try world.backend.sample(world.ids[1], for: bert)["held_by"] == "anna")
    #expect(try world.backend.next(after: 0, for: bert)["position"] == 2)
  }

  @Test(
    "The next sample is asked for from a position of the queue", arguments: ReviewWorld.badPlaces)
  func places(_ from: JSONValue) async throws {
    let bench = try Bench()
    let body = JSONValue.object([.init("from", from)]).text()
    let response = await bench.send(
      .post, "/api/queue/next", session: bench.session(), body: Array(body.utf8))
    #expect(response.code == 422)
  }
}

extension ReviewWorld {
  /// Values that are not a position.
  static let badPlaces: [JSONValue] = [
    -2, "1", 1.5, .null, .integer(.max), .integer(.min), [1],
  ]
}
