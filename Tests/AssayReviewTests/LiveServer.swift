import Dispatch
import Foundation
import HummingbirdCore
import NIOCore
import Synchronization

@testable import AssayReview

/// The server of a ``Bench`` on a local port.
struct LiveServer {
  let bench: Bench
  private let reserved: ReservedPort

  init(bench: Bench, at reserved: ReservedPort) {
    self.bench = bench
    self.reserved = reserved
  }

  var port: Int { reserved.number }

  /// The time after which a test that waits for an event fails instead of hanging forever: no test measures with it, and
  /// no machine is too slow for it.
  static let patience = Duration.seconds(600)

  /// Waits until the server's connections are in the expected state.
  ///
  /// - Throws: ``StateNotReached``.
  func until(_ isReached: (OpenConnections) -> Bool) async throws {
    let end = ContinuousClock.now + Self.patience
    let crowd = bench.responder.openConnections
    while !isReached(crowd) {
      guard ContinuousClock.now < end else {
        var standings: [String] = []
        _ = crowd.count { standing in
          standings.append("\(standing)")
          return false
        }
        throw StateNotReached(standings: standings, bytes: bench.responder.answers.inUse)
      }
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  /// Runs a server for as long as `work` does.
  ///
  /// - Parameters:
  ///   - limits: by default a connection can be idle for as long as it likes.
  ///   - cutoutPatience: the maximum time of a cut-out.
  static func with(
    _ review: FakeReview = FakeReview(), limits: ConnectionLimits = .patient,
    cutoutPatience: Duration = .seconds(10), _ work: (LiveServer) async throws -> Void
  ) async throws {
    let reserved = try ReservedPort()
    let bench = try Bench(
      review, allowed: ["127.0.0.1:\(reserved.number)"], cutoutPatience: cutoutPatience)
    let stop = StopFlag()
    let (listening, started) = AsyncStream.makeStream(of: Void.self)
    let application = ReviewApplication.make(
      bench.responder, host: "127.0.0.1", port: reserved.number, limits: limits, logger: .silent
    ) { _ in started.finish() }
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      tasks.addTask {
        try await ReviewApplication.run(application, logger: .silent) { stop.isSet }
      }
      for await _ in listening {}
      let result: Result<Void, any Error>
      do {
        result = .success(try await work(LiveServer(bench: bench, at: reserved)))
      } catch {
        result = .failure(error)
      }
      stop.set()
      try await tasks.waitForAll()
      try result.get()
    }
  }

  /// A complete request head, without the empty line.
  func head(_ line: String, _ more: String..., author: String = "anna") -> String {
    (["\(line) HTTP/1.1", "Host: 127.0.0.1:\(port)"]
      + ["Assay-Session: \(bench.session(author: author))"]
      + ["Origin: http://127.0.0.1:\(port)"] + more).joined(separator: "\r\n") + "\r\n"
  }
}

/// The error of connections that do not get into the expected state.
struct StateNotReached: Error {
  /// The states of the open connections.
  var standings: [String]
  /// The bytes of answers that are not written.
  var bytes: Int
}

/// A flag that one thread sets and others read.
final class StopFlag: Sendable {
  private let flag = Atomic<Bool>(false)

  var isSet: Bool { flag.load(ordering: .acquiring) }

  func set() { flag.store(true, ordering: .releasing) }
}

/// A local port that the system assigns to no one else while the value exists, and on which a
/// server can listen.
final class ReservedPort: Sendable {
  let number: Int
  private let socket: Int32

  init() throws {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    // Bound and not listening: a server that reuses addresses, such as Hummingbird's, can still
    // listen on it.
    var isReused: Int32 = 1
    setsockopt(
      socket, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<Int32>.size))
    var address = RawConnection.loopback(port: 0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let file = socket
    let code = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(file, pointer, length) == 0 ? getsockname(file, pointer, &length) : -1
      }
    }
    guard code == 0 else { throw RawConnectionError(what: "bind: \(errno)") }
    number = Int(UInt16(bigEndian: address.sin_port))
  }

  deinit { close(socket) }
}

extension ConnectionLimits {
  /// The default limits, except that no client is too slow: on a busy machine a connection can wait
  /// longer for its test than a server waits for a person.
  static var patient: Self {
    var limits = Self()
    for time in [\Self.firstHeaders, \.idle, \.bodyPause, \.body, \.writePause] {
      limits[keyPath: time] = .hours(1)
    }
    return limits
  }
}

