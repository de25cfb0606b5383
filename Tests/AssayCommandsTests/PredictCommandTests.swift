import AssayCore
import AssayStore
import AssayTestSupport
import Foundation
import Testing

import AssayCommands

@Suite("assay predict")
struct PredictCommandTests {
  /// A catalog of six squares with the model `t`.
  private func squares(_ labels: [String] = ["bright", "dark"]) throws -> Program {
    let program = try Program()
    let rows = (0..<6).map { "\(labels[$0 % labels.count]),\($0) 9 80 \(40 * $0)" }
    try program.folder.write("squares.csv", (["label,pixels"] + rows).joined(separator: "\n"))
    try program.folder.write("m.yaml", ModelCommandTests.manifest)
    let imported = try program.run("import", "squares.csv:pixel-csv", "--name", "squares")
    #expect(imported.status == 0, "\(imported.stderr)")
    try program.run(
      "model", "add", ModelCommandTests.models + "/tiny.onnx", "--manifest", "m.yaml",
      "--name", "t")
    return program
  }

  @Test("A run is made, summed up as text and JSON, and not made again")
  func run() throws {
    let program = try squares()
    let outcome = try program.run("predict", "squares", "--model", "t", "--name", "r1")
    #expect(outcome.status == 0, "\(outcome.stderr)")
    #expect(outcome.stdout.hasPrefix("6 samples in "))
    #expect(outcome.stdout.hasSuffix("next: assay evaluate r1\n"))
    let again = try program.run("predict", "squares", "--model", "t", "--json")
    let json = try again.json()
    #expect(json["status"]?.text == "already_done" && json["run"]?.text == "r1")
    #expect(json["n"]?.double == 6 && json["computed"]?.double == 0)
    #expect(json["settings"]?["precision"]?.text == "f32")
  }

  @Test("An impossible prediction is a clear error and status 2; a wrong option 64")
  func refused() throws {
    let program = try squares(["bright", "gray"])
    let missing = try program.run("predict", "squares", "--model", "t")
    #expect(missing.status == 2 && missing.stderr.contains("“gray” (3 samples)"))
    let ignoring = try program.run("predict", "squares", "--model", "t", "--ignore-missing")
    #expect(ignoring.status == 0)
    #expect(ignoring.stdout.contains("the model has no class for: gray (3 samples)"))
    #expect(try program.run("predict", "squares", "--model", "u").status == 2)
    #expect(try program.run("predict", "circles", "--model", "t").status == 2)
    let batch = try program.run("predict", "squares", "--model", "t", "--batch", "0")
    #expect(batch.status == 64 && batch.stderr.contains("--batch is 0"))
    let precision = try program.run("predict", "squares", "--model", "t", "--precision", "f8")
    #expect(precision.status == 64 && precision.stderr.contains("f32, bf16, f16"))
  }

  @Test("If OpenVINO is missing, the error names the searched folders")
  func noLibrary() throws {
    let program = try squares()
    let copy = program.folder.path + "/bin/assay"
    try program.folder.write("bin/keep", "")
    try FileManager.default.copyItem(atPath: Program.executable.path, toPath: copy)
    let process = Process()
    let errors = Pipe()
    process.executableURL = URL(fileURLWithPath: copy)
    process.arguments = ["predict", "squares", "--model", "t"]
    process.currentDirectoryURL = URL(fileURLWithPath: program.folder.path)
    process.standardError = errors
    try process.run()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 2)
    #expect(text.contains("\(program.folder.path)/lib/assay") && text.contains("Scripts/setup"))
  }
}

