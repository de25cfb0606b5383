import AssayCore
import AssayStore
import Foundation
import Testing

import AssayCommands

/// Models that exhaust a resource, from `Tests/Fixtures/models/make_hostile.py`.
@Suite("The limits of a model")
struct ModelLimitsTests {
  /// A catalog of gray squares with one of the models.
  private func world(_ model: String, rows: Int = 6, white: Int? = nil) throws -> Program {
    let program = try Program()
    let lines = (0..<rows).map { row in
      "\(row % 2 == 0 ? "bright" : "dark"),0 9 80 \(row == white ? 255 : row % 200)"
    }
    try program.folder.write(
      "squares.csv", (["label,pixels"] + lines).joined(separator: "\n") + "\n")
    try program.folder.write("m.yaml", ModelCommandTests.manifest)
    let imported = try program.run("import", "squares.csv:pixel-csv", "--name", "squares")
    #expect(imported.status == 0, "\(imported.stderr)")
    let added = try program.run(
      "model", "add", ModelCommandTests.models + "/" + model, "--manifest", "m.yaml", "--name",
      "m")
    #expect(added.status == 0, "\(added.stderr)")
    return program
  }

  /// Starts a run of the model that does not end, and waits until its child process works on it.
  private func start(_ program: Program) throws -> (process: Process, child: Int32, errors: Pipe) {
    let process = Process()
    let errors = Pipe()
    process.executableURL = Program.executable
    process.arguments = ["predict", "squares", "--model", "m", "--max-seconds", "100000"]
    process.currentDirectoryURL = URL(fileURLWithPath: program.folder.path)
    process.standardError = errors
    process.standardOutput = FileHandle.nullDevice
    // A thread of the test runner blocks signals, and a child would inherit that.
    var interrupt = sigset_t()
    sigemptyset(&interrupt)
    sigaddset(&interrupt, SIGINT)
    pthread_sigmask(SIG_UNBLOCK, &interrupt, nil)
    try process.run()
    let id = process.processIdentifier
    while process.isRunning {
      let children = text("/proc/\(id)/task/\(id)/children")
      if let child = Int32(children.trimmingCharacters(in: .whitespaces)),
        text("/proc/\(child)/maps").contains("libopenvino_intel_cpu_plugin.so")
      {
        return (process, child, errors)
      }
      usleep(2_000)
    }
    Issue.record("the program ended by itself")
    return (process, 0, errors)
  }

  private func text(_ path: String) -> String {
    let bytes = try? FileHandle(forReadingAtPath: path)?.readToEnd()
    return String(decoding: bytes ?? Data(), as: UTF8.self)
  }

  /// Returns whether a process is running, and is not a zombie.
  private func isRunning(_ process: Int32) -> Bool {
    let status = text("/proc/\(process)/status")
    return !status.isEmpty && !status.contains("State:\tZ")
  }

