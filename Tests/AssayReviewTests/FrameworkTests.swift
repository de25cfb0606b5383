import AssayCore
import Foundation
import Testing

@testable import AssayReview

/// The responder inside Hummingbird, without a socket and with one.
struct FrameworkTests {
  @Test("Pages, data and saves go through Hummingbird")
  func course() async throws {
    try await LiveServer.with { server in
      let connection = try RawConnection(port: server.port)
      func answer(_ head: String, _ body: [UInt8] = []) async throws -> RawAnswer {
        await connection.send(Array((head + "\r\n").utf8) + body)
        return try #require(await connection.readAnswer())
      }
      let page = try await answer(server.head("GET /"))
      #expect(page.status == 200)
      #expect(page.body == EditorFiles.page.bytes)
      #expect(try await answer(server.head("GET /api/status")).status == 200)
      let body = Bench.save()
      let save = try await answer(
        server.head(
          "POST /api/samples/1/corrections", "If-Match: none",
          "Content-Type: application/json; charset=utf-8", "Content-Length: \(body.count)"), body)
      #expect(save.status == 201)

      // The content length of the response to HEAD is that of GET; no body follows it.
      let closing = try RawConnection(port: server.port)
      await closing.send(server.head("HEAD /api/status", "Connection: close") + "\r\n")
      let (text, isClosed) = await closing.readAll()
      #expect(text.hasPrefix("HTTP/1.1 200"))
      #expect(text.hasSuffix("\r\n\r\n"))
      #expect(isClosed)
    }
  }

  @Test("A request for another host is refused with JSON")
  func otherHost() async throws {
    try await LiveServer.with { server in
      let connection = try RawConnection(port: server.port)
      let head = server.head("GET /api/status")
      await connection.send(
        head.replacingOccurrences(of: "Host: 127.0.0.1:", with: "Host: localhost:") + "\r\n")
      let answer = try #require(await connection.readAnswer())
      #expect(answer.status == 403)
      #expect(answer.header("content-type") == "application/json; charset=utf-8")
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

      // The length is not declared, and the body never ends.
      let endless = try RawConnection(port: server.port)
      await endless.send(head + "\r\n")
      let chunk = Array("10000\r\n".utf8) + [UInt8](repeating: UInt8(ascii: " "), count: 65_536)
      // Data after the rejection is dropped for a moment, then no more is accepted.
      while await endless.send(chunk + Array("\r\n".utf8)) {}
      let answer = await endless.readAnswer()
      #expect(answer == nil || answer?.status == 413)

      // An invalid chunk, and a body that ends in the middle.
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

  @Test("A cut-out whose client closes the connection is ended")
  func abandoned() async throws {
    let begun = StopFlag()
    let ended = StopFlag()
    let review = FakeReview(onCutout: { isCanceled in
      begun.set()
      while !isCanceled() { usleep(1_000) }
      ended.set()
    })
    try await LiveServer.with(review, cutoutPatience: .seconds(86_400)) { live in
      let body = Array(#"{"box":[1,1,3,2]}"#.utf8)
      do {
        let connection = try RawConnection(port: live.port)
        await connection.send(
          live.head(
            "POST /api/samples/1/cutout", "Content-Type: application/json",
            "Content-Length: \(body.count)") + "\r\n")
        await connection.send(body)
        while !begun.isSet { try await Task.sleep(for: .milliseconds(10)) }
        #expect(!ended.isSet)
        // It is closed at the end of the scope.
        withExtendedLifetime(connection) {}
      }
      while !ended.isSet { try await Task.sleep(for: .milliseconds(10)) }
    }
  }

  @Test("A save that runs while the server is told to stop is answered")
  func stopping() async throws {
    let begun = StopFlag()
    let stop = StopFlag()
    let review = FakeReview {
      begun.set()
      while !stop.isSet { usleep(1_000) }
      // The server checks ten times a second whether it should stop.
      usleep(300_000)
    }
    let bench = try Bench(review)
    let reserved = try ReservedPort()
    let port = reserved.number
    let responder = ReviewResponder(
      hosts: try HostList(port: port), sessionIssuer: bench.sessionIssuer, review: review,
      requestPool: bench.responder.requestPool, pictures: bench.responder.pictures,
      tally: SaveCounter(),
      log: RequestLog(logger: nil))
    let (listening, started) = AsyncStream.makeStream(of: Void.self)
    let application = ReviewApplication.make(
      responder, host: "127.0.0.1", port: port, limits: .patient, logger: .silent
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