/// Runs that are interrupted and resumed.
@Suite("assay predict, interrupted", .openVINO)
struct PredictFacesTests {
  @Test(
    "Ctrl-C keeps what is done; the same command goes on and ends with the same bits",
    .outsideData(
      "fer/fer2013_publictest.csv.gz", "models/emotion_model_quantized.tflite",
      twin: "PredictFacesTests.smallInterrupt"))
  func interrupt() throws {
    let program = try Program()
    let faces = OutsideFiles.path("fer/fer2013_publictest.csv.gz") + ":fer"
    #expect(try program.run("import", faces, "--name", "faces").status == 0)
    let added = try program.run(
      "model", "add", OutsideFiles.path("models/emotion_model_quantized.tflite"), "--manifest",
      PackageFolder.url("Datasets/models/fer.yaml").path, "--name", "fer")
    #expect(added.status == 0, "\(added.stderr)")
    try expectResumed("faces", "fer", samples: 3_589, in: program)
  }

  @Test("Ctrl-C keeps what a small model has done; the same command ends with the same bits")
  func smallInterrupt() throws {
    let program = try Program()
    let rows = (0..<20_000).map { "\($0 % 2 == 0 ? "bright" : "dark"),\($0 % 256) 9 80 40" }
    try program.folder.write("squares.csv", (["label,pixels"] + rows).joined(separator: "\n"))
    try program.folder.write("m.yaml", ModelCommandTests.manifest)
    #expect(try program.run("import", "squares.csv:pixel-csv", "--name", "squares").status == 0)
    let added = try program.run(
      "model", "add", ModelCommandTests.models + "/tiny.onnx", "--manifest", "m.yaml", "--name",
      "t")
    #expect(added.status == 0, "\(added.stderr)")
    try expectResumed("squares", "t", samples: 20_000, in: program)
  }

  /// Interrupts a run on a dataset, resumes it, and compares it with one that was not interrupted.
  private func expectResumed(
    _ dataset: String, _ model: String, samples: Int, in program: Program
  ) throws {
    var run = ""
    var (status, text) = (Int32(0), "")
    // If this test gets no processor time for so long that a run ends first, it tries again.
    repeat {
      run += "cut"
      (status, text) = try interruptedPrediction(of: dataset, model, run, in: program)
    } while status == 0
    #expect(status == 130)
    #expect(text.contains("of \(samples) samples are kept in the run “\(run)”"), "\(text)")
    let kept = try done(run, in: program)
    #expect(kept > 0 && kept < Double(samples))
    let again = try program.run("predict", dataset, "--model", model, "--name", run, "--json")
    let json = try again.json()
    #expect(json["status"]?.text == "resumed" && json["done"]?.double == Double(samples))
    #expect(json["computed"]?.double == Double(samples) - kept)
    #expect(
      try program.run("predict", dataset, "--model", model, "--name", "whole").status == 0)
    for run in [run, "whole"] {
      #expect(try program.run("predictions", "export", run, "--out", "\(run).csv").status == 0)
    }
    #expect(try program.folder.read("\(run).csv") == program.folder.read("whole.csv"))
  }

  /// Starts a run and interrupts it once some samples are done; returns its exit status and output.
  private func interruptedPrediction(
    of dataset: String, _ model: String, _ run: String, in program: Program
  ) throws -> (status: Int32, text: String) {
    let process = Process()
    let errors = Pipe()
    process.executableURL = Program.executable
    process.arguments = [
      "predict", dataset, "--model", model, "--name", run, "--batch", "1", "--workers", "1",
    ]
    process.currentDirectoryURL = URL(fileURLWithPath: program.folder.path)
    process.standardError = errors
    process.standardOutput = FileHandle.nullDevice
    // A thread of the test runner blocks signals, and a child would inherit that.
    var interrupt = sigset_t()
    sigemptyset(&interrupt)
    sigaddset(&interrupt, SIGINT)
    pthread_sigmask(SIG_UNBLOCK, &interrupt, nil)
    try process.run()
    while process.isRunning, try done(run, in: program) == 0 { usleep(5_000) }
    kill(process.processIdentifier, SIGINT)
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }

  /// The number of completed samples of a run, read from the catalog, because starting a program
  /// each time takes too long.
  private func done(_ run: String, in program: Program) throws -> Double {
    let catalog = try Catalog.open(program.folder.path + "/assay.db", .readOnly)
    return Double(try catalog.findRun(named: run)?.done ?? 0)
  }
}
