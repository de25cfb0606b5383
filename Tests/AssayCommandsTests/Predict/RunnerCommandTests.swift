import AssayCore
import AssayTestSupport
import Foundation
import Testing

import AssayCommands

/// 200 images of 2 × 2 gray pixels, half of them bright, and a runner that tells them apart.
private struct RunnerWorld {
  let program: Program
  let script: String

  static let manifest = """
    # for tests
    task: classification
    input: {width: 2, height: 2, layout: NCHW, color: gray, scale: 1/255, offset: 0, resize: stretch}
    activation: none  # the runner gives probabilities
    classes: [bright, dark]

    """

  init(mode: String = "none") throws {
    program = try Program()
    let rows = (0..<200).map { index in
      let level = index.isMultiple(of: 2) ? 150 + index % 40 : 100 - index % 40
      return
        "\(index.isMultiple(of: 2) ? "bright" : "dark"),\(level) \(level) \(level + 1) \(level)"
    }
    try program.folder.write("images.csv", "label,pixels\n" + rows.joined(separator: "\n") + "\n")
    script = program.folder.path + "/tiny_runner.py"
    try FileManager.default.copyItem(
      atPath: PackageFolder.fixture("runners/tiny_runner.py").path, toPath: script)
    try program.folder.write(
      "m.yaml", Self.manifest + "runner: python3 tiny_runner.py {model} \(mode)\n")
    let imported = try run("import", "images.csv", "--name", "images")
    try #require(imported.status == 0, "\(imported.stderr)")
  }

  /// Runs the program; the user's own folder is in the test's.
  func run(_ arguments: String...) throws -> Program.Outcome {
    try program.run(
      arguments, environment: ["XDG_DATA_HOME": program.folder.path + "/data"])
  }

  func add(_ more: String...) throws -> Program.Outcome {
    try program.run(
      [
        "model", "add", ModelCommandTests.models + "/tiny.onnx", "--manifest", "m.yaml", "--name",
        "r",
      ]
        + more, environment: ["XDG_DATA_HOME": program.folder.path + "/data"])
  }
}

@Suite("Runners on the command line")
struct RunnerCommandTests {
  @Test("A runner starts only once it is trusted: shown first, kept, noticed when it changes")
  func trust() throws {
    let world = try RunnerWorld()
    let shown = try world.add()
    #expect(shown.status == 2)
    #expect(shown.stderr.contains("python3 tiny_runner.py {model} none"))
    #expect(shown.stderr.contains(world.program.folder.path) && shown.stderr.contains("SHA-256"))
    #expect(shown.stderr.contains("--trust-runner"))
    let added = try world.add("--trust-runner")
    #expect(added.status == 0, "\(added.stderr)")
    let predicted = try world.run("predict", "images", "--model", "r", "--name", "p")
    #expect(predicted.status == 0, "\(predicted.stderr)")
    #expect(predicted.stdout.contains("equal up to rounding"))
    #expect(try world.run("gate", "p", "accuracy >= 1").status == 0)
    // The catalog alone, on a machine without the user's trust, starts nothing.
    let elsewhere = try world.program.run(
      ["predict", "images", "--model", "r", "--name", "q"],
      environment: ["XDG_DATA_HOME": world.program.folder.path + "/other"])
    #expect(elsewhere.status == 2 && elsewhere.stderr.contains("not trusted on this machine"))
    // A command that someone wrote into the catalog does not start either.
    let tampered = try world.program.shell(
      "sqlite3 assay.db \"UPDATE model SET manifest = replace(manifest, 'tiny_runner.py', 'other.py')\" 2> /dev/null"
        + " || python3 -c \"import sqlite3; c = sqlite3.connect('assay.db'); c.execute(\\\"UPDATE model SET"
        + " manifest = replace(manifest, 'tiny_runner.py', 'other.py')\\\"); c.commit()\"")
    #expect(tampered.status == 0, "\(tampered.stderr)")
    let refused = try world.run("predict", "images", "--model", "r", "--name", "q")
    #expect(refused.status == 2 && refused.stderr.contains("not trusted"), "\(refused.stderr)")
  }

