import AssayCore
import HTTPTypes
import HummingbirdCore

/// An answer as a value, before it is converted to an HTTP response.
struct HTTPReply: Sendable {
  var status: Int
  /// The headers without those of ``ReplyHeaders/always`` and the length.
  private var own: [HTTPField]
  var body: [UInt8]

  init(status: Int, _ fields: [(HTTPField.Name, String)] = [], body: [UInt8] = []) {
    self.status = status
    own = fields.map { HTTPField(name: $0.0, value: $0.1) }
    self.body = body
  }

  init(status: Int = 200, json: JSONValue) {
    self.init(
      status: status,
      [(.contentType, "application/json; charset=utf-8"), (.cacheControl, "no-store")],
      body: Array(json.text().utf8))
  }

  init(_ refusal: RequestRefusal) {
    self.init(status: refusal.status, json: refusal.json)
    if case .badMethod(let allowed) = refusal {
      set(.allow, allowed.joined(separator: ", "))
    }
    if refusal.status == 503 { set(.retryAfter, "1") }
    // The rest of a refused body is not read.
    switch refusal {
    case .tooLarge, .badType: set(.connection, "close")
    default: break
    }
  }

  /// The refusal of a host, as a page that says what to do.
  init(_ advice: HostAdvice) {
    self.init(
      status: RequestRefusal.host.status,
      [(.contentType, "text/html; charset=utf-8"), (.cacheControl, "no-store")],
      body: Array(advice.html.utf8))
  }

  /// Sets a header, and replaces one of the same name.
  mutating func set(_ name: HTTPField.Name, _ value: String) {
    own.removeAll { $0.name == name }
    own.append(HTTPField(name: name, value: value))
  }

  /// All headers, the common ones first.
  var fields: [HTTPField] { ReplyHeaders.always + own }
}

/// The headers of every answer, including errors.
enum ReplyHeaders {
  /// They allow only content from this server; other sites cannot show it in a frame or read it,
  /// and browsers must not guess a type. There is no CORS header, so other sites can read nothing.
  static let always: [HTTPField] = [
    ("Content-Security-Policy", policy),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("X-Frame-Options", "DENY"),
  ].compactMap { name, value in
    HTTPField.Name(name).map { HTTPField(name: $0, value: value) }
  }

  static let policy = """
    default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
    worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'
    """
}
