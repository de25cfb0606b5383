/// The host names accepted by the server.
///
/// A website can make its own name resolve to 127.0.0.1 (DNS rebinding), and its requests are
/// then same-origin; but the browser still sends the site's name as `Host`, and that name is
/// not in the list.
struct HostList: Sendable, Hashable {
  /// The server's port.
  let port: Int
  /// The names in lower case, with the port unless it is the scheme's default.
  let names: Set<String>
  /// The names for which a tunnel or a proxy can use https.
  private let tunnelled: Set<String>

  /// - Parameters:
  ///   - addresses: further addresses at which the server listens, without a port.
  ///   - allowed: `--allow-host`, `NAME` or `NAME:PORT`.
  /// - Throws: ``ReviewServerError/badHost(_:)``.
  init(port: Int, addresses: [String] = [], allowed: [String] = []) throws(ReviewServerError) {
    var names: Set<String> = []
    for host in ["127.0.0.1", "localhost", "::1"] + addresses {
      let name = host.contains(":") ? "[\(host.lowercased())]" : host.lowercased()
      names.insert("\(name):\(port)")
      if port == 80 { names.insert(name) }
    }
    var tunnelled: Set<String> = []
    for host in allowed {
      let (name, ownPort) = try Self.parts(host)
      tunnelled.insert(ownPort.map { "\(name):\($0)" } ?? name)
      if ownPort == nil { tunnelled.insert("\(name):\(port)") }
    }
    self.port = port
    self.names = names.union(tunnelled)
    self.tunnelled = tunnelled
  }

  /// Returns whether a `Host` header names this server.
  func allows(host: String?) -> Bool {
    guard let host else { return false }
    return names.contains(host.lowercased())
  }

  /// Returns whether an `Origin` header is that of the page under this host.
  func allows(origin: String, host: String) -> Bool {
    let host = host.lowercased()
    let origin = origin.lowercased()
    return origin == "http://\(host)"
      || tunnelled.contains(host) && origin == "https://\(host)"
  }

  private static func parts(_ text: String) throws(ReviewServerError) -> (String, Int?) {
    let lower = text.lowercased()
    var name = lower[...]
    var port: Int?
    if let colon = lower.lastIndex(of: ":"), !lower.hasSuffix("]") {
      guard let number = Int(lower[lower.index(after: colon)...]), (1...65_535).contains(number)
      else { throw .badHost(text) }
      name = lower[..<colon]
      port = number
    }
    let isAddress = name.hasPrefix("[") && name.hasSuffix("]")
    let isPlain = name.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
        || isAddress && [UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ":")].contains(byte)
    }
    guard !name.isEmpty, name.utf8.count <= 253, isPlain else { throw .badHost(text) }
    return (String(name), port)
  }
}