  @Test("A runner that reads files is refused where there are none, or its input is compared")
  func files() throws {
    let world = try RunnerWorld(mode: "files")
    let added = try world.add("--trust-runner")
    #expect(added.status == 0, "\(added.stderr)")
    let predicted = try world.run("predict", "images", "--model", "r")
    #expect(predicted.status == 2, "\(predicted.stdout)")
    #expect(predicted.stderr.contains("the image of 0 is in no file of its own"))
    let audited = try world.run("model", "audit", "r", "images")
    #expect(audited.status == 2, "\(audited.stdout)")
    #expect(audited.stderr.contains("so that other preprocessing cannot be tried"))
    let checked = try world.run(
      "model", "check", "r", "--runner", "python3 tiny_runner.py {model}")
    #expect(checked.status == 2, "\(checked.stdout)")
    #expect(checked.stderr.contains("so that its inputs cannot be those of another program"))
  }

  @Test(
    "A shard whose runner was killed is to be tried again, one whose runner ends is not",
    arguments: [("killed", 75 as Int32, "signal 9"), ("ended", 2, "status 1")])
  func killed(mode: String, status: Int32, says: String) throws {
    let world = try RunnerWorld(mode: mode)
    let added = try world.add("--trust-runner")
    #expect(added.status == 0, "\(added.stderr)")
    // Adding a model computes one image.
    try world.program.folder.write("now", "")
    let shard = try world.run("predict", "images", "--model", "r", "--shard", "1/1", "--out", "p")
    #expect(shard.status == status, "\(shard.stderr)")
    #expect(shard.stderr.contains(says), "\(shard.stderr)")
  }