  @Test("A model that never ends is stopped, and the error says where and how to allow more")
  func time() throws {
    let program = try world("loop_forever.onnx")
    let outcome = try program.run(
      "predict", "squares", "--model", "m", "--max-seconds", "1", "--json")
    #expect(outcome.status == 2)
    #expect(
      outcome.stderr.contains(
        "the model was stopped while it ran: one step took more than 1 s of CPU time"),
      "\(outcome.stderr)")
    #expect(try outcome.json()["error"]?.text?.contains("--max-seconds") == true)
  }

  @Test("A model that wants more memory than it may have is refused, and the limit is named")
  func memory() throws {
    let program = try world("huge.onnx")
    let outcome = try program.run(
      "predict", "squares", "--model", "m", "--max-memory", "1G", "--json")
    #expect(outcome.status == 2)
    #expect(outcome.stderr.contains("more memory than the limit of 1 GiB"), "\(outcome.stderr)")
    #expect(try outcome.json()["error"]?.text?.contains("--max-memory") == true)
    let byDefault = try program.run("predict", "squares", "--model", "m", "--batch", "256")
    #expect(byDefault.status == 2 && byDefault.stderr.contains("more memory than the "))
  }

  @Test(
    "A model with a cycle is refused before it is followed",
    arguments: [("cycle.onnx", "first"), ("cycle_inside.onnx", "inner")])
  func cycle(_ model: String, _ node: String) throws {
    let program = try Program()
    let outcome = try program.run("model", "add", ModelCommandTests.models + "/" + model)
    #expect(outcome.status == 2)
    #expect(
      outcome.stderr.contains("the node “\(node)” depends on its own result"), "\(outcome.stderr)")
  }

  @Test("What was finished before a model was stopped is kept, and a rerun goes on from there")
  func kept() throws {
    let program = try world("loop_on_white.onnx", rows: 1500, white: 1200)
    let arguments = [
      "predict", "squares", "--model", "m", "--name", "r", "--batch", "1", "--workers", "1",
      "--max-seconds", "1",
    ]
    let outcome = try program.run(arguments)
    #expect(outcome.status == 2, "\(outcome.stdout)")
    let catalog = try Catalog.open(program.folder.path + "/assay.db", .readOnly)
    let done = try #require(try catalog.findRun(named: "r")).done
    #expect(done >= 512 && done <= 1200)
    #expect(
      outcome.stderr.contains(
        "\(done) of 1500 samples are kept in the run “r”; run the same command to continue"),
      "\(outcome.stderr)")
    let again = try program.run(arguments)
    #expect(again.status == 2 && again.stderr.contains("of 1500 samples are kept"))
    #expect(try #require(try catalog.findRun(named: "r")).done >= done)
  }

  @Test("Ctrl-C ends a model that never ends, with status 130, and no process is left")
  func interrupt() throws {
    let program = try world("loop_forever.onnx")
    let (process, child, errors) = try start(program)
    kill(process.processIdentifier, SIGINT)
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 130)
    #expect(text.contains("interrupted"), "\(text)")
    #expect(!isRunning(child))
  }

  @Test("A model's process does not outlive the program")
  func killed() throws {
    let program = try world("loop_forever.onnx")
    let (process, child, _) = try start(program)
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    while isRunning(child) { usleep(2_000) }
    #expect(process.terminationReason == .uncaughtSignal)
  }

  @Test("If the model's process is killed, the program says so with status 2")
  func childKilled() throws {
    let program = try world("loop_forever.onnx")
    let (process, child, errors) = try start(program)
    kill(child, SIGKILL)
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 2)
    #expect(text.contains("the process that runs the model ended"), "\(text)")
    #expect(text.contains("signal 9"))
  }

  @Test("The model's process has the limits that were asked for")
  func limits() throws {
    let program = try world("loop_forever.onnx")
    let process = Process()
    process.executableURL = Program.executable
    process.arguments = [
      "predict", "squares", "--model", "m", "--max-memory", "2G", "--max-files", "100",
    ]
    process.currentDirectoryURL = URL(fileURLWithPath: program.folder.path)
    try process.run()
    let id = process.processIdentifier
    var limits = ""
    // Memory is limited last.
    while process.isRunning, !limits.contains("Max data size             2147483648") {
      let children = text("/proc/\(id)/task/\(id)/children")
      limits = text("/proc/\(children.trimmingCharacters(in: .whitespaces))/limits")
      usleep(2_000)
    }
    kill(id, SIGKILL)
    process.waitUntilExit()
    #expect(limits.contains("Max open files            100"), "\(limits)")
    #expect(limits.contains("Max core file size        0"), "\(limits)")
  }

  @Test(
    "A limit that is not a number, or too small, is rejected with status 64",
    arguments: [
      ("--max-memory", "lots", "512M or 8G"), ("--max-memory", "1M", "at least 128 MiB"),
      ("--max-seconds", "0", "from 1 to"), ("--max-files", "3", "from 64 to"),
    ])
  func refused(_ option: String, _ value: String, _ text: String) throws {
    let outcome = try Program().run("predict", "v", "--model", "m", option, value)
    #expect(outcome.status == 64 && outcome.stderr.contains(text), "\(outcome.stderr)")
  }
}
