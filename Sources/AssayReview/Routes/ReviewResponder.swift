import AssayCore
import HTTPTypes
import Hummingbird
import Logging

/// Answers requests. The order is fixed, and what is not allowed by one ring never reaches the next: host,
/// origin, cookie, body, route. (Connections and headers are in front of it, ``ConnectionGate``.)
struct ReviewResponder: HTTPResponder {
  typealias Context = BasicRequestContext

  let hosts: HostList
  let doorkeeper: Doorkeeper
  let backend: any ReviewBackend
  /// For SQLite; saves must not wait behind pictures.
  let desk: BlockingPool
  /// For decoding.
  let pictures: BlockingPool
  let tally: SaveTally
  let log: RequestLog

  func respond(to request: Request, context: Context) async throws -> Response {
    await answer(request)
  }

  /// The answer to a request; every error is one too.
  func answer(_ request: Request) async -> Response {
    let started = ContinuousClock.now
    var session: ReviewSession?
    var answer: Answer
    do {
      answer = try await admitted(request, &session)
    } catch let refusal as Refusal {
      answer = Answer(refusal)
      // What was refused unread stays unread.
      if request.announcesBody { answer.set(.connection, "close") }
    } catch {
      answer = Answer(Refusal(error))
    }
    log.tell(
      request.head, status: answer.status, author: session?.author, took: .now - started)
    return answer.response(isHead: request.method == .head)
  }

  /// The rings.
  private func admitted(
    _ request: Request, _ session: inout ReviewSession?
  ) async throws -> Answer {
    let head = request.head
    guard hosts.allows(host: head.authority), head.headerFields[Self.host] == nil,
      let host = head.authority
    else { throw Refusal.host }
    try checkOrigin(head, host: host)

    let target = RequestTarget(head.path ?? "")
    let found = target?.routes() ?? []
    let method = head.method == .head ? HTTPRequest.Method.get.rawValue : head.method.rawValue
    let match = found.first { $0.route.method == method }
    session = doorkeeper.session(cookieHeader: head.headerFields[.cookie])
    guard let match, let target else {
      guard session != nil || found.contains(where: \.route.isPublic) else {
        throw Refusal.signedOut
      }
      guard found.isEmpty else {
        let own = found.map(\.route.method)
        throw Refusal.badMethod(allowed: own.contains("GET") ? own + ["HEAD"] : own)
      }
      throw Refusal.notFound("there is nothing at this address")
    }
    if !match.route.isPublic, session == nil { throw Refusal.signedOut }

    var body: [UInt8] = []
    if match.route.bodyLimit > 0 {
      guard JSONBody.isAnnounced(head.headerFields) else { throw Refusal.badType }
      body = try await request.bytes(upTo: match.route.bodyLimit)
    } else if request.announcesBody {
      throw Refusal.tooLarge(limit: 0)
    }
    let call = RouteCall(
      route: match.route, values: match.values, query: target.query, fields: head.headerFields,
      body: body, session: session)
    return try await answer(call)
  }

  /// Anything that can change something must come from our own page; and what says that it comes from
  /// another one gets no data either.
  private func checkOrigin(_ head: HTTPRequest, host: String) throws(Refusal) {
    let origin = head.headerFields[.origin]
    let site = head.headerFields[Self.fetchSite]
    let isSafe = head.method == .get || head.method == .head
    if let origin {
      guard hosts.allows(origin: origin, host: host) else { throw .origin }
    } else if !isSafe {
      throw .origin
    }
    guard let site else { return }
    // A link on another site may open the page, which shows nothing before its own requests.
    let opensPage = isSafe && head.path.map { $0 == "/" || $0.hasPrefix("/?") } == true
    guard site == "same-origin" || site == "none" || opensPage else { throw .origin }
  }

  private static let fetchSite = HTTPField.Name.fixed("Sec-Fetch-Site")
  private static let host = HTTPField.Name.fixed("Host")
}

extension HTTPField.Name {
  /// A name that is known to be one.
  static func fixed(_ name: String) -> HTTPField.Name {
    HTTPField.Name(name) ?? .server
  }
}

/// A request that was let in.
struct RouteCall: Sendable {
  var route: ReviewRoute
  /// The parts of the path that vary.
  var values: [String]
  var query: [String: String]
  var fields: HTTPFields
  var body: [UInt8]
  var session: ReviewSession?
}

extension Answer {
  /// The answer as Hummingbird has it.
  func response(isHead: Bool) -> Response {
    var fields = HTTPFields()
    for field in self.fields { fields.append(field) }
    if status != 204, status != 304 { fields[.contentLength] = String(body.count) }
    let hasBody = !isHead && !body.isEmpty
    return Response(
      status: .init(code: status), headers: fields,
      body: hasBody ? .init(byteBuffer: ByteBuffer(bytes: body)) : .init())
  }
}
