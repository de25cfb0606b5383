import AssayCore
import Foundation
import HTTPTypes

extension ReviewResponder {
  /// Answers the request of a route.
  func answer(_ call: RouteCall) async throws -> HTTPReply {
    switch call.route {
    case .page: return fileAnswer(EditorFiles.page, call)
    case .file:
      guard let name = call.values.first, let file = EditorFiles.file(named: name) else {
        // Users who are not signed in must not learn which files exist.
        throw call.session == nil
          ? RequestRefusal.signedOut : .notFound("unknown page file")
      }
      return fileAnswer(file, call)
    case .icon: return HTTPReply(status: 204, [(.cacheControl, "private, max-age=86400")])
    case .signIn: return try await signIn(call)
    case .session:
      return try await sessionReply(call)
    case .summary:
      let session = try signedIn(call)
      let backend = try await backend(call)
      return try await deskAnswer(call) { try backend.summary(for: session) }
    case .queue:
      let session = try signedIn(call)
      let from = try number("from", call, in: 0...Int(Int32.max), else: 0)
      let limit = try number("limit", call, in: 1...500, else: 50)
      let backend = try await backend(call)
      return try await deskAnswer(call) { [self] in
        withThumbnails(
          try backend.queue(from: from, limit: limit, for: session), for: session,
          review: call.query["review"])
      }
    case .next: return try await next(call)
    case .sample:
      let session = try signedIn(call)
      let id = try sampleID(call)
      let backend = try await backend(call)
      return try await deskAnswer(call) { try backend.sample(id, for: session) }
    case .image: return try await picture(call, as: .whole)
    case .thumbnail: return try await picture(call, as: .thumbnail)
    case .map:
      let id = try sampleID(call)
      let category = call.values.last ?? ""
      let held = heldTags(call)
      let backend = try await backend(call)
      return pictureAnswer(
        try await pictures.run(for: call.client) {
          try backend.map(of: id, category: category, unless: held)
        })
    case .cutout: return try await cutout(call)
    case .segment: return try await segment(call)
    case .keyframe: return try await keyframe(call)
    case .save: return try await save(call)
    case .author: return try rename(call)
    case .lease: return try await lease(call)
    case .watch: return try await watch(call)
    case .status:
      let backend = try await backend(call)
      return try await deskAnswer(call) { try backend.status() }
    case .browse, .browseSamples, .browseMarks, .browseFacets, .browseCompletion, .browseSample,
      .browseImage, .browseThumbnail, .browseSaveView, .browseReview, .browseTag, .browseTable,
      .browseCommand,
      .browseRun, .browseRunPoint, .browseRunSamples, .browseComparison:
      return try await browseAnswer(call)
    case .live, .liveStream, .liveFrame, .liveCapture: return try await liveAnswer(call)
    }
  }

  /// The review that a request names, or the one that the server was started with.
  ///
  /// - Throws: ``RequestRefusal/notFound(_:)`` for an unknown one, and for a server that only browses.
  func backend(_ call: RouteCall) async throws -> any ReviewBackend {
    if let reviews, let name = call.query["review"] {
      if let open = reviews.openBackend(named: name) { return open }
      return try await requestPool.run(for: call.client) { try reviews.backend(named: name) }
    }
    guard let review else {
      throw RequestRefusal.notFound("no review is open here; assay review VIEW starts one")
    }
    return review
  }

  /// The session, with the data that the page needs first; `review` is `null` without one, and then
  /// `missing` is the name that there is no review of.
  private func sessionReply(_ call: RouteCall) async throws -> HTTPReply {
    let session = try signedIn(call)
    return try await deskAnswer(call) { [reviews, review, startReview, segments] in
      let wanted = reviews == nil ? nil : call.query["review"] ?? startReview
      var missing: String?
      var backend: (any ReviewBackend)? = review
      if let reviews, let wanted {
        do {
          backend = try reviews.backend(named: wanted)
        } catch let refusal as RequestRefusal where refusal.status == 404 {
          (backend, missing) = (nil, wanted)
        }
      }
      let found =
        try backend?.session(of: session) ?? [
          "ledger": .string(session.ledger), "author": .string(session.author), "review": .null,
          "missing": JSONValue(missing),
        ]
      let segmenter = JSONValue.Member("segmenter", JSONValue(segments?.engine.name))
      guard let reviews else { return .object((found.members ?? []) + [segmenter]) }
      return .object(
        (found.members ?? []) + [segmenter, .init("queues", try reviews.list())])
    }
  }

  /// Returns an answer that is made on a thread of `requestPool`, including its text: encoding a
  /// long one takes as long as fetching its values.
  func deskAnswer(
    _ call: RouteCall, _ json: @escaping @Sendable () throws -> JSONValue
  ) async throws -> HTTPReply {
    try await requestPool.run(for: call.client) { HTTPReply(json: try json()) }
  }

  private func fileAnswer(_ file: EditorFile, _ call: RouteCall) -> HTTPReply {
    let caching = [(HTTPField.Name.eTag, file.tag), (.cacheControl, "private, no-cache")]
    if heldTags(call).contains(file.tag) { return HTTPReply(status: 304, caching) }
    return HTTPReply(status: 200, caching + [(.contentType, file.type)], body: file.bytes)
  }

