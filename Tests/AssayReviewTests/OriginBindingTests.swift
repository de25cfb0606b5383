import AssayCore
import Foundation
import HTTPTypes
import NIOCore
import Synchronization
import Testing

@testable import AssayReview

/// Tests what another server on this computer can get from a browser, and that it is useless.
struct OriginBindingTests {
  /// A browser with respect to cookies: it sends those of a host to every port, with every request
  /// of a page.
  private struct Browser {
    var cookies: [String: String] = [:]

    mutating func take(_ answer: RawAnswer) {
      for line in answer.head.split(separator: "\r\n")
      where line.lowercased().hasPrefix("set-cookie:") {
        let pair = line.dropFirst("set-cookie:".count).split(separator: ";")[0]
          .split(separator: "=", maxSplits: 1)
        cookies[String(pair[0].drop { $0 == " " })] = String(pair[1])
      }
    }

    var header: String {
      cookies.isEmpty
        ? "" : "Cookie: " + cookies.map { "\($0)=\($1)" }.joined(separator: "; ") + "\r\n"
    }
  }

  private func ask(_ server: LiveServer, _ head: String, _ body: String = "") async throws
    -> RawAnswer
  {
    let connection = try RawConnection(port: server.port)
    await connection.send(
      "\(head) HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n"
        + "Origin: http://127.0.0.1:\(server.port)\r\n")
    if !body.isEmpty {
      await connection.send(
        "Content-Type: application/json\r\nIf-Match: none\r\n"
          + "Content-Length: \(body.utf8.count)\r\n")
    }
    await connection.send("\r\n" + body)
    return try #require(await connection.readAnswer())
  }

