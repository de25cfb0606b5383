import AssayCore
import AssayImaging
import AssayTestSupport
import Foundation
import Testing

/// Files of predictions whose own words contradict what their numbers are taken for.
@Suite("Predictions that contradict themselves")
struct ContradictedPredictionsTests {
  private static func fixture(_ name: String) -> String {
    PackageFolder.fixture("outside-predictions/" + name).path
  }

  /// A program with the four images with boxes of `car` (1) and `bus` (2) as `b`.
  private func boxes() throws -> Program {
    let program = try Program()
    let imported = try program.run(
      "import", Self.fixture("boxes/instances.json"), "--images", Self.fixture("boxes"), "--name",
      "b")
    try #require(imported.status == 0, "\(imported.stderr)")
    return program
  }

  private func importing(
    _ program: Program, _ file: String, _ text: String, _ options: String..., as name: String = "r"
  ) throws -> Program.Outcome {
    try program.folder.write(file, text)
    return try program.run(
      ["predictions", "import", file, "--name", name, "--in", "b"] + options)
  }

  @Test("Results that name the images or classes of other ids are refused")
  func names() throws {
    let program = try boxes()
    func result(_ image: Int, _ file: String?, _ category: Int, _ name: String?) -> String {
      #"{"image_id": \#(image), "category_id": \#(category), "bbox": [1, 1, 9, 9], "score": 0.5"#
        + (file.map { #", "file_name": "\#($0)""# } ?? "")
        + (name.map { #", "category_name": "\#($0)""# } ?? "") + "}"
    }
    for (results, says) in [
      (
        [result(100, "000345.png", 1, nil), result(101, "street.png", 2, nil)],
        "image_id 100 is “000012.png” there, and the file_name of its result is “000345.png”"
      ),
      (
        [result(100, nil, 1, "bus"), result(101, nil, 2, "Car")],
        "category_id 1 is “car” there, and the category_name of its result is “bus”"
      ),
    ] {
      let list = "[" + results.joined(separator: ",") + "]"
      let outcome = try importing(program, "r.json", list)
      #expect(outcome.status == 2 && outcome.stderr.contains(says), "\(outcome.stderr)")
      #expect(try program.run("show", "run:r").status == 2)
    }
    // Other spellings, and names that no image has, contradict nothing.
    let right = [
      result(100, "/data/val/000012.jpg", 1, "CAR"), result(101, "elsewhere.png", 2, "truck"),
      result(102, nil, 2, nil),
    ]
    let outcome = try importing(program, "r.json", "[" + right.joined(separator: ",") + "]")
    #expect(outcome.status == 0, "\(outcome.stderr)")
  }

  @Test("Rows of pixels in place of polygons are left out with the reason, in files of both kinds")
  func rows() throws {
    let program = try boxes()
    let row = "[" + (0..<64).map { $0 < 32 ? "0" : "1" }.joined(separator: ",") + "]"
    let pixels = "[" + Array(repeating: row, count: 48).joined(separator: ",") + "]"
    let results =
      #"[{"image_id": 100, "category_id": 1, "score": 0.5, "segmentation": \#(pixels)}]"#
    let outcome = try importing(program, "r.json", results)
    #expect(
      outcome.status == 2 && outcome.stderr.contains("a mask as 48 rows of 64 pixels"),
      "\(outcome.stderr)")
    try program.folder.write(
      "truth.json",
      #"{"images": [{"id": 1, "file_name": "a.png", "width": 64, "height": 48}], "categories": [{"id": 1, "name": "a"}], "#
        + #""annotations": [{"id": 1, "image_id": 1, "category_id": 1, "iscrowd": 0, "area": 9, "bbox": [0, 0, 9, 9], "#
        + #""segmentation": \#(pixels)}]}"#)
    try program.folder.write(
      "dt.json",
      #"[{"image_id": 1, "category_id": 1, "score": 0.5, "segmentation": [[0, 0, 9, 0, 9, 9]]}]"#)
    let evaluated = try program.run("evaluate", "--gt", "truth.json", "--dt", "dt.json")
    #expect(
      "\(evaluated.stdout)\(evaluated.stderr)".contains("48 rows of 64 pixels"), "\(evaluated)")
  }

  @Test("Boxes as shares, and scores in percent, are told whatever the file's format")
  func forms() throws {
    let program = try boxes()
    let header = "x_min,y_min,x_max,y_max,class_id,confidence,tracker_id,class_name,file_name\n"
    let shares = (0..<12).map { "0.1,0.2,0.\($0 % 5 + 3),0.9,0,0.5,,car,000012.png" }
    let first = try importing(
      program, "s.csv", header + shares.joined(separator: "\n"), "--key-column", "file_name")
    #expect(first.stdout.contains("the boxes look like fractions of the image"), "\(first.stdout)")
    let percent = (0..<12).map { "1,2,\($0 + 9),9,0,\($0 + 50),,car,000012.png" }
    let second = try importing(
      program, "p.csv", header + percent.joined(separator: "\n"), "--key-column", "file_name",
      "--json", as: "p")
    #expect(try second.json()["health"]?["highest_score"]?.double == 61, "\(second.stdout)")
    let text = try program.run(
      "predictions", "import", "p.csv", "--name", "q", "--in", "b", "--key-column", "file_name")
    #expect(text.stdout.contains("scores go up to 61, like percentages"), "\(text.stdout)")
  }

  @Test("A list of classes beside YOLO labels is compared with the dataset's")
  func listedNames() throws {
    let program = try boxes()
    try program.folder.write("labels/000012.txt", "0 0.5 0.5 0.2 0.2 0.9\n")
    try program.folder.write("labels/classes.txt", "bus\ncar\n")
    let arguments = [
      "predictions", "import", "labels", "--name", "r", "--in", "b", "--class-numbers", "0",
    ]
    let refused = try program.run(arguments)
    #expect(
      refused.status == 2 && refused.stderr.contains("class 1 is “car” and “bus”")
        && refused.stderr.contains("--classes labels/classes.txt"), "\(refused.stderr)")
    let named = try program.run(arguments + ["--classes", "labels/classes.txt"])
    #expect(named.status == 0, "\(named.stderr)")
    try program.folder.write("labels/classes.txt", "car\nbus\n")
    let same = try program.run(arguments.map { $0 == "r" ? "s" : $0 })
    #expect(same.status == 0, "\(same.stderr)")
  }

  @Test("Class names that are numbers have another order as texts, which is told")
  func numbers() throws {
    let program = try Program()
    for name in 0..<12 {
      for picture in ["a", "b"] {
        try program.folder.write(
          "set/\(name)/\(picture).png",
          try Data(contentsOf: PackageFolder.fixture("outside-predictions/boxes/street.png")))
      }
    }
    let imported = try program.run("import", "set", "--name", "n")
    try #require(imported.status == 0, "\(imported.stderr)")
    let table = "sample,prediction\n" + (0..<12).map { "\($0)/a.png,\($0)\n" }.joined()
    try program.folder.write("p.csv", table)
    let run = try program.run(
      "predictions", "import", "p.csv", "--name", "r", "--in", "n", "--class-numbers", "0", "--json"
    )
    let notes = try run.json()["notes"]?.elements?.compactMap(\.text) ?? []
    #expect(
      notes.contains { $0.contains("so that 2 is “10”, not “2”") && $0.contains("0,1,10,11,…") },
      "\(run.stdout)\(run.stderr)")
  }

  @Test("Classes stored with an array are not overridden by others")
  func arrays() throws {
    let program = try Program()
    _ = try program.run("import", Self.fixture("data"), "--name", "d")
    let arguments = [
      "predictions", "import", Self.fixture("named.npz"), "--name", "r", "--in", "d",
    ]
    let refused = try program.run(arguments + ["--classes", "owl,dog,cat"])
    #expect(
      refused.status == 2 && refused.stderr.contains("--classes and the array")
        && refused.stderr.contains("class 1 is “owl” and “"), "\(refused.stderr)")
    #expect(try program.run(arguments).status == 0)
  }

  @Test("Masks of 0 and 255 in which nothing has a class are refused with the option")
  func masks() throws {
    let program = try Program()
    _ = try program.run("import", Self.fixture("masks"), "--name", "m")
    let bytes = [UInt8](
      try Data(contentsOf: PackageFolder.fixture("outside-predictions/predicted-masks/s0.png")))
    let mask = try ImageCodec.decode(bytes, as: .stored)
    let found = mask.elements.map { $0 == 1 ? UInt8(255) : 0 }
    try program.folder.write(
      "found/s0.png",
      try ImageCodec.encodePNG(
        try #require(Raster(width: mask.width, height: mask.height, elements: found))))
    let run = try program.run("predictions", "import", "found", "--name", "r", "--in", "m")
    #expect(
      run.status == 2 && run.stderr.contains("no pixel has a class")
        && run.stderr.contains("--classes CLASS"), "\(run.stderr)")
  }

  @Test(
    "Masks whose values fit two countings of --classes are refused until the first number is said")
  func numbering() throws {
    let program = try Program()
    _ = try program.run("import", Self.fixture("masks"), "--name", "m")
    let folder = Self.fixture("predicted-masks")
    let arguments = ["predictions", "import", folder, "--in", "m", "--classes", "none,road,sky"]
    let open = try program.run(arguments + ["--name", "r"])
    #expect(
      open.status == 2 && open.stderr.contains("the masks have the values 0 to 2")
        && open.stderr.contains("--class-numbers 0 if 0 is the first class"), "\(open.stderr)")
    let zero = try program.run(arguments + ["--name", "zero", "--class-numbers", "0"])
    #expect(zero.status == 0, "\(zero.stderr)")
    let one = try program.run(
      ["predictions", "import", folder, "--in", "m", "--classes", "road,sky", "--name", "one"])
    #expect(one.status == 0 && one.stdout.contains("pixels of the value 0"), "\(one.stdout)")
  }

  /// A program with the classes `cat` and `dog`, two images each, as `b`.
  private func animals() throws -> Program {
    let program = try Program()
    let bytes = try Data(
      contentsOf: PackageFolder.fixture("outside-predictions/boxes/street.png"))
    for name in ["cat/1.png", "cat/2.png", "dog/3.png", "dog/4.png"] {
      try program.folder.write("set/" + name, bytes)
    }
    let imported = try program.run("import", "set", "--name", "b")
    try #require(imported.status == 0, "\(imported.stderr)")
    return program
  }

  @Test(
    "A column of keys under another name is not passed over, which would join rows by their order")
  func keys() throws {
    let program = try animals()
    let rows = ["dog/4.png", "cat/2.png", "dog/3.png", "cat/1.png"]
    let labels = "filename,fold,pred\n" + rows.map { "\($0),0,\($0.prefix(3))\n" }.joined()
    let scores =
      "p_cat,p_dog,path\n" + rows.map { "\($0.hasPrefix("cat") ? "1,0" : "0,1"),\($0)\n" }.joined()
    for (name, text, options, column) in [
      ("l.csv", labels, ["--label-column", "pred"], "filename"),
      ("s.csv", scores, ["--score-prefix", "p_"], "path"),
    ] {
      try program.folder.write(name, text)
      let arguments = ["predictions", "import", name, "--name", name, "--in", "b"] + options
      let refused = try program.run(arguments)
      #expect(
        refused.status == 2 && refused.stderr.contains("--key-column \(column)"),
        "\(refused.stderr)")
      #expect(try program.run(arguments + ["--key-column", column]).status == 0)
      let accuracy = try program.run("evaluate", name, "--json").json()["accuracy"]?.double
      #expect(accuracy == 1)
    }
  }

