import Foundation
import Synchronization

@testable import AssayRemote

/// A server in memory that answers S3's requests, and can misbehave.
final class FakeServer: RemoteClient {
  struct State {
    var objects: [String: (bytes: [UInt8], tag: String)] = [:]
    /// The addresses and offsets of all requests for objects, by call.
    var calls: [[String]] = []
    /// Answers instead of those of objects, each used once.
    var answers: [(status: Int, code: Int)] = []
    /// The bytes after which an answer is cut, once.
    var cut: Int?
    var pages: [String] = []
    var headers: [(name: String, value: String)] = []
  }

  let state = Mutex(State())

  func put(_ key: String, _ text: String, tag: String? = nil) {
    state.withLock { $0.objects[key] = (Array(text.utf8), tag ?? "\"\(text.count)-\(key)\"") }
  }

  func run(
    _ transfers: [Transfer], limit: Int, certificates: String?, check: @Sendable () throws -> Void
  ) throws -> [TransferResult] {
    try check()
    return state.withLock { state in
      state.calls.append(transfers.map { $0.url + ($0.offset > 0 ? " from \($0.offset)" : "") })
      return transfers.map { answer($0, &state) }
    }
  }

  private func answer(_ transfer: Transfer, _ state: inout State) -> TransferResult {
    var result = TransferResult()
    result.url = transfer.url
    state.headers += transfer.headers
    if !state.answers.isEmpty {
      let answer = state.answers.removeFirst()
      (result.status, result.code) = (answer.status, answer.code)
      return result
    }
    if transfer.url.contains("list-type=2") {
      let page = state.pages.isEmpty ? "" : state.pages.removeFirst()
      FileManager.default.createFile(atPath: transfer.target, contents: Data(page.utf8))
      result.status = 200
      return result
    }
    // Scheme, server, key.
    let path = transfer.url.split(separator: "/", maxSplits: 2).last ?? ""
    let key = PercentEncoding.decoded(path) ?? ""
    guard let object = state.objects[key] else {
      result.status = 404
      return result
    }
    if let wanted = transfer.headers.first(where: { $0.name == "If-Match" }),
      wanted.value != object.tag
    {
      result.status = 412
      return result
    }
    var part = object.bytes[min(transfer.offset, object.bytes.count)...]
    result.status = transfer.offset > 0 ? 206 : 200
    result.headers = ["etag": object.tag]
    if let cut = state.cut {
      part = part.prefix(cut)
      result.code = 18
      state.cut = nil
    }
    let known =
      transfer.offset > 0 ? FileManager.default.contents(atPath: transfer.target) ?? Data() : Data()
    // As curl, into the file that is there.
    if let file = fopen(transfer.target, "r+") ?? fopen(transfer.target, "w") {
      let all = [UInt8](known) + part
      ftruncate(fileno(file), 0)
      fwrite(all, 1, all.count, file)
      fclose(file)
    }
    return result
  }

  /// The number of requests for objects.
  var requests: Int { state.withLock { $0.calls.reduce(0) { $0 + $1.count } } }
}
