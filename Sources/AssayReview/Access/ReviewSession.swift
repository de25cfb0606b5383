import AssayCore

/// The author and lifetime stored in a session token.
///
/// The page keeps the token in its origin's storage and sends it in a header. A cookie is not
/// suitable: browsers send the cookies of 127.0.0.1 to every port, so any other server on this
/// host could read them.
struct ReviewSession: Hashable, Sendable {
  /// The lifetime of a session in seconds: 30 days.
  static let lifetime: Int64 = 30 * 86_400
  /// The header that carries the token.
  static let header = "Assay-Session"

  var author: String
  /// The uuid of the ledger.
  var ledger: String
  /// The expiration time in seconds since 1970.
  var expires: Int64
  /// 32 hexadecimal digits that distinguish the sessions of one author.
  var id: String

  var json: JSONValue {
    [
      "author": .string(author), "expires": .integer(expires), "id": .string(id),
      "ledger": .string(ledger),
    ]
  }

  /// - Parameter id: a random id by default.
  init(author: String, ledger: String, expires: Int64, id: String = Hexadecimal.random(bytes: 16)) {
    self.author = author
    self.ledger = ledger
    self.expires = expires
    self.id = id
  }

  /// - Returns: `nil` if members are missing.
  init?(json: JSONValue) {
    guard let author = json["author"]?.text, let ledger = json["ledger"]?.text,
      case .integer(let expires)? = json["expires"], let id = json["id"]?.text
    else { return nil }
    self.init(author: author, ledger: ledger, expires: expires, id: id)
  }
}