  @Test("A changed script is not started")
  func changed() throws {
    let world = try RunnerWorld()
    #expect(try world.add("--trust-runner").status == 0)
    let text = try String(contentsOfFile: world.script, encoding: .utf8)
    try world.program.folder.write("tiny_runner.py", text + "# changed\n")
    let refused = try world.run("predict", "images", "--model", "r")
    #expect(
      refused.status == 2 && refused.stderr.contains("has changed since"), "\(refused.stderr)")
    #expect(try world.add("--trust-runner").stdout.contains("already exists"))
    #expect(try world.run("predict", "images", "--model", "r").status == 0)
  }

  @Test("Two models with one file and one command in two folders: each runs its own script")
  func folders() throws {
    let world = try RunnerWorld()
    let folder = world.program.folder.path
    for (name, mode) in [("one", "none"), ("two", "sign")] {
      try FileManager.default.createDirectory(
        atPath: folder + "/" + name, withIntermediateDirectories: true)
      let script = try String(contentsOfFile: world.script, encoding: .utf8)
        .replacingOccurrences(of: "else \"none\"", with: "else \"\(mode)\"")
      try world.program.folder.write("\(name)/s.py", script)
      try world.program.folder.write(
        "\(name)/m.yaml", RunnerWorld.manifest + "runner: python3 s.py {model}\n")
      let added = try world.run(
        "model", "add", ModelCommandTests.models + "/tiny.onnx", "--manifest", "\(name)/m.yaml",
        "--name", name, "--trust-runner")
      #expect(added.status == 0, "\(added.stderr)")
    }
    for name in ["one", "two"] {
      #expect(
        try world.run("predict", "images", "--model", name, "--name", "r-\(name)").status == 0)
    }
    // With 1/255 all values are positive: the second script calls every image bright.
    #expect(try world.run("gate", "r-one", "accuracy >= 1").status == 0)
    #expect(try world.run("gate", "r-two", "accuracy <= 0.5").status == 0)
    // A revised manifest in a third folder is not covered by the trust in the others.
    try FileManager.default.createDirectory(
      atPath: folder + "/three", withIntermediateDirectories: true)
    for file in ["s.py", "m.yaml"] {
      try FileManager.default.copyItem(
        atPath: "\(folder)/two/\(file)", toPath: "\(folder)/three/\(file)")
    }
    let edit = try world.run("model", "edit", "one", "--manifest", "three/m.yaml")
    #expect(edit.status == 2 && edit.stderr.contains("not trusted"), "\(edit.stderr)")
    let trusted = try world.run(
      "model", "edit", "one", "--manifest", "three/m.yaml", "--trust-runner")
    #expect(trusted.status == 0 && trusted.stdout.contains("one.v1"), "\(trusted.stderr)")
  }

  @Test("A run that other scripts began is not continued")
  func resumed() throws {
    let world = try RunnerWorld(mode: "late")
    #expect(try world.add("--trust-runner").status == 0)
    let first = try world.run(
      "predict", "images", "--model", "r", "--name", "p", "--batch", "4", "--workers", "1")
    #expect(first.status == 2 && first.stderr.contains("32 of 200 samples"), "\(first.stderr)")
    let text = try String(contentsOfFile: world.script, encoding: .utf8)
    try world.program.folder.write("tiny_runner.py", text + "# changed\n")
    #expect(try world.add("--trust-runner").status == 0)
    let second = try world.run("predict", "images", "--model", "r", "--name", "p")
    #expect(second.status == 2, "\(second.stdout)")
    #expect(second.stderr.contains("other versions of the runner's scripts"), "\(second.stderr)")
  }

  @Test("Trust that others can write is no trust")
  func openTrust() throws {
    let world = try RunnerWorld()
    #expect(try world.add("--trust-runner").status == 0)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o777], ofItemAtPath: world.program.folder.path + "/data/assay/runners")
    let refused = try world.run("predict", "images", "--model", "r")
    #expect(refused.status == 2 && refused.stderr.contains("can write it"), "\(refused.stderr)")
  }

  @Test("A runner that dies keeps what was done; the same command goes on")
  func dies() throws {
    let world = try RunnerWorld(mode: "late")
    #expect(try world.add("--trust-runner").status == 0)
    let command = [
      "predict", "images", "--model", "r", "--name", "p", "--batch", "4", "--workers", "1",
      "--json",
    ]
    let environment = ["XDG_DATA_HOME": world.program.folder.path + "/data"]
    // One call for a black image, four for the first samples alone, one for them together; 32 samples are
    // one piece of work, in the second one the runner fails.
    let first = try world.program.run(command, environment: environment)
    #expect(first.status == 2, "\(first.stderr)")
    #expect(first.stderr.contains("out of memory on the device"), "\(first.stderr)")
    #expect(first.stderr.contains("32 of 200 samples are kept in the run “p”"), "\(first.stderr)")
    let second = try world.program.run(command, environment: environment)
    #expect(second.status == 0, "\(second.stderr)")
    #expect(try second.json()["status"]?.text == "resumed" && second.json()["computed"] == 168)
    #expect(try world.run("predict", "images", "--model", "r", "--name", "whole").status == 0)
    let exports = try ["p", "whole"].map { run in
      let outcome = try world.run("predictions", "export", run, "--out", "\(run).csv")
      #expect(outcome.status == 0, "\(outcome.stderr)")
      return try String(contentsOfFile: world.program.folder.path + "/\(run).csv", encoding: .utf8)
    }
    #expect(exports[0] == exports[1] && exports[0].count > 40)
  }

  @Test("--runner on the command line, and beside one in the manifest")
  func option() throws {
    let world = try RunnerWorld()
    let two = try world.add("--runner", "python3 other.py")
    #expect(two.status == 2 && two.stderr.contains("has a “runner” already"), "\(two.stderr)")
    try world.program.folder.write("m.yaml", RunnerWorld.manifest)
    let shown = try world.add("--runner", "python3 tiny_runner.py {model}")
    #expect(shown.status == 2 && shown.stderr.contains("--trust-runner"))
    let added = try world.add("--runner", "python3 tiny_runner.py {model}", "--trust-runner")
    #expect(added.status == 0, "\(added.stderr)")
    let noManifest = try world.run(
      "model", "add", ModelCommandTests.models + "/tiny.onnx", "--runner", "true")
    #expect(noManifest.status == 64 && noManifest.stderr.contains("--manifest"))
  }

  @Test("The template is Python, and says where the model goes")
  func template() throws {
    let program = try Program()
    for arguments in [[], ["--onnxruntime"]] {
      let template = try program.run(["model", "runner-template"] + arguments)
      #expect(template.status == 0)
      try program.folder.write("t.py", template.stdout)
      let compiled = try program.shell("python3 -m py_compile t.py")
      #expect(compiled.status == 0, "\(compiled.stderr)")
    }
    #expect(
      try program.run("model", "runner-template").stdout.contains("---- your model ----"))
  }
}

