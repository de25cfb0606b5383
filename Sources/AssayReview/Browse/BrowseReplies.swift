import AssayCore
import AssayWorkflows
import HTTPTypes

extension ReviewResponder {
  /// Answers the request of a route of the browse page.
  func browseAnswer(_ call: RouteCall) async throws -> HTTPReply {
    guard let browse else { throw RequestRefusal.notFound("unknown address") }
    switch call.route {
    case .browse:
      let session = try signedIn(call)
      return try await deskAnswer(call) { try browse.overview(of: session) }
    case .browseSamples:
      let session = try signedIn(call)
      let search = try search(call)
      let from = try number("from", call, in: 0...Int(Int32.max), else: 0)
      let limit = try number("limit", call, in: 1...BrowseService.pageLimit, else: 200)
      return try await deskAnswer(call) { [sessionIssuer] in
        try browse.samples(search, from: from, limit: limit) { id in
          sessionIssuer.signed("/api/browse/samples/\(id)/thumbnail", for: session)
        }
      }
    case .browseMarks:
      let ids = try ids(call)
      let side = try number("side", call, in: 16...4_096, else: 192)
      let runs = names("runs", call)
      let isCorrected = isCorrected(call)
      return try await pictures.run(for: call.client) {
        HTTPReply(
          json: try browse.marks(of: ids, runs: runs, side: side, isCorrected: isCorrected))
      }
    case .browseFacets:
      let search = try search(call)
      let runs = names("runs", call)
      let field = call.query["only"]
      return try await deskAnswer(call) { try browse.facets(search, runs: runs, only: field) }
    case .browseCompletion:
      let text = call.query["text"] ?? ""
      let place = try number("at", call, in: 0...Int(Int32.max), else: text.utf8.count)
      let (view, isCorrected) = (try view(call), isCorrected(call))
      return try await deskAnswer(call) {
        try browse.completion(of: text, at: place, in: view, isCorrected: isCorrected)
      }
    case .browseSample:
      let session = try signedIn(call)
      let id = try sampleID(call)
      let (runs, isCorrected) = (names("runs", call), isCorrected(call))
      return try await pictures.run(for: call.client) { [sessionIssuer] in
        HTTPReply(
          json: try browse.sample(id, runs: runs, isCorrected: isCorrected) {
            sessionIssuer.signed($0, for: session)
          })
      }
    case .browseImage: return try await browsePicture(call, browse, as: .whole)
    case .browseThumbnail: return try await browsePicture(call, browse, as: .thumbnail)
    case .browseSaveView:
      _ = try signedIn(call)
      return try await requestPool.run(for: call.client) {
        HTTPReply(status: 201, json: try browse.saveView(JSONBody.object(call.body)))
      }
    case .browseReview:
      _ = try signedIn(call)
      return try await requestPool.run(for: call.client) {
        HTTPReply(status: 201, json: try browse.makeReview(JSONBody.object(call.body)))
      }
    case .browseTag: return try await tag(call, browse)
    case .browseTable:
      let search = try search(call)
      return try await pictures.run(for: call.client) {
        HTTPReply(
          status: 200,
          [(.contentType, "text/csv; charset=utf-8"), (.cacheControl, "no-store")],
          body: try browse.table(search))
      }
    case .browseCommand:
      let search = try search(call)
      return try await deskAnswer(call) { try browse.command(search) }
    case .browseRun:
      let run = try run("run", call)
      return try await pictures.run(for: call.client) { HTTPReply(json: try browse.run(run)) }
    case .browseRunPoint:
      let (run, iou, score) = (
        try run("run", call), try share("iou", call), try share("score", call)
      )
      return try await deskAnswer(call) { try browse.point(of: run, iou: iou, score: score) }
    case .browseRunSamples:
      let (run, filter) = (try run("run", call), try filter(call))
      return try await pictures.run(for: call.client) {
        HTTPReply(json: try browse.samples(of: run, filter))
      }
    case .browseComparison:
      let (first, second) = (try run("a", call), try run("b", call))
      return try await pictures.run(for: call.client) {
        HTTPReply(json: try browse.comparison(of: first, second))
      }
    default: throw RequestRefusal.notFound("unknown address")
    }
  }

