/// A request to a server whose answer goes into a file.
package struct Transfer: Sendable {
  /// The address, with everything escaped that must be.
  package var url: String
  /// True to ask for the headers only.
  package var isHead = false
  package var headers: [(name: String, value: String)] = []
  /// The file for the body.
  package var target: String
  /// The number of bytes that the file has already; the server is asked for the rest.
  package var offset = 0
  /// True if the body of an error is not wanted.
  package var discardsErrors = false
  package var followsRedirects = false
  /// True if a redirect may lead to plain http.
  package var allowsPlainHTTP = false

  package init(url: String, target: String) {
    self.url = url
    self.target = target
  }
}

/// The answer to a request.
package struct TransferResult: Sendable {
  /// The status of HTTP; 0 without an answer.
  package var status = 0
  /// The result of curl: 0 for success.
  package var code = 0
  /// The reason of curl.
  package var message = ""
  /// The address after redirects.
  package var url = ""
  /// The headers of the last answer, the names in lower case.
  package var headers: [String: String] = [:]

  package init() {}

  /// True if another attempt can have another result.
  var isTransient: Bool {
    if [408, 425, 429, 500, 502, 503, 504, 509].contains(status) { return true }
    // Resolving, connecting, an end in the middle, a time-out, TLS, an empty answer, sending and receiving, HTTP/2.
    return [5, 6, 7, 16, 18, 28, 35, 52, 55, 56, 92, 95].contains(code)
  }

  /// The answer's failure in words.
  var reason: String {
    if status >= 400 { return "the server answered \(status)" }
    return message.isEmpty ? "curl ended with \(code)" : message
  }
}

/// Something that does requests.
package protocol RemoteClient: Sendable {
  /// Does requests, several at a time, and returns their answers in their order.
  ///
  /// - Parameters:
  ///   - limit: the size in bytes that no answer may exceed.
  ///   - certificates: the file with the certificates to trust; `nil` for the system's.
  ///   - check: called again and again; an error that it throws ends the requests.
  /// - Throws: ``RemoteError``; what `check` throws.
  func run(
    _ transfers: [Transfer], limit: Int, certificates: String?,
    check: @Sendable () throws -> Void
  ) throws -> [TransferResult]
}
