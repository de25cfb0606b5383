import AssayCore
import AssayTestSupport
import Foundation
import Testing

@Suite("assay predict, classes without scores", .openVINO)
struct PredictClassesTests {
  private static let manifest = """
    task: classification
    input: {width: 2, height: 2, layout: NCHW, color: gray, scale: 1/255, offset: 0, resize: stretch}
    labels-output: y
    class-base: 0
    classes: [cat, dog, owl]
    """

  @Test("A run of predicted classes is the same as one imported from a table of them")
  func sameAsImported() throws {
    let program = try Program()
    let data = PackageFolder.fixture("outside-predictions/data").path
    #expect(try program.run("import", data, "--name", "d").status == 0)
    let manifest = program.folder.url.appending(path: "m.yaml")
    try Data(Self.manifest.utf8).write(to: manifest)
    let added = try program.run(
      "model", "add", ModelCommandTests.models + "/class_number.onnx", "--manifest", manifest.path,
      "--name", "m")
    #expect(added.status == 0, "\(added.stderr)")
    let outcome = try program.run("predict", "d", "--model", "m", "--name", "r")
    #expect(outcome.status == 0, "\(outcome.stderr)")
    #expect(outcome.stdout.contains("predicted classes without scores"))
    let again = try program.run("predict", "d", "--model", "m", "--name", "r", "--json").json()
    #expect(again["status"]?.text == "already_done")
    #expect(again["settings"]?["labels_only"] == .bool(true))
    #expect(try program.run("predictions", "export", "r", "--out", "r.csv").status == 0)
    let table = try program.folder.read("r.csv")
    #expect(table.hasPrefix("sample,prediction\n") && table.contains("cat/"))
    let imported = try program.run(
      "predictions", "import", program.folder.url.appending(path: "r.csv").path, "--name", "s",
      "--in", "d")
    #expect(imported.status == 0, "\(imported.stderr)")
    let (own, other) = (
      try program.run("evaluate", "r", "--json").json(),
      try program.run("evaluate", "s", "--json").json()
    )
    for key in [
      "accuracy", "macro_f1", "macro_f1_defined", "balanced_accuracy", "log_loss", "brier",
    ] {
      #expect(own[key] == other[key], "\(key)")
    }
    #expect(own["accuracy"]?.double != nil && own["log_loss"] == .null)
    let refused = try program.run("predictions", "combine", "r", "r", "--name", "c")
    #expect(refused.status == 2)
    let audit = try program.run("model", "audit", "m", "d", "--samples", "9")
    #expect(audit.status == 0, "\(audit.stderr)")
  }
}
