import AssayCore
import AssayFormats
import AssayStore
import AssayTestSupport
import Foundation
import Testing

import AssayWorkflows

/// The fixture's six images with sets of labels in a catalog, with a ledger next to it.
private final class TagHouse {
  private let temporary: TemporaryFolder
  let folder: URL
  let catalog: Catalog
  let ledger: Ledger
  let desk: CorrectionService
  private var number = 0

  init(_ source: String = "list.csv") throws {
    let fixtures = PackageFolder.fixture("multilabel-csv")
    temporary = try TemporaryFolder()
    folder = temporary.url
    try FileManager.default.copyItem(at: fixtures, to: folder.appending(path: "tags"))
    let path = folder.appending(path: "assay.db").path
    var request = ImportRequest(folder.appending(path: "tags/\(source)").path)
    request.name = "tags"
    _ = try DatasetImport(request).run(catalogPath: path, progress: NoProgress())
    catalog = try Catalog.open(path, .readWrite)
    ledger = try Ledger.open(Ledger.path(forCatalog: path), .create, synchronous: .off)
    desk = CorrectionService(catalog: catalog, ledger: ledger) {
      Date(timeIntervalSince1970: 1_700_000_000)
    }
  }

  func path(_ name: String) -> String { folder.appending(path: name).path }

  func uuid() -> String {
    number += 1
    return "00000000-0000-4000-8000-" + String(String(1_000_000_000_000 + number).suffix(12))
  }

  @discardableResult
  func add(
    _ change: CorrectionSave.Change, to key: String, parent: CorrectionDraft.Parent = .head,
    author: String = "anna"
  ) throws -> SaveOutcome {
    try desk.save(
      CorrectionSave(
        uuid: uuid(), visit: uuid(),
        sample: desk.sample(#require(SampleName("tags:images/\(key).png"))), parent: parent,
        author: author, tool: "test", change: change))
  }

  /// The sets of a view with the corrected ground truth, by key.
  func sets(of view: String = "tags") throws -> [String: [String]] {
    let opened = try CorrectedCatalog.open(
      catalog.path, .readOnly, truth: .corrected, reportingTo: NoProgress()
    ).catalog
    return try Self.sets(of: view, in: opened)
  }

  static func sets(of view: String, in catalog: Catalog) throws -> [String: [String]] {
    let selection = try catalog.resolve(view)
    let names = try catalog.taxonomy(of: selection.dataset.id).names
    return Dictionary(
      uniqueKeysWithValues: try catalog.samples(in: selection).map { sample in
        let name = URL(filePath: sample.key).deletingPathExtension().lastPathComponent
        return (name, sample.categories.map { names[$0] })
      })
  }

  /// Creates a run with scores of cat, dog and a class that the dataset does not have.
  func run(_ scores: [[Float]]) throws {
    let selection = try catalog.resolve("tags")
    let ids = try catalog.samples(in: selection).map(\.id)
    let run = try catalog.createRun(
      RunDraft(
        name: "r", task: .multiLabel, dataset: selection.dataset.id, view: "tags",
        classes: ["dog", "cow", "cat"], samples: ids))
    try catalog.record(
      zip(ids, scores).map { SampleScores(sample: $0, scores: $1) }, in: run.id)
  }
}

@Suite("Multi-label data: import, statistics, corrections, export")
struct MultiLabelDataTests {
  private static let expected = [
    "a": ["dog"], "b": ["cat", "traffic light"], "c": [], "d": ["cat", "dog"],
    "e": ["traffic light"], "f": ["cat", "dog", "traffic light"],
  ]

  @Test("Both forms of the CSV are imported beside their images", arguments: ["list", "columns"])
  func imported(form: String) throws {
    let house = try TagHouse("\(form).csv")
    let dataset = try house.catalog.resolve("tags").dataset
    #expect(dataset.isMultiLabel && dataset.format == .multiLabelCSV && dataset.issues == 0)
    #expect(try TagHouse.sets(of: "tags", in: house.catalog) == Self.expected)
  }

