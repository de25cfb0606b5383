import AssayCore

/// The author and lifetime that a session token states.
///
/// The page keeps the token in its origin's storage and sends it in a header. A cookie would not do: browsers
/// send the cookies of 127.0.0.1 to every port, so that any other server of this host could take them.
struct ReviewSession: Hashable, Sendable {
  /// The lifetime of a session in seconds: 30 days.
  static let lifetime: Int64 = 30 * 86_400
  /// The header that carries the token.
  static let header = "Assay-Session"

  var author: String
  /// The ledger's uuid.
  var ledger: String
  /// In seconds since 1970.
  var expires: Int64
  /// 32 hexadecimal digits: tells the sessions of one author apart.
  var id: String

  var json: JSONValue {
    [
      "author": .string(author), "expires": .integer(expires), "id": .string(id),
      "ledger": .string(ledger),
    ]
  }

  /// - Parameter id: a random one unless given.
  init(author: String, ledger: String, expires: Int64, id: String = Hexadecimal.random(bytes: 16)) {
    self.author = author
    self.ledger = ledger
    self.expires = expires
    self.id = id
  }

  /// - Returns: `nil` where members are missing.
  init?(json: JSONValue) {
    guard let author = json["author"]?.text, let ledger = json["ledger"]?.text,
      case .integer(let expires)? = json["expires"], let id = json["id"]?.text
    else { return nil }
    self.init(author: author, ledger: ledger, expires: expires, id: id)
  }
}
