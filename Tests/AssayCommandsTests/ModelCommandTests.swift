import AssayCore
import AssayTestSupport
import Foundation
import Testing

import AssayCommands

@Suite("assay model add")
struct ModelCommandTests {
  static let models = PackageFolder.fixture("models").path

  static let manifest = """
    task: classification
    input: {width: 2, height: 2, layout: NCHW, color: gray, scale: 1/255, offset: 0, resize: stretch}
    activation: none
    classes: [bright, dark]
    """

  @Test("Without a manifest: inputs, outputs, a draft, status 0, no catalog; the draft is refused")
  func draft() throws {
    let program = try Program()
    let model = Self.models + "/tiny.onnx"
    let drafted = try program.run("model", "add", model)
    #expect(drafted.status == 0, "\(drafted.stderr)")
    #expect(drafted.stdout.contains("was not added"))
    #expect(drafted.stdout.contains("x     f32   [N, 1, 2, 2]"))
    #expect(drafted.stdout.contains("next: assay model add \(model) --manifest ./tiny.yaml"))
    #expect(program.folder.has("tiny.yaml") && !program.folder.has("assay.db"))
    let again = try program.run("model", "add", model)
    #expect(again.status == 2 && again.stderr.contains("--manifest ./tiny.yaml"))
    let open = try program.run("model", "add", model, "--manifest", "tiny.yaml")
    #expect(open.status == 2 && open.stderr.contains("still marked TODO"), "\(open.stderr)")
    #expect(!program.folder.has("assay.db"))
  }

  @Test("With a manifest: added, reported as JSON, and found again")
  func add() throws {
    let program = try Program()
    try program.folder.write("m.yaml", Self.manifest)
    let added = try program.run(
      "model", "add", Self.models + "/tiny.xml", "--manifest", "m.yaml", "--name", "t", "--json")
    #expect(added.status == 0, "\(added.stderr)")
    let json = try added.json()
    #expect(json["added"] == .bool(true))
    #expect(json["model"]?["name"]?.text == "t")
    #expect(json["inputs"]?.elements?.first?["shape"] == [nil, 1, 2, 2])
    let again = try program.run(
      "model", "add", Self.models + "/tiny.xml", "--manifest", "m.yaml", "--name", "t")
    #expect(again.status == 0 && again.stdout.contains("already exists"))
    let other = try program.run(
      "model", "add", Self.models + "/tiny.onnx", "--manifest", "m.yaml", "--name", "t")
    #expect(other.status == 2 && other.stderr.contains("the model “t” already exists"))
  }

  @Test(
    "A file that is not a model, or does not fit, is a clear error, status 2 and no catalog",
    arguments: [
      (
        "external.onnx",
        "stores the values of “w” in another file (“weights.bin”), which cannot be used: the file is missing"
      ),
      ("make_models.py", "Supported are ONNX (.onnx), TensorFlow Lite (.tflite) and OpenVINO IR"),
      ("nothing.onnx", "No such file or directory"), ("", "it is a folder"),
    ])
  func refused(_ file: String, _ text: String) throws {
    let program = try Program()
    try program.folder.write("m.yaml", Self.manifest)
    let outcome = try program.run(
      "model", "add", Self.models + "/" + file, "--manifest", "m.yaml")
    #expect(outcome.status == 2 && outcome.stderr.contains(text), "\(outcome.stderr)")
    #expect(outcome.stdout.isEmpty && !program.folder.has("assay.db"))
  }

  @Test("A manifest of another shape names both, a misspelt key its line")
  func unfit() throws {
    let program = try Program()
    let shape = Self.manifest.replacing("width: 2", with: "width: 3")
    try program.folder.write("m.yaml", shape)
    let outcome = try program.run(
      "model", "add", Self.models + "/tiny.onnx", "--manifest", "m.yaml")
    #expect(outcome.status == 2)
    #expect(outcome.stderr.contains("[N, 1, 2, 3] (NCHW)"), "\(outcome.stderr)")
    #expect(outcome.stderr.contains("x takes [N, 1, 2, 2]"))
    try program.folder.write("k.yaml", Self.manifest.replacing("activation", with: "activaton"))
    let key = try program.run(
      "model", "add", Self.models + "/tiny.onnx", "--manifest", "k.yaml")
    #expect(key.stderr.contains("k.yaml:3:") && key.stderr.contains("did you mean “activation”"))
  }
}
