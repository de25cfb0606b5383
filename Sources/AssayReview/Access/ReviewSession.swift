import AssayCore

/// Who a request comes from, as its cookie says.
struct ReviewSession: Hashable, Sendable {
  /// How long a cookie holds, in seconds: 30 days.
  static let lifetime: Int64 = 30 * 86_400

  var author: String
  /// The ledger's uuid.
  var ledger: String
  /// In seconds since 1970.
  var expires: Int64

  /// The cookie's name. It carries the ledger, for cookies do not tell ports apart.
  static func cookieName(ledger: String) -> String { "assay_\(ledger)" }

  var json: JSONValue {
    ["author": .string(author), "expires": .integer(expires), "ledger": .string(ledger)]
  }

  init(author: String, ledger: String, expires: Int64) {
    self.author = author
    self.ledger = ledger
    self.expires = expires
  }

  /// - Returns: `nil` where members are missing.
  init?(json: JSONValue) {
    guard let author = json["author"]?.text, let ledger = json["ledger"]?.text,
      case .integer(let expires)? = json["expires"]
    else { return nil }
    self.init(author: author, ledger: ledger, expires: expires)
  }
}
