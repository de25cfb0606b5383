import AssayCore
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import AssayReview

/// The responder inside Hummingbird, without a socket and with one.
struct FrameworkTests {
  /// Hummingbird's test clients call the server `localhost`, with the port where there is one.
  private func application(_ bench: Bench) -> Application<ReviewResponder> {
    ReviewApplication.make(bench.responder, host: "127.0.0.1", port: 0, logger: .silent)
  }

  private func fields(_ bench: Bench, port: Int?, _ more: [HTTPField.Name: String] = [:])
    -> HTTPFields
  {
    var fields = HTTPFields()
    if let name = HTTPField.Name(ReviewSession.header) { fields[name] = bench.session() }
    fields[.origin] = "http://localhost" + (port.map { ":\($0)" } ?? "")
    for (name, value) in more { fields[name] = value }
    return fields
  }

  @Test("Pages, data and saves go through Hummingbird's own path", arguments: [false, true])
  func course(isLive: Bool) async throws {
    let bench = try Bench(allowed: ["localhost"])
    try await application(bench).test(isLive ? .live : .router) { client in
      // The live client's port is not known before it listens, so that its host is a name of no list.
      guard !isLive else {
        let response = try await client.execute(
          uri: "/api/status", method: .get, headers: fields(bench, port: client.port))
        #expect(response.status.code == 403)
        #expect(response.headers[.contentType] == "application/json; charset=utf-8")
        return
      }
      let page = try await client.execute(uri: "/", method: .get)
      #expect(page.status == .ok)
      #expect(Array(page.body.readableBytesView) == EditorFiles.page.bytes)
      let status = try await client.execute(
        uri: "/api/status", method: .get, headers: fields(bench, port: nil))
      #expect(status.status == .ok)
      let save = try await client.execute(
        uri: "/api/samples/1/corrections", method: .post,
        headers: fields(
          bench, port: nil, [.ifMatch: "none", .contentType: "application/json; charset=utf-8"]),
        body: ByteBuffer(bytes: Bench.save()))
      #expect(save.status == .created)
      let head = try await client.execute(
        uri: "/api/status", method: .head, headers: fields(bench, port: nil))
      #expect(head.status == .ok)
      #expect(head.body.readableBytes == 0)
    }
  }

  @Test("A body in pieces is put together, counted, and cut off at the limit")
  func chunks() async throws {
    try await LiveServer.with { server in
      let head = server.head(
        "POST /api/samples/1/corrections", "Content-Type: application/json", "If-Match: none",
        "Transfer-Encoding: chunked")
      let whole = try RawConnection(port: server.port)
      await whole.send(head + "\r\n")
      let body = Bench.save()
      for part in [body.prefix(10), body.dropFirst(10).prefix(50), body.dropFirst(60)] {
        await whole.send("\(String(part.count, radix: 16))\r\n")
        await whole.send(Array(part))
        await whole.send("\r\n")
      }
      await whole.send("0\r\n\r\n")
      #expect(await whole.readAnswer()?.status == 201)

      // Nobody says how long it is, and it never ends.
      let endless = try RawConnection(port: server.port)
      await endless.send(head + "\r\n")
      let chunk = Array("10000\r\n".utf8) + [UInt8](repeating: UInt8(ascii: " "), count: 65_536)
      // What comes after the refusal is dropped for a moment, then nothing is taken any more.
      while await endless.send(chunk + Array("\r\n".utf8)) {}
      let answer = await endless.readAnswer()
      #expect(answer == nil || answer?.status == 413)

      // A chunk that is none, and a body that ends in the middle.
      let broken = try RawConnection(port: server.port)
      await broken.send(head + "\r\nzz\r\n{}\r\n")
      #expect(await broken.readAnswer()?.status == 400)
      let torn = try RawConnection(port: server.port)
      await torn.send(
        server.head(
          "POST /api/samples/1/corrections", "Content-Type: application/json", "If-Match: none",
          "Content-Length: 100000") + "\r\n{\"ledger\":")
      torn.endSending()
      let (text, _) = await torn.readAll()
      #expect(text.isEmpty || text.hasPrefix("HTTP/1.1 400"))
      #expect(server.bench.review.lastSequence() == 1)
    }
  }

  @Test("A body that is declared too large is refused before it is sent")
  func declared() async throws {
    try await LiveServer.with { server in
      let connection = try RawConnection(port: server.port)
      await connection.send(
        server.head(
          "POST /api/samples/1/corrections", "Content-Type: application/json", "If-Match: none",
          "Content-Length: 900000000") + "\r\n")
      let (text, isClosed) = await connection.readAll()
      #expect(text.hasPrefix("HTTP/1.1 413"))
      #expect(isClosed)
    }
  }

  @Test("Thirty-two clients at a time are all answered, each its own")
  func many() async throws {
    try await LiveServer.with { server in
      try await withThrowingTaskGroup(of: Void.self) { tasks in
        for number in 0..<32 {
          tasks.addTask {
            let connection = try RawConnection(port: server.port)
            for _ in 0..<5 {
              let id = number % 2 + 1
              await connection.send(server.head("GET /api/samples/\(id)") + "\r\n")
              let answer = try #require(await connection.readAnswer())
              #expect(answer.status == 200)
              #expect(String(decoding: answer.body, as: UTF8.self).contains("\"id\":\(id)"))
            }
          }
        }
        try await tasks.waitForAll()
      }
    }
  }

  @Test("A save that runs while the server is told to stop is answered")
  func stopping() async throws {
    let begun = StopFlag()
    let stop = StopFlag()
    let review = FakeReview {
      begun.set()
      while !stop.isSet { usleep(1_000) }
      // The server looks ten times a second whether it is to stop.
      usleep(300_000)
    }
    let bench = try Bench(review)
    let reserved = try ReservedPort()
    let port = reserved.number
    let responder = ReviewResponder(
      hosts: try HostList(port: port), doorkeeper: bench.doorkeeper, backend: review,
      desk: bench.responder.desk, pictures: bench.responder.pictures, tally: SaveTally(),
      log: RequestLog(logger: nil))
    let (listening, started) = AsyncStream.makeStream(of: Void.self)
    let application = ReviewApplication.make(
      responder, host: "127.0.0.1", port: port, logger: .silent
    ) { _ in started.finish() }
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      tasks.addTask {
        try await ReviewApplication.run(application, logger: .silent) { stop.isSet }
      }
      for await _ in listening {}
      let live = LiveServer(bench: bench, at: reserved)
      let saving = try RawConnection(port: port)
      let idle = try RawConnection(port: port)
      let half = try RawConnection(port: port)
      await half.send("GET / HT")
      let body = Bench.save()
      await saving.send(
        live.head(
          "POST /api/samples/1/corrections", "Content-Type: application/json", "If-Match: none",
          "Content-Length: \(body.count)") + "\r\n")
      await saving.send(body)
      while !begun.isSet { try await Task.sleep(for: .milliseconds(10)) }
      stop.set()
      #expect(await saving.readAnswer()?.status == 201)
      #expect(await idle.readAll().isClosed)
      #expect(await half.readAll().isClosed)
      try await tasks.waitForAll()
    }
    #expect(review.lastSequence() == 1)
    #expect(throws: RawConnectionError.self) { try RawConnection(port: port) }
  }
}