@Suite("assay model check")
struct ModelCheckCommandTests {
  @Test("A runner beside itself is equal; noise without a view; a second output is chosen by name")
  func same() throws {
    let world = try RunnerWorld()
    #expect(try world.add("--trust-runner").status == 0)
    let same = try world.run(
      "model", "check", "r", "images", "--runner", "python3 tiny_runner.py {model}", "--json")
    #expect(same.status == 0, "\(same.stderr)")
    #expect(try same.json()["equal"] == .bool(true))
    #expect(try same.json()["inputs"]?.whole == 8)
    let different = try world.run(
      "model", "check", "r", "--runner", "python3 tiny_runner.py {model} sign", "--limit", "3")
    #expect(different.status == 1, "\(different.stderr)")
    #expect(
      different.stdout.contains("different")
        && different.stdout.contains("3 images of seeded noise"))
    let noONNX = try world.program.run(
      ["model", "check", "r"], environment: ["XDG_DATA_HOME": world.program.folder.path + "/data"])
    #expect(noONNX.status == 2 && noONNX.stderr.contains("ONNX Runtime reads only ONNX"))
  }

  @Test("Recorded pairs: equal, different, of another shape, without the arrays, with pickles")
  func expected() throws {
    let world = try RunnerWorld()
    #expect(try world.add("--trust-runner").status == 0)
    let make = """
      import struct, zipfile
      def npy(values, shape, descr="<f4"):
          header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}".encode()
          header += b" " * (-(10 + len(header) + 1) % 64) + b"\\n"
          return b"\\x93NUMPY\\x01\\x00" + struct.pack("<H", len(header)) + header + struct.pack(f"<{len(values)}f", *values)
      def npz(name, **arrays):
          with zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED) as file:
              for key, array in arrays.items():
                  file.writestr(key + ".npy", npy(*array))
      x = ([0.0] * 4 + [1.0] * 4, (2, 1, 2, 2))
      npz("good.npz", input=x, probabilities=([0, 1, 1, 0], (2, 2)))
      npz("bad.npz", input=x, expected=([0, 1, 0.9, 0.1], (2, 2)))
      npz("shape.npz", input=([0.0] * 4, (1, 4)), output=([0, 1], (1, 2)))
      npz("none.npz", input=x)
      npz("count.npz", input=x, output=([0, 1], (1, 2)))
      npz("pickle.npz", input=([0.0] * 8, (2, 1, 2, 2), "|O"), output=([0, 1, 1, 0], (2, 2)))
      npz("cut.npz", input=([0.0] * 7, (2, 1, 2, 2)), output=([0, 1, 1, 0], (2, 2)))
      """
    try world.program.folder.write("make.py", make)
    #expect(try world.program.shell("python3 make.py").status == 0)
    for (name, status, text) in [
      ("good", 0, "equal"), ("bad", 1, "different"),
      ("shape", 2, "the array “input” has the shape [1, 4]; the model needs [N, 1, 2, 2]"),
      ("none", 2, "no array “probabilities”"), ("count", 2, "the model needs [N, 2 values]"),
      ("pickle", 2, "never read"),
      ("cut", 2, "ends too early: the shape (2, 1, 2, 2) needs 32 bytes"),
    ] {
      let outcome = try world.run("model", "check", "r", "--expect", "\(name).npz")
      #expect(outcome.status == status, "\(name): \(outcome.stderr)")
      #expect((outcome.stdout + outcome.stderr).contains(text), "\(name): \(outcome.stderr)")
    }
    let first = try world.run("model", "check", "r", "--expect", "good.npz", "--limit", "1")
    #expect(
      first.stdout.contains("the first 1 of 2 recorded inputs of good.npz"), "\(first.stdout)")
    #expect(
      try world.run("model", "check", "r", "--expect", "good.npz").stdout.contains(
        "2 recorded inputs"))
    let other = try world.run("model", "check", "r", "--expect", "images.csv")
    #expect(other.status == 2 && other.stderr.contains("is no NumPy archive"), "\(other.stderr)")
    let both = try world.run("model", "check", "r", "images", "--expect", "good.npz")
    #expect(both.status == 64)
  }
}

