import AssayCore
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore

/// Answers requests. The order of the checks is fixed, and a rejected request never
/// reaches the next one: host, origin, session, body, route. (Connections and headers
/// are checked earlier, ``ConnectionFilter``.)
struct ReviewResponder: Sendable {
  let hosts: HostList
  let sessionIssuer: SessionIssuer
  /// The review; `nil` for a server that only browses.
  let review: (any ReviewBackend)?
  /// The reviews that requests can name; `nil` for a server with ``review`` alone.
  var reviews: ReviewHub?
  /// The review of requests that name none; `nil` for none.
  var startReview: String?
  /// The samples of the catalog; `nil` for a server without the browse page.
  var browse: BrowseService?
  /// Live recognition; `nil` for a server without it.
  var live: LiveService?
  /// The promptable model; `nil` for a server without one.
  var segments: SegmentService?
  /// The threads for SQLite; saves must not wait behind images.
  let requestPool: BlockingPool
  /// The threads for decoding.
  let pictures: BlockingPool
  /// The thread for computations of seconds, so that no image waits for one; `nil` for ``pictures``.
  var computations: BlockingPool?
  let tally: SaveCounter
  let log: RequestLog
  var openConnections = OpenConnections()
  var cutouts = CutoutTurns()
  /// The budget for request bodies: four of the largest saves at a time.
  var bodies = ByteBudget(limit: 4 * SaveRequest.maskLimit)
  /// The budget for answers that are larger than ``smallAnswer``.
  var answers = ByteBudget(limit: 128 << 20)

  /// Answers up to this many bytes are sent in one piece, and do not count against the budget.
  static let smallAnswer = 1 << 16

  /// Returns the response to a request, with the `Date` header that HTTP requires of a
  /// server with a clock.
  ///
  /// - Parameter connection: the connection of the request.
  func respond(to request: Request, on connection: ObjectIdentifier) async -> Response {
    var response = await answer(request, on: connection)
    response.headers[.date] = ReviewClock.httpDate()
    return response
  }

  /// Returns the answer to a request; every error is also an answer.
  ///
  /// - Parameter connection: the connection of the request; `nil` without one.
  func answer(_ request: Request, on connection: ObjectIdentifier? = nil) async -> Response {
    let started = ContinuousClock.now
    var session: ReviewSession?
    var answer: HTTPReply
    do {
      answer = try await admitted(request, &session, on: connection)
    } catch let refusal as RequestRefusal {
      answer =
        refusal == .host && request.head.opensPage
        ? HTTPReply(HostAdvice(port: hosts.port, host: request.head.authority))
        : HTTPReply(refusal)
      // The body of a refused request is not read.
      if request.announcesBody { answer.set(.connection, "close") }
    } catch {
      answer = HTTPReply(RequestRefusal(error))
    }
    var share: ByteShare?
    if answer.body.count > Self.smallAnswer {
      share = answers.take(answer.body.count)
      if share == nil { answer = HTTPReply(RequestRefusal.busy) }
    }
    log.tell(
      request.head, status: answer.status, author: session?.author, took: .now - started)
    return answer.response(isHead: request.method == .head, share)
  }

  /// Applies the checks in order and answers a request that passes them.
  private func admitted(
    _ request: Request, _ session: inout ReviewSession?, on connection: ObjectIdentifier?
  ) async throws -> HTTPReply {
    let head = request.head
    guard hosts.allows(host: head.authority), head.headerFields[Self.host] == nil,
      let host = head.authority
    else { throw RequestRefusal.host }
    try checkOrigin(head, host: host)

    let target = RequestTarget(head.path ?? "")
    let found = target?.routes() ?? []
    let method = head.method == .head ? HTTPRequest.Method.get.rawValue : head.method.rawValue
    let match = found.first { $0.route.method == method }
    let token = head.headerFields[Self.session]
    session = sessionIssuer.session(token: token)
    if session != nil, let connection { openConnections.signedIn(connection) }
    guard let match, let target else {
      guard session != nil || found.contains(where: \.route.isPublic) else {
        throw RequestRefusal.signedOut
      }
      guard found.isEmpty else {
        let own = found.map(\.route.method)
        throw RequestRefusal.badMethod(allowed: own.contains("GET") ? own + ["HEAD"] : own)
      }
      throw RequestRefusal.notFound("unknown address")
    }
    let signer = session == nil ? signer(match.route, target) : nil
    if !match.route.isPublic, session == nil, signer == nil {
      guard !sessionIssuer.isOfAnotherLedger(token: token) else { throw RequestRefusal.otherLedger }
      throw RequestRefusal.signedOut
    }

    var body: [UInt8] = []
    var share: ByteShare?
    defer { withExtendedLifetime(share) {} }
    if match.route.bodyLimit > 0 {
      guard match.route.takes(head.headerFields) else { throw RequestRefusal.badType }
      share = bodies.take(request.largestBody(upTo: match.route.bodyLimit))
      guard share != nil else { throw RequestRefusal.busy }
      body = try await request.bytes(upTo: match.route.bodyLimit)
    } else if request.announcesBody {
      throw RequestRefusal.tooLarge(limit: 0)
    }
    let call = RouteCall(
      route: match.route, values: match.values, query: target.query, fields: head.headerFields,
      body: body, session: session, client: session?.id ?? signer, connection: connection)
    return try await answer(call)
  }

