import AssayCore
import HTTPTypes
import Testing

@testable import AssayReview

/// An example request for each route, with its response to a signed-in client. A new route without
/// an example fails the first test.
struct RouteExample {
  var path: String
  var status: Int
  var body: [UInt8]?
  var fields: [String: String] = [:]
  var isPublic = false

  static func of(_ route: ReviewRoute, token: String = "") -> RouteExample? {
    examples(token: token)[route.rawValue]
  }

  private static func examples(token: String) -> [String: RouteExample] {
    [
      "GET /": .init(path: "/", status: 200, isPublic: true),
      "GET /app/{name}": .init(path: "/app/api.js", status: 200, isPublic: true),
      "GET /favicon.ico": .init(path: "/favicon.ico", status: 204, isPublic: true),
      "POST /api/session": .init(
        path: "/api/session", status: 200, body: Array("{\"token\":\"\(token)\"}".utf8),
        isPublic: true),
      "GET /api/session": .init(path: "/api/session", status: 200),
      "GET /api/queue": .init(path: "/api/queue?from=0&limit=10", status: 200),
      "POST /api/queue/next": .init(
        path: "/api/queue/next", status: 200, body: Array("{\"from\":-1}".utf8)),
      "GET /api/queue/summary": .init(path: "/api/queue/summary", status: 200),
      "GET /api/samples/{id}": .init(path: "/api/samples/1", status: 200),
      "GET /api/samples/{id}/image": .init(path: "/api/samples/1/image", status: 200),
      "GET /api/samples/{id}/thumbnail": .init(path: "/api/samples/1/thumbnail", status: 200),
      "GET /api/samples/{id}/maps/{category}": .init(
        path: "/api/samples/1/maps/traffic%20light", status: 200),
      "POST /api/samples/{id}/cutout": .init(
        path: "/api/samples/1/cutout", status: 200, body: Array("{\"box\":[1,1,3,2]}".utf8)),
      "POST /api/samples/{id}/segment": .init(
        path: "/api/samples/1/segment", status: 200,
        body: Array("{\"points\":[{\"x\":1,\"y\":1,\"object\":true}]}".utf8)),
      "GET /api/samples/{id}/keyframe": .init(
        path: "/api/samples/2/keyframe?track=7&category=car", status: 200),
      "POST /api/samples/{id}/corrections": .init(
        path: "/api/samples/1/corrections", status: 201, body: Bench.save(),
        fields: ["If-Match": "none"]),
      "POST /api/session/author": .init(
        path: "/api/session/author", status: 200, body: Array("{\"author\":\"bert\"}".utf8)),
      "POST /api/samples/{id}/lease": .init(
        path: "/api/samples/1/lease", status: 200, body: Array("{\"take\":false}".utf8)),
      "POST /api/watch": .init(
        path: "/api/watch", status: 200,
        body: Array("{\"sample\":1,\"sequence\":0,\"active\":true}".utf8)),
      "GET /api/status": .init(path: "/api/status", status: 200),
    ].merging(browsing) { $1 }
  }

