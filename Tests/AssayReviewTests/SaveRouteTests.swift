import AssayCore
import Foundation
import HTTPTypes
import HummingbirdCore
import Testing

@testable import AssayReview

/// Tests saving, up to the call of the service.
struct SaveRouteTests {
  private let path = "/api/samples/1/corrections"

  private func save(
    _ bench: Bench, _ body: [UInt8], match: String? = "none", author: String = "anna",
    path: String? = nil
  ) async -> (code: Int, json: JSONValue) {
    let response = await bench.send(
      .post, path ?? self.path, session: bench.session(author: author),
      fields: match.map { ["If-Match": $0] } ?? [:], body: body)
    return (response.code, (try? await response.json()) ?? .null)
  }

  private func uuid(_ number: Int) -> JSONValue {
    .string("11111111-2222-4333-8444-" + String(repeating: "0", count: 11) + "\(number)")
  }

  @Test("The same save twice is one entry; on a stale parent it is kept and told")
  func repeats() async throws {
    let bench = try Bench()
    #expect(await save(bench, Bench.save()).code == 201)
    let again = await save(bench, Bench.save())
    #expect(again.code == 200)
    #expect(again.json["sequence"] == 1)
    let next = await save(bench, Bench.save(["uuid": uuid(2)]), match: "\"1\"")
    #expect(next.code == 201)
    let byUUID = await save(
      bench, Bench.save(["uuid": uuid(3)]), match: "\"\(try #require(uuid(2).text))\"")
    #expect(byUUID.code == 201)
    let stale = await save(bench, Bench.save(["uuid": uuid(4)]), match: "\"1\"")
    #expect(stale.code == 409)
    #expect(stale.json["kept"] == true)
    let staleAgain = await save(bench, Bench.save(["uuid": uuid(4)]), match: "\"1\"")
    #expect(staleAgain.code == 409)
    #expect(staleAgain.json["sequence"] == stale.json["sequence"])
    #expect(bench.review.lastSequence() == 4)
    #expect(bench.responder.tally.now == (saved: 4, conflicts: 1))
  }

