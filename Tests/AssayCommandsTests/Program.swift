import AssayCore
import AssayTestSupport
import Foundation
import Testing

/// The built program, run as a process in its own folder.
struct Program {
  /// The outcome of a run of the program.
  struct Outcome {
    var status: Int32
    var stdout: String
    var stderr: String

    /// Standard output parsed as JSON.
    func json() throws -> JSONValue { try JSONValue(parsing: stdout) }
  }

  /// The folder that the program runs in; removed with the last reference.
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The program in `ASSAY_PROGRAM`, else the one next to the test bundle, in the same build
  /// folder.
  static var executable: URL {
    if let path = ProcessInfo.processInfo.environment["ASSAY_PROGRAM"], !path.isEmpty {
      return URL(fileURLWithPath: path)
    }
    return BuiltProgram.url("assay")
  }

  /// A program whose catalog holds the multi-label dataset `scenes` and its run `m1`.
  static func withScenes() throws -> Self {
    let program = try Self()
    for command in [
      ["import", GoldenFile.data + "/scenes/labels.csv", "--name", "scenes"],
      ["predictions", "import", GoldenFile.data + "/m1.csv", "--name", "m1", "--in", "scenes"],
    ] {
      let outcome = try program.run(command)
      try #require(outcome.status == 0, "\(outcome.stderr)")
    }
    return program
  }

  /// Runs `assay` with these arguments and waits until it exits.
  @discardableResult
  func run(_ arguments: String..., environment: [String: String] = [:]) throws -> Outcome {
    try run(arguments, environment: environment)
  }

  /// Runs `assay` with these arguments and waits until it exits.
  @discardableResult
  func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Outcome {
    try Self.run(arguments, in: folder.path, environment: environment)
  }

  /// Runs `assay` with these arguments in a folder and waits until it exits.
  @discardableResult
  static func run(
    _ arguments: [String], in folder: String, environment: [String: String] = [:]
  ) throws -> Outcome {
    try run(executable, arguments, environment, in: folder)
  }

  /// Runs a shell command line, in which `"$A"` is `assay`, and waits until it exits.
  @discardableResult
  func shell(_ line: String) throws -> Outcome {
    try Self.run(
      URL(fileURLWithPath: "/bin/sh"), ["-c", line],
      ["A": Self.executable.path, "SWIFT_BACKTRACE": "enable=no"], in: folder.path)
  }

  private static func run(
    _ executable: URL, _ arguments: [String], _ environment: [String: String], in folder: String
  ) throws -> Outcome {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    var variables = ProcessInfo.processInfo.environment
    variables["ASSAY_DB"] = nil
    variables["COLUMNS"] = nil
    process.environment = variables.merging(environment) { $1 }
    let out = folder + "/.stdout"
    let err = folder + "/.stderr"
    for path in [out, err] { _ = FileManager.default.createFile(atPath: path, contents: nil) }
    let outFile = try #require(FileHandle(forWritingAtPath: out))
    let errFile = try #require(FileHandle(forWritingAtPath: err))
    process.standardOutput = outFile
    process.standardError = errFile
    process.standardInput = FileHandle.nullDevice
    // A thread of the test runner can block signals, and a child inherits that: a shell would then
    // wait forever for its own children. SIGPIPE remains blocked: a pending one would end the
    // tests.
    var signals = sigset_t()
    var before = sigset_t()
    sigemptyset(&signals)
    for number in [SIGCHLD, SIGHUP, SIGINT, SIGTERM] { sigaddset(&signals, number) }
    pthread_sigmask(SIG_UNBLOCK, &signals, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    try process.run()
    process.waitUntilExit()
    return try Outcome(
      status: process.terminationStatus,
      stdout: String(decoding: Data(contentsOf: URL(fileURLWithPath: out)), as: UTF8.self),
      stderr: String(decoding: Data(contentsOf: URL(fileURLWithPath: err)), as: UTF8.self))
  }
}
