import HummingbirdCore
import HTTPTypes

extension Request {
  /// True if a body is announced.
  var announcesBody: Bool {
    headers[.transferEncoding] != nil || (headers[.contentLength].flatMap(Int.init) ?? 0) > 0
  }

  /// Returns the maximum size of the body in bytes: the announced length, or the limit
  /// if none is announced.
  func largestBody(upTo limit: Int) -> Int {
    min(max(headers[.contentLength].flatMap(Int.init) ?? limit, 0), limit)
  }

  /// Returns the whole body, counted while it arrives: the announced length is trusted only if
  /// it is too large.
  ///
  /// - Throws: ``RequestRefusal/tooLarge(limit:)``, ``RequestRefusal/malformed(_:)`` if the body
  ///   ends before its announced length.
  func bytes(upTo limit: Int) async throws -> [UInt8] {
    let announced = headers[.contentLength].flatMap(Int.init)
    if let announced, announced > limit { throw RequestRefusal.tooLarge(limit: limit) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(announced ?? 4096)
    for try await chunk in body {
      guard bytes.count + chunk.readableBytes <= limit else {
        throw RequestRefusal.tooLarge(limit: limit)
      }
      bytes.append(contentsOf: chunk.readableBytesView)
    }
    // A broken connection looks like the end of the body.
    if let announced, announced != bytes.count {
      throw RequestRefusal.malformed("the body ends early")
    }
    return bytes
  }
}
