import AssayCore
import AssayStore

/// The reason why a request is refused, by its route or earlier.
enum RequestRefusal: Error, Hashable, Sendable {
  case malformed(String)
  case targetTooLong
  case headersTooLarge
  /// A `Host` that is not one of this server's names.
  case host
  /// An `Origin` or `Sec-Fetch-Site` of another page.
  case origin
  /// No session, or an invalid one.
  case signedOut
  /// A session of another ledger.
  case otherLedger
  /// A token that is forged, expired or used.
  case token
  case notFound(String)
  /// A method that the path does not support; the value lists those it supports.
  case badMethod(allowed: [String])
  /// A body larger than this number of bytes.
  case tooLarge(limit: Int)
  case badType
  case badJSON(String)
  /// A body that is valid JSON but has invalid content; the code is for programs.
  case badRequest(code: String, String)
  /// An expression of the view language that is not valid.
  case expression(ExpressionError)
  /// A save without `If-Match`.
  case noParent
  /// A conflict with the existing data.
  case conflict(code: String, String)
  /// Too many requests are waiting.
  case busy
  /// Nothing was saved, through no fault of the client; it tries again.
  case unsaved(code: String, String)
  /// An error in the server, with a text that can be shown.
  case failed(code: String, String)
}

extension RequestRefusal {
  /// The HTTP status.
  var status: Int {
    switch self {
    case .malformed, .badJSON, .expression: 400
    case .targetTooLong: 414
    case .headersTooLarge: 431
    case .host, .origin: 403
    case .signedOut, .token: 401
    case .notFound: 404
    case .badMethod: 405
    case .tooLarge: 413
    case .badType: 415
    case .badRequest: 422
    case .noParent: 428
    case .conflict, .otherLedger: 409
    case .busy, .unsaved: 503
    case .failed: 500
    }
  }

  /// A code for programs.
  var code: String {
    switch self {
    case .malformed: "malformed"
    case .targetTooLong: "targetTooLong"
    case .headersTooLarge: "headersTooLarge"
    case .host: "host"
    case .origin: "origin"
    case .signedOut: "signedOut"
    case .otherLedger: "otherLedger"
    case .token: "token"
    case .notFound: "notFound"
    case .badMethod: "badMethod"
    case .tooLarge: "tooLarge"
    case .badType: "badType"
    case .badJSON: "badJSON"
    case .badRequest(let code, _), .conflict(let code, _), .failed(let code, _),
      .unsaved(let code, _):
      code
    case .expression: "badExpression"
    case .noParent: "noParent"
    case .busy: "busy"
    }
  }

  /// The error and the next step.
  var message: String {
    switch self {
    case .malformed(let what): "the request cannot be read: \(what)"
    case .targetTooLong: "the address is too long"
    case .headersTooLarge: "the request's headers are too large; clear this site's cookies"
    case .host:
      """
      unknown host name; open the link exactly as printed, or start the server with \
      --allow-host NAME
      """
    case .origin: "requests from other pages are refused"
    case .signedOut:
      "not signed in or the session has expired; nothing is lost: open a new link (assay review link --author NAME)"
    case .otherLedger:
      "this browser is signed in to another ledger, whose server no longer runs at this address"
    case .token:
      """
      this link has already been used, has expired, or belongs to another ledger; ask for a new \
      one (assay review link --author NAME)
      """
    case .notFound(let what): what
    case .badMethod(let allowed):
      "method not allowed"
        + (allowed.isEmpty ? "" : "; use \(allowed.joined(separator: ", "))")
    case .tooLarge(let limit):
      "the body is larger than \(limit >> 20 > 0 ? "\(limit >> 20) MB" : "\(limit) bytes")"
    case .badType: "the body must be application/json, and not compressed"
    case .badJSON(let what): "the body is not valid JSON: \(what)"
    case .badRequest(_, let what), .conflict(_, let what), .failed(_, let what),
      .unsaved(_, let what):
      what
    case .expression(let error): error.sentence
    case .noParent:
      "a save needs If-Match: the sequence of the previous entry in quotes, \"none\", or a uuid"
    case .busy: "the server is busy; try again in a moment"
    }
  }

  /// The members `error`, `message`, and, if the client has to sign in, `next`.
  var json: JSONValue {
    var members: [JSONValue.Member] = [
      .init("error", .string(code)), .init("message", .string(message)),
    ]
    if status == 401 {
      members.append(.init("next", .string("assay review link --author NAME")))
    }
    if case .expression(let error) = self {
      members.append(
        .init("offset", JSONValue(BrowseService.bytes(before: error.offset, in: error.source))))
      members.append(.init("expression", .string(error.source)))
    }
    return .object(members)
  }
}

extension RequestRefusal {
  /// Maps an error of the layers below to a reply. Its text includes the next step.
  init(_ error: any Error) {
    self = error as? RequestRefusal ?? .failed(code: "failed", "\(error)")
  }
}