  @Test("A browser at the end of a tunnel with another port gets a page that says what to do")
  func tunnelPage() async throws {
    let bench = try Bench()
    for (host, words) in [
      (
        "127.0.0.1:9000",
        [
          "opened on port 9000", "ssh -L 31337:127.0.0.1:31337 HOST", "--allow-host 127.0.0.1:9000",
        ]
      ),
      ("[::1]:9000", ["opened on port 9000"]), ("localhost:31338", ["port 31338"]),
      ("evil.example:31337", ["Unknown host name", "--allow-host NAME"]),
      ("127.0.0.1:<script>", ["Unknown host name"]), ("127.0.0.1:99999", ["Unknown host name"]),
    ] {
      let answer = await bench.send(
        .get, "/", host: host, origin: nil, site: "none",
        fields: ["Accept": "text/html,application/xhtml+xml"])
      let text = String(decoding: try await answer.bytes(), as: UTF8.self)
      #expect(answer.code == 403 && answer.headers[.contentType] == "text/html; charset=utf-8")
      #expect(answer.headers[.setCookie] == nil)
      for word in words { #expect(text.contains(word), "\(host): \(text)") }
      #expect(!text.contains("script") && !text.contains("evil"))
      // Programs and scripts still get JSON.
      for (method, accept) in [(HTTPRequest.Method.get, "*/*"), (.post, "text/html")] {
        let other = await bench.send(
          method, "/", host: host, origin: nil, site: "none", fields: ["Accept": accept])
        #expect(try await other.json()["error"] == "host")
      }
    }
  }

  @Test("All that the browser sends to a server at another port is worth nothing here")
  func thief() async throws {
    try await LiveServer.with { server in
      var browser = Browser()
      browser.take(try await ask(server, "GET /"))
      let token = server.bench.sessionIssuer.token(author: "anna").text
      let signIn = try await ask(
        server, "POST /api/session", JSONValue.object([.init("token", .string(token))]).text())
      #expect(signIn.status == 200)
      browser.take(signIn)
      // Data stored by a page of this origin stays with it; a server on another port gets the
      // cookies.
      let stolen = browser.header
      #expect(stolen.isEmpty)
      for path in ["/api/session", "/api/queue", "/api/samples/1", "/api/samples/1/image"] {
        #expect(try await ask(server, "GET \(path)").status == 401)
      }
      let save = String(decoding: Bench.save(), as: UTF8.self)
      #expect(try await ask(server, "POST /api/samples/1/corrections", save).status == 401)
      #expect(server.bench.review.lastSequence() == 0)
      // Nor does a token in a cookie with the old name, in the address, or in another header.
      let session = server.bench.session()
      for extra in [
        "Cookie: assay_\(FakeReview.uuid)=\(session)", "Authorization: Bearer \(session)",
      ] {
        let connection = try RawConnection(port: server.port)
        await connection.send(
          "GET /api/session HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\(extra)\r\n\r\n")
        #expect(await connection.readAnswer()?.status == 401)
      }
      #expect(try await ask(server, "GET /api/session?session=x").status == 401)
    }
  }

  @Test("A thumbnail's address is good for that picture alone, and for a day or two")
  func signatures() async throws {
    let bench = try Bench()
    let (path, signature) = try await signedThumbnail(bench)
    let address = path + signature
    #expect(await status(bench, address) == 200)
    #expect(await status(bench, address, .head) == 200)
    #expect(await bench.send(.get, address, origin: nil, site: "same-site").code == 403)
    for other in [
      "/api/samples/2/thumbnail", "/api/samples/1/image", "/api/samples/1", "/api/queue",
      "/api/session", "/api/samples/1/maps/traffic%20light", "/api/status",
    ] {
      let code = await status(bench, other + signature)
      #expect(code == 401, "\(other)")
    }
  }

  @Test("A forged signature opens nothing")
  func forgedSignatures() async throws {
    let bench = try Bench()
    let (path, signature) = try await signedThumbnail(bench)
    let parts = signature.split(separator: ".").map(String.init)
    for forged in [
      "?signature=", "?signature=..", "?signature=x", signature + "A", String(signature.dropLast()),
      "?signature=9999999999.\(parts[1]).\(parts[2])", "\(parts[0]).x.\(parts[2])",
      signature + ".x", "?signature=" + String(repeating: "9", count: 1_000),
    ] {
      let code = await status(bench, path + forged)
      #expect(code == 401, "\(forged)")
    }
  }

  @Test("A signed address is the same within a day, and ends with its day and its session")
  func signatureExpiry() async throws {
    let bench = try Bench()
    let path = "/api/samples/1/thumbnail"
    let session = ReviewSession(author: "anna", ledger: FakeReview.uuid, expires: .max)
    let address = bench.sessionIssuer.signed(path, for: session)
    #expect(bench.sessionIssuer.signed(path, for: session) == address)
    let other = ReviewSession(author: "anna", ledger: FakeReview.uuid, expires: .max)
    #expect(bench.sessionIssuer.signed(path, for: other) != address)
    bench.clock.pass(86_400)
    #expect(await status(bench, address) == 200)
    bench.clock.pass(86_400)
    #expect(await status(bench, address) == 401)
    let short = ReviewSession(
      author: "anna", ledger: FakeReview.uuid, expires: bench.clock.now + 60)
    let brief = bench.sessionIssuer.signed(path, for: short)
    #expect(await status(bench, brief) == 200)
    bench.clock.pass(60)
    #expect(await status(bench, brief) == 401)
  }

  /// The path of the first thumbnail in the queue, and the signature at its end.
  private func signedThumbnail(_ bench: Bench) async throws -> (path: String, signature: String) {
    let queue = try await bench.send(.get, "/api/queue", session: bench.session()).json()
    let addresses = try #require(queue["items"]?.elements).compactMap { $0["thumbnail"]?.text }
    #expect(addresses.count == 3)
    let path = "/api/samples/1/thumbnail"
    #expect(addresses[0].hasPrefix(path + "?signature="))
    return (path, String(addresses[0].dropFirst(path.count)))
  }

  /// The status of a request without a session from a page without an origin.
  private func status(
    _ bench: Bench, _ path: String, _ method: HTTPRequest.Method = .get
  ) async -> Int {
    await bench.send(method, path, origin: nil).code
  }

  @Test("The log has neither a session nor a signature in it")
  func log() throws {
    let bench = try Bench()
    let session = ReviewSession(author: "anna", ledger: FakeReview.uuid, expires: .max)
    let address = bench.sessionIssuer.signed("/api/samples/1/thumbnail", for: session)
    #expect(RequestLog.visible(address) == "/api/samples/1/thumbnail?signature=…")
    #expect(RequestLog.visible("/api/queue?from=1") == "/api/queue?from=1")
  }
}
