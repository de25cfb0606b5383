import AssayCore
import Foundation
import NIOCore
import Synchronization
import Testing

@testable import AssayReview

/// Requests that no browser sends, over a socket.
struct MalformedRequestTests {
  /// The status in the first bytes of a response; `nil` if there is none.
  private func status(_ text: String) -> Int? {
    guard text.hasPrefix("HTTP/1.1 ") else { return nil }
    return Int(text.dropFirst(9).prefix(3))
  }

  private func expect(
    _ request: String, _ expected: Int, on server: LiveServer, closes: Bool = true,
    _ comment: Comment
  ) async throws {
    let connection = try RawConnection(port: server.port)
    await connection.send(request)
    if closes {
      let (text, isClosed) = await connection.readAll()
      #expect(status(text) == expected, comment)
      #expect(isClosed, comment)
      #expect(text.contains("Content-Security-Policy: default-src 'none'"), comment)
      #expect(text.firstRange(of: "HTTP/1.1 ") == text.ranges(of: "HTTP/1.1 ").last, comment)
    } else {
      let answer = try #require(await connection.readAnswer(), comment)
      #expect(answer.status == expected, comment)
    }
  }

  @Test("Heads that can be read in two ways are refused, and the connection ends")
  func heads() async throws {
    try await LiveServer.with { server in
      let host = "Host: 127.0.0.1:\(server.port)\r\n"
      for (request, code, what) in [
        ("GET / HTTP/1.1\r\n\r\n", 400, "no host"),
        ("GET / HTTP/1.1\r\n\(host)\(host)\r\n", 400, "two hosts"),
        ("GET / HTTP/1.1\r\n\(host)HOST: evil.example\r\n\r\n", 400, "two hosts, other case"),
        ("GET http://evil.example/ HTTP/1.1\r\n\(host)\r\n", 400, "absolute target"),
        ("GET http://127.0.0.1:\(server.port)/ HTTP/1.1\r\n\(host)\r\n", 400, "absolute, own"),
        ("GET //evil.example/ HTTP/1.1\r\n\(host)\r\n", 400, "scheme-relative"),
        ("OPTIONS * HTTP/1.1\r\n\(host)\r\n", 400, "asterisk"),
        ("CONNECT evil.example:443 HTTP/1.1\r\n\(host)\r\n", 405, "connect"),
        ("GET /\u{0} HTTP/1.1\r\n\(host)\r\n", 400, "NUL in the target"),
        ("GET /é HTTP/1.1\r\n\(host)\r\n", 400, "not ASCII"),
        ("GET / HTTP/1.1\r\n\(host)X: a\u{0}b\r\n\r\n", 400, "NUL in a header"),
        ("GET / HTTP/1.1\r\n\(host)X: a\r\n b\r\n\r\n", 400, "folded header"),
        ("GET / HTTP/1.1\r\n\(host)X : a\r\n\r\n", 400, "blank before the colon"),
        ("GET / HTTP/1.1\r\nHost : 127.0.0.1:\(server.port)\r\n\r\n", 400, "blank after Host"),
        ("GET / HTTP/2.0\r\n\(host)\r\n", 400, "HTTP/2.0"),
        ("GET / HTTP/0.9\r\n\(host)\r\n", 400, "HTTP/0.9"),
        ("G\u{1}T / HTTP/1.1\r\n\(host)\r\n", 400, "no method"),
        ("\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}\u{1}", 400, "TLS"),
        ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400, "HTTP/2 preface"),
        (
          "POST /api/session HTTP/1.1\r\n\(host)Content-Length: 5\r\nTransfer-Encoding: chunked"
            + "\r\n\r\n0\r\n\r\n", 400, "length and chunks"
        ),
        (
          "POST /api/session HTTP/1.1\r\n\(host)Content-Length: 5\r\nContent-Length: 6\r\n\r\n12345",
          400, "two lengths"
        ),
        (
          "POST /api/session HTTP/1.1\r\n\(host)Content-Length: 5\r\nContent-Length: 5\r\n\r\n12345",
          400, "one length twice"
        ),
        ("POST /api/session HTTP/1.1\r\n\(host)Content-Length: -5\r\n\r\n", 400, "negative"),
        ("POST /api/session HTTP/1.1\r\n\(host)Content-Length: 1e3\r\n\r\n", 400, "no number"),
        (
          "POST /api/session HTTP/1.1\r\n\(host)Content-Length: 99999999999999999999\r\n\r\n", 400,
          "beyond 64 bits"
        ),
        (
          "POST /api/session HTTP/1.1\r\n\(host)Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
          400, "another coding"
        ),
        (
          "POST /api/session HTTP/1.1\r\n\(host)Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", 400,
          "no coding"
        ),
      ] {
        try await expect(request, code, on: server, "\(what)")
      }
    }
  }

  @Test("Headers and targets have a limit")
  func sizes() async throws {
    try await LiveServer.with { server in
      let host = "Host: 127.0.0.1:\(server.port)\r\n"
      let long = String(repeating: "a", count: 20_000)
      try await expect(
        "GET / HTTP/1.1\r\n\(host)X: \(long)\r\n\r\n", 431, on: server, "one long header")
      let many = (0..<2_000).map { "X\($0): \($0)\r\n" }.joined()
      try await expect("GET / HTTP/1.1\r\n\(host)\(many)\r\n", 431, on: server, "many headers")
      let endless = "GET / HTTP/1.1\r\n\(host)X: " + String(repeating: "a", count: 2_000_000)
      try await expect(endless, 431, on: server, "a header without end")
      try await expect(
        "GET /\(long.prefix(3_000)) HTTP/1.1\r\n\(host)\r\n", 414, on: server, "target")
      let name = String(repeating: "a", count: 2_000_000)
      let connection = try RawConnection(port: server.port)
      await connection.send("GET /\(name) HTTP/1.1\r\n\(host)\r\n")
      let (text, isClosed) = await connection.readAll()
      #expect(isClosed)
      #expect([414, 431].contains(status(text) ?? 0))
    }
  }

  @Test("A request of half a head, a body that stops, and an idle connection are ended in time")
  func slow() async throws {
    let clock = DeadlineClock()
    let limits = clock.limits
    try await LiveServer.with(limits: limits) { server in
      // Nothing at all; half a head, with an occasional letter; half a body; nothing after a
      // response.
      let silent = try RawConnection(port: server.port)
      let dripping = try RawConnection(port: server.port)
      await dripping.send("GET / HTTP/1.1\r\nHost: 127")
      let slowBody = try RawConnection(port: server.port)
      await slowBody.send(
        server.head("POST /api/samples/1/corrections", "Content-Type: application/json")
          + "If-Match: none\r\nContent-Length: 1000\r\n\r\n")
      let idle = try RawConnection(port: server.port)
      await idle.send(server.head("GET /api/status") + "\r\n")
      #expect(await idle.readAnswer()?.status == 200)
      try await server.until { crowd in
        crowd.count == 4 && crowd.count { if case .reading = $0 { true } else { false } } == 1
          && crowd.count { if case .idle = $0 { true } else { false } } == 1
      }
      clock.pass(.seconds(6))
      await dripping.send(".")
      clock.pass(.seconds(5))
      #expect(await silent.readAll().isClosed)
      #expect(await dripping.readAll().isClosed)
      // The client can see the end of a connection before the server has forgotten it.
      try await server.until { $0.count == 2 }
      clock.pass(.seconds(10))
      #expect(await slowBody.readAll().isClosed)
      clock.pass(limits.idle)
      #expect(await idle.readAll().isClosed)
      // A client that connects after that is served.
      let polite = try RawConnection(port: server.port)
      await polite.send(server.head("GET /api/status") + "\r\n")
      #expect(await polite.readAnswer()?.status == 200)
    }
  }

  @Test("Who takes nothing of an answer is cut off in time, and is not while something is taken")
  func notReading() async throws {
    let clock = DeadlineClock()
    let limits = clock.limits
    let review = FakeReview(pictureBytes: 48 << 20)
    try await LiveServer.with(review, limits: limits) { server in
      let connection = try RawConnection(port: server.port)
      await connection.send(server.head("GET /api/samples/2/image", "Connection: close") + "\r\n")
      func stands(_ crowd: OpenConnections) -> Bool {
        crowd.count { if case .writing = $0 { true } else { false } } == 1
      }
      let answers = server.bench.responder.answers
      try await server.until { stands($0) && answers.inUse == 48 << 20 }
      // It is closed without the rest; the memory is freed. On a busy machine the system's buffers
      // can accept a little more after the pause has started, which restarts it.
      try await server.until {
        clock.pass(limits.writePause)
        return $0.count == 0
      }
      let (text, isClosed) = await connection.readAll()
      #expect(isClosed)
      #expect(text.utf8.count < 48 << 20)
      try await server.until { _ in answers.inUse == 0 }
      // A slow reader, at 1 MB per second, gets all of it, although that takes longer than the
      // pause.
      let slow = try RawConnection(port: server.port)
      await slow.send(server.head("GET /api/samples/2/image") + "\r\n")
      let answer = try #require(
        await slow.readAnswer { clock.pass(.microseconds(Int64($0))) })
      #expect(answer.body.count == 48 << 20)
    }
  }

  @Test("Connections that take no answers, and idle ones, give way to those who come")
  func crowd() async throws {
    let clock = DeadlineClock()
    var limits = clock.limits
    limits.connections = 16
    limits.spare = 4
    try await LiveServer.with(limits: limits) { server in
      let request = Array("GET /app/app.js HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n".utf8)
      // As many as there are connection slots send requests repeatedly and read nothing.
      let hostile = try (0..<16).map { _ in try RawConnection(port: server.port) }
      for connection in hostile {
        for _ in 0..<2_000 { _ = connection.push(request) }
      }
      try await server.until { $0.count == 16 }
      clock.pass(limits.patience)
      // The same number keep connections that do nothing.
      var idle: [RawConnection] = []
      for _ in 0..<16 {
        let connection = try RawConnection(port: server.port)
        await connection.send("GET /favicon.ico HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n")
        #expect(await connection.readAnswer()?.status == 204)
        idle.append(connection)
      }
      for _ in 0..<20 {
        let polite = try RawConnection(port: server.port)
        await polite.send(server.head("GET /api/status") + "\r\n")
        #expect(await polite.readAnswer()?.status == 200)
      }
      #expect(idle.count == 16 && hostile.count == 16)
      try await server.until { $0.count <= 16 }
    }
  }

  @Test("Who is signed in keeps the connection while those who are not give way")
  func signedIn() async throws {
    let clock = DeadlineClock()
    var limits = clock.limits
    limits.connections = 4
    try await LiveServer.with(limits: limits) { server in
      let own = try RawConnection(port: server.port)
      await own.send(server.head("GET /api/status") + "\r\n")
      #expect(await own.readAnswer()?.status == 200)
      var strangers: [RawConnection] = []
      for _ in 0..<20 {
        clock.pass(.seconds(2))
        let stranger = try RawConnection(port: server.port)
        await stranger.send("GET /favicon.ico HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n")
        #expect(await stranger.readAnswer()?.status == 204)
        strangers.append(stranger)
      }
      #expect(strangers.count == 20)
      await own.send(server.head("GET /api/status") + "\r\n")
      #expect(await own.readAnswer()?.status == 200)
    }
  }

  @Test("Requests far ahead of their answers are refused, and nothing more is taken in")
  func pipelining() async throws {
    try await LiveServer.with { server in
      let connection = try RawConnection(port: server.port)
      let request = server.head("GET /api/status") + "\r\n"
      await connection.send(
        String(repeating: request, count: 400)
          + server.head("GET /api/status", "Connection: close") + "\r\n")
      var statuses: [Int] = []
      while let answer = await connection.readAnswer() { statuses.append(answer.status) }
      // The number answered before the next one came depends on the server.
      #expect(statuses.dropLast().allSatisfy { $0 == 200 })
      #expect(statuses.count == 401 && statuses.last == 200 || statuses.last == 503)
    }
  }

  @Test("Requests sent in one go are answered in their order, up to the first that is none")
  func pipelined() async throws {
    try await LiveServer.with { server in
      let connection = try RawConnection(port: server.port)
      await connection.send(
        (1...3).map { server.head("GET /api/samples/\($0)") + "\r\n" }.joined()
          + "GET http://evil.example/ HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n"
          + server.head("GET /api/samples/1") + "\r\n")
      for id in 1...3 {
        let answer = try #require(await connection.readAnswer())
        #expect(answer.status == 200)
        #expect(String(decoding: answer.body, as: UTF8.self).contains("\"id\":\(id)"))
      }
      #expect(await connection.readAnswer()?.status == 400)
      #expect(await connection.readAnswer() == nil)
    }
  }

  @Test("A person's request is answered in turn, however many of another person's wait")
  func turns() async throws {
    let gate = DispatchSemaphore(value: 0)
    let begun = Mutex<[String]>([])
    let review = FakeReview(onQueue: { author in
      begun.withLock { $0.append(author) }
      if author == "bert" { gate.wait() }
    })
    try await LiveServer.with(review) { server in
      let requestPool = server.bench.responder.requestPool
      let crowd = try (0..<20).map { _ in try RawConnection(port: server.port) }
      let request = server.head("GET /api/queue?limit=500", author: "bert") + "\r\n"
      for connection in crowd { await connection.send(String(repeating: request, count: 16)) }
      // Two run; each of the other connections has one waiting request.
      while requestPool.waiting < 18 { try await Task.sleep(for: .milliseconds(5)) }
      let honest = try RawConnection(port: server.port)
      await honest.send(server.head("GET /api/queue?limit=1") + "\r\n")
      while requestPool.waiting < 19 { try await Task.sleep(for: .milliseconds(5)) }
      for _ in 0..<20 * 16 { gate.signal() }
      #expect(await honest.readAnswer()?.status == 200)
      // The two that ran, the next one in line, and one that started at the same time.
      let place = try #require(begun.withLock { $0.firstIndex(of: "anna") })
      #expect(place <= 4)
    }
  }

  @Test("A smuggled request behind a body is only a request like any other")
  func smuggled() async throws {
    try await LiveServer.with { server in
      let connection = try RawConnection(port: server.port)
      let body = Array(Bench.save())
      await connection.send(
        server.head(
          "POST /api/samples/1/corrections", "Content-Type: application/json", "If-Match: none",
          "Content-Length: \(body.count)") + "\r\n")
      await connection.send(body)
      await connection.send("GET /api/status HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n")
      #expect(await connection.readAnswer()?.status == 201)
      // It has no session.
      #expect(await connection.readAnswer()?.status == 401)
    }
  }
}