  /// The queue with the signed address of each item's thumbnail.
  private func withThumbnails(
    _ queue: JSONValue, for session: ReviewSession, review: String?
  ) -> JSONValue {
    guard case .object(var members) = queue,
      let place = members.firstIndex(where: { $0.name == "items" }),
      let items = members[place].value.elements
    else { return queue }
    members[place].value = .array(
      items.map { item in
        guard case .object(let own) = item, case .integer(let id)? = item["sample"] else {
          return item
        }
        let address = sessionIssuer.signed("/api/samples/\(id)/thumbnail", for: session)
        let name = review.flatMap {
          $0.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
        }
        return .object(
          own + [.init("thumbnail", .string(address + (name.map { "&review=\($0)" } ?? "")))])
      })
    return .object(members)
  }

  /// Hands the next unfinished sample to the person.
  private func next(_ call: RouteCall) async throws -> HTTPReply {
    let session = try signedIn(call)
    guard case .integer(let from)? = try JSONBody.object(call.body)["from"],
      (-1...Int64(Int32.max)).contains(from)
    else {
      throw RequestRefusal.badRequest(
        code: "badFrom", "from must be a position of the queue, or -1 for its start")
    }
    let backend = try await backend(call)
    return try await deskAnswer(call) {
      try backend.next(after: Int(from), for: session)
    }
  }

  /// Exchanges a link's token for a session.
  private func signIn(_ call: RouteCall) async throws -> HTTPReply {
    let body = try JSONBody.object(call.body)
    guard let token = body["token"]?.text else { throw RequestRefusal.token }
    let session = try await requestPool.run(for: call.client) { [sessionIssuer] in
      try sessionIssuer.exchange(token: token)
    }
    guard let session else { throw RequestRefusal.token }
    return HTTPReply(
      json: [
        "session": .string(sessionIssuer.token(of: session)), "ledger": .string(session.ledger),
        "author": .string(session.author), "expires": .integer(session.expires),
      ])
  }

  private func picture(_ call: RouteCall, as use: PictureUse) async throws -> HTTPReply {
    let id = try sampleID(call)
    let held = heldTags(call)
    let backend = try await backend(call)
    return pictureAnswer(
      try await pictures.run(for: call.client) {
        try backend.picture(of: id, as: use, unless: held)
      })
  }

  func pictureAnswer(_ reply: PictureReply) -> HTTPReply {
    switch reply {
    case .unchanged(let tag):
      HTTPReply(status: 304, [(.eTag, tag), (.cacheControl, "private, no-cache")])
    case .picture(let picture):
      HTTPReply(
        status: 200,
        [
          (.eTag, picture.tag), (.cacheControl, "private, no-cache"), (.contentType, picture.type),
        ], body: picture.bytes)
    }
  }

  private func save(_ call: RouteCall) async throws -> HTTPReply {
    let session = try signedIn(call)
    let id = try sampleID(call)
    let match = call.fields[.ifMatch]
    let wantsState = call.query["state"] == "1"
    let backend = try await backend(call)
    return try await requestPool.run(for: call.client) { [tally] in
      let body = try JSONBody.object(call.body, valueLimit: SaveRequest.valueLimit)
      let request = try SaveRequest(body: body, size: call.body.count, match: match)
      guard request.ledger == backend.ledger else {
        throw RequestRefusal.conflict(
          code: "otherLedger",
          "this change was made for another ledger and was not saved; open that ledger's link")
      }
      guard request.author == session.author else {
        throw RequestRefusal.conflict(
          code: "otherAuthor",
          """
          this change was made by \(request.author), and you are signed in as \(session.author); sign in as \
          \(request.author) to send it
          """)
      }
      let reply = try backend.save(
        request, to: id, wantsState: wantsState || request.kind.needsState)
      tally.count(reply)
      return HTTPReply(
        status: reply.isConflict ? 409 : reply.isRepeat ? 200 : 201, json: reply.json)
    }
  }

  func signedIn(_ call: RouteCall) throws(RequestRefusal) -> ReviewSession {
    guard let session = call.session else { throw .signedOut }
    return session
  }

  func sampleID(_ call: RouteCall) throws(RequestRefusal) -> Int64 {
    guard let text = call.values.first, let id = Int64(text), id > 0, String(id) == text else {
      throw .notFound("unknown sample")
    }
    return id
  }

  func number(
    _ name: String, _ call: RouteCall, in range: ClosedRange<Int>, else standard: Int
  ) throws(RequestRefusal) -> Int {
    guard let text = call.query[name] else { return standard }
    guard let number = Int(text), range.contains(number) else {
      throw .badRequest(
        code: "badQuery", "\(name) must be in \(range.lowerBound)...\(range.upperBound)")
    }
    return number
  }

  /// Returns the tags of the browser's copies, weak or not.
  func heldTags(_ call: RouteCall) -> [String] {
    (call.fields[.ifNoneMatch] ?? "").split(separator: ",").prefix(16).map { tag in
      let plain = tag.filter { $0 != " " }
      return plain.hasPrefix("W/") ? String(plain.dropFirst(2)) : plain
    }
  }
}