  private static var browsing: [String: RouteExample] {
    [
      "GET /api/browse": .init(path: "/api/browse", status: 200),
      "GET /api/browse/samples": .init(
        path: "/api/browse/samples?view=set&where=label%20%3D%20sad&limit=2", status: 200),
      "GET /api/browse/marks": .init(path: "/api/browse/marks?ids=1,2&runs=r1", status: 200),
      "GET /api/browse/facets": .init(path: "/api/browse/facets?view=set&runs=r1", status: 200),
      "GET /api/browse/complete": .init(
        path: "/api/browse/complete?view=set&text=la&at=2", status: 200),
      "GET /api/browse/run": .init(path: "/api/browse/run?run=r1", status: 200),
      "GET /api/browse/run/point": .init(path: "/api/browse/run/point?run=r1", status: 422),
      "GET /api/browse/run/samples": .init(path: "/api/browse/run/samples?run=r1", status: 422),
      "GET /api/browse/comparison": .init(path: "/api/browse/comparison?a=r1&b=r1", status: 200),
      "GET /api/browse/samples/{id}": .init(path: "/api/browse/samples/1?runs=r1", status: 200),
      "GET /api/browse/samples/{id}/image": .init(
        path: "/api/browse/samples/1/image", status: 200),
      "GET /api/browse/samples/{id}/thumbnail": .init(
        path: "/api/browse/samples/1/thumbnail", status: 200),
      "POST /api/browse/views": .init(
        path: "/api/browse/views", status: 201,
        body: Array("{\"name\":\"sads\",\"view\":\"set\",\"where\":\"label = sad\"}".utf8)),
      "POST /api/browse/reviews": .init(
        path: "/api/browse/reviews", status: 201,
        body: Array("{\"view\":\"set\",\"where\":\"label = sad\"}".utf8)),
      // Removing a tag that no sample has changes nothing.
      "POST /api/browse/tags": .init(
        path: "/api/browse/tags", status: 200,
        body: Bench.tag(
          ledger: Bench.browsedLedger, ["samples": [1], "remove": true, "tag": "none"])),
      // The test's server does not recognize live.
      "GET /api/live": .init(path: "/api/live", status: 404),
      "GET /api/live/stream": .init(path: "/api/live/stream?after=-1", status: 404),
      "POST /api/live/frame": .init(
        path: "/api/live/frame", status: 404, body: [0xFF, 0xD8],
        fields: ["Content-Type": "image/jpeg"]),
      "POST /api/live/capture": .init(
        path: "/api/live/capture", status: 404, body: Array("{\"frame\":1}".utf8)),
      "GET /api/browse/csv": .init(path: "/api/browse/csv?view=set", status: 200),
      "GET /api/browse/command": .init(path: "/api/browse/command?view=set", status: 200),
    ]
  }
}