/// The clock of a server's connections, which a test advances.
final class DeadlineClock: Sendable {
  private let time = Mutex(NIODeadline.uptimeNanoseconds(1_000_000_000))

  var now: NIODeadline { time.withLock { $0 } }

  func pass(_ more: TimeAmount) { time.withLock { $0 = $0 + more } }

  /// The default limits with this clock, checked often.
  var limits: ConnectionLimits {
    var limits = ConnectionLimits()
    limits.clock = { self.now }
    limits.tick = .milliseconds(5)
    return limits
  }
}

/// A raw socket without protocol checks. It blocks on separate threads, because the server needs
/// those of the test.
final class RawConnection: Sendable {
  private let socket: Int32
  private let queue = DispatchQueue(label: "raw connection")
  private let pending = Mutex<[UInt8]>([])

  init(port: Int) throws {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = Self.loopback(port: port)
    let code = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard code == 0 else { throw RawConnectionError(what: "connect: \(errno)") }
  }

  deinit { close(socket) }

  /// Sends the bytes that the system accepts immediately, and does not wait.
  ///
  /// - Returns: the number of bytes accepted; `nil` if the connection has ended.
  func push(_ bytes: [UInt8]) -> Int? {
    let count = Glibc.send(
      socket, bytes, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
    if count < 0 { return errno == EAGAIN ? 0 : nil }
    return count
  }

  private func blocking<Value: Sendable>(
    _ work: @escaping @Sendable () -> Value
  ) async -> Value {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: work()) }
    }
  }

  /// - Returns: true if everything was sent.
  @discardableResult
  func send(_ bytes: [UInt8]) async -> Bool {
    await blocking { [socket] in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes {
          Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }
  }

  @discardableResult
  func send(_ text: String) async -> Bool { await send(Array(text.utf8)) }

  /// Ends the client's side of the connection.
  func endSending() { shutdown(socket, Int32(SHUT_WR)) }

  /// Reads until the server closes; returns the text received, and whether the server closed.
  func readAll() async -> (text: String, isClosed: Bool) {
    await blocking { [self] in
      while true {
        switch receive() {
        case 0: return (String(decoding: pending.withLock { $0 }, as: UTF8.self), true)
        case ..<0: return (String(decoding: pending.withLock { $0 }, as: UTF8.self), false)
        default: break
        }
      }
    }
  }

  /// Reads one response with its body; `nil` if the connection ends first.
  ///
  /// - Parameter onPiece: gets the size of each piece that is read, in bytes.
  func readAnswer(_ onPiece: @escaping @Sendable (Int) -> Void = { _ in }) async -> RawAnswer? {
    await blocking { [self] in
      while true {
        if let answer = pending.withLock({ RawAnswer(taking: &$0) }) { return answer }
        let count = receive()
        guard count > 0 else { return nil }
        onPiece(count)
      }
    }
  }

  /// - Returns: the number of bytes received; 0 if the server closed, negative if nothing arrives.
  private func receive() -> Int {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(socket, &buffer, buffer.count, 0)
    if count < 0, errno == ECONNRESET { return 0 }
    if count > 0 { pending.withLock { $0 += buffer[..<count] } }
    return count
  }

  static func loopback(port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }
}

struct RawConnectionError: Error {
  var what: String
}

/// A response as received.
struct RawAnswer: Sendable {
  var status: Int
  var head: String
  var body: [UInt8]

  /// Removes the first response from the bytes; `nil` if it is incomplete.
  init?(taking bytes: inout [UInt8]) {
    guard let split = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
    head = String(decoding: bytes[..<split.lowerBound], as: UTF8.self)
    body = []
    status = head.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    let length = header("content-length").flatMap { Int($0) } ?? 0
    guard bytes.count >= split.upperBound + length else { return nil }
    body = Array(bytes[split.upperBound..<(split.upperBound + length)])
    bytes.removeFirst(split.upperBound + length)
  }

  /// A header's value, by its name in lower case.
  func header(_ name: String) -> String? {
    head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name + ":") }
      .map { String($0.dropFirst(name.count + 1).drop { $0 == " " }) }
  }
}
