import AssayCore
import AssayTestSupport
import Foundation
import Testing

/// Files of pandas, NumPy, pyarrow and other programs, made by `Tests/Fixtures/outside-predictions/make.py`.
@Suite("Predictions of other programs")
struct OutsidePredictionsTests {
  private struct Golden: Decodable {
    var keys: [String]
    var classes: [String]
    var labels: [String]
    var probabilities: [[String]]
    var softmax: [[String]]
    var sigmoid: [[String]]
    var class_iou: [Double]
    var detections: Int
  }

  private static func fixture(_ name: String) -> String {
    PackageFolder.fixture("outside-predictions/" + name).path
  }

  private static func golden() throws -> Golden {
    try JSONDecoder().decode(
      Golden.self, from: Data(contentsOf: PackageFolder.fixture("outside-predictions/golden.json")))
  }

  /// A program with the nine images of three classes as `d`.
  private func animals() throws -> Program {
    let program = try Program()
    let imported = try program.run("import", Self.fixture("data"), "--name", "d")
    #expect(imported.status == 0, "\(imported.stderr)")
    return program
  }

  private func importing(
    _ program: Program, _ file: String, _ options: [String], name: String = "r",
    in view: String = "d"
  ) throws -> Program.Outcome {
    try program.run(
      ["predictions", "import", Self.fixture(file), "--name", name, "--in", view, "--json"]
        + options)
  }

  /// The scores of a run as bits, by sample.
  private func bits(_ program: Program, _ run: String = "r") throws -> [String: [String]] {
    let exported = try program.run("predictions", "export", run, "--out", "x.csv", "--force")
    #expect(exported.status == 0, "\(exported.stderr)")
    var rows: [String: [String]] = [:]
    let lines = try program.folder.read("x.csv").split(separator: "\n")
    let classes = lines[0].split(separator: ",").dropFirst().map(String.init)
    let order = try Self.golden().classes.map { classes.firstIndex(of: $0) ?? 0 }
    for line in lines.dropFirst() {
      let fields = line.split(separator: ",").map(String.init)
      let scores = fields.dropFirst().map { text in
        let bits = String(Float(text)?.bitPattern ?? 0, radix: 16)
        return String(repeating: "0", count: 8 - bits.count) + bits
      }
      rows[fields[0]] = order.map { scores[$0] }
    }
    return rows
  }

  @Test(
    "Tables and arrays with stated columns give the scores to the bit",
    arguments: [
      ("pandas.csv", ["--key-column", "filename", "--ignore-columns", "fold,who"]),
      ("pandas.csv", ["--key-column", "filename", "--classes", "cat,dog,owl"]),
      ("index-keys.csv", ["--key-column", ""]), ("windows.csv", []), ("stems.csv", []),
      ("semicolon.csv", ["--decimal-comma"]), ("tab.tsv", []),
      ("prefix.csv", ["--score-prefix", "prob_"]), ("numbers.csv", ["--class-numbers", "0"]),
      ("scores-f4.npy", ["--classes", "cat,dog,owl", "--keys", "KEYS.npy"]),
      ("scores-f8.npy", ["--classes", "cat,dog,owl", "--keys", "KEYS.npy"]),
      ("scores-fortran.npy", ["--classes", "cat,dog,owl"]),
      ("shuffled.npy", ["--classes", "cat,dog,owl", "--keys", "KEYS.txt"]),
      ("named.npz", []), ("bytes.npz", ["--array", "probs", "--classes", "cat,dog,owl"]),
      ("table.parquet", []), ("indexed.parquet", ["--key-column", "__index_level_0__"]),
      ("named.parquet", ["--key-column", "filename", "--ignore-columns", "fold,who"]),
      ("lists.parquet", ["--classes", "cat,dog,owl"]),
    ])
  func scores(file: String, options: [String]) throws {
    let program = try animals()
    let golden = try Self.golden()
    let options = options.map {
      $0.replacing("KEYS.npy", with: Self.fixture("keys.npy"))
        .replacing("KEYS.txt", with: Self.fixture("keys.txt"))
    }
    let imported = try importing(program, file, options)
    try #require(imported.status == 0, "\(imported.stderr)")
    #expect(try imported.json()["n"]?.whole == 9)
    let found = try bits(program)
    for (key, expected) in zip(golden.keys, golden.probabilities) {
      #expect(found[key] == expected, "\(key)")
    }
  }

