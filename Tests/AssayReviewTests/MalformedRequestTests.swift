import AssayCore
import Foundation
import NIOCore
import Testing

@testable import AssayReview

/// What no browser sends, over a socket.
struct MalformedRequestTests {
  /// The status that the first bytes of an answer have; `nil` where none came.
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

  @Test("A slow client is shown the door")
  func slow() async throws {
    var limits = ConnectionLimits()
    limits.firstHeaders = .milliseconds(600)
    limits.idle = .milliseconds(900)
    limits.bodyPause = .milliseconds(600)
    limits.body = .milliseconds(1500)
    limits.tick = .milliseconds(50)
    limits.farewell = .milliseconds(200)
    try await LiveServer.with(limits: limits) { server in
      let clock = ContinuousClock()
      // Nothing at all; half a head; a head letter by letter; a body letter by letter.
      let silent = try RawConnection(port: server.port)
      let half = try RawConnection(port: server.port)
      await half.send("GET / HTTP/1.1\r\nHost: 127")
      let dripping = try RawConnection(port: server.port)
      let slowBody = try RawConnection(port: server.port)
      await slowBody.send(
        server.head("POST /api/samples/1/corrections", "Content-Type: application/json")
          + "If-Match: none\r\nContent-Length: 1000\r\n\r\n")
      let idle = try RawConnection(port: server.port)
      await idle.send(server.head("GET /api/status") + "\r\n")
      #expect(await idle.readAnswer()?.status == 200)
      let started = clock.now
      for letter in "GET / HTTP/1.1\r\nX-Very-Long: aaaaaaa" {
        await dripping.send(String(letter))
        await slowBody.send(" ")
        try await Task.sleep(for: .milliseconds(60))
      }
      for connection in [silent, half, dripping, slowBody, idle] {
        #expect(await connection.readAll().isClosed)
      }
      #expect(clock.now - started < .seconds(4))
      // And whoever has manners is served meanwhile and after.
      let polite = try RawConnection(port: server.port)
      await polite.send(server.head("GET /api/status") + "\r\n")
      #expect(await polite.readAnswer()?.status == 200)
    }
  }

  @Test("More connections than the limit wait; none is lost")
  func crowd() async throws {
    var limits = ConnectionLimits()
    limits.connections = 8
    limits.firstHeaders = .milliseconds(700)
    limits.tick = .milliseconds(50)
    try await LiveServer.with(limits: limits) { server in
      let crowd = try (0..<24).map { _ in try RawConnection(port: server.port) }
      let polite = try RawConnection(port: server.port)
      await polite.send(server.head("GET /api/status") + "\r\n")
      #expect(await polite.readAnswer()?.status == 200)
      #expect(crowd.count == 24)
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
      // It has no cookie.
      #expect(await connection.readAnswer()?.status == 401)
    }
  }
}
