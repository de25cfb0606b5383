import AssayCore
import HTTPTypes

extension ReviewResponder {
  /// Answers the request of a route of live recognition.
  func liveAnswer(_ call: RouteCall) async throws -> HTTPReply {
    guard let live else { throw RequestRefusal.notFound("this server does not recognize live") }
    _ = try signedIn(call)
    switch call.route {
    case .live: return HTTPReply(json: live.overview)
    case .liveStream:
      guard let after = Int(call.query["after"] ?? "-1"), after >= -1 else {
        throw RequestRefusal.badRequest(code: "badQuery", "after must be the number of a frame")
      }
      return try await pictures.run(for: call.client) {
        HTTPReply(json: try live.streamAnswer(after: after))
      }
    case .liveFrame:
      return try await pictures.run(for: call.client) {
        HTTPReply(json: try live.answer(call.body))
      }
    case .liveCapture:
      return try await pictures.run(for: call.client) {
        let body = try JSONBody.object(call.body)
        guard case .integer(let number)? = body["frame"], let frame = Int(exactly: number) else {
          throw RequestRefusal.badRequest(code: "badFrame", "frame must be the number of a frame")
        }
        let reason = body["reason"]?.text ?? "by hand"
        guard !reason.isEmpty, reason.utf8.count <= 200 else {
          throw RequestRefusal.badRequest(code: "badReason", "reason has 1 to 200 bytes")
        }
        return HTTPReply(
          status: 201,
          json: try live.capture(frame: frame, reason: reason, session: body["session"]?.text))
      }
    default: throw RequestRefusal.notFound("unknown address")
    }
  }
}