  @Test("The same file again is already there; another separator is another import")
  func again() throws {
    let house = try TagHouse()
    var request = ImportRequest(house.path("tags/list.csv"))
    request.name = "tags"
    let again = try DatasetImport(request).run(
      catalogPath: house.catalog.path, progress: NoProgress())
    #expect(again.isAlreadyThere)
    request.labelSeparator = .bar
    request.replace = true
    let summary = try DatasetImport(request).run(
      catalogPath: house.catalog.path, progress: NoProgress())
    #expect(!summary.isAlreadyThere && summary.kept == 6)
    #expect(summary.counts.samples.map { $0.reduce(0, +) } == [4, 6])
  }

  @Test("Statistics count a sample for each of its labels, and the mean number of labels")
  func statistics() throws {
    let house = try TagHouse()
    let balance = try StatisticsWorkflow(catalog: house.catalog).run("tags", withPixels: false)
      .balance
    #expect(balance.classes.map(\.total) == [3, 3, 3])
    #expect(balance.unlabeled.total == 1)
    #expect(balance.cardinality == 1.5)
    #expect(balance.labeled == 6 && balance.labels == 9)
    #expect(balance.share(of: balance.classes[0]) == 0.5)
    #expect(throws: StatisticsError.setsOfLabels(view: "tags")) {
      try StatisticsWorkflow(catalog: house.catalog).run("tags", withPixels: true)
    }
    let found = try SampleSearch(catalog: house.catalog).search(
      "label = dog", in: "tags", limit: nil)
    #expect(
      found.samples.map { found.labels(of: $0) } == ["a", "d", "f"].map { Self.expected[$0] })
    #expect(found.samples.allSatisfy { found.label(of: $0) == nil })
  }

  @Test("Labels are added, removed, undone and redone, and other forms are refused")
  func edits() throws {
    let house = try TagHouse()
    let added = try house.add(.addLabel("cat"), to: "a")
    #expect(added.entry.target == "label" && added.entry.kind == "add")
    #expect(added.truth.labels == ["cat", "dog"])
    let payload = try JSONValue(parsing: added.entry.payload)
    #expect(payload["category"] == "cat" && payload["before"] == ["dog"])
    #expect(try house.add(.removeLabel("dog"), to: "a").truth.labels == ["cat"])
    #expect(try house.add(.undo(), to: "a").truth.labels == ["cat", "dog"])
    #expect(try house.add(.redo(), to: "a").truth.labels == ["cat"])
    #expect(try house.sets()["a"] == ["cat"])
    #expect(throws: CorrectionError.self) { try house.add(.label("cat"), to: "a") }
    #expect(throws: CorrectionError.self) { try house.add(.addLabel("cow"), to: "a") }
    let listing = try CorrectionListing(
      of: house.ledger,
      in: CorrectedCatalog.open(house.catalog.path, .readOnly, reportingTo: NoProgress()).catalog)
    #expect(listing.samples.map(\.changes) == [["+cat", "−dog"]])
  }

  @Test("Two people who saw the same state and add different labels both get theirs")
  func twoPeople() throws {
    let house = try TagHouse()
    let first = try house.add(.addLabel("cat"), to: "c", parent: .sequence(0))
    let second = try house.add(.addLabel("dog"), to: "c", parent: .sequence(0), author: "ben")
    #expect(!first.isConflict && !second.isConflict)
    #expect(second.truth.labels == ["cat", "dog"])
    #expect(try house.add(.accept, to: "c", parent: .sequence(0)).isConflict)
  }

  @Test("A run's set replaces the sample's, as one entry; classes that it does not know stay")
  func take() throws {
    let house = try TagHouse()
    try house.run([
      [0.2, 0.9, 0.5], [0.9, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0.4, 0, 0.1],
    ])
    #expect(try house.add(.take(run: "r"), to: "a").truth.labels == ["cat"])
    let taken = try house.add(.take(run: "r"), to: "b")
    #expect(taken.truth.labels == ["dog", "traffic light"])
    #expect(taken.entry.target == "label" && taken.entry.kind == "take")
    #expect(
      try house.add(.take(run: "r", category: "cat"), to: "f").truth.labels == [
        "dog", "traffic light",
      ])
    #expect(
      try house.add(.take(run: "r", score: 0.4), to: "f").truth.labels == ["dog", "traffic light"])
    #expect(try house.add(.undo(), to: "b").truth.labels == ["cat", "traffic light"])
  }

  @Test("A CSV of labels to add and remove is saved once")
  func batch() throws {
    let house = try TagHouse()
    let file = house.path("fixes.csv")
    try """
    key,add,remove
    images/a.png,cat,dog
    images/c.png,dog,
    images/e.png,traffic light,
    """.write(toFile: file, atomically: false, encoding: .utf8)
    func run() throws -> CorrectionBatch.Summary {
      try CorrectionBatch(
        CorrectionSession(catalogPath: house.catalog.path, reportingTo: NoProgress()),
        progress: NoProgress()
      ).run(file, dataset: "tags", category: nil, author: "anna", note: nil, emptied: false)
    }
    let first = try run()
    #expect(first.saved.count == 3 && first.already == 1 && first.samples == 2)
    #expect(try house.sets()["a"] == ["cat"])
    #expect(try house.sets()["c"] == ["dog"])
    #expect(try run().saved.isEmpty)
  }

  @Test("Corrected sets come back from an export as they were written", arguments: [false, true])
  func export(corrected: Bool) throws {
    let house = try TagHouse()
    try house.add(.addLabel("cat"), to: "c")
    try house.add(.removeLabel("dog"), to: "f")
    let opened = try CorrectedCatalog.open(
      house.catalog.path, .readOnly, truth: corrected ? .corrected : .imported,
      reportingTo: NoProgress())
    let scope =
      corrected
      ? try ExportScope.corrected(
        "tags", CorrectedExportRequest(), in: opened.catalog, since: nil, ledger: nil)
      : try ExportScope("tags", in: opened.catalog)
    let summary = try MultiLabelExport(scope, catalog: opened.catalog, workers: 2)
      .run(into: ExportFolder(house.path("out"), force: false))
    #expect(summary.count == 6 && summary.leftOut.isEmpty)
    var reading = TableExportCheck(of: summary, catalog: opened.catalog)
    let verification = try reading.run()
    #expect(verification.isIdentical, "\(verification.differences)")
    #expect(verification.samples == 6)
    var request = ImportRequest(summary.source)
    request.name = "again"
    _ = try DatasetImport(request).run(catalogPath: house.catalog.path, progress: NoProgress())
    var wanted = Self.expected
    if corrected {
      wanted["c"] = ["cat"]
      wanted["f"] = ["cat", "traffic light"]
    }
    #expect(try TagHouse.sets(of: "again", in: house.catalog) == wanted)
    if corrected {
      let manifest = try String(contentsOfFile: house.path("out/manifest.json"), encoding: .utf8)
      let samples = try JSONValue(parsing: manifest)["samples"]?.elements ?? []
      #expect(samples.compactMap { $0["labels_change"] }.count == 2)
    }
  }

  @Test("Formats of one label refuse sets, and the format of sets refuses one label")
  func refused() throws {
    let house = try TagHouse()
    let scope = try ExportScope("tags", in: house.catalog)
    for name in ["fer", "folder"] {
      let folder = try ExportFolder(house.path(name), force: false)
      #expect(throws: ExportError.setsOfLabels(dataset: "tags")) {
        name == "fer"
          ? try FERExport(scope, catalog: house.catalog).run(into: folder)
          : try FolderExport(scope, catalog: house.catalog).run(into: folder)
      }
    }
    let world = try EvaluateCatalog()
    try world.importFaces(["happy"], classes: ["happy"])
    #expect(throws: ExportError.noSetsOfLabels(dataset: "faces")) {
      try MultiLabelExport(ExportScope("faces", in: world.catalog), catalog: world.catalog)
        .run(into: ExportFolder(house.path("sets"), force: false))
    }
  }
}
