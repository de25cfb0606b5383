import NIOHTTP1

/// What a request's head must look like before anything of it is believed: one server, and one reading of
/// where its body ends.
enum RequestHeadCheck {
  /// Why a head is refused; `nil` for a sound one.
  static func problem(_ head: HTTPRequestHead, limits: ConnectionLimits) -> Refusal? {
    let headers = head.headers
    if head.method == .CONNECT { return .badMethod(allowed: []) }
    guard head.version.major == 1, head.version.minor <= 1 else {
      return .malformed("this server speaks HTTP/1.1")
    }
    let target = head.uri.utf8
    if target.count > limits.target { return .targetTooLong }
    // Only the origin form: an absolute one would name a second host.
    guard target.first == UInt8(ascii: "/"), !target.starts(with: "//".utf8),
      target.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") })
    else { return .malformed("the target must be a path of this server") }
    if headers["Host"].count != 1 { return .malformed("a request has one Host header") }
    let lengths = headers["Content-Length"]
    let codings = headers["Transfer-Encoding"]
    if !codings.isEmpty {
      guard lengths.isEmpty, codings.count == 1, codings[0].lowercased() == "chunked" else {
        return .malformed("the length of the body is said in two ways")
      }
    } else if let length = lengths.first {
      guard lengths.count == 1, !length.isEmpty, length.utf8.count <= 15,
        length.utf8.allSatisfy({ (0x30...0x39).contains($0) })
      else { return .malformed("Content-Length is no number") }
    }
    return nil
  }

  /// What the parser's error means for the client.
  static func refusal(for error: any Error) -> Refusal {
    switch error as? HTTPParserError {
    case .headerOverflow: .headersTooLarge
    case .invalidEOFState, .closedConnection: .malformed("the request ends early")
    default: .malformed("this is no HTTP request")
    }
  }

  /// Whether the client wants the connection to end after this request.
  static func isLast(_ head: HTTPRequestHead) -> Bool {
    let words = head.headers[canonicalForm: "Connection"].map { $0.lowercased() }
    return words.contains("close") || head.version.minor == 0 && !words.contains("keep-alive")
  }
}
