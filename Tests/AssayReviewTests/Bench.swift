import AssayCore
import AssayWorkflows
import AssayTestSupport
import Foundation
import HTTPTypes
import HummingbirdCore
import NIOCore
import Synchronization

@testable import AssayReview

/// A clock that a test advances.
final class TestClock: Sendable {
  private let seconds = Mutex<Int64>(1_800_000_000)

  var now: Int64 { seconds.withLock { $0 } }

  func pass(_ more: Int64) { seconds.withLock { $0 += more } }
}

/// The middleware chain in front of a ``FakeReview``, without a socket.
struct Bench {
  static let port = 31_337

  let folder: TemporaryFolder
  let review: FakeReview
  let sessionIssuer: SessionIssuer
  var responder: ReviewResponder
  let clock: TestClock

  /// A catalog of four faces for the routes of the browse page. It has the view that their example saves, so that no
  /// request changes it.
  private nonisolated(unsafe) static let world: ReviewWorld? = {
    guard let world = try? ReviewWorld.labels(), let selection = try? world.catalog.resolve("set"),
      (try? world.catalog.addView(named: "sads", in: selection, where: "label = sad")) != nil
    else { return nil }
    return world
  }()
  private static let browse = world.map {
    BrowseService(
      catalog: $0.catalog, ledger: $0.ledger, start: BrowseStart(), review: nil, version: "1")
  }
  /// The uuid of the ledger beside that catalog.
  static var browsedLedger: String { world?.ledger.uuid ?? "" }

  /// - Parameters:
  ///   - browse: the samples; by default those of a catalog that all tests share.
  ///   - cutoutPatience: the maximum time of a cut-out.
  init(
    _ review: FakeReview = FakeReview(), allowed: [String] = ["localhost"],
    browse: BrowseService? = Bench.browse, cutoutPatience: Duration = .seconds(10),
    segments: SegmentService? = SegmentService(FakeEngine())
  ) throws {
    folder = try TemporaryFolder()
    let clock = TestClock()
    self.clock = clock
    self.review = review
    sessionIssuer = try SessionIssuer(
      ledger: FakeReview.uuid, path: folder.path + "/x.ledger.secret", now: { clock.now })
    responder = ReviewResponder(
      hosts: try HostList(port: Self.port, allowed: allowed), sessionIssuer: sessionIssuer,
      review: review, browse: browse, requestPool: BlockingPool(threads: 2, limit: 64),
      pictures: BlockingPool(threads: 2, limit: 64), tally: SaveCounter(),
      log: RequestLog(logger: nil))
    responder.segments = segments
    responder.cutouts = CutoutTurns(patience: cutoutPatience)
  }

  /// The token of a valid session, as the page sends it.
  func session(author: String = "anna", ledger: String = FakeReview.uuid) -> String {
    sessionIssuer.token(
      of: ReviewSession(
        author: author, ledger: ledger, expires: clock.now + ReviewSession.lifetime))
  }

  /// The response to a request that is complete except for the given changes.
  func send(
    _ method: HTTPRequest.Method, _ path: String, host: String? = "127.0.0.1:31337",
    origin: String? = "http://127.0.0.1:31337", site: String? = "same-origin",
    session: String? = nil, fields: [String: String] = [:], body: [UInt8]? = nil
  ) async -> Response {
    await responder.answer(
      Self.request(
        method, path, host: host, origin: origin, site: site, session: session, fields: fields,
        body: body))
  }

  /// A request that is complete except for the given changes.
  static func request(
    _ method: HTTPRequest.Method, _ path: String, host: String? = "127.0.0.1:31337",
    origin: String? = "http://127.0.0.1:31337", site: String? = "same-origin",
    session: String? = nil, fields: [String: String] = [:], body: [UInt8]? = nil
  ) -> Request {
    var headers = HTTPFields()
    headers[.origin] = origin
    if let name = HTTPField.Name(ReviewSession.header) { headers[name] = session }
    if let site, let name = HTTPField.Name("Sec-Fetch-Site") { headers[name] = site }
    if let body {
      headers[.contentLength] = String(body.count)
      headers[.contentType] = "application/json"
    }
    for (name, value) in fields {
      if let name = HTTPField.Name(name) { headers[name] = value.isEmpty ? nil : value }
    }
    let head = HTTPRequest(
      method: method, scheme: "http", authority: host, path: path, headerFields: headers)
    return Request(head: head, body: RequestBody(buffer: ByteBuffer(bytes: body ?? [])))
  }

  /// The body of a change of a tag; members can be replaced or, with `.null`, removed.
  static func tag(ledger: String, _ changes: [String: JSONValue]) -> [UInt8] {
    var members: [String: JSONValue] = [
      "ledger": .string(ledger), "author": "anna", "view": "set", "tag": "hard",
      "uuid": "11111111-2222-4333-8444-000000000001",
    ]
    members.merge(changes) { $1 }
    return Array(
      JSONValue.object(members.filter { $0.value != .null }.map { .init($0.key, $0.value) })
        .text().utf8)
  }

  /// The body of a save; members can be replaced or, with `.null`, removed.
  static func save(_ changes: [String: JSONValue] = [:]) -> [UInt8] {
    var members: [String: JSONValue] = [
      "ledger": .string(FakeReview.uuid), "author": "anna", "kind": "label", "category": "happy",
      "uuid": "11111111-2222-4333-8444-555555555555",
      "visit": "99999999-2222-4333-8444-555555555555",
    ]
    members.merge(changes) { $1 }
    return Array(
      JSONValue.object(members.filter { $0.value != .null }.map { .init($0.key, $0.value) })
        .text().utf8)
  }
}

extension Response {
  var code: Int { status.code }

  /// The complete body.
  func bytes() async throws -> [UInt8] {
    let collected = BodyCollector()
    try await body.write(collected)
    return collected.bytes.withLock { $0 }
  }

  func json() async throws -> JSONValue {
    try JSONValue(parsing: String(decoding: try await bytes(), as: UTF8.self))
  }
}

/// Collects a body.
final class BodyCollector: ResponseBodyWriter, Sendable {
  let bytes = Mutex<[UInt8]>([])

  func write(_ buffer: ByteBuffer) async throws {
    bytes.withLock { $0.append(contentsOf: buffer.readableBytesView) }
  }

  func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
