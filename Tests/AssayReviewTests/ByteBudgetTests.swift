import AssayCore
import Foundation
import HTTPTypes
import HummingbirdCore
import NIOCore
import Synchronization
import Testing

@testable import AssayReview

/// Tests the limit on the data that the server holds in memory.
struct ByteBudgetTests {
  @Test("A share is given while there is room, and given back with its value")
  func shares() throws {
    let budget = ByteBudget(limit: 10)
    var first = budget.take(6)
    #expect(first != nil && budget.inUse == 6)
    #expect(budget.take(5) == nil)
    #expect(budget.take(-1) == nil)
    #expect(budget.take(.max) == nil)
    let second = budget.take(4)
    #expect(second != nil && budget.take(1) == nil)
    first = nil
    #expect(budget.inUse == 4)
    withExtendedLifetime(second) {}
  }

  @Test("As many large saves are taken in as there is room for; the others try again")
  func saves() async throws {
    let release = DispatchSemaphore(value: 0)
    let review = FakeReview { release.wait() }
    let bench = try Bench(review)
    let padding = [UInt8](repeating: UInt8(ascii: " "), count: SaveRequest.maskLimit - 1_000)
    func save(_ number: Int) async -> Int {
      let uuid = "11111111-2222-4333-8444-00000000000\(number)"
      let body = Bench.save([
        "kind": "mask", "size": [2, 2], "counts": "04", "uuid": .string(uuid),
      ])
      let response = await bench.send(
        .post, "/api/samples/1/corrections", session: bench.session(),
        fields: ["If-Match": "none"], body: body + padding)
      #expect(response.code != 503 || response.headers[.retryAfter] == "1")
      return response.code
    }
    let codes = await withTaskGroup(of: Int.self) { tasks in
      for number in 0..<6 { tasks.addTask { await save(number) } }
      // The two that do not fit are answered while the others wait.
      var codes: [Int] = []
      for await code in tasks {
        codes.append(code)
        if codes.count == 2 { for _ in 0..<6 { release.signal() } }
      }
      return codes
    }
    #expect(codes.prefix(2).allSatisfy { $0 == 503 })
    #expect(codes.count { $0 == 201 || $0 == 409 } == 4)
    #expect(bench.responder.bodies.inUse == 0)
    #expect(await save(7) < 500)
  }

  @Test("Answers beyond the budget are refused, not held")
  func answers() async throws {
    let bench = try Bench(FakeReview(pictureBytes: 100 << 20))
    func ask(_ id: Int) async -> Response {
      await bench.send(.get, "/api/samples/\(id)/image", session: bench.session())
    }
    var first: Response? = await ask(2)
    #expect(first?.code == 200)
    #expect(bench.responder.answers.inUse == 100 << 20)
    #expect(await ask(2).code == 503)
    #expect(await ask(1).code == 200)
    first = nil
    #expect(bench.responder.answers.inUse == 0)
    let again = await ask(2)
    #expect(try await again.bytes().count == 100 << 20)
  }
}
