import AssayCore

/// The question of a page about the other people of its review.
struct WatchRequest: Sendable, Hashable {
  /// The open sample; `nil` for none.
  var sample: Int64?
  /// The last entry of the ledger that the page knows of; 0 for none.
  var sequence: Int64
  /// True if the person has done something since the last request: that extends the lease.
  var isActive: Bool

  /// - Throws: ``RequestRefusal/badRequest(code:_:)`` for members of another type.
  init(_ body: JSONValue) throws(RequestRefusal) {
    let bad = RequestRefusal.badRequest(
      code: "badWatch", "sample must be an id or null, sequence a number, active true or false")
    switch body["sample"] {
    case .integer(let id)? where id > 0: sample = id
    case .null?: sample = nil
    default: throw bad
    }
    guard case .integer(let sequence)? = body["sequence"], sequence >= 0,
      case .bool(let isActive)? = body["active"]
    else { throw bad }
    self.sequence = sequence
    self.isActive = isActive
  }
}

/// The routes for several people in one review.
extension ReviewResponder {
  /// Returns a session under another name for the rest of the lifetime of this one.
  func rename(_ call: RouteCall) throws -> HTTPReply {
    let session = try signedIn(call)
    guard let name = try JSONBody.object(call.body)["author"]?.text else {
      throw RequestRefusal.badRequest(code: "badAuthor", "author must be a name")
    }
    let author: String
    do throws(ReviewServerError) {
      author = try ReviewAuthor.checked(name)
    } catch {
      throw RequestRefusal.badRequest(code: "badAuthor", "\(error)")
    }
    let renamed = ReviewSession(
      author: author, ledger: session.ledger, expires: session.expires)
    return HTTPReply(
      json: [
        "session": .string(sessionIssuer.token(of: renamed)), "ledger": .string(renamed.ledger),
        "author": .string(author), "expires": .integer(renamed.expires),
      ])
  }

  /// Tells the page what other people do.
  func watch(_ call: RouteCall) async throws -> HTTPReply {
    let session = try signedIn(call)
    let request = try WatchRequest(try JSONBody.object(call.body))
    let backend = try await backend(call)
    let name = call.query["review"]
    return try await deskAnswer(call) { [reviews] in
      // Opened again if samples were assigned to others since.
      let current = try name.flatMap { try reviews?.backend(named: $0) }
      return try (current ?? backend).watch(request, for: session)
    }
  }

  /// Ends the lease of a sample (`"take": false`) or takes the sample over (`"take": true`).
  func lease(_ call: RouteCall) async throws -> HTTPReply {
    let session = try signedIn(call)
    let id = try sampleID(call)
    guard case .bool(let isTakeover)? = try JSONBody.object(call.body)["take"] else {
      throw RequestRefusal.badRequest(code: "badLease", "take must be true or false")
    }
    let backend = try await backend(call)
    return try await deskAnswer(call) {
      try backend.lease(id, isTakeover: isTakeover, for: session)
      return ["sample": .integer(id), "taken": .bool(isTakeover)]
    }
  }
}