  /// Adds or removes a tag. Images may have to be read for their hashes, so saves of the editor do not wait for it.
  private func tag(_ call: RouteCall, _ browse: BrowseService) async throws -> HTTPReply {
    let session = try signedIn(call)
    return try await pictures.run(for: call.client) { [tally] in
      let request = try TagBody(JSONBody.object(call.body, valueLimit: TagBody.valueLimit))
      let reply = try browse.tag(request, by: session)
      tally.count(saved: reply.saved)
      return HTTPReply(status: reply.saved > 0 ? 201 : 200, json: reply.json)
    }
  }

  private func run(_ name: String, _ call: RouteCall) throws(RequestRefusal) -> String {
    guard let run = call.query[name], !run.isEmpty else {
      throw .badRequest(code: "badRun", "\(name) must name a run")
    }
    return run
  }

  /// A number in 0...1; `nil` if it is not given.
  private func share(_ name: String, _ call: RouteCall) throws(RequestRefusal) -> Double? {
    guard let text = call.query[name], !text.isEmpty else { return nil }
    guard let value = Double(text), (0...1).contains(value) else {
      throw .badRequest(code: "badQuery", "\(name) must be a number in 0…1")
    }
    return value
  }

  private func filter(_ call: RouteCall) throws(RequestRefusal) -> RunFilter {
    var filter = RunFilter()
    filter.truth = call.query["truth"]
    filter.predicted = call.query["predicted"]
    filter.category = call.query["class"]
    if let outcome = call.query["outcome"] {
      guard let known = RunFilter.Outcome(rawValue: outcome) else {
        throw .badRequest(code: "badQuery", "unknown outcome “\(outcome)”")
      }
      filter.outcome = known
    }
    filter.over = try share("over", call)
    filter.from = try share("from", call)
    filter.upTo = try share("to", call)
    filter.below = try share("below", call)
    filter.iou = try share("iou", call)
    filter.score = try share("score", call)
    return filter
  }

  private func browsePicture(
    _ call: RouteCall, _ browse: BrowseService, as use: PictureUse
  ) async throws -> HTTPReply {
    let id = try sampleID(call)
    let held = heldTags(call)
    return pictureAnswer(
      try await pictures.run(for: call.client) {
        try browse.picture(of: id, as: use, unless: held)
      })
  }

  private func view(_ call: RouteCall) throws(RequestRefusal) -> String {
    guard let view = call.query["view"], !view.isEmpty else {
      throw .badRequest(code: "badView", "view must name a dataset or a view")
    }
    return view
  }

  private func search(_ call: RouteCall) throws(RequestRefusal) -> SampleBrowser.Search {
    let order: SampleBrowser.Order
    switch call.query["sort"] ?? "" {
    case "": order = .dataset
    case "random":
      guard let seed = UInt64(call.query["seed"] ?? "0") else {
        throw .badRequest(code: "badQuery", "seed must be a whole number, 0 or more")
      }
      order = .random(seed: seed)
    case let field: order = .field(field, isDescending: call.query["descending"] == "1")
    }
    return SampleBrowser.Search(
      view: try view(call), expression: call.query["where"] ?? "", order: order,
      isCorrected: isCorrected(call))
  }

  /// Returns whether a request is about the corrected ground truth.
  private func isCorrected(_ call: RouteCall) -> Bool { call.query["corrected"] == "1" }

  /// The names of a list, which may contain escaped commas as parts of the address.
  private func names(_ name: String, _ call: RouteCall) -> [String] {
    (call.query[name] ?? "").split(separator: ",").prefix(16).map(String.init)
  }

  private func ids(_ call: RouteCall) throws(RequestRefusal) -> [Int64] {
    let parts = (call.query["ids"] ?? "").split(separator: ",")
    let ids = parts.compactMap { Int64($0) }
    guard ids.count == parts.count, ids.count <= BrowseService.marksLimit else {
      throw .badRequest(
        code: "badQuery", "ids must be at most \(BrowseService.marksLimit) numbers of samples")
    }
    return ids
  }
}
