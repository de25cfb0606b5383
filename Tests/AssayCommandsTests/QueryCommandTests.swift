import ArgumentParser
import AssayCore
import AssayStore
import AssayWorkflows
import Foundation
import Testing

@testable import AssayCommands

@Suite("assay query")
struct QueryCommandTests {
  private let house: CommandCatalog

  init() throws { house = try CommandCatalog.four() }

  private func result(_ expression: String?, count: Bool = false, listed: Int? = nil) throws
    -> QueryResult
  {
    let catalog = try Catalog.open(house.path, .readOnly)
    let found = try SampleSearch(catalog: catalog).search(expression, in: nil, limit: listed)
    return QueryResult(found: found, isCount: count, listed: listed)
  }

  @Test("The text has the count, one line per sample, and what was left out")
  func text() throws {
    #expect(
      try result(nil, listed: 3).text(in: Terminal()) == """
        4 samples in faces

        key  split       label  size
        0    train       happy   2×1
        1    train       sad     2×1
        2    validation  happy   2×1

        … and 1 more (--limit 0 lists all)
        """)
    #expect(
      try result("not split = train and not label = happy").text(in: Terminal()) == """
        1 sample in faces

        key  split  label  size
        3    –      –       2×1
        """)
    #expect(try result("key = x").text(in: Terminal()) == "0 samples in faces")
    #expect(try result("label = happy", count: true).text(in: Terminal()) == "2")
  }

  @Test("A random order is that of the grid for the same seed, and each seed has another")
  func random() throws {
    let program = try Program()
    let rows = (0..<40).map { "\($0 % 7),1 2 3 4" }.joined(separator: "\n")
    try program.folder.write("f.csv", "emotion,pixels\n\(rows)\n")
    _ = try program.run("import", "f.csv", "--name", "faces")
    func keys(_ more: String...) throws -> [String] {
      let json = try program.run(["query", "--in", "faces", "--json", "--sort", "random"] + more)
        .json()
      return (json["samples"]?.elements ?? []).compactMap { $0["key"]?.text }
    }
    let catalog = try Catalog.open(program.folder.url.path + "/assay.db", .readOnly)
    for seed in [1, 7] as [UInt64] {
      let ids = try SampleBrowser(catalog: catalog).find(
        .init(view: "faces", expression: "", order: .random(seed: seed))
      ).ids
      #expect(try keys("--seed", "\(seed)") == catalog.samples(ids: ids).map(\.key))
    }
    #expect(try keys() == keys("--seed", "1") && keys("--seed", "1") != keys("--seed", "7"))
    #expect(try keys("--limit", "5") == Array(keys().prefix(5)))
    let some = try keys("--where", "label = happy")
    #expect(try some.count == 6 && some == keys().filter(some.contains))
    #expect(
      try SampleBrowser(catalog: catalog).command(
        .init(view: "faces", expression: "", order: .random(seed: 7))
      ).command == "assay query --in faces --sort random --seed 7")
    for words in [["--seed", "1"], ["--sort", "random", "--descending"]] {
      #expect(try program.run(["query", "--in", "faces"] + words).status == 64)
    }
  }

  @Test("A dataset or a run in place of an expression or a view is named as what it is")
  func kinds() throws {
    let program = try Program()
    try program.folder.write("f.csv", "emotion,pixels\n3,1 2 3 4\n4,5 6 7 8\n")
    try program.folder.write("r.csv", "sample,happy,sad\n0,0.5,0.5\n1,0.5,0.5\n")
    _ = try program.run("import", "f.csv", "--name", "faces")
    _ = try program.run("predictions", "import", "r.csv", "--name", "r1", "--in", "faces")
    for (words, message) in [
      (
        ["query", "faces"],
        "“faces” is a dataset or view and no expression; its samples: assay query --in faces"
      ),
      (["query", "r1"], "“r1” is a run and no expression"),
      (["query", "--in", "r1"], "“r1” is a run, not a dataset or view; its samples are faces"),
      (["query", "--in", "run:r1@default"], "“r1” is a run, not a dataset or view"),
      (["export", "r1", "--to", "folder", "--out", "x"], "Name faces here"),
      (["evaluate", "faces"], "“faces” is a dataset, not a run; its runs: r1"),
    ] {
      let outcome = try program.run(words)
      #expect(outcome.status == 2 && outcome.stderr.contains(message), "\(words): \(outcome)")
    }
  }

  @Test("--where is the expression, too, but not beside it")
  func condition() throws {
    let program = try Program()
    try program.folder.write("f.csv", "emotion,pixels\n3,1 2 3 4\n4,5 6 7 8\n")
    _ = try program.run("import", "f.csv", "--name", "faces")
    let found = ["label = happy", "--where=label = happy"].map {
      try? program.run("query", $0, "--count").stdout
    }
    #expect(found == ["1\n", "1\n"])
    let both = try program.run("query", "label = sad", "--where", "label = happy")
    #expect(both.status == 64 && both.stderr.contains("give the expression once"))
  }

  @Test("The table of a detector's classes says how many it lists")
  func manyClasses() throws {
    let program = try Program()
    let list = { (make: (Int) -> String) in (1...10).map(make).joined(separator: ",") }
    try program.folder.write(
      "a.json",
      """
      {"images":[\(list { "{\"id\":\($0),\"file_name\":\"\($0).jpg\",\"width\":9,\"height\":9}" })],
      "annotations":[\(list { "{\"id\":\($0),\"image_id\":\($0),\"category_id\":\($0),\"bbox\":[1,1,4,4],\"area\":16,\"iscrowd\":0}" })],
      "categories":[\(list { "{\"id\":\($0),\"name\":\"c\($0)\"}" })]}
      """)
    try program.folder.write(
      "r.json",
      "[" + list { "{\"image_id\":\($0),\"category_id\":\($0),\"bbox\":[1,1,4,4],\"score\":0.5}" }
        + "]")
    _ = try program.run("import", "a.json", "--name", "set")
    _ = try program.run("predictions", "import", "r.json", "--name", "r", "--in", "set")
    let short = try program.run("evaluate", "r").stdout
    #expect(short.contains("the 8 worst of 10 classes by AP; all classes: --all, --json"))
    let long = try program.run("evaluate", "r", "--all").stdout
    #expect(long.contains("c10") && !long.contains("worst of"))
  }

  @Test("A sheet is a PNG, and a name that says otherwise is refused")
  func sheetName() throws {
    #expect(throws: (any Error).self) {
      try Assay.parseAsRoot(["query", "label = happy", "--show", "a.b/sheet.JPG"])
    }
    for name in ["sheet.png", "sheet", "a.jpg/sheet"] {
      #expect(throws: Never.self) { try Assay.parseAsRoot(["query", "--show", name]) }
    }
  }

  @Test("JSON has every sample with null where something is undefined")
  func json() throws {
    #expect(
      try result("not label = happy").json == [
        "dataset": "faces", "view": "faces", "expression": "not label = happy", "count": 2,
        "samples": [
          [
            "key": "1", "split": "train", "label": "sad", "width": 2, "height": 1,
            "location": nil,
          ],
          [
            "key": "3", "split": nil, "label": nil, "width": 2, "height": 1, "location": nil,
          ],
        ],
      ])
    let counted = try result(nil, count: true).json
    #expect(counted["count"] == 4)
    #expect(counted["samples"] == nil)
    #expect(counted["expression"] == .null)
  }

  @Test("A negative limit is a usage error")
  func usage() {
    #expect(throws: (any Error).self) { try QueryCommand.parse(["key = 1", "--limit", "-1"]) }
  }

  @Test("The program prints JSON with samples, and a sheet where asked for")
  func program() throws {
    let program = try Program()
    let outcome = try program.run(
      "query", "label = happy", "--in", "faces", "--json", "--db", house.path, "--show",
      "sheet.png")
    #expect(outcome.status == 0, "\(outcome.stderr)")
    let json = try outcome.json()
    #expect(json["samples"]?.elements?.map { $0["key"]?.text } == ["0", "2"])
    #expect(json["sheet"]?["images"] == 2)
    #expect(program.folder.has("sheet.png"))
    let counted = try program.run("query", "split = val", "--count", "--db", house.path)
    #expect(counted.stdout == "1\n")
  }

  @Test("An expression that cannot be understood ends with status 2 and the place")
  func error() throws {
    let outcome = try Program().run("query", "label = hapy", "--db", house.path)
    #expect(outcome.status == 2)
    #expect(outcome.stdout.isEmpty)
    #expect(
      outcome.stderr == """
        error: “faces” has no class “hapy”; did you mean “happy”? Known: happy, sad
          label = hapy
                  ^

        """)
  }

  @Test("Without a catalog it ends with status 2, and none is made")
  func noCatalog() throws {
    let program = try Program()
    let outcome = try program.run("query", "key = 1", "--db", "none.db")
    #expect(outcome.status == 2)
    #expect(outcome.stderr.contains("no catalog at none.db"))
    #expect(!program.folder.has("none.db"))
  }
}