  @Test("Logits become probabilities in 64 bits and are rounded once, as SciPy's")
  func logits() throws {
    let program = try animals()
    let golden = try Self.golden()
    let keys = ["--keys", Self.fixture("keys.npy"), "--classes", "cat,dog,owl"]
    for (name, file, options, expected) in [
      ("a", "logits.csv", ["--logits", "softmax"], golden.softmax),
      ("b", "logits.npy", ["--logits", "softmax"] + keys, golden.softmax),
      ("c", "logits.csv", ["--logits", "sigmoid", "--task", "multilabel"], golden.sigmoid),
    ] {
      let imported = try importing(program, file, options, name: name)
      try #require(imported.status == 0, "\(imported.stderr)")
      let found = try bits(program, name)
      for (key, expected) in zip(golden.keys, expected) {
        #expect(found[key] == expected, "\(key)")
      }
    }
    let twice = try importing(program, "table.parquet", ["--logits", "softmax"], name: "d")
    #expect(twice.status == 2 && twice.stderr.contains("probabilities already"), "\(twice.stderr)")
    let plain = try importing(program, "logits.csv", [], name: "e")
    #expect(plain.status == 2 && plain.stderr.contains("--logits softmax"), "\(plain.stderr)")
  }

  @Test("Predicted classes become a run whose probability metrics are undefined")
  func labels() throws {
    let program = try animals()
    let golden = try Self.golden()
    for (name, file, options) in [
      ("a", "labels.csv", []),
      ("b", "label-score.csv", ["--key-column", "filename", "--label-column", "label"]),
      ("c", "label-numbers.csv", ["--class-numbers", "1"]),
      ("n", "numbers.npy", ["--class-numbers", "0", "--keys", Self.fixture("keys.npy")]),
    ] {
      let imported = try importing(program, file, options, name: name)
      try #require(imported.status == 0, "\(imported.stderr)")
      #expect(try imported.json()["labels_only"] == .bool(true))
      _ = try program.run("predictions", "export", name, "--out", "\(name).csv")
      let rows = Set(try program.folder.read("\(name).csv").split(separator: "\n").map(String.init))
      #expect(
        rows == Set(["sample,prediction"] + zip(golden.keys, golden.labels).map { "\($0),\($1)" }))
    }
    let evaluated = try program.run("evaluate", "a", "--json")
    let json = try evaluated.json()
    // 7 of 9; scikit-learn's macro F1 of these labels.
    #expect(json["accuracy"]?.double == 7.0 / 9)
    #expect(abs((json["macro_f1_defined"]?.double ?? 0) - (2.0 / 3 + 2.0 / 3 + 1) / 3) < 1e-15)
    for key in [
      "log_loss", "brier", "ece15", "macro_auroc_ovr", "mean_average_precision", "top2", "aurc",
    ] {
      #expect(json[key] == .null, "\(key)")
    }
    #expect(json["notes"]?.elements?.contains { $0.text?.contains("log loss") == true } == true)
    let text = try program.run("evaluate", "a")
    #expect(text.stdout.contains("accuracy 0.778") && !text.stdout.contains("log_loss"))
    let query = try program.run("query", "run(a).confidence > 0.5", "--in", "d")
    #expect(query.status == 2 && query.stderr.contains("no scores"), "\(query.stderr)")
    let correct = try program.run("query", "run(a).correct = false", "--in", "d")
    #expect(correct.stdout.contains("cat/"), "\(correct.stdout)\(correct.stderr)")
    let gate = try program.run("gate", "a", "log_loss < 1")
    #expect(gate.status == 1 && gate.stdout.contains("no scores"), "\(gate.stdout)")
    let report = try program.run("report", "a", "--out", "o")
    #expect(report.status == 0, "\(report.stderr)")
    let page = try program.folder.read("o/report.html")
    #expect(page.contains(">Errors<") && !page.contains("Most confident errors"))
    let compared = try program.run("compare", "a", "b", "--json").json()
    #expect(compared["differences"]?["log_loss"]?["value"] != .integer(0))
    let review = try program.run("review", "d", "a", "--order", "uncertainty", "--list")
    #expect(review.status == 2 && review.stderr.contains("no scores"), "\(review.stderr)")
    let parquet = try program.run("export", "d", "--to", "parquet", "--out", "p", "--run", "a")
    #expect(parquet.status == 0, "\(parquet.stderr)")
  }

  @Test(
    "What is not stated is refused with the column and the option that reads it",
    arguments: [
      ("pandas.csv", [], "--key-column filename"), ("index-keys.csv", [], "--key-column ''"),
      ("pandas.csv", ["--key-column", "filename"], "--ignore-columns fold"),
      (
        "pandas.csv", ["--key-column", "filename", "--ignore-columns", "fold"],
        "--ignore-columns who"
      ),
      ("semicolon.csv", [], "--decimal-comma"), ("prefix.csv", [], "--score-prefix prob_"),
      ("numbers.csv", [], "--class-numbers 0"), ("label-numbers.csv", [], "--class-numbers 0"),
      ("label-numbers.csv", ["--class-numbers", "0"], "3.0 is not the number of a class"),
      ("label-score.csv", [], "--key-column filename"),
      ("label-score.csv", ["--key-column", "filename"], "--label-column label"),
      ("scores-f4.npy", [], "--classes A,B"),
      ("scores-f4.npy", ["--classes", "cat,dog"], "expected 3 names"),
      ("numbers.npy", [], "--class-numbers 0"), ("objects.npy", [], "pickled"),
      ("cube.npy", ["--classes", "cat,dog,owl"], "(9, 3, 1)"),
      ("object-keys.npz", ["--classes", "cat,dog,owl"], "pickled"), ("bytes.npz", [], "--array"),
      ("lists.parquet", [], "--classes A,B"),
      ("indexed.parquet", [], "--key-column __index_level_0__"),
      ("stems.csv", ["--key-column", "keys"], "the columns are “sample”, “cat”"),
      ("tab.tsv", ["--separator", "comma"], "is not a finite number"),
      ("logits.npy", ["--score-prefix", "p"], "for tables"),
    ])
  func refused(file: String, options: [String], says: String) throws {
    let program = try animals()
    let outcome = try importing(program, file, options)
    #expect(outcome.status == 2)
    let message = outcome.stderr
    #expect(message.contains(says), "\(message)")
    #expect(try program.run("sql", "SELECT count(*) FROM run").stdout.contains("0"))
  }

  @Test("Keys that fit two samples, and two keys of one sample, are refused")
  func ambiguous() throws {
    let program = try Program()
    for folder in ["a", "b"] {
      let bytes = try Data(
        contentsOf: PackageFolder.fixture("outside-predictions/data/cat/cat0.png"))
      try FileManager.default.createDirectory(
        atPath: program.folder.path("data/\(folder)"), withIntermediateDirectories: true)
      try program.folder.write("data/\(folder)/x.png", Array(bytes))
    }
    _ = try program.run("import", "data", "--name", "d")
    try program.folder.write("p.csv", "sample,a,b\nx,0.5,0.5\n")
    let both = try program.run("predictions", "import", "p.csv", "--name", "r", "--in", "d")
    #expect(
      both.status == 2 && both.stderr.contains("fits several samples: a/x.png, b/x.png"),
      "\(both.stderr)")
    try program.folder.write("q.csv", "sample,a,b\na/x.png,0.5,0.5\n/y/a/x.jpg,0.5,0.5\n")
    let twice = try program.run("predictions", "import", "q.csv", "--name", "r", "--in", "d")
    #expect(
      twice.status == 2 && twice.stderr.contains("two rows are for the sample “a/x.png”"),
      "\(twice.stderr)")
    try program.folder.write("s.csv", "sample,a,b\nc/a/x.png,1,0\nc/b/x.png,0,1\n")
    let good = try program.run("predictions", "import", "s.csv", "--name", "r", "--in", "d")
    #expect(
      good.status == 0 && good.stdout.contains("2 keys were joined by path"),
      "\(good.stderr)\(good.stdout)")
  }

  @Test(
    "A folder of masks becomes a segmentation run with NumPy's IoU",
    arguments: [
      ("predicted-masks", []), ("wide-masks", []),
      ("predicted-masks", ["--classes", "background,road,sky"]),
    ])
  func masks(folder: String, options: [String]) throws {
    let program = try Program()
    let imported = try program.run("import", Self.fixture("masks"), "--name", "m")
    #expect(imported.status == 0, "\(imported.stderr)")
    let run = try importing(program, folder, options, in: "m")
    try #require(run.status == 0, "\(run.stderr)")
    let evaluated = try program.run("evaluate", "r", "--json").json()
    let golden = try Self.golden()
    #expect(
      evaluated["class_iou"]?.elements?.compactMap(\.double).suffix(2).elementsEqual(
        golden.class_iou) == true, "\(evaluated["class_iou"]?.text() ?? "")")
    #expect(try program.run("report", "r", "--out", "o").status == 0)
  }

  @Test(
    "Exports of Ultralytics, supervision and FiftyOne give the run of the same COCO results",
    arguments: [
      ("ultralytics.json", ["--class-numbers", "1"]),
      ("ultralytics-labels", ["--class-numbers", "0"]),
      ("supervision.csv", ["--key-column", "file_name"]),
      ("supervision.csv", ["--key-column", "file_name", "--class-numbers", "0"]),
      ("supervision.json", ["--key-column", "file_name"]), ("fiftyone.json", []),
    ])
  func detections(file: String, options: [String]) throws {
    let program = try Program()
    let imported = try program.run(
      "import", Self.fixture("boxes/instances.json"), "--images", Self.fixture("boxes"), "--name",
      "b")
    try #require(imported.status == 0, "\(imported.stderr)")
    let coco = try importing(program, "coco-results.json", [], name: "c", in: "b")
    try #require(coco.status == 0, "\(coco.stderr)")
    let run = try importing(program, file, options, in: "b")
    try #require(run.status == 0, "\(run.stderr)")
    #expect(try run.json()["detections"]?.whole == Self.golden().detections)
    let (expected, found) = (
      try program.run("evaluate", "c", "--json").json(),
      try program.run("evaluate", "r", "--json").json()
    )
    for key in ["AP", "AP50", "AP75", "AR100"] {
      // save_txt writes six digits.
      let difference = abs((expected[key]?.double ?? -9) - (found[key]?.double ?? 9))
      #expect(difference < 1e-3, "\(key)")
    }
  }

  @Test(
    "Detections without a statement of their classes or images are refused with the option",
    arguments: [
      ("ultralytics.json", "--class-numbers 1"), ("ultralytics-labels", "--class-numbers 0"),
      ("supervision.csv", "--key-column file_name"), ("supervision.json", "--key-column file_name"),
    ])
  func refusedDetections(file: String, says: String) throws {
    let program = try Program()
    _ = try program.run(
      "import", Self.fixture("boxes/instances.json"), "--images", Self.fixture("boxes"), "--name",
      "b")
    let outcome = try program.run(
      "predictions", "import", Self.fixture(file), "--name", "r", "--in", "b")
    #expect(outcome.status == 2 && outcome.stderr.contains(says), "\(outcome.stderr)")
  }
}
