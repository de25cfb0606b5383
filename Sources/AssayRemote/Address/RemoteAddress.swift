import AssayCore

/// The address of a source that is not local: `s3://bucket/prefix` or `https://host/path`.
///
/// An address never contains a secret: user names, passwords and queries are refused, because the catalog keeps the
/// address.
package struct RemoteAddress: Hashable, Sendable {
  package enum Service: Hashable, Sendable {
    case s3(bucket: String)
    /// Scheme and authority of a web server: `https://host:8443`.
    case web(origin: String)
  }

  package var service: Service
  /// The key or path without slashes at its ends, decoded; empty for the bucket or the top of the server.
  package var path: String
  /// True if the address ends with a slash, so that it is a folder.
  package var isFolder: Bool

  package init(service: Service, path: String, isFolder: Bool) {
    self.service = service
    self.path = path
    self.isFolder = isFolder
  }

  /// Returns whether a text is meant as an address, valid or not.
  package static func isAddress(_ text: some StringProtocol) -> Bool { scheme(of: text) != nil }

  private static let schemes = ["s3", "https", "http"]

  private static func scheme(of text: some StringProtocol) -> String? {
    let lower = text.prefix(8).lowercased()
    return schemes.first { lower.hasPrefix($0 + "://") }
  }

  /// The greatest length of an address in bytes.
  static let lengthLimit = 4_096

  /// - Throws: ``RemoteError/badAddress(_:reason:)``.
  package init(_ text: String) throws(RemoteError) {
    func bad(_ reason: String) -> RemoteError { .badAddress(Self.shown(text), reason: reason) }
    guard let scheme = Self.scheme(of: text) else {
      throw bad("it starts with none of s3://, https:// and http://")
    }
    guard text.utf8.count <= Self.lengthLimit else { throw bad("it is too long") }
    guard !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
      throw bad("it has control characters")
    }
    let rest = text.dropFirst(scheme.count + 3)
    let host = rest.prefix { $0 != "/" }
    let tail = rest.dropFirst(host.count)
    guard !host.isEmpty else {
      throw bad(scheme == "s3" ? "it names no bucket" : "it names no server")
    }
    var path = String(tail)
    if scheme == "s3" {
      guard !host.contains("@") else {
        throw bad(
          "it contains keys, which the catalog would keep; put them into the environment (AWS_ACCESS_KEY_ID, "
            + "AWS_SECRET_ACCESS_KEY) or a profile (aws configure)")
      }
      guard Self.isBucket(host) else {
        throw bad(
          "“\(host)” is not the name of a bucket (3 to 63 letters, digits, “.”, “_” and “-”)")
      }
      service = .s3(bucket: String(host))
    } else {
      guard !host.contains("@") else {
        throw bad(
          "it contains a user name or password, which the catalog would keep; put them into ~/.netrc"
        )
      }
      guard !path.contains("?"), !path.contains("#"), !host.contains("?"), !host.contains("#")
      else {
        throw bad(
          "it has a query or fragment (? or #), which can be a secret that the catalog would keep; download the "
            + "file, or give an address without it")
      }
      guard Self.isAuthority(host) else { throw bad("“\(host)” is not the name of a server") }
      let origin = "\(scheme)://\(host.lowercased())"
      if scheme == "http", !Self.isLocal(host) {
        throw bad("http is read from this machine only (localhost); use https")
      }
      guard let decoded = PercentEncoding.decoded(path) else {
        throw bad("it has an incomplete or invalid percent escape")
      }
      guard !decoded.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
        throw bad("it has control characters")
      }
      path = decoded
      service = .web(origin: origin)
    }
    isFolder = path.isEmpty || path.hasSuffix("/")
    while path.hasPrefix("/") { path.removeFirst() }
    while path.hasSuffix("/") { path.removeLast() }
    let names = path.split(separator: "/", omittingEmptySubsequences: false)
    guard path.isEmpty || !names.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }) else {
      throw bad("a part of it is empty, “.” or “..”")
    }
    self.path = path
  }

  /// An address for a message, without what precedes an `@` or follows a `?`; names of S3 have any characters.
  private static func shown(_ text: String) -> String {
    var shown =
      scheme(of: text) == "s3" ? text : String(text.prefix { $0 != "?" && $0 != "#" })
    if let start = shown.firstRange(of: "://")?.upperBound,
      let at = shown[start...].prefix(while: { $0 != "/" }).lastIndex(of: "@")
    {
      shown.replaceSubrange(start...at, with: "…@")
    }
    return shown
  }

  private static func isBucket(_ name: Substring) -> Bool {
    (3...63).contains(name.utf8.count)
      && name.utf8.allSatisfy { $0.isLetterOrDigit || "._-".utf8.contains($0) }
      && !name.hasPrefix(".") && !name.hasSuffix(".") && !name.contains("..")
  }

  private static func isAuthority(_ host: Substring) -> Bool {
    var name = host
    if name.hasPrefix("[") {
      guard let end = name.firstIndex(of: "]") else { return false }
      let inner = name[name.index(after: name.startIndex)..<end]
      guard !inner.isEmpty,
        inner.utf8.allSatisfy({
          $0.isHexadecimal || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".")
        })
      else { return false }
      name = name[name.index(after: end)...]
      guard name.isEmpty || name.hasPrefix(":") else { return false }
      return name.isEmpty || isPort(name.dropFirst())
    }
    let parts = name.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count <= 2, !parts[0].isEmpty,
      parts[0].utf8.allSatisfy({ $0.isLetterOrDigit || "._-".utf8.contains($0) })
    else { return false }
    return parts.count == 1 || isPort(parts[1])
  }

  private static func isPort(_ text: Substring) -> Bool {
    guard !text.isEmpty, text.utf8.allSatisfy({ $0.isDigit }) else { return false }
    return UInt16(text) != nil
  }

  private static func isLocal(_ host: Substring) -> Bool {
    if host.hasPrefix("[::1]") { return true }
    let name = host.prefix { $0 != ":" }.lowercased()
    guard name != "localhost" else { return true }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  /// The last component, for names of datasets.
  package var name: String {
    if let last = path.split(separator: "/").last { return String(last) }
    switch service {
    case .s3(let bucket): return bucket
    case .web(let origin):
      return String(origin.split(separator: "/").last?.prefix { $0 != ":" } ?? "web")
    }
  }

  /// The address as the catalog keeps it.
  package var text: String {
    let tail = path.isEmpty ? "" : "/" + (isWeb ? PercentEncoding.encodedPath(path) : path)
    return switch service {
    case .s3(let bucket): "s3://\(bucket)\(tail)"
    case .web(let origin): origin + tail + (isFolder ? "/" : "")
    }
  }

  var isWeb: Bool { if case .web = service { true } else { false } }

  /// True if nothing but this machine is asked for a web page.
  var isPlainHTTP: Bool {
    if case .web(let origin) = service { origin.hasPrefix("http://") } else { false }
  }

  /// The address of the folder that contains this one; `nil` at the top.
  package var parent: RemoteAddress? {
    guard !path.isEmpty else { return nil }
    let names = path.split(separator: "/")
    return RemoteAddress(
      service: service, path: names.dropLast().joined(separator: "/"), isFolder: true)
  }

  /// The address of something in this folder.
  func appending(_ inner: String, isFolder: Bool = false) -> RemoteAddress {
    RemoteAddress(
      service: service, path: path.isEmpty ? inner : path + "/" + inner, isFolder: isFolder)
  }

  /// The address of an archive and the path in it: `s3://b/data.zip/set` is `set` in `s3://b/data.zip`.
  package var parts: (address: RemoteAddress, inner: String) {
    let names = path.split(separator: "/")
    let suffixes = [".zip", ".tar", ".tar.gz", ".tgz"]
    guard
      let place = names.dropLast().firstIndex(where: { name in
        let lower = name.lowercased()
        return suffixes.contains { lower.hasSuffix($0) }
      })
    else { return (self, "") }
    let archive = RemoteAddress(
      service: service, path: names[...place].joined(separator: "/"), isFolder: false)
    return (archive, names[(place + 1)...].joined(separator: "/"))
  }
}

extension UInt8 {
  var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
  var isHexadecimal: Bool {
    isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self | 0x20)
  }
  var isLetterOrDigit: Bool {
    isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
  }
}
