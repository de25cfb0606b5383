import AssayCore
import AssayTestSupport
import Foundation
import Testing

import AssayInference

@Suite("Runners")
struct RunnerTests {
  private static let model = Fixture.path("tiny.onnx")
  private static let script = PackageFolder.fixture("runners/tiny_runner.py").path

  private static func start(_ mode: String = "none") throws -> RunnerProcess {
    try RunnerProcess(
      RunnerProgram(
        command: RunnerCommand(words: ["python3", script, RunnerCommand.modelMark, mode]),
        folder: "/"), model: model, input: Fixture.tinyManifest().input)
  }

  private static func fitted(_ mode: String = "none", output: String? = nil) throws
    -> ValidatedModel
  {
    var manifest = Fixture.tinyManifest()
    manifest.output = output
    return try ValidatedModel(
      try ModelFile.ofRunner(model), manifest: manifest, runner: try start(mode))
  }

  private static let pictures = [
    Fixture.picture([0, 0, 0, 0]), Fixture.picture([255, 255, 255, 255]),
    Fixture.picture([10, 20, 30, 40]), Fixture.picture([200, 0, 0, 1]),
    Fixture.picture([90, 90, 90, 91]),
  ]

  @Test(
    "A runner's predictions, in batches and by several workers", arguments: ["none", "chatter"])
  func predictions(_ mode: String) throws {
    let pool = try ClassifierPool(
      try Self.fitted(mode), workers: 2, batch: 2, probe: Self.pictures)
    #expect(pool.batch == 2 && !pool.isExact)
    for worker in 0..<2 {
      let answers = try pool.answers(worker: worker, of: Self.pictures)
      let means = [0, 1, 25.0 / 255, 201.0 / 4 / 255, 361.0 / 4 / 255]
      for (answer, mean) in zip(answers, means) {
        #expect(abs(Double(answer[0]) - mean) < 1e-6)
        #expect(abs(Double(answer[1]) - (1 - mean)) < 1e-6)
      }
    }
  }

