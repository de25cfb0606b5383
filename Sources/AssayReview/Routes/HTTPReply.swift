import AssayCore
import HTTPTypes

/// An answer as a value, before it becomes one of HTTP's.
struct Answer: Sendable {
  var status: Int
  /// Without those of ``ReplyHeaders/always`` and the length.
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

  init(_ refusal: Refusal) {
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

  /// Sets a header, in the place of one of the same name.
  mutating func set(_ name: HTTPField.Name, _ value: String) {
    own.removeAll { $0.name == name }
    own.append(HTTPField(name: name, value: value))
  }

  /// All headers, those that every answer has first.
  var fields: [HTTPField] { ReplyHeaders.always + own }
}
