import Foundation

/// The addresses at which a server listens, and who can reach them.
struct ListenAddresses: Sendable, Hashable {
  /// The host as given with `--host`.
  let host: String
  let port: Int
  let allowed: [String]

  /// True if only this computer can reach it.
  var isLoopback: Bool {
    host == "::1" || host == "localhost"
      || host.hasPrefix("127.") && host.filter { $0 == "." }.count == 3
  }

  private var isEverywhere: Bool { host == "0.0.0.0" || host == "::" }

  /// The addresses by which it can be reached, besides the loopback addresses.
  var addresses: [String] { isEverywhere ? Self.ownAddresses() : isLoopback ? [] : [host] }

  /// True if the host is an address or a name of this computer.
  var isHere: Bool {
    if isLoopback || isEverywhere { return true }
    let own = Set(Self.ownAddresses(includingLinkLocal: true))
    return own.contains(host) || Self.resolved(host).contains { own.contains($0) }
  }

  /// The address of the link: `http://127.0.0.1:31337`.
  var base: String {
    let name = isEverywhere ? "127.0.0.1" : host.contains(":") ? "[\(host)]" : host
    return "http://\(name):\(port)"
  }

  /// A warning about what other computers can see and what to do instead; `nil` if only this
  /// computer can reach the server.
  var warning: String? {
    guard !isLoopback else {
      guard !allowed.isEmpty else { return nil }
      return """
        also accepts requests for \(allowed.joined(separator: ", ")): anyone who can reach that \
        name can load the empty page, and, with a link, this review's images and corrections
        """
    }
    let others = isEverywhere ? addresses.map { $0.contains(":") ? "[\($0)]" : $0 } : []
    let reached =
      others.isEmpty
      ? "" : " (" + others.map { "http://\($0):\(port)" }.joined(separator: ", ") + ")"
    return """
      listens on \(host), port \(port)\(reached): every computer that can reach this one can load \
      the empty page, and, with a link, this review's images, labels, names and corrections. It is \
      plain HTTP: anyone on the network path can read and change all of it, including the sign-in. \
      Safer: omit --host and use \
      ssh -L \(port):127.0.0.1:\(port) THIS-COMPUTER
      """
  }

  /// Returns the addresses of a name; an empty list if it cannot be resolved.
  private static func resolved(_ name: String) -> [String] {
    var list: UnsafeMutablePointer<addrinfo>?
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    guard getaddrinfo(name, nil, &hints, &list) == 0 else { return [] }
    defer { freeaddrinfo(list) }
    var addresses: [String] = []
    var next = list
    while let entry = next {
      next = entry.pointee.ai_next
      if let address = entry.pointee.ai_addr {
        addresses += text(of: address, length: entry.pointee.ai_addrlen).map { [$0] } ?? []
      }
    }
    return addresses
  }

  /// Returns the numeric form of an address; `nil` if it has none.
  private static func text(
    of address: UnsafeMutablePointer<sockaddr>, length: socklen_t
  ) -> String? {
    var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    guard
      getnameinfo(address, length, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
    else { return nil }
    return String(
      decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Returns the addresses of this computer's interfaces, without loopback addresses and, unless
  /// requested, without link-local ones.
  private static func ownAddresses(includingLinkLocal: Bool = false) -> [String] {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return [] }
    defer { freeifaddrs(list) }
    var addresses: [String] = []
    var next = list
    while let entry = next {
      next = entry.pointee.ifa_next
      guard let address = entry.pointee.ifa_addr else { continue }
      let family = Int32(address.pointee.sa_family)
      guard family == AF_INET || family == AF_INET6 else { continue }
      let length =
        family == AF_INET ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
      guard let name = text(of: address, length: socklen_t(length)) else { continue }
      guard !name.hasPrefix("127."), name != "::1" else { continue }
      if includingLinkLocal || !name.contains("%") { addresses.append(name) }
    }
    return addresses
  }
}
