import HummingbirdCore
import HTTPTypes

extension Request {
  /// True if a body is announced.
  var announcesBody: Bool {
    headers[.transferEncoding] != nil || (headers[.contentLength].flatMap(Int.init) ?? 0) > 0
  }

  /// The most bytes that its body may have: what is announced, the limit where nothing is.
  func largestBody(upTo limit: Int) -> Int {
    min(max(headers[.contentLength].flatMap(Int.init) ?? limit, 0), limit)
  }

  /// The whole body, counted while it comes: what the header says of its length is believed only where it
  /// says too much.
  ///
  /// - Throws: ``RequestRefusal/tooLarge(limit:)``, ``RequestRefusal/malformed(_:)`` where it ends before its length.
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
    // A connection that broke looks like the end of the body.
    if let announced, announced != bytes.count {
      throw RequestRefusal.malformed("the body ends early")
    }
    return bytes
  }
}
