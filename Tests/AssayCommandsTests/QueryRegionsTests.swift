import AssayCore
import AssayStore
import AssayTestSupport
import AssayWorkflows
import Testing

@testable import AssayCommands

@Suite("assay query over regions")
struct QueryRegionsTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/assay.db" }

  /// Two images of 10 × 10 with regions, one without.
  init() throws {
    folder = try TemporaryFolder()
    var batch = ImportedBatch()
    batch.newCategories = [Category(name: "person"), Category(name: "dog")]
    batch.samples = ["a.jpg", "b.jpg", "c.jpg"].map {
      ImportedSample(key: $0, location: $0, size: ImageSize(width: 10, height: 10))
    }
    func region(_ sample: Int, _ category: Int, _ width: Double, isCrowd: Bool = false) {
      batch.annotations.append(
        ImportedAnnotation(
          sample: sample, category: category, ordinal: batch.annotations.count, shape: .box,
          isCrowd: isCrowd, box: Box(x: 0, y: 0, width: width, height: 5)))
    }
    region(0, 0, 4)
    region(0, 0, 6)
    region(0, 1, 1)
    region(1, 0, 10, isCrowd: true)
    _ = try Catalog.open(folder.path + "/assay.db", .create).importDataset(
      ImportDraft(name: "coco", format: .coco, root: folder.path, isSingleFile: false)
    ) { writer in
      try writer.write(batch)
      var outcome = ImportOutcome()
      (outcome.read, outcome.accepted, outcome.ordinals) = (3, 3, [0, 1])
      return (outcome, nil)
    }
  }

  private func result(
    _ expression: String?, sort: SampleOrder? = nil, listed: Int? = nil
  ) throws -> QueryResult {
    let catalog = try Catalog.open(path, .readOnly, reportingTo: NoProgress())
    let found = try SampleSearch(catalog: catalog).search(
      expression, in: nil, orderedBy: sort, limit: listed)
    return QueryResult(found: found, isCount: false, listed: listed)
  }

  @Test("The text has what each image shows, and the numbers that were asked about")
  func text() throws {
    let all = try result(nil).text(in: Terminal())
    #expect(
      all == """
        3 samples in coco

        key    split   size  regions
        a.jpg  –      10×10  person×2, dog
        b.jpg  –      10×10  person (crowd)
        c.jpg  –      10×10  –
        """)
    let sorted = try result(
      "coverage(person) >= 0.3 or count(dog) = 0",
      sort: SampleOrder(field: "coverage(person)", isDescending: true), listed: 2
    ).text(in: Terminal())
    #expect(
      sorted == """
        3 samples in coco

        key    split   size  coverage(person)  regions
        b.jpg  –      10×10            0.5000  person (crowd)
        a.jpg  –      10×10            0.3000  person×2, dog

        … and 1 more (--limit 0 lists all)
        """)
  }

  @Test("JSON has regions and values")
  func json() throws {
    let json = try result("coverage(dog) > 0").json.text()
    #expect(json.contains(#""regions":[{"category":"person","count":2,"crowds":0},"#))
    #expect(json.contains(#""values":{"coverage(dog)":0.05}"#))
  }

  @Test("Sorting needs a known field, and --descending needs --sort")
  func refused() throws {
    #expect(throws: (any Error).self) {
      try result(nil, sort: SampleOrder(field: "labl"))
    }
    #expect(throws: (any Error).self) { try Assay.parseAsRoot(["query", "--descending"]) }
    #expect(throws: Never.self) {
      try Assay.parseAsRoot(["query", "--sort", "run(r).center_offset", "--descending"])
    }
  }

  private static let rule =
    "count(person) in 1..2 and count(person, crowd) = 0 and coverage(person) in 0.2..0.7"

  @Test(
    "The book's rule finds the eight images of the small COCO set",
    .outsideData("coco/mini", twin: "QueryRegionsTests.rule"))
  func book() throws {
    let program = try Program()
    try #require(
      program.run("import", OutsideFiles.path("coco/mini") + ":coco", "--name", "mini").status == 0)
    let found = try program.run("query", Self.rule, "--in", "mini", "--count")
    #expect(found.stdout == "8\n")
    let saved = try program.run("view", "save", "people", "--in", "mini", "--where", Self.rule)
    #expect(saved.status == 0)
    #expect(try program.run("query", "--in", "people", "--count").stdout == "8\n")
  }

  @Test("The book's rule finds the image with two persons, and a view of it keeps it")
  func rule() throws {
    func run(_ arguments: String...) throws -> Program.Outcome {
      try Program.run(arguments, in: folder.path)
    }
    #expect(try run("query", Self.rule, "--in", "coco", "--count").stdout == "1\n")
    let saved = try run("view", "save", "people", "--in", "coco", "--where", Self.rule)
    #expect(saved.status == 0, "\(saved.stderr)")
    #expect(try run("query", "--in", "people", "--count").stdout == "1\n")
    #expect(try run("query", "--in", "people").stdout.contains("a.jpg"))
  }
}
