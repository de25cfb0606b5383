import AssayCore
import AssayImaging
import AssayTestSupport
import Foundation
import Testing

/// Imports that change the task or the classes of images that people have labeled, and lists of classes.
@Suite("Changed tasks and classes")
struct ChangedTasksTests {
  private let program: Program

  /// A program with three images in `frames/`.
  init() throws {
    program = try Program()
    for number in 0..<3 {
      let image = Raster<UInt8>(
        repeating: UInt8(60 * number), width: 16, height: 12, channels: 3)
      try program.folder.write(
        "frames/\(number).jpg", try ImageCodec.encodeJPEG(image, quality: 90))
    }
  }

  @discardableResult
  private func run(_ arguments: String..., status: Int32 = 0) throws -> Program.Outcome {
    let outcome = try program.run(arguments, environment: ["ASSAY_AUTHOR": "anna"])
    try #require(
      outcome.status == status, "\(arguments): \(outcome.stdout)\(outcome.stderr)")
    return outcome
  }

  private func count(_ expression: String) throws -> String {
    try run("query", expression, "--in", "frames", "--corrected", "--count").stdout
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// A text without its line breaks.
  private func flat(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  @Test("Labels of images are reported where the dataset has sets of labels now, and come back")
  func otherTask() throws {
    try run("import", "frames", "--classes", "cat,dog", "--task", "classification")
    try run("corrections", "add", "--sample", "frames:0.jpg", "--label", "cat")
    let changed = try run(
      "import", "frames", "--classes", "cat,dog", "--task", "multilabel", "--replace")
    #expect(
      (changed.stdout + changed.stderr).contains("1 sample whose corrections no longer apply"),
      "\(changed.stdout)\(changed.stderr)")
    let listed = try run("corrections", "ls", "--json").json()
    #expect(listed["issues"]?.elements?.map { $0["kind"]?.text } == ["otherTask"], "\(listed)")
    #expect(listed["issues"]?.elements?.first?["entries"]?.double == 1)
    #expect(
      listed["list"]?.elements?.first?["issues"]?.elements?.compactMap(\.text) == ["otherTask"])
    let text = try run("corrections", "ls").stdout
    #expect(
      text.contains("not used (otherTask)")
        && flat(text).contains("--task classification --replace"),
      "\(text)")
    let shown = try run("corrections", "show", "frames:0.jpg").stdout
    #expect(shown.contains("not used: 1 entry about one label instead of a set"), "\(shown)")
    // An entry that is not used is not undone by that.
    #expect(
      try run("corrections", "redo", "1", status: 2).stderr.contains("entry 1 is not undone"))
    try run("corrections", "undo", "1")
    #expect(
      try run("corrections", "undo", "1", status: 2).stderr.contains("entry 1 is already undone"))
    try run("corrections", "redo", "1")

    try run("corrections", "add", "--sample", "frames:1.jpg", "--add-label", "dog")
    let back = try run(
      "import", "frames", "--classes", "cat,dog", "--task", "classification", "--replace")
    #expect((back.stdout + back.stderr).contains("1 sample whose corrections no longer apply"))
    #expect(try count("label = cat") == "1")
    #expect(
      flat(try run("corrections", "ls").stdout).contains("with --task multilabel --replace"))
  }

  @Test("A sample whose only correction has a class that was left out counts as not corrected")
  func leftOutClass() throws {
    try run("import", "frames", "--classes", "cat,dog", "--task", "classification")
    try run("corrections", "add", "--sample", "frames:0.jpg", "--label", "cat")
    try run("corrections", "add", "--sample", "frames:1.jpg", "--label", "dog")
    try run("import", "frames", "--classes", "dog", "--task", "classification", "--replace")
    #expect(try run("corrections", "ls").stdout.contains("not used (unknownClass)"))
    #expect(try count("corrected = true") == "1")
    #expect(try count("label = dog") == "1")
    let export = try run(
      "export", "frames", "--to", "folder", "--out", "out", "--corrected", "--only-corrected",
      "--json"
    ).json()
    #expect(export["samples"]?.double == 1, "\(export)")
    let again = try run(
      "corrections", "add", "--sample", "frames:0.jpg", "--label", "cat", status: 2)
    #expect(again.stderr.contains("cat"), "\(again.stderr)")
    try program.folder.write("fixes.csv", Data("key,label\n0.jpg,cat\n".utf8))
    let batch = try run(
      "corrections", "add", "--from", "fixes.csv", "--in", "frames", status: 2)
    #expect(batch.stderr.contains("fixes.csv:2"), "\(batch.stderr)")
    let shown = try run("corrections", "show", "frames:0.jpg")
    #expect(
      flat(shown.stdout).contains(
        "left out: labels and objects of “cat”, which the dataset does not have")
        && shown.stdout.contains("the ground truth is the imported one"), "\(shown.stdout)")
    let json = try run("corrections", "show", "frames:0.jpg", "--json").json()
    #expect(json["left_out_classes"]?.elements?.compactMap(\.text) == ["cat"], "\(json)")
    let listed = try run("corrections", "ls", "--in", "frames", "--json").json()
    let changes = listed["list"]?.elements?.first { $0["key"]?.text == "0.jpg" }?["changes"]
    #expect(changes?.elements?.isEmpty == true, "\(listed)")
    #expect(
      try run("corrections", "ls", "--in", "frame", status: 2).stderr.contains("frames"))
    try run("import", "frames", "--classes", "dog,cat", "--task", "classification", "--replace")
    #expect(try count("label = cat") == "1")
    #expect(try count("corrected = true") == "2")
  }

  @Test("Exports of labels count the objects that they leave out")
  func leftOutObjects() throws {
    try run("import", "frames", "--classes", "cat,dog")
    try run("corrections", "add", "--sample", "frames:0.jpg", "--label", "cat")
    // A negative coordinate is no option.
    for box in ["-1,1,4,4", "6,6,3,3"] {
      try run(
        "corrections", "add", "--sample", "frames:1.jpg", "--category", "dog", "--box", box)
    }
    let export = try run("export", "frames", "--to", "folder", "--out", "a", "--corrected")
    #expect(
      flat(export.stdout).contains("2 objects in 1 image are not written"), "\(export.stdout)")
    let json = try run(
      "export", "frames", "--to", "folder", "--out", "b", "--corrected", "--verify", "--json"
    ).json()
    #expect(json["left_out_objects"]?.double == 2, "\(json)")
    // Without corrections there are none.
    let picture = try Data(contentsOf: URL(fileURLWithPath: program.folder.path("frames/0.jpg")))
    try program.folder.write("labeled/cat/0.jpg", picture)
    try run("import", "labeled")
    let none = try run("export", "labeled", "--to", "folder", "--out", "c", "--json").json()
    #expect(none["left_out_objects"]?.double == 0, "\(none)")
  }

  @Test("A run in place of a file to convert is named as such")
  func convertedRun() throws {
    for (name, number) in [("cat", 0), ("dog", 1)] {
      let path = program.folder.path("frames/\(number).jpg")
      try program.folder.write(
        "pets/\(name)/\(number).jpg", try Data(contentsOf: URL(fileURLWithPath: path)))
    }
    try program.folder.write(
      "scores.csv", Array("sample,cat,dog\ncat/0.jpg,0.9,0.1\ndog/1.jpg,0.2,0.8\n".utf8))
    try run("import", "pets")
    try run("predictions", "import", "scores.csv", "--name", "outside", "--in", "pets")
    let refused = try run("convert", "outside", "--to", "coco", "out", status: 2)
    #expect(
      refused.stderr.contains("a run of the catalog")
        && refused.stderr.contains("--run outside"), "\(refused.stderr)")
  }

  @Test("Lists of classes are added up; files that are not there are refused")
  func lists() throws {
    try program.folder.write("more.txt", Array("bird\nhorse\n".utf8))
    try run(
      "import", "frames", "--classes", "cat,dog", "--classes", "more.txt", "--task",
      "classification")
    let shown = try run("show", "frames", "--json").json()
    #expect(
      shown["classes"]?.elements?.compactMap(\.text) == ["cat", "dog", "bird", "horse"],
      "\(shown)")
    #expect(shown["dataset"]?["task"]?.text == "classification")
    let text = try run("show", "frames").stdout
    #expect(
      text.contains("classification") && text.contains("4 (cat, dog, bird, horse)"), "\(text)")
    try program.folder.write("empty.txt", Array("\n\n".utf8))
    for (list, reason) in [
      ("none.txt", "there is no file none.txt"), ("lists/none", "there is no file lists/none"),
      ("./frames", "is a folder"), ("empty.txt", "is empty"), ("", "the list is empty"),
      ("cat,,dog", "name 2 is empty"), ("cat,dog,cat", "“cat” occurs twice"),
    ] {
      let refused = try run("import", "frames", "--name", "x", "--classes", list, status: 64)
      #expect(
        refused.stderr.contains("--classes: ") && refused.stderr.contains(reason),
        "\(list): \(refused.stderr)")
    }
    try run("import", "frames", "--name", "x", "--classes", "cat", "--classes", "cat", status: 64)
  }

  @Test("The file of --classes can lie in the folder of images; the import says what is labeled")
  func listInside() throws {
    try program.folder.write("frames/classes.txt", Array("person\ncar\n".utf8))
    let refused = try run("import", "frames", "--task", "detection", status: 2)
    #expect(refused.stderr.contains("classes.txt"), "\(refused.stderr)")
    let done = try run("import", "frames", "--classes", "frames/classes.txt", "--task", "detection")
    #expect(
      done.stdout.contains("to be labeled for detection, with the 2 classes person, car")
        && done.stdout.contains("accepted 3 + rejected 0"), "\(done.stdout)")
    let frames = try run(
      "import", "frames:frames", "--name", "film", "--classes", "frames/classes.txt")
    #expect(frames.stdout.contains("the 2 classes person, car"), "\(frames.stdout)")
    // Another file of the same kind still counts.
    try program.folder.write("frames/labels.txt", Array("person\ncar\n".utf8))
    let other = try run(
      "import", "frames", "--name", "y", "--classes", "frames/classes.txt", status: 2)
    #expect(other.stderr.contains("labels.txt"), "\(other.stderr)")
  }

  @Test("A kept queue of a task that the dataset no longer takes is refused")
  func keptQueue() throws {
    try run("import", "frames", "--classes", "cat,dog")
    let made = try run("review", "frames", "--task", "detection", "--json").json()
    #expect(made["review"]?["task"]?.text == "detection", "\(made)")
    let name = try #require(made["review"]?["name"]?.text)
    try run(
      "import", "frames", "--classes", "cat,dog", "--task", "segmentation", "--replace")
    let other = try run("review", name, "--list")
    #expect(
      (other.stdout + other.stderr).contains("was imported for segmentation since"),
      "\(other.stdout)\(other.stderr)")
    try run("import", "frames", "--classes", "cat,dog", "--task", "multilabel", "--replace")
    let refused = try run("review", name, "--list", status: 2)
    #expect(refused.stderr.contains("has sets of labels"), "\(refused.stderr)")
  }
}