@Suite("assay model audit and edit")
struct ModelAuditCommandTests {
  @Test("An audit finds that the model was trained on -1...1, and --apply revises the manifest")
  func audit() throws {
    // The runner's class depends on the sign: with 1/255 all images are bright.
    let world = try RunnerWorld(mode: "sign")
    #expect(try world.add("--trust-runner").status == 0)
    #expect(try world.run("predict", "images", "--model", "r", "--name", "before").status == 0)
    let audit = try world.run("model", "audit", "r", "images", "--json")
    #expect(audit.status == 0, "\(audit.stderr)")
    let json = try audit.json()
    #expect(json["metric"]?.text == "accuracy" && json["value"]?.double == 0.5)
    let best = json["best"]?["changes"]?.text ?? ""
    #expect(
      best.hasPrefix("scale: 2/255, offset: -1") || best.hasPrefix("scale: 1, offset: -128"),
      "\(best)")
    #expect(json["best"]?["value"]?.double == 1)
    #expect(json["applied"] == .bool(false))
    #expect(try world.run("ls", "--json").json()["models"]?.elements?.count == 1)
    let applied = try world.run("model", "audit", "r", "images", "--apply")
    #expect(applied.status == 0 && applied.stdout.contains("is kept as r.v1"), "\(applied.stderr)")
    let printed = try world.run("model", "edit", "r", "--print")
    #expect(printed.stdout.contains("  offset: -1") && printed.stdout.contains("# for tests"))
    #expect(
      printed.stdout.contains(
        "# assay model audit on 200 samples of images: accuracy 1.0000 instead of 0.5000"))
    #expect(try world.run("predict", "images", "--model", "r", "--name", "after").status == 0)
    let evaluated = try world.run("gate", "after", "accuracy >= 1")
    #expect(evaluated.status == 0, "\(evaluated.stdout)")
    let nothing = try world.run("model", "audit", "r", "images")
    #expect(nothing.stdout.contains("no better recipe"), "\(nothing.stdout) \(nothing.stderr)")
  }

  @Test("An edit keeps the manifest of earlier runs, and is refused if it does not fit")
  func edit() throws {
    let world = try RunnerWorld()
    try world.program.folder.write("plain.yaml", RunnerWorld.manifest)
    let model = ModelCommandTests.models + "/tiny.onnx"
    #expect(
      try world.run("model", "add", model, "--manifest", "plain.yaml", "--name", "t").status == 0)
    let printed = try world.run("model", "edit", "t", "--print")
    #expect(printed.stdout == RunnerWorld.manifest)
    let revised = RunnerWorld.manifest.replacingOccurrences(of: "1/255", with: "2/255")
    try world.program.folder.write("new.yaml", revised)
    let unused = try world.run("model", "edit", "t", "--manifest", "new.yaml", "--json")
    #expect(try unused.json()["kept_as"] == .null && unused.json()["changed"] == .bool(true))
    #expect(
      try world.run("model", "edit", "t", "--manifest", "new.yaml").stdout.contains("already"))
    try world.program.folder.write(
      "other.yaml", revised.replacingOccurrences(of: "width: 2", with: "width: 3"))
    let unfit = try world.run("model", "edit", "t", "--manifest", "other.yaml")
    #expect(unfit.status == 2 && unfit.stderr.contains("does not fit the model"), "\(unfit.stderr)")
    try world.program.folder.write(
      "task.yaml", revised.replacingOccurrences(of: "classification", with: "multilabel"))
    let task = try world.run("model", "edit", "t", "--manifest", "task.yaml")
    #expect(task.status == 2 && task.stderr.contains("is a model for classification"))
    #expect(try world.run("model", "edit", "t").status == 64)
  }
}
