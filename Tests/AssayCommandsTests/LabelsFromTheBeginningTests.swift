import AssayCore
import AssayImaging
import AssayTestSupport
import Foundation
import Testing

/// Films and images without annotations: classes, tasks, corrections, exports, more classes.
@Suite("Labels from the beginning")
struct LabelsFromTheBeginningTests {
  private let program: Program

  /// A program with a film of six frames, `film.mjpeg`, and its images in `frames/`.
  init() throws {
    program = try Program()
    var stream: [UInt8] = []
    for number in 0..<6 {
      let image = Raster<UInt8>(
        repeating: UInt8(30 * number), width: 16, height: 12, channels: 3)
      let bytes = try ImageCodec.encodeJPEG(image, quality: 90)
      try program.folder.write("frames/\(number).jpg", bytes)
      try program.folder.write("trips/day\(number % 2)/\(number).jpg", bytes)
      stream += bytes
    }
    try program.folder.write("film.mjpeg", stream)
  }

  @discardableResult
  private func run(_ arguments: String..., status: Int32 = 0) throws -> Program.Outcome {
    let outcome = try program.run(arguments, environment: ["ASSAY_AUTHOR": "anna"])
    try #require(
      outcome.status == status, "\(arguments): \(outcome.stdout)\(outcome.stderr)")
    return outcome
  }

  private func classes(_ dataset: String) throws -> [String] {
    let rows = try run(
      "sql",
      "SELECT c.name AS name FROM category c JOIN taxonomy t ON t.id = c.taxonomy JOIN dataset d ON d.id = t.dataset "
        + "WHERE d.name = '\(dataset)' AND c.ordinal IS NOT NULL ORDER BY c.ordinal", "--json")
    return (try rows.json()["rows"]?.elements ?? []).compactMap {
      $0["name"]?.text ?? $0.elements?.first?.text
    }
  }

  @Test("What is drawn in a film is listed and checked")
  func drawn() throws {
    try run("import", "film.mjpeg", "--fps", "10", "--classes", "person,car", "--task", "detection")
    for (frame, box) in [(0, "1,2,4,5"), (3, "2,2,1,1")] {
      try run(
        "corrections", "add", "--sample", "film:0000000\(frame).jpg", "--category", "car", "--box",
        box)
    }
    let listed = try run("query", "--in", "film", "--corrected", "--json").json()
    #expect(
      listed["samples"]?.elements?.map { $0["regions"]?.elements?.first?["category"]?.text } == [
        "car", nil, nil, "car", nil, nil,
      ], "\(listed)")
    let found = try run(
      "check", "film", "--corrected", "--only", "tinyAnnotation", "--json"
    ).json()
    #expect(found["findings"]?.elements?.count == 1, "\(found)")
  }

  @Test("A command with classes is printed only where their names fit into a list")
  func printedCommands() throws {
    try program.folder.write("odd.txt", Array("car, red\nperson\n".utf8))
    try run("import", "film.mjpeg", "--classes", "odd.txt", "--task", "detection", "--name", "odd")
    let odd = try run("review", "odd", "--task", "multilabel", "--list", status: 2).stderr
    #expect(odd.contains("omit it") && !odd.contains("--classes"), "\(odd)")
    try run("import", "film.mjpeg", "--classes", "car,person", "--task", "detection")
    let plain = try run("review", "film", "--task", "multilabel", "--list", status: 2).stderr
    #expect(plain.contains("--classes car,person --task multilabel --replace"), "\(plain)")
    #expect(plain.contains("do not count"), "\(plain)")
    let convert = try run("convert", "film", "--to", "image-folder", "out", status: 2).stderr
    #expect(convert.contains("assay export film --to folder --out out"), "\(convert)")
  }

  @Test("A film with classes takes boxes, which are exported and imported again")
  func film() throws {
    try program.folder.write("classes.txt", Array("person\ncar\n".utf8))
    try run(
      "import", "film.mjpeg", "--fps", "10", "--classes", "classes.txt", "--task", "detection")
    #expect(try classes("film") == ["person", "car"])
    let queue = try run("review", "film", "--json").json()
    #expect(queue["review"]?["order"]?.text == "dataset")
    #expect(
      queue["items"]?.elements?.compactMap { $0["key"]?.text }
        == (0..<6).map { "0000000\($0).jpg" })
    for (frame, x) in [(0, 1), (2, 3), (4, 5)] {
      try run(
        "corrections", "add", "--sample", "film:0000000\(frame).jpg", "--category",
        frame == 4 ? "car" : "person", "--box", "\(x),2,4,5")
    }
    #expect(
      try run("query", "count(person) > 0", "--in", "film", "--corrected", "--count").stdout
        .hasPrefix("2"))
    let recorded = try FileManager.default.contentsOfDirectory(
      atPath: program.folder.path("assay.frames"))
    let images = "assay.frames/" + (try #require(recorded.first))
    for format in ["coco", "yolo", "cvat"] {
      try run("export", "film", "--to", format, "--out", format, "--corrected")
      let arguments = format == "coco" ? ["--images", images] : []
      let outcome = try program.run(
        ["import", "\(format):\(format)", "--name", "again-\(format)"] + arguments)
      try #require(outcome.status == 0, "\(format): \(outcome.stderr)")
      #expect(
        try run("query", "count(person) = 1", "--in", "again-\(format)", "--count").stdout
          .hasPrefix("2"), "\(format)")
      #expect(
        try run("query", "count(car) = 1", "--in", "again-\(format)", "--count").stdout
          .hasPrefix("1"), "\(format)")
    }
  }

  @Test("More classes by the same import with --replace keep all corrections")
  func moreClasses() throws {
    try run("import", "film.mjpeg", "--classes", "person", "--task", "detection")
    try run(
      "corrections", "add", "--sample", "film:00000001.jpg", "--category", "person", "--box",
      "1,2,4,5")
    try run(
      "import", "film.mjpeg", "--classes", "car,person", "--task", "detection", "--replace")
    #expect(try classes("film") == ["car", "person"])
    try run(
      "corrections", "add", "--sample", "film:00000001.jpg", "--category", "car", "--box",
      "6,2,4,5")
    let count = try run(
      "query", "count(person) = 1 and count(car) = 1", "--in", "film", "--corrected", "--count")
    #expect(count.stdout.hasPrefix("1"))
    // The same import again does nothing.
    let again = try run(
      "import", "film.mjpeg", "--classes", "car,person", "--task", "detection")
    #expect(again.stdout.hasPrefix("already imported"))
  }

  @Test("Without a stated task, a queue of images without annotations is refused with the choice")
  func choice() throws {
    try run("import", "frames", "--classes", "cat,dog")
    let refused = try run("review", "frames", "--list", status: 2)
    #expect(refused.stderr.contains("--task classification"), "\(refused.stderr)")
    let chosen = try run("review", "frames", "--task", "segmentation", "--json").json()
    #expect(chosen["resumed"] == false)
    let again = try run("review", "frames", "--task", "segmentation", "--json").json()
    #expect(again["resumed"] == true)
    // Another task is another queue.
    let other = try run("review", "frames", "--task", "classification", "--json").json()
    #expect(other["resumed"] == false)
    #expect(other["review"]?["name"] != chosen["review"]?["name"])
    let sets = try run("review", "frames", "--task", "multilabel", "--list", status: 2)
    #expect(
      sets.stderr.contains(
        "has no sets of labels; if it is to be labeled for that, import it again")
        && sets.stderr.contains("--classes cat,dog --task multilabel --replace"),
      "\(sets.stderr)")
    // A box in an image without a label is possible, and in a dataset with labels it is not.
    try run(
      "corrections", "add", "--sample", "frames:0.jpg", "--category", "cat", "--box", "1,1,3,3")
    try run("import", "trips", "--name", "labeled")
    let box = try run(
      "corrections", "add", "--sample", "labeled:day0/0.jpg", "--category", "day0", "--box",
      "1,1,3,3", status: 2)
    #expect(box.stderr.contains("has labels and no regions"))
    let boxes = try run("review", "labeled", "--task", "detection", "--list", status: 2)
    #expect(boxes.stderr.contains("has labels of whole images"), "\(boxes.stderr)")
  }

  @Test("Folders are no classes if something else is labeled; sets of labels are added and removed")
  func folders() throws {
    let imported = try run(
      "import", "trips", "--classes", "sea,sun", "--task", "multilabel")
    #expect(imported.stdout.contains("the folders are not classes"), "\(imported.stdout)")
    #expect(try classes("trips") == ["sea", "sun"])
    let labels = try run(
      "import", "trips", "--name", "labels", "--classes", "sea,sun", "--task", "classification")
    #expect(labels.stdout.contains("the folders are not classes"), "\(labels.stdout)")
    // A queue can be for another task as long as no image has a label.
    try run("review", "labels", "--task", "detection", "--list")
    try run(
      "corrections", "add", "--sample", "labels:day0/0.jpg", "--category", "sun", "--box",
      "1,1,3,3")
    let box = try run(
      "corrections", "add", "--sample", "trips:day0/0.jpg", "--category", "sun", "--box",
      "1,1,3,3", status: 2)
    #expect(box.stderr.contains("has labels and no regions"), "\(box.stderr)")
    try run(
      "import", "trips", "--name", "days", "--classes", "day0,day1", "--task", "classification")
    #expect(try run("query", "label = day1", "--in", "days", "--count").stdout.hasPrefix("3"))
    try run("review", "trips", "--list")
    try run(
      "corrections", "add", "--sample", "trips:day0/0.jpg", "--add-label", "sun")
    #expect(
      try run("query", "label = sun", "--in", "trips", "--corrected", "--count").stdout.hasPrefix(
        "1"))
    try run("export", "trips", "--to", "multilabel-csv", "--out", "sets", "--corrected")
    let refused = try run("import", "film.mjpeg", "--name", "none", "--task", "detection")
    #expect(refused.status == 0)
    let unnamed = try run("review", "none", "--task", "detection", "--list", status: 2)
    #expect(
      unnamed.stderr.contains("has no classes")
        && unnamed.stderr.contains("--classes NAME,NAME --task detection"), "\(unnamed.stderr)")
    #expect(
      try run("review", "none", "--list").stdout.contains(
        "nothing can be labeled or drawn; to name classes: assay import"))
    let wrong = try run(
      "import", PackageFolder.fixture("voc").path, "--task", "detection", status: 2)
    #expect(wrong.stderr.contains("--task does not apply") || wrong.stderr.contains("voc"))
  }

  @Test("A view of the catalog is exported, not converted")
  func convert() throws {
    try run("import", "frames", "--classes", "cat,dog")
    try FileManager.default.removeItem(atPath: program.folder.path("frames"))
    let refused = try run("convert", "frames", "--to", "yolo", "out", status: 2)
    #expect(refused.stderr.contains("assay export frames --to yolo --out out"), "\(refused.stderr)")
  }
}
