import CLinux
import Foundation

/// The installed program curl, which does all requests to servers.
///
/// Each call of ``run(_:limit:certificates:check:)`` is one process that does its requests in parallel, over few
/// connections. It gets the requests on standard input, in a file in memory, so that no header is on a command line or
/// a disk. It reads no `.curlrc`, and writes no file over the stated size.
package struct CurlClient: RemoteClient {
  /// The path of the program.
  package let path: String
  private let environment: [String: String]
  /// The time with less than 100 bytes per second after which a request ends, in seconds.
  let patience: Int

  /// The maximum number of requests at a time.
  static let connections = 16

  /// The first one in the folders of `PATH`; `nil` if there is none.
  package init?(environment: [String: String] = ProcessInfo.processInfo.environment) {
    let folders = (environment["PATH"] ?? "").split(separator: ":")
    let found = folders.lazy.map { "\($0)/curl" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
    guard let found else { return nil }
    path = found
    self.environment = environment
    patience = Self.patience(environment)
  }

  /// The variable with the time without data after which a request ends.
  package static let patienceVariable = "ASSAY_NETWORK_TIMEOUT"

  private static func patience(_ environment: [String: String]) -> Int {
    guard let text = environment[patienceVariable], let seconds = Int(text),
      (1...86_400).contains(seconds)
    else { return 60 }
    return seconds
  }

  /// The version as it states it, such as `7.88.1`; `nil` if it does not run.
  package var version: String? {
    guard
      let (status, output) = try? start([path, "-q", "--version"], input: [], limit: 0, check: {}),
      status == 0
    else { return nil }
    let words = output.prefix { $0 != "\n" }.split(separator: " ")
    guard words.count > 1, words[0] == "curl" else { return nil }
    return String(words[1])
  }

  /// Returns whether a version has what is used: 7.76 brought the last of it.
  package static func isSupported(_ version: String) -> Bool {
    let numbers = version.split(separator: ".").prefix(2).map {
      Int($0.prefix { $0.isNumber }) ?? 0
    }
    guard numbers.count == 2 else { return false }
    return numbers[0] > 7 || numbers[0] == 7 && numbers[1] >= 76
  }

  package func run(
    _ transfers: [Transfer], limit: Int, certificates: String?,
    check: @Sendable () throws -> Void
  ) throws -> [TransferResult] {
    guard !transfers.isEmpty else { return [] }
    var text = "parallel\nparallel-max = \(Self.connections)\n"
    for (index, transfer) in transfers.enumerated() {
      if index > 0 { text += "next\n" }
      text += configuration(transfer, index, certificates)
    }
    let (status, output) = try start(
      [path, "-q", "--config", "-"], input: Array(text.utf8), limit: limit, check: check)
    var results = transfers.map { _ in TransferResult() }
    var seen = Set<Int>()
    for line in output.split(separator: "\n") {
      // assay NUMBER CODE STATUS URL, then assay-message NUMBER TEXT
      let words = line.split(separator: " ", maxSplits: 4, omittingEmptySubsequences: false)
      guard words.count >= 2, let index = Int(words[1]), transfers.indices.contains(index) else {
        continue
      }
      if words[0] == "assay", words.count >= 4 {
        seen.insert(index)
        results[index].code = Int(words[2]) ?? 1
        results[index].status = Int(words[3]) ?? 0
        results[index].url = words.count > 4 ? String(words[4]) : ""
      } else if words[0] == "assay-message" {
        results[index].message = words.dropFirst(2).joined(separator: " ")
      }
    }
    for index in transfers.indices {
      let headers = transfers[index].target + Self.headerSuffix
      if seen.contains(index) {
        results[index].headers = Self.headers(FileBytes.read(headers, limit: 1 << 20) ?? [])
      } else {
        // Without a line of its own the process ended before the request did.
        results[index].code = status == 0 ? 1 : status
        results[index].message =
          status == 128 + Int(SIGXFSZ)
          ? "the server sent more than it had stated" : "curl ended with \(status)"
      }
      unlink(headers)
    }
    return results
  }

  /// The end of the name of the file with the headers of an answer.
  static let headerSuffix = ".headers"

  private func configuration(_ transfer: Transfer, _ index: Int, _ certificates: String?) -> String
  {
    var lines = [
      "url = \(Self.quoted(transfer.url))",
      "output = \(Self.quoted(transfer.isHead ? "/dev/null" : transfer.target))",
      "dump-header = \(Self.quoted(transfer.target + Self.headerSuffix))",
      "write-out = \"assay \(index) %{exitcode} %{http_code} %{url_effective}\\nassay-message \(index) %{errormsg}\\n\"",
      "silent", "globoff", "path-as-is", "connect-timeout = 20", "speed-limit = 100",
      "speed-time = \(patience)", "user-agent = \"assay\"",
      "proto = \"=\(transfer.allowsPlainHTTP ? "http,https" : "https")\"",
      "proto-redir = \"=\(transfer.allowsPlainHTTP ? "http,https" : "https")\"",
    ]
    if transfer.isHead { lines.append("head") }
    if transfer.offset > 0 { lines.append("continue-at = \(transfer.offset)") }
    if transfer.discardsErrors { lines.append("fail") }
    if transfer.followsRedirects { lines += ["location", "max-redirs = 5", "netrc-optional"] }
    if let certificates { lines.append("cacert = \(Self.quoted(certificates))") }
    lines += transfer.headers.map { "header = \(Self.quoted("\($0.name): \($0.value)"))" }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A value of a configuration file in quotes.
  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", "\"": quoted += "\\\(scalar)"
      // Values are checked before; a line break would start another option.
      case _ where scalar.value < 0x20: continue
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  /// The headers of the last answer in what curl wrote of all of them.
  static func headers(_ bytes: [UInt8]) -> [String: String] {
    var headers: [String: String] = [:]
    for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
      if line.hasPrefix("HTTP/") {
        headers = [:]
      } else if let colon = line.firstIndex(of: ":") {
        headers[line[..<colon].lowercased()] =
          line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      }
    }
    return headers
  }

  /// Starts the program and waits for its end.
  ///
  /// - Returns: its status, 128 and the number for a signal, and what it wrote.
  private func start(
    _ arguments: [String], input: [UInt8], limit: Int, check: () throws -> Void
  ) throws -> (status: Int, output: String) {
    func failure(_ what: String) -> RemoteError {
      .failed(path, reason: "\(what): \(String(cString: strerror(errno)))")
    }
    let request = assay_memory_file()
    guard request >= 0 else { throw failure("a file in memory") }
    defer { close(request) }
    var written = 0
    while written < input.count {
      let count = input.withUnsafeBytes { bytes in
        write(request, bytes.baseAddress?.advanced(by: written), bytes.count - written)
      }
      guard count > 0 else { throw failure("a file in memory") }
      written += count
    }
    lseek(request, 0, SEEK_SET)
    let answer = assay_memory_file()
    guard answer >= 0 else { throw failure("a file in memory") }
    defer { close(answer) }
    // curl is configured by what it gets, not by the keys of this process.
    let variables = environment.filter { !$0.key.hasPrefix("AWS_") }.map { "\($0.key)=\($0.value)" }
    let process = Self.withCStrings(arguments) { arguments in
      Self.withCStrings(variables) { variables in
        assay_start_program(arguments, variables, request, answer, UInt64(max(limit, 1 << 20)))
      }
    }
    guard process > 0 else { throw failure("it cannot be started") }
    var status: Int32 = 0
    // Waits in short steps at first: most requests take milliseconds.
    var pause: useconds_t = 500
    while true {
      let found = waitpid(process, &status, WNOHANG)
      if found == process { break }
      if found < 0, errno != EINTR { throw failure("it was lost") }
      do {
        try check()
      } catch {
        kill(-process, SIGKILL)
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        throw error
      }
      usleep(pause)
      pause = min(pause * 2, 20_000)
    }
    lseek(answer, 0, SEEK_SET)
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while output.count < 1 << 24 {
      let count = read(answer, &buffer, buffer.count)
      guard count > 0 else { break }
      output += buffer[..<count]
    }
    let signal = status & 0x7F
    return (
      Int(signal == 0 ? status >> 8 & 0xFF : 128 + signal), String(decoding: output, as: UTF8.self)
    )
  }

  private static func withCStrings<Value>(
    _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Value
  ) -> Value {
    let copies = texts.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    let pointers: [UnsafePointer<CChar>?] = copies.map { UnsafePointer($0) } + [nil]
    return body(pointers)
  }
}