  @Test("Columns beside the scores are not taken for classes")
  func measures() throws {
    let program = try animals()
    func table(_ name: String) -> String {
      "sample,cat,dog,\(name)\ncat/1.png,3,1,9\ncat/2.png,2,1,9\ndog/3.png,0,1,9\ndog/4.png,0,2,9\n"
    }
    for name in ["target", "max_logit", "Loss"] {
      let refused = try importing(program, "t.csv", table(name), "--logits", "softmax")
      #expect(
        refused.status == 2 && refused.stderr.contains("--ignore-columns \(name)"),
        "\(refused.stderr)")
    }
    let read = try importing(
      program, "t.csv", table("loss"), "--logits", "softmax", "--ignore-columns", "loss")
    #expect(read.status == 0, "\(read.stderr)")
    #expect(try program.run("evaluate", "r", "--json").json()["accuracy"]?.double == 1)
    // A class of the model that the dataset does not have is told.
    let more = try importing(
      program, "u.csv", table("wolf"), "--logits", "softmax", as: "more")
    #expect(
      more.status == 0 && more.stdout.contains("1 class that the dataset does not have: wolf"),
      "\(more.stdout)\(more.stderr)")
  }

  @Test("Columns that are spelled otherwise than the classes are refused with their names")
  func spelling() throws {
    let program = try animals()
    let rows = "\ncat/1.png,1,0\ncat/2.png,1,0\ndog/3.png,0,1\ndog/4.png,0,1\n"
    for (header, says) in [
      ("sample,Cat,Dog", "Rename its columns: “Cat” to “cat”, “Dog” to “dog”"),
      ("sample,p(cat),p(dog)", "“p(cat)” to “cat”"), ("sample,a,b", "Rename its columns to"),
    ] {
      let refused = try importing(program, "t.csv", header + rows)
      #expect(refused.status == 2 && refused.stderr.contains(says), "\(refused.stderr)")
      #expect(!refused.stderr.contains("manifest"))
    }
  }
}