  @Test("A runner that asks for files gets their paths, and no arrays")
  func files() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "assay-files-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let values = [0.125, 0.25, 0.75, 0.5, 1]
    let pictures = try values.enumerated().map { index, value in
      let file = folder.appendingPathComponent("image \(index)")
      try Data("\(value)".utf8).write(to: file)
      return NamedRaster("\(index)", Self.pictures[0].raster) { file.path }
    }
    let model = try Self.fitted("files")
    let pool = try ClassifierPool(model, workers: 2, batch: 2, probe: pictures)
    #expect(try pool.answers(worker: 1, of: pictures).map { Double($0[0]) } == values)
    let error = #expect(throws: InferenceError.self) {
      try pool.answers(worker: 0, of: [pictures[0], Self.pictures[1]])
    }
    let name = Self.pictures[1].name
    #expect("\(String(describing: error))".contains("the image of \(name) is in no file"))
    let other = #expect(throws: InferenceError.self) { try Self.start("images") }
    #expect("\(String(describing: other))".contains("must be “arrays” or “files”"))
  }

  @Test("Its description: versions, batch, and outputs with the shapes of a first image")
  func description() throws {
    let runner = try Self.start()
    #expect(runner.versions == [.init("tiny", "1.0")])
    #expect(runner.batch == RunnerProcess.usualBatch)
    let model = try Self.fitted("two", output: "probabilities")
    #expect(model.readOutputs.map(\.name) == ["probabilities"])
    #expect(model.readOutputs.map(\.count) == [2])
    #expect(model.defaultBatch == 32)
  }

  @Test("Rounding in batches is accepted, other differences are not")
  func selfCheck() throws {
    let pool = try ClassifierPool(
      try Self.fitted("rounding"), workers: 1, batch: 4, probe: Self.pictures)
    #expect(pool.batch == 4)
    let error = #expect(throws: InferenceError.self) {
      try ClassifierPool(try Self.fitted("random"), workers: 1, batch: 4, probe: Self.pictures)
    }
    guard case .selfCheckFailed = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test(
    "What a runner does wrong is an error that says it",
    arguments: [
      ("exit", "it ended with the status 3. It printed:\n  no graphics processor here"),
      ("noise", "it answered “loading the model”, which is no JSON object"),
      ("text", "it answered “ready”"), ("list", "no JSON object"),
      ("protocol", "the protocol 2; this program speaks 1"),
      ("element", "“element” must be one of f32"),
      ("batch", "“batch” must be a whole number from 1 to 4096"),
      ("error", "it reports: the image is too dark"),
      ("shape", "the first length must be the number of images"),
      ("rows", "the first length must be the number of images"),
      ("fortran", "is in Fortran's order"), ("object", "never read"),
      ("cut", "it ended with the status 0"), ("huge", "which is too large"),
      ("long", "a line of more than 1048576 bytes"),
      ("missing", "describes the output “logits”, but does not give it"),
      ("twice", "has the output “probabilities” twice"),
    ])
  func failures(_ mode: String, _ text: String) {
    let error = #expect(throws: InferenceError.self) { try Self.start(mode) }
    #expect(error?.description.contains(text) == true, "\(error?.description ?? "")")
    #expect(error?.description.contains("tiny_runner.py") == true)
  }

  @Test("A program that is not there, and one that is no runner")
  func noRunner() {
    for (words, text) in [
      (["no-such-program"], "cannot be started: No such file or directory"),
      (["true"], "it ended with the status 0"), (["cat"], "has no list “outputs”"),
    ] {
      let error = #expect(throws: InferenceError.self) {
        try RunnerProcess(
          RunnerProgram(command: RunnerCommand(words: words), folder: "/"), model: Self.model,
          input: Fixture.tinyManifest().input)
      }
      #expect(error?.description.contains(text) == true, "\(error?.description ?? "")")
    }
  }

  @Test("A shape that stays open where the task needs a length")
  func open() throws {
    #expect(throws: InferenceError.self) {
      let pool = try ClassifierPool(
        try Self.fitted("nan"), workers: 1, batch: 2, probe: Self.pictures)
      try pool.readProbe()
    }
    let pool = try ClassifierPool(
      try Self.fitted("open"), workers: 1, batch: 2, probe: Self.pictures)
    #expect(try pool.answers(worker: 0, of: [Self.pictures[1]]) == [[1, 0]])
  }

  @Test("A precision is OpenVINO's")
  func precision() throws {
    let model = try Self.fitted()
    #expect(throws: InferenceError.precisionOfRunner(.bf16)) {
      try model.compile(batch: 1, precision: .bf16)
    }
  }

  @Test("The runner ends with its connection")
  func ends() throws {
    let folder = try TemporaryFolder()
    let script = """
      import os, sys
      print("[1]", flush=True)
      open(os.path.join(sys.argv[1], "started"), "w").write(str(os.getpid()))
      sys.stdin.buffer.read()
      open(os.path.join(sys.argv[1], "ended"), "w").write("x")
      """
    try folder.write("r.py", script)
    #expect(throws: InferenceError.self) {
      try RunnerProcess(
        RunnerProgram(
          command: RunnerCommand(words: ["python3", "r.py", folder.path]), folder: folder.path),
        model: "", input: Fixture.tinyManifest().input)
    }
    // The end of the connection waits for the end of the program.
    #expect(folder.has("started") && folder.has("ended"))
  }

  @Test(
    "Commands are split as a shell splits them",
    arguments: [
      ("python3 a.py {model}", ["python3", "a.py", "{model}"]),
      ("  a   'b c' \"d \\\" e\" f\\ g ''", ["a", "b c", "d \" e", "f g", ""]),
      ("a $HOME *", ["a", "$HOME", "*"]), ("a 'b", nil), ("", nil), ("a \\", nil), ("'' b", nil),
    ] as [(String, [String]?)])
  func splitting(_ text: String, _ words: [String]?) {
    #expect(RunnerCommand(text)?.words == words)
    if let words { #expect(RunnerCommand(RunnerCommand(words: words).text)?.words == words) }
  }

  @Test("In a manifest: a text or a list; an open quotation mark is an error with its line")
  func manifest() throws {
    let start = """
      task: classification
      input: {width: 2, height: 2, layout: NCHW, color: gray, scale: 1, offset: 0, resize: stretch}
      classes: [a, b]

      """
    let text = try ModelManifest(yaml: start + "runner: python3 'my net.py' {model}", path: "m")
    #expect(text.runner?.words == ["python3", "my net.py", "{model}"])
    let list = try ModelManifest(yaml: start + "runner: [python3, my net.py]", path: "m")
    #expect(list.runner?.words == ["python3", "my net.py"])
    let error = #expect(throws: InferenceError.self) {
      try ModelManifest(yaml: start + "runner: \"python3 'a\"", path: "m")
    }
    #expect(error?.description.contains("m:4: “runner” must be a command") == true)
  }
}
