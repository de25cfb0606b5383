import AssayCore
import Foundation
import Testing

/// `assay review` as a process that a test communicates with and stops in any way.
final class ServerProcess {
  let process = Process()
  let port: Int
  private let folder: String

  /// - Parameter arguments: the arguments of `assay review` other than the port.
  init(_ arguments: [String], port: Int? = nil, in program: Program) throws {
    folder = program.folder.path
    self.port = try port ?? Self.freePort()
    process.executableURL = Program.executable
    process.arguments = ["review"] + arguments + ["--port", "\(self.port)"]
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    for name in [".server.out", ".server.err"] {
      _ = FileManager.default.createFile(atPath: folder + "/" + name, contents: nil)
    }
    process.standardOutput = try #require(FileHandle(forWritingAtPath: folder + "/.server.out"))
    process.standardError = try #require(FileHandle(forWritingAtPath: folder + "/.server.err"))
    process.standardInput = FileHandle.nullDevice
    try process.run()
  }

  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  var out: String { (try? String(contentsOfFile: folder + "/.server.out", encoding: .utf8)) ?? "" }
  var err: String { (try? String(contentsOfFile: folder + "/.server.err", encoding: .utf8)) ?? "" }

  /// Waits for the link, and returns its token.
  func token() throws -> String {
    while process.isRunning, !out.contains("#token=") { usleep(20_000) }
    let rest = try #require(
      out.components(separatedBy: "#token=").dropFirst().first, "\(out)\(err)")
    return String(rest.prefix { !$0.isWhitespace })
  }

  /// Kills it without warning.
  func murder() {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Stops it like Ctrl-C.
  func interrupt() -> Int32 {
    process.interrupt()
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// A port on which a server can listen, and which the system does not assign to others until the
  /// tests end.
  static func freePort() throws -> Int {
    // Bound, not listening, and never closed: a server that reuses addresses can still listen on
    // it.
    let socket = Glibc.socket(
      AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var isReused: Int32 = 1
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<Int32>.size))
    var address = ServerClient.loopback(port: 0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(socket, pointer, length) == 0 ? getsockname(socket, pointer, &length) : -1
      }
    }
    try #require(code == 0)
    return Int(UInt16(bigEndian: address.sin_port))
  }
}

/// A foreign listener on a port of this computer.
final class PortListener {
  let port: Int
  private let socket: Int32

  init(port: Int) throws {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = ServerClient.loopback(port: port)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let file = socket
    let code = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(file, pointer, length) == 0 && listen(file, 4) == 0
          ? getsockname(file, pointer, &length) : -1
      }
    }
    try #require(code == 0)
    self.port = Int(UInt16(bigEndian: address.sin_port))
  }

  deinit { close(socket) }
}

/// A client of one server, with one connection per request.
struct ServerClient {
  struct Answer {
    var status: Int
    var head: String
    var json: JSONValue
  }

  let port: Int
  /// The token of the session; empty before it starts.
  var session = ""

  /// Signs in with a link's token.
  init(port: Int, token: String) throws {
    self.port = port
    let answer = try ask("POST", "/api/session", "{\"token\":\"\(token)\"}")
    try #require(answer.status == 200, "\(answer.head)")
    session = try #require(answer.json["session"]?.text)
  }

  init(port: Int, session: String) {
    self.port = port
    self.session = session
  }

  /// - Throws: if there is no response.
  func ask(
    _ method: String, _ path: String, _ body: String? = nil, match: String? = nil
  ) throws -> Answer {
    var lines = [
      "\(method) \(path) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Origin: http://127.0.0.1:\(port)",
      "Assay-Session: \(session)", "Connection: close",
    ]
    if let body {
      lines += ["Content-Type: application/json", "Content-Length: \(body.utf8.count)"]
    }
    if let match { lines.append("If-Match: \(match)") }
    let bytes = try exchange(
      Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
        + Array((body ?? "").utf8))
    let parts = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n\r\n")
    let status = parts[0].split(separator: " ").dropFirst().first.flatMap { Int($0) }
    // A killed server gives no status, which is not an error in a test that kills it.
    guard let status else { throw CocoaError(.fileReadUnknown) }
    return Answer(
      status: status, head: parts[0],
      json: (try? JSONValue(parsing: parts.dropFirst().joined(separator: "\r\n\r\n"))) ?? .null)
  }

  private func exchange(_ request: [UInt8]) throws -> [UInt8] {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    var address = Self.loopback(port: port)
    let code = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard code == 0 else { throw ServerGone() }
    var rest = request[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw ServerGone() }
      rest = rest.dropFirst(count)
    }
    var bytes: [UInt8] = []
    while true {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let count = recv(socket, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return bytes
  }

  static func loopback(port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }
}

/// The server does not respond.
struct ServerGone: Error {}
