import AssayCore

/// The Content-Security-Policy of a page that may run its own style and script and nothing else.
struct ContentPolicy: Sendable {
  /// The exact text between the style tags.
  let style: String
  /// The exact text between the script tags.
  let script: String

  /// The policy as the meta tag's content.
  var text: String {
    "default-src 'none'; img-src data:; style-src '\(Self.source(style))'; "
      + "script-src '\(Self.source(script))'; base-uri 'none'; form-action 'none'"
  }

  /// `sha256-` and the digest in Base64.
  static func source(_ text: String) -> String {
    var hash = ContentHash()
    hash.update(text)
    return "sha256-" + Base64.text(of: hash.digest())
  }
}