/// Tests every route against all requests that must not reach it.
struct RouteTableTests {
  /// Sends a route's example with some changes.
  private func send(
    _ route: ReviewRoute, _ bench: Bench, method: HTTPRequest.Method? = nil,
    host: String? = "127.0.0.1:31337", origin: String? = "http://127.0.0.1:31337",
    site: String? = "same-origin", session: String?? = .none
  ) async throws -> (code: Int, headers: HTTPFields) {
    let example = try #require(
      RouteExample.of(route, token: bench.sessionIssuer.token(author: "anna").text))
    let own = try #require(HTTPRequest.Method(route.method))
    let response = await bench.send(
      method ?? own, example.path, host: host, origin: origin, site: site,
      session: session ?? bench.session(), fields: example.fields, body: example.body)
    return (response.code, response.headers)
  }

  /// The status of a request that reaches a route.
  private func answered(_ route: ReviewRoute, _ bench: Bench) throws -> Int {
    try #require(RouteExample.of(route, token: bench.sessionIssuer.token(author: "anna").text))
      .status
  }

  @Test("Every route is in the table of examples, and answers it", arguments: ReviewRoute.allCases)
  func examples(_ route: ReviewRoute) async throws {
    let bench = try Bench()
    let example = try #require(RouteExample.of(route), "add an example for \(route.rawValue)")
    let (code, headers) = try await send(route, bench)
    #expect(code == example.status)
    #expect(route.isPublic == example.isPublic)
    try expectHeaders(headers)
  }

  @Test("No route answers under another name", arguments: ReviewRoute.allCases)
  func hosts(_ route: ReviewRoute) async throws {
    let bench = try Bench()
    let hostile: [String?] = [
      nil, "", "evil.example", "evil.example:31337", "127.0.0.1", "127.0.0.1:31338",
      "127.0.0.1:31337.evil.example", "localhost.evil.example:31337",
      "127.0.0.1.:31337", "0.0.0.0:31337", "[::]:31337", "::1:31337", "127.1:31337",
      "2130706433:31337", "evil.example@127.0.0.1:31337", "127.0.0.1:31337,evil.example",
      "127.0.0.1:031337", "127.0.0.1:31337#", "locаlhost:31337",
    ]
    for host in hostile {
      let (code, headers) = try await send(
        route, bench, host: host, origin: host.map { "http://\($0)" })
      #expect(code == 403, "\(host ?? "no host")")
      try expectHeaders(headers)
    }
    for host in ["127.0.0.1:31337", "LOCALHOST:31337", "[::1]:31337", "localhost"] {
      let (code, _) = try await send(route, bench, host: host, origin: "http://\(host)")
      #expect(try code < 400 || code == answered(route, bench), "\(host)")
    }
  }

  @Test("No route answers another page", arguments: ReviewRoute.allCases)
  func origins(_ route: ReviewRoute) async throws {
    let bench = try Bench()
    let hostile = [
      "null", "", "http://evil.example", "https://127.0.0.1:31337", "http://127.0.0.1",
      "http://127.0.0.1:31338", "http://127.0.0.1:31337.evil.example", "http://localhost:31337",
      "http://127.0.0.1:31337/", "http://127.0.0.1:31337, http://evil.example", "file://",
      "http://[::1]:31337", "127.0.0.1:31337", "chrome-extension://abcdef",
    ]
    for origin in hostile {
      let (code, headers) = try await send(route, bench, origin: origin)
      #expect(code == 403, "\(origin)")
      try expectHeaders(headers)
    }
    for site in ["cross-site", "same-site", "", "same-origin, cross-site"] {
      let (code, _) = try await send(route, bench, origin: nil, site: site)
      // A link to the page can be followed from anywhere: the page shows nothing by itself.
      #expect(code == (route == .page ? 200 : 403), "\(site)")
    }
    // Without either header, reading is allowed and changes are not.
    let (code, _) = try await send(route, bench, origin: nil, site: nil)
    let answered = try answered(route, bench)
    #expect(route.method == "GET" ? code < 400 || code == answered : code == 403)
  }

  @Test(
    "Only the public routes answer without a session that holds", arguments: ReviewRoute.allCases)
  func sessions(_ route: ReviewRoute) async throws {
    let bench = try Bench()
    let good = bench.session()
    let other = try Bench()
    let token = bench.sessionIssuer.token(author: "anna").text
    var forged = Array(good.utf8)
    forged[forged.count - 2] =
      forged[forged.count - 2] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
    let hostile: [String?] = [
      nil, "", ".", "a.b", token, String(decoding: forged, as: UTF8.self),
      String(good.dropLast(20)), "A" + good.dropFirst(), other.session(), good + "." + good,
      String(repeating: "A", count: 7_000), "\(good), \(good)",
    ]
    for session in hostile {
      let (code, headers) = try await send(route, bench, session: session)
      #expect(route.isPublic ? code < 400 : code == 401, "\(session ?? "none")")
      try expectHeaders(headers)
    }
    // A session of another ledger can become valid again: its server was at this address, or will
    // be.
    let foreign = "00000000-0000-4000-8000-000000000000"
    let (elsewhere, _) = try await send(route, bench, session: bench.session(ledger: foreign))
    #expect(route.isPublic ? elsewhere < 400 : elsewhere == 409)
    bench.clock.pass(ReviewSession.lifetime)
    let (late, _) = try await send(route, bench, session: good)
    #expect(route.isPublic ? late < 400 : late == 401)
  }

  @Test("A cookie is worth nothing, and none is ever set", arguments: ReviewRoute.allCases)
  func cookies(_ route: ReviewRoute) async throws {
    let bench = try Bench()
    let example = try #require(
      RouteExample.of(route, token: bench.sessionIssuer.token(author: "anna").text))
    let method = try #require(HTTPRequest.Method(route.method))
    let name = "assay_\(FakeReview.uuid)"
    let stolen = await bench.send(
      method, example.path,
      fields: example.fields.merging(["Cookie": "\(name)=\(bench.session())"]) { $1 },
      body: example.body)
    #expect(route.isPublic ? stolen.code < 400 : stolen.code == 401)
    #expect(stolen.headers[.setCookie] == nil)
    // False ones, which any server of this host can set, lock nobody out.
    let junk = (0..<50).map { "\(name)=junk\($0).junk" }.joined(separator: "; ")
    let own = try #require(
      RouteExample.of(route, token: bench.sessionIssuer.token(author: "anna").text))
    let crowded = await bench.send(
      method, own.path, session: bench.session(),
      fields: own.fields.merging(["Cookie": junk]) { $1 }, body: own.body)
    #expect(crowded.code == example.status)
    #expect(crowded.headers[.setCookie] == nil)
  }

  @Test("Other methods are 405, for those who are let in", arguments: ReviewRoute.allCases)
  func methods(_ route: ReviewRoute) async throws {
    let bench = try Bench()
    for name in [
      "OPTIONS", "PUT", "PATCH", "DELETE", "TRACE", "CONNECT", "PROPFIND", "get", "BREW",
    ] {
      let method = try #require(HTTPRequest.Method(name))
      let (code, headers) = try await send(route, bench, method: method)
      #expect(code == 405, "\(name)")
      #expect(headers[.allow]?.contains(route.method) == true)
      try expectHeaders(headers)
      let (foreign, _) = try await send(
        route, bench, method: method, origin: "http://evil.example", site: "cross-site")
      #expect(foreign == 403)
      let (unknown, _) = try await send(route, bench, method: method, session: .some(nil))
      let path = try #require(RouteExample.of(route)).path
      let isPublicPath = RequestTarget(path)?.routes().contains { $0.route.isPublic } == true
      #expect(unknown == (isPublicPath ? 405 : 401))
    }
  }

  @Test("HEAD says what GET says, without the body", arguments: ReviewRoute.allCases)
  func head(_ route: ReviewRoute) async throws {
    guard route.method == "GET" else { return }
    let bench = try Bench()
    let example = try #require(RouteExample.of(route))
    let full = await bench.send(.get, example.path, session: bench.session())
    let head = await bench.send(.head, example.path, session: bench.session())
    #expect(head.code == full.code)
    #expect(head.headers == full.headers)
    #expect(try await head.bytes().isEmpty)
  }

  @Test("Unknown addresses are 404 for those who are signed in, 401 for all others")
  func unknown() async throws {
    let bench = try Bench()
    for path in [
      "/api", "/api/", "/admin", "/app", "/app/", "/api/samples", "/api/samples/1/", "/.git/config",
      "/app/x/y", "/api/session/", "//", "/%2e%2e", "/app/%zz", "/api/samples/1/image/x",
      "/index.html",
    ] {
      #expect(await bench.send(.get, path).code == 401, "\(path)")
      #expect(await bench.send(.get, path, session: bench.session()).code == 404, "\(path)")
    }
  }

  @Test("Nothing but the page's own files is under /app/")
  func traversal() async throws {
    let bench = try Bench()
    for name in [
      "..", "../page.html", "..%2f..%2fetc%2fpasswd", "%2e%2e/%2e%2e/etc/passwd", "/etc/passwd",
      "..\\..\\secret", "api.js%00", "api.js/", "API.JS", "page.html", "api.js%2f..%2fruns.js", ".",
      "",
      "%252e%252e%252fapi.js", "....//api.js", "api.js;.css",
    ] {
      let response = await bench.send(.get, "/app/" + name, session: bench.session())
      #expect(response.code == 404, "\(name)")
      #expect(await bench.send(.get, "/app/" + name).code == 401, "\(name)")
    }
    for name in EditorFiles.names {
      let response = await bench.send(.get, "/app/" + name)
      #expect(response.code == 200)
      #expect(response.headers[.contentType] == EditorFile.type(of: name))
    }
  }

  /// Checks the headers that every response has, and those that none may have.
  private func expectHeaders(_ headers: HTTPFields) throws {
    for (name, value) in [
      (
        "Content-Security-Policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
          + "worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
      ),
      ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
      ("Cross-Origin-Opener-Policy", "same-origin"),
      ("Cross-Origin-Resource-Policy", "same-origin"),
    ] {
      let name = try #require(HTTPField.Name(name))
      #expect(headers[values: name] == [value])
    }
    #expect(!headers.contains { $0.name.canonicalName.hasPrefix("access-control") })
  }
}