  @Test("If-Match is a sequence, none, or a uuid; without it nothing is saved")
  func parents() async throws {
    let bench = try Bench()
    let missing = await save(bench, Bench.save(), match: nil)
    #expect(missing.code == 428)
    for match in [
      "", "*", "\"\"", "\"0\"", "\"-1\"", "\"1.0\"", "\"01\"", "\"99999999999999999999\"",
      "W/\"1\"",
      "\"1\", \"2\"", "\"abc\"", "\"none\" ", "none none",
    ] {
      let (code, _) = await save(bench, Bench.save(), match: match)
      #expect(match == "\"none\" " || code == 422 || code == 428, "\(match)")
    }
    for match in ["none", "\"none\""] {
      #expect(try SaveRequest.parent(match) == .sequence(0))
    }
    #expect(try SaveRequest.parent("\"37\"") == .sequence(37))
    #expect(
      try SaveRequest.parent("\"0F8F2F3A-1111-4222-8333-444455556666\"")
        == .entry("0f8f2f3a-1111-4222-8333-444455556666"))
  }

  @Test("A stroke reaches no other ledger and is nobody else's")
  func others() async throws {
    let bench = try Bench()
    let ledger = await save(
      bench, Bench.save(["ledger": "00000000-0000-4000-8000-000000000000"]))
    #expect(ledger.code == 409)
    #expect(ledger.json["error"] == "otherLedger")
    let author = await save(bench, Bench.save(["author": "bert"]))
    #expect(author.code == 409)
    #expect(author.json["error"] == "otherAuthor")
    #expect(await save(bench, Bench.save(["author": "bert"]), author: "bert").code == 201)
    for sample in ["4", "0", "-1", "1x", "01", "9223372036854775808", "%31%20"] {
      let (code, _) = await save(
        bench, Bench.save(["uuid": uuid(9)]), path: "/api/samples/\(sample)/corrections")
      #expect(code == 404, "\(sample)")
    }
    #expect(bench.review.lastSequence() == 1)
  }

  @Test("What a save must have and may hold")
  func members() async throws {
    let bench = try Bench()
    let long = JSONValue.string(String(repeating: "x", count: SaveRequest.longestText + 1))
    let wrong: [(String, JSONValue)] = [
      ("ledger", .null), ("ledger", 1), ("author", .null), ("author", "a\u{1}b"), ("uuid", .null),
      ("uuid", "x"), ("uuid", 7), ("visit", .null), ("visit", ""), ("kind", .null),
      ("kind", "adopt"), ("kind", "Mask"), ("category", .null), ("category", ["happy"]),
      ("category", ""), ("note", long), ("note", 1), ("note", "a\u{1B}[31mb"), ("reason", long),
      ("done", "yes"), ("seconds", "1"), ("seconds", -1), ("seconds", 86_401), ("target", "region"),
      ("target", 1), ("target", "{\"set\":1}"), ("entry", "latest"), ("empty", 1),
    ]
    for (member, value) in wrong {
      let (code, json) = await save(bench, Bench.save([member: value]))
      #expect(code == 422, "\(member): \(value.text().prefix(40)) \(json.text())")
      #expect(json["message"]?.text?.isEmpty == false)
    }
    let masks: [[String: JSONValue]] = [
      [:], ["counts": "04"], ["size": [2, 2]], ["size": [2, 2], "counts": "05"],
      ["size": [0, 4], "counts": "04"], ["size": [100_000, 100_000], "counts": "04"],
      ["size": [2, 2], "counts": "\u{7F}"], ["size": [2, 2, 1], "counts": "04"],
      ["size": ["2", 2], "counts": "04"], ["size": [-2, -2], "counts": "04"],
      ["size": [9_223_372_036_854_775_807, 2], "counts": "04"],
    ]
    for mask in masks {
      let body = Bench.save(mask.merging(["kind": "mask"]) { first, _ in first })
      #expect(await save(bench, body).code == 422)
    }
    // 2 × 2 pixels, none of them background: runs 0, 4.
    let (code, _) = await save(
      bench, Bench.save(["kind": "mask", "size": [2, 2], "counts": "04"]))
    #expect(code == 201)
    let kept = bench.review.state.withLock { $0.requests.last }
    #expect(kept?.mask == Mask(fullOf: ImageSize(width: 2, height: 2)))
    #expect(bench.review.lastSequence() == 1)
  }

  @Test("Bodies have a limit: 8 MB with a mask, 1 MB without, whatever their header says")
  func sizes() async throws {
    let bench = try Bench()
    let padding = [UInt8](repeating: UInt8(ascii: " "), count: SaveRequest.maskLimit)
    let (declared, _) = await save(bench, Bench.save() + padding)
    #expect(declared == 413)
    let plain = padding.prefix(SaveRequest.plainLimit)
    #expect(await save(bench, Bench.save() + plain).code == 413)
    let mask = Bench.save(["kind": "mask", "size": [2, 2], "counts": "04"])
    #expect(await save(bench, mask + plain).code == 201)
    // Neither a length that is too small nor a missing one lets more in.
    for length in ["", "10"] {
      let response = await bench.send(
        .post, path, session: bench.session(),
        fields: ["If-Match": "none", "Content-Length": length], body: Bench.save() + padding)
      #expect(response.code == 413)
      #expect(response.headers[.connection] == "close")
    }
    // With a length that is too large, the body ends early.
    let short = await bench.send(
      .post, path, session: bench.session(),
      fields: ["If-Match": "none", "Content-Length": "5000"],
      body: Bench.save(["uuid": uuid(5)]))
    #expect(short.code == 400)
    #expect(bench.review.lastSequence() == 1)
  }

  @Test("Deep, wide and broken JSON is refused before anything is built of it")
  func json() async throws {
    let bench = try Bench()
    let deep = String(repeating: "[", count: 100_000)
    let wide = "[" + String(repeating: "1,", count: 400_000) + "1]"
    for text in [
      deep, "{\"a\":" + deep, wide, "{\"a\":\(wide)}", "{", "{}{}", "nul", "{\"a\":\"\u{1}\"}", "",
      "{\"a\":1e999}", "{\"a\":\"\\ud800\"}", "\u{FEFF}{}",
    ] {
      #expect(await save(bench, Array(text.utf8)).code == 400, "\(text.prefix(20))")
    }
    #expect(await save(bench, [0x7B, 0x22, 0xFF, 0x22, 0x7D]).code == 400)
    for (name, value) in [
      ("Content-Type", "text/plain"), ("Content-Type", "application/json; charset=utf-16"),
      ("Content-Type", "application/jsonp"), ("Content-Type", ""),
      ("Content-Encoding", "gzip"), ("Content-Encoding", "identity"),
    ] {
      let response = await bench.send(
        .post, path, session: bench.session(), fields: ["If-Match": "none", name: value],
        body: Bench.save())
      #expect(response.code == 415, "\(name): \(value)")
    }
    for type in ["application/json", "Application/JSON; charset=UTF-8"] {
      let response = await bench.send(
        .post, path, session: bench.session(), fields: ["If-Match": "none", "Content-Type": type],
        body: Bench.save())
      #expect(response.code < 300)
    }
  }

  @Test("A service that cannot save is no success, and says why")
  func failures() async throws {
    let full = FakeReview { throw RequestRefusal.unsaved(code: "diskFull", "the disk is full") }
    let bench = try Bench(full)
    let (code, json) = await save(bench, Bench.save())
    #expect(code == 503)
    #expect(json["error"] == "diskFull")
    #expect(json["message"] == "the disk is full")
    #expect(bench.responder.tally.now.saved == 0)
  }

  @Test("A GET with a body is refused unread")
  func bodies() async throws {
    let bench = try Bench()
    let response = await bench.send(
      .get, "/api/status", session: bench.session(), body: Array("{}".utf8))
    #expect(response.code == 413)
    #expect(response.headers[.connection] == "close")
  }
}