  /// Returns the id of the session that this address was signed for; `nil` if it is not signed or
  /// the signature has expired.
  private func signer(_ route: ReviewRoute, _ target: RequestTarget) -> String? {
    guard route.takesSignature else { return nil }
    return sessionIssuer.signer(
      of: target.query["signature"], at: "/" + target.parts.joined(separator: "/"))
  }

  /// Rejects requests that can change something unless they come from this server's page; requests
  /// marked as coming from another page do not get data either.
  private func checkOrigin(_ head: HTTPRequest, host: String) throws(RequestRefusal) {
    let origin = head.headerFields[.origin]
    let site = head.headerFields[Self.fetchSite]
    let isSafe = head.method == .get || head.method == .head
    if let origin {
      guard hosts.allows(origin: origin, host: host) else { throw .origin }
    } else if !isSafe {
      throw .origin
    }
    guard let site else { return }
    // A link on another site can open the page, which shows no data before its own requests.
    let opensPage = isSafe && head.path.map { $0 == "/" || $0.hasPrefix("/?") } == true
    guard site == "same-origin" || site == "none" || opensPage else { throw .origin }
  }

  private static let fetchSite = HTTPField.Name.fixed("Sec-Fetch-Site")
  private static let host = HTTPField.Name.fixed("Host")
  private static let session = HTTPField.Name.fixed(ReviewSession.header)
}

extension HTTPRequest {
  /// True if a browser asks for a page, rather than a script for data.
  var opensPage: Bool {
    method == .get && headerFields[.accept]?.lowercased().contains("text/html") == true
  }
}

extension HTTPField.Name {
  /// Returns a header name that is known to be valid.
  static func fixed(_ name: String) -> HTTPField.Name {
    HTTPField.Name(name) ?? .server
  }
}

/// A request that passed all checks.
struct RouteCall: Sendable {
  var route: ReviewRoute
  /// The variable parts of the path.
  var values: [String]
  var query: [String: String]
  var fields: HTTPFields
  var body: [UInt8]
  var session: ReviewSession?
  /// The id of the session whose turn it takes; `nil` for all clients that are not signed in.
  var client: String?
  /// The connection of the request; `nil` without one.
  var connection: ObjectIdentifier?
}

extension HTTPReply {
  /// Returns the response as a Hummingbird value.
  ///
  /// - Parameter share: its share of a budget; released when the whole response
  ///   is written or abandoned.
  func response(isHead: Bool, _ share: ByteShare? = nil) -> Response {
    var fields = HTTPFields()
    for field in self.fields { fields.append(field) }
    if status != 204, status != 304 { fields[.contentLength] = String(body.count) }
    return Response(
      status: .init(code: status), headers: fields,
      body: isHead || body.isEmpty ? .init() : responseBody(share))
  }

  /// Returns the body in pieces, so that no connection holds a copy of the whole.
  private func responseBody(_ share: ByteShare?) -> ResponseBody {
    let piece = ReviewResponder.smallAnswer
    guard body.count > piece else { return .init(byteBuffer: ByteBuffer(bytes: body)) }
    return ResponseBody(contentLength: body.count) { [body] writer in
      for start in stride(from: 0, to: body.count, by: piece) {
        let end = min(start + piece, body.count)
        try await writer.write(ByteBuffer(bytes: body[start..<end]))
      }
      try await writer.finish(nil)
      withExtendedLifetime(share) {}
    }
  }
}
