import Foundation
import HTTPTypes

/// The routes of the server: method and pattern, `{…}` for a variable part.
///
/// The only list: the server matches requests against it, and the test of hostile
/// requests iterates over it.
enum ReviewRoute: String, CaseIterable, Sendable {
  case page = "GET /"
  case file = "GET /app/{name}"
  case icon = "GET /favicon.ico"
  case signIn = "POST /api/session"
  case session = "GET /api/session"
  case author = "POST /api/session/author"
  case queue = "GET /api/queue"
  case next = "POST /api/queue/next"
  case summary = "GET /api/queue/summary"
  case sample = "GET /api/samples/{id}"
  case image = "GET /api/samples/{id}/image"
  case thumbnail = "GET /api/samples/{id}/thumbnail"
  case map = "GET /api/samples/{id}/maps/{category}"
  case cutout = "POST /api/samples/{id}/cutout"
  case segment = "POST /api/samples/{id}/segment"
  case keyframe = "GET /api/samples/{id}/keyframe"
  case save = "POST /api/samples/{id}/corrections"
  case lease = "POST /api/samples/{id}/lease"
  case watch = "POST /api/watch"
  case status = "GET /api/status"
  case browse = "GET /api/browse"
  case browseSamples = "GET /api/browse/samples"
  case browseMarks = "GET /api/browse/marks"
  case browseFacets = "GET /api/browse/facets"
  case browseCompletion = "GET /api/browse/complete"
  case browseSample = "GET /api/browse/samples/{id}"
  case browseImage = "GET /api/browse/samples/{id}/image"
  case browseThumbnail = "GET /api/browse/samples/{id}/thumbnail"
  case browseSaveView = "POST /api/browse/views"
  case browseReview = "POST /api/browse/reviews"
  case browseTag = "POST /api/browse/tags"
  case browseTable = "GET /api/browse/csv"
  case browseCommand = "GET /api/browse/command"
  case browseRun = "GET /api/browse/run"
  case browseRunPoint = "GET /api/browse/run/point"
  case browseRunSamples = "GET /api/browse/run/samples"
  case browseComparison = "GET /api/browse/comparison"
  case live = "GET /api/live"
  case liveStream = "GET /api/live/stream"
  case liveFrame = "POST /api/live/frame"
  case liveCapture = "POST /api/live/capture"

  /// True if it is available to clients that are not signed in: the page itself, which has no data,
  /// and the files it needs to sign in.
  var isPublic: Bool {
    switch self {
    case .page, .file, .icon, .signIn: true
    case .session, .author, .queue, .next, .summary, .sample, .image, .thumbnail, .map, .cutout,
      .segment, .keyframe,
      .save, .lease, .watch, .status, .browse, .browseSamples, .browseMarks, .browseFacets,
      .browseCompletion,
      .browseSample, .browseImage, .browseThumbnail, .browseSaveView, .browseReview, .browseTag,
      .browseTable,
      .browseCommand, .browseRun, .browseRunPoint, .browseRunSamples, .browseComparison,
      .live, .liveStream, .liveFrame, .liveCapture:
      false
    }
  }

  /// True if a signed address can replace a session: an `<img>` sends no header.
  var takesSignature: Bool {
    [.image, .thumbnail, .browseImage, .browseThumbnail].contains(self)
  }

  /// The maximum size of the body in bytes; 0 for a route without a body.
  var bodyLimit: Int {
    switch self {
    case .signIn, .author, .next, .lease, .watch, .browseSaveView, .browseReview, .liveCapture:
      16 << 10
    case .liveFrame: LiveService.frameLimit
    case .save: SaveRequest.maskLimit
    case .cutout: CutoutRequest.limit
    case .segment: SegmentBody.limit
    case .browseTag: TagBody.limit
    case .page, .file, .icon, .session, .queue, .summary, .sample, .image, .thumbnail, .map,
      .keyframe,
      .status, .browse, .browseSamples, .browseMarks, .browseFacets, .browseCompletion,
      .browseSample,
      .browseImage, .browseThumbnail, .browseTable, .browseCommand, .browseRun, .browseRunPoint,
      .browseRunSamples, .browseComparison, .live, .liveStream:
      0
    }
  }

  /// True if the headers announce a body that the route takes: JSON, or a JPEG image of ``liveFrame``. Neither can be
  /// sent by a page of another site without a preflight request.
  func takes(_ headers: HTTPFields) -> Bool {
    guard self == .liveFrame else { return JSONBody.isAnnounced(headers) }
    return headers[.contentEncoding] == nil
      && headers[.contentType]?.lowercased() == "image/jpeg"
  }

  var method: String { String(rawValue.prefix { $0 != " " }) }

  /// The parts of the pattern: `""` alone for the page.
  var pattern: [Substring] {
    rawValue.drop { $0 != "/" }.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
  }
}

/// A parsed request target.
struct RequestTarget: Hashable, Sendable {
  /// The parts between the slashes, decoded once. A `..` is an ordinary name here: no part is used
  /// as a file path.
  var parts: [String]
  var query: [String: String]

  /// - Returns: `nil` for a target that is not a path, or has an invalid escape.
  init?(_ target: String) {
    let halves = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard let path = halves.first, path.hasPrefix("/") else { return nil }
    var parts: [String] = []
    for part in path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      guard let plain = String(part).removingPercentEncoding, !plain.utf8.contains(0) else {
        return nil
      }
      parts.append(plain)
    }
    self.parts = parts
    query = [:]
    guard halves.count == 2 else { return }
    for pair in halves[1].split(separator: "&") {
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      // A plus sign is a blank, as browsers' forms and URLSearchParams write it.
      let plain = sides.map { String($0).replacing("+", with: " ").removingPercentEncoding }
      guard let name = plain[0], let value = plain.count == 2 ? plain[1] : ""
      else { return nil }
      query[name] = value
    }
  }

  /// Returns the routes whose pattern matches this path, whatever their method,
  /// with the variable parts.
  func routes() -> [(route: ReviewRoute, values: [String])] {
    Self.patterns.compactMap { route, pattern in
      guard pattern.count == parts.count else { return nil }
      var values: [String] = []
      for (expected, part) in zip(pattern, parts) {
        if expected.hasPrefix("{") {
          values.append(part)
        } else if expected != part[...] {
          return nil
        }
      }
      return (route, values)
    }
  }

  private static let patterns = ReviewRoute.allCases.map { ($0, $0.pattern) }
}
