import Hummingbird
import HTTPTypes

/// The headers that every answer has, errors too.
enum ReplyHeaders {
  /// Nothing is allowed but what comes from this server itself; nobody may show it in a frame, read it
  /// from another site, or guess a type. There is no CORS header, so that other sites read nothing.
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
