import AssayCore
import Foundation
import Synchronization

/// Everything a process needs to read remote sources: the client, the S3 account, the cache and the progress report.
package final class RemoteSession: Sendable {
  let client: any RemoteClient
  package let cache: RemoteCache
  private let account: Result<S3Account, RemoteError>
  private let region: Mutex<String?>
  private let trouble = Mutex<RemoteError?>(nil)
  /// Called again and again while a request runs; an error that it throws ends it.
  let check: @Sendable () throws -> Void
  private let reporting: @Sendable (String) -> Void
  /// The seconds since 1970.
  private let now: @Sendable () -> Int
  /// The number of attempts at a request, and the pause after the first one in seconds.
  let attempts: Int
  let pause: Double

  package init(
    client: any RemoteClient, cache: RemoteCache, account: Result<S3Account, RemoteError>,
    attempts: Int = 4, pause: Double = 0.5,
    now: @escaping @Sendable () -> Int = { Int(Date().timeIntervalSince1970) },
    check: @escaping @Sendable () throws -> Void = {},
    report: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.client = client
    self.cache = cache
    self.account = account
    self.attempts = attempts
    self.pause = pause
    self.now = now
    self.check = check
    reporting = report
    region = Mutex(nil)
  }

  /// Remembers the first failure that is not about one file.
  func note(_ error: RemoteError) { trouble.withLock { $0 = $0 ?? error } }

  /// - Throws: the first failure of the network, the server or the account: what was read as missing since then may be
  ///   there.
  package func checkTrouble() throws {
    if let trouble = trouble.withLock(\.self) { throw trouble }
  }

  func report(_ text: String) { reporting(text) }

  /// Uses another region from now on.
  ///
  /// - Returns: false if it is the current one, or no name of a region.
  func move(to name: String) -> Bool {
    guard let account = try? account.get(), account.endpoint == nil, name.utf8.count < 64,
      !name.isEmpty,
      name.utf8.allSatisfy({ $0.isLetterOrDigit || $0 == UInt8(ascii: "-") })
    else { return false }
    return region.withLock { region in
      guard name != region ?? account.region else { return false }
      region = name
      return true
    }
  }

  // MARK: Requests

  /// A signed request for an object, or for a page of a bucket's list.
  ///
  /// - Throws: ``RemoteError`` for an account that cannot be used.
  func request(
    bucket: String, key: String, query: [(String, String)] = [], target: String
  ) throws -> Transfer {
    let account = try account.get()
    let region = region.withLock { $0 } ?? account.region
    var url = account.bucketURL(bucket, region: region)
    url += "/" + PercentEncoding.encodedPath(key)
    let escaped = query.map { (name: $0.0, value: PercentEncoding.encoded($0.1)) }
    let start = url.firstRange(of: "://")?.upperBound ?? url.startIndex
    let host = String(url[start...].prefix { $0 != "/" })
    let path = String(url[start...].dropFirst(host.count))
    var transfer = Transfer(
      url: url
        + (escaped.isEmpty
          ? "" : "?" + escaped.map { "\($0.name)=\($0.value)" }.joined(separator: "&")),
      target: target)
    transfer.allowsPlainHTTP = account.endpoint?.lowercased().hasPrefix("http://") ?? false
    if let keys = account.keys {
      transfer.headers = RequestSignature(keys: keys, region: region).headers(
        method: "GET", host: host, path: path, query: escaped, seconds: now())
    }
    return transfer
  }

  /// A request for a page or file of a web server.
  func request(web address: RemoteAddress, target: String) -> Transfer {
    var transfer = Transfer(url: address.text, target: target)
    transfer.followsRedirects = true
    transfer.allowsPlainHTTP = address.isPlainHTTP
    return transfer
  }

  /// A request for a file.
  func request(_ address: RemoteAddress, target: String) throws -> Transfer {
    switch address.service {
    case .s3(let bucket): try request(bucket: bucket, key: address.path, target: target)
    case .web: request(web: address, target: target)
    }
  }

  func certificates(of address: RemoteAddress) -> String? {
    address.isWeb ? nil : (try? account.get())?.certificates
  }

  /// Does requests, and those whose failure may pass again after a pause that doubles.
  ///
  /// - Parameter make: the request of a number; it is asked again for each attempt, since signatures age.
  /// - Throws: ``RemoteError/failed(_:reason:)`` is not thrown: the last answers are returned.
  func attempts(
    _ count: Int, limit: Int, certificates: String?, targets: [String]? = nil,
    _ make: (Int, String) throws -> Transfer
  ) throws -> [TransferResult] {
    let folder = try cache.temporaryFolder()
    let targets = targets ?? (0..<count).map { _ in cache.temporaryFile(in: folder) }
    var results = [TransferResult](repeating: TransferResult(), count: count)
    var open = Array(0..<count)
    for attempt in 1...attempts {
      let transfers = try open.map { try make($0, targets[$0]) }
      let answers = try client.run(
        transfers, limit: limit, certificates: certificates, check: check)
      for (index, answer) in zip(open, answers) { results[index] = answer }
      open = open.filter { results[$0].isTransient }
      guard !open.isEmpty, attempt < attempts else { break }
      try wait(pause * Double(1 << (attempt - 1)))
    }
    return results
  }

  /// A small answer in memory.
  func small(
    _ address: RemoteAddress, limit: Int, _ make: (String) throws -> Transfer
  ) throws -> (result: TransferResult, body: [UInt8]) {
    let folder = try cache.temporaryFolder()
    let target = cache.temporaryFile(in: folder)
    defer { unlink(target) }
    let result = try attempts(
      1, limit: limit, certificates: certificates(of: address), targets: [target]
    ) { try make($1) }[0]
    guard result.code == 0, result.status != 0, !result.isTransient else {
      throw RemoteError.failed(address.text, reason: result.reason)
    }
    return (result, FileBytes.read(target, limit: limit) ?? [])
  }

  func wait(_ seconds: Double) throws {
    var left = seconds
    while left > 0 {
      try check()
      usleep(useconds_t(min(left, 0.05) * 1_000_000))
      left -= 0.05
    }
  }

  /// The error for an answer that is no success.
  func refusal(
    _ address: RemoteAddress, _ status: Int, _ code: String?, _ message: String
  ) -> RemoteError {
    switch (status, code) {
    case (0, _), (500..., _): return .failed(address.text, reason: message)
    case (_, "NoSuchBucket"): return .noBucket(address.text)
    case (404, "NoSuchKey"), (404, nil), (410, _): return .nothing(address.text)
    case (401, _), (403, _), (_, "ExpiredToken"), (_, "InvalidToken"):
      let hint: String
      if address.isWeb {
        hint = "A user name and password are read from ~/.netrc"
      } else {
        var found = (try? account.get().provenance) ?? ""
        if code == "RequestTimeTooSkewed" { found = "The clock of this machine is wrong" }
        if code == "ExpiredToken" { found += "; they have expired: sign in again" }
        hint = found
      }
      return .denied(address.text, code: code ?? "\(status)", credentials: hint)
    default:
      return .status(address.text, status, message: String((code ?? message).prefix(200)))
    }
  }
}

/// The bytes of small files.
enum FileBytes {
  /// The bytes of a file, up to a limit; `nil` if there is none.
  static func read(_ path: String, limit: Int) -> [UInt8]? {
    guard let file = FileHandle(forReadingAtPath: path) else { return nil }
    defer { try? file.close() }
    return (try? file.read(upToCount: limit)).flatMap { $0 }.map { [UInt8]($0) } ?? []
  }
}
