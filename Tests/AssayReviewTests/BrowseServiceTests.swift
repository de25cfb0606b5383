import AssayCore
import AssayStore
import AssayTestSupport
import AssayWorkflows
import Foundation
import Testing

@testable import AssayReview

@Suite("The browse page's data")
struct BrowseServiceTests {
  private func service(_ world: ReviewWorld, _ start: BrowseStart = BrowseStart()) -> BrowseService
  {
    BrowseService(
      catalog: world.catalog, ledger: world.ledger, start: start, review: nil, version: "1")
  }

  private func search(
    _ expression: String = "", _ order: SampleBrowser.Order = .dataset, view: String = "set"
  ) -> SampleBrowser.Search {
    SampleBrowser.Search(view: view, expression: expression, order: order)
  }

  private func keys(_ json: JSONValue) -> [String] {
    (json["items"]?.elements ?? []).compactMap { $0["key"]?.text }
  }

  @Test("The overview names what there is, and the only dataset is shown first")
  func overview() throws {
    let world = try ReviewWorld.labels()
    let json = try service(world, BrowseStart(runs: ["r1"])).overview(of: world.session("anna"))
    #expect(json["start"] == ["view": "set", "runs": ["r1"], "where": "", "corrected": false])
    #expect(json["review"] == .null)
    let dataset = try #require(json["datasets"]?.elements?.first)
    #expect(dataset["classes"] == ["happy", "sad"] && dataset["parts"] == ["train"])
    let run = try #require(json["runs"]?.elements?.first)
    #expect(run["task"] == "classification" && run["evaluated"] == false)
  }

  @Test("Pages have the samples of a search with their thumbnails, and both totals")
  func pages() throws {
    let world = try ReviewWorld.labels()
    let service = service(world)
    let page = try service.samples(search("label = sad"), from: 1, limit: 5) { "/t/\($0)" }
    #expect(page["total"] == 2 && page["of"] == 4 && page["from"] == 1)
    #expect(keys(page) == ["3"])
    #expect(page["items"]?.elements?.first?["thumbnail"] == .string("/t/\(world.ids[3])"))
    let beyond = try service.samples(search(), from: 9, limit: 5) { _ in "" }
    #expect(beyond["total"] == 4 && keys(beyond).isEmpty)
  }

  @Test("Samples are sorted by a number in both directions, or at random by a seed")
  func orders() throws {
    let world = try ReviewWorld.masks()
    let service = service(world)
    let field = search("", .field("count(person)", isDescending: true))
    let page = try service.samples(field, from: 0, limit: 9) { _ in "" }
    #expect(keys(page) == ["0.png", "1.png", "2.png", "3.png"])
    #expect(page["items"]?.elements?.map { $0["value"] } == [2, 0, 0, 0].map { .number($0) })
    let up = search("", .field("count(person)", isDescending: false))
    #expect(
      keys(try service.samples(up, from: 0, limit: 9) { _ in "" })
        == ["1.png", "2.png", "3.png", "0.png"])
    let orders = try (0..<8).map { seed in
      keys(try service.samples(search("", .random(seed: seed)), from: 0, limit: 9) { _ in "" })
    }
    #expect(Set(orders).count > 1)
    #expect(orders.allSatisfy { $0.sorted() == ["0.png", "1.png", "2.png", "3.png"] })
    #expect(
      keys(try service.samples(search("", .random(seed: 3)), from: 0, limit: 9) { _ in "" })
        == orders[3])
  }

  @Test("A wrong expression is refused with its place in bytes, an unknown view with its name")
  func refusals() throws {
    let service = service(try ReviewWorld.labels())
    let error = #expect(throws: RequestRefusal.self) {
      _ = try service.samples(search("label = “x” or labl = sad"), from: 0, limit: 1) { _ in "" }
    }
    #expect(error?.status == 400 && error?.code == "badExpression")
    let far = #expect(throws: RequestRefusal.self) {
      _ = try service.samples(search("key = \"é\" and labl = sad"), from: 0, limit: 1) { _ in "" }
    }
    #expect(far?.json["offset"] == 15)
    #expect(far?.message.contains("did you mean “label”?") == true)
    let unknown = #expect(throws: RequestRefusal.self) {
      _ = try service.samples(search(view: "sett"), from: 0, limit: 1) { _ in "" }
    }
    #expect(unknown?.code == "badView" && unknown?.message.contains("set") == true)
  }

  @Test("A search is made again once the catalog has changed")
  func changes() throws {
    let world = try ReviewWorld.labels()
    let service = service(world)
    let marked = search("label = sad")
    #expect(try service.samples(marked, from: 0, limit: 9) { _ in "" }["total"] == 2)
    let other = try Catalog.open(world.folder.path + "/x.db", .readWrite)
    let selection = try other.resolve("set")
    _ = try other.addView(named: "set2", in: selection, where: "label = happy")
    #expect(
      keys(try service.samples(search(view: "set2"), from: 0, limit: 9) { _ in "" })
        == ["0", "2"])
  }

  @Test("Marks of labels are the class, the prediction and whether it is right")
  func labels() throws {
    let world = try ReviewWorld.labels()
    let json = try service(world).marks(
      of: [world.ids[1], world.ids[0], 99], runs: ["r1", "none"], side: 64)
    let items = try #require(json["items"]?.elements)
    #expect(items.map { $0["id"] } == [.integer(world.ids[1]), .integer(world.ids[0])])
    #expect(items.map { $0["truth"]?["label"] } == ["sad", "happy"])
    let runs = items.map { $0["runs"]?["r1"] }
    #expect(runs.map { $0?["label"] } == ["sad", "sad"])
    #expect(runs.map { $0?["correct"] } == [true, false])
    #expect(runs.map { $0?["score"] } == [0.75, 0.75])
  }

  @Test("Marks of regions are masks, reduced to the side that is asked for")
  func regions() throws {
    let world = try ReviewWorld.masks()
    let service = service(world)
    let whole = try service.marks(of: [world.ids[0]], runs: ["r1"], side: 64)
    let item = try #require(whole["items"]?.elements?.first)
    let objects = try #require(item["truth"]?["objects"]?.elements)
    #expect(objects.map { $0["class"] } == ["person", "person"])
    #expect(objects[0]["mask"] == ["width": 6, "height": 4, "counts": [0, 2, 2, 2, 18]])
    #expect(objects[0]["box"] == [0, 0, 2, 2].json)
    let region = try #require(item["runs"]?["r1"]?["regions"]?.elements?.first)
    #expect(region["class"] == "person" && region["mask"]?["width"] == 6)
    let small = try service.marks(of: [world.ids[0]], runs: [], side: 3)
    #expect(
      small["items"]?.elements?.first?["truth"]?["objects"]?.elements?.first?["mask"]
        == ["width": 3, "height": 2, "counts": [0, 1, 5]])
  }

  @Test("A detector's marks have the results of its evaluation, and so have the objects")
  func results() throws {
    let world = try ReviewWorld.masks()
    _ = try world.detector()
    let service = service(world)
    let without = try service.marks(of: [world.ids[0], world.ids[1]], runs: ["det"], side: 64)
    let items = try #require(without["items"]?.elements)
    let found = try #require(items[0]["runs"]?["det"]?["objects"]?.elements)
    #expect(
      found.map { $0["score"] } == [0.75, 0.25] || found.map { $0["score"] } == [0.25, 0.75])
    #expect(found.allSatisfy { $0["result"] == .null })
    // The second image was not predicted.
    #expect(items[1]["runs"] == [:])
  }

  @Test("Facets count the samples of the search, with terms that find them")
  func facets() throws {
    let world = try ReviewWorld.labels()
    let service = service(world)
    let json = try service.facets(search("key != 0"), runs: ["r1"])
    #expect(json["total"] == 3 && json["of"] == 4)
    let facets = try #require(json["facets"]?.elements)
    let fields = facets.compactMap { $0["field"]?.text }
    #expect(fields == ["label", "split", "run(r1).correct", "run(r1).label"])
    for facet in facets {
      for value in facet["values"]?.elements ?? [] {
        let term = try #require(value["term"]?.text)
        let counted = try service.samples(
          search("(key != 0) and \(term)"), from: 0, limit: 1
        ) { _ in "" }
        #expect(counted["total"] == value["count"], "\(term)")
      }
    }
    #expect(
      facets[0]["values"] == [
        ["value": "sad", "count": 2, "term": "label = sad"],
        ["value": "happy", "count": 1, "term": "label = happy"],
      ])
  }

  @Test("Tags are counted, found by their term, and shown with the sample")
  func tags() throws {
    let world = try ReviewWorld.labels()
    let path = world.folder.path + "/x.db"
    for (expression, tag) in [("label = happy", "hard"), ("key = 2", "night shot")] {
      let catalog = try CorrectedCatalog.open(path, .readWrite, reportingTo: NoProgress()).catalog
      _ = try SampleTagging(catalog: catalog).run(
        SampleTagging.Request(view: "set", tag: tag, expression: expression, author: "anna"))
    }
    let opened = try CorrectedCatalog.open(path, .readWrite, reportingTo: NoProgress())
    let service = BrowseService(
      catalog: opened.catalog, ledger: world.ledger, start: BrowseStart(), review: nil,
      version: "1")
    let facets = try #require(try service.facets(search(), runs: [])["facets"]?.elements)
    let facet = try #require(facets.first { $0["field"] == "tag" })
    #expect(
      facet["values"] == [
        ["value": "hard", "count": 2, "term": "tag = hard"],
        ["value": "night shot", "count": 1, "term": "tag = \"night shot\""],
      ])
    #expect(facet["count"] == 2 && facet["missing"] == 2)
    let page = try service.samples(search("tag = \"night shot\""), from: 0, limit: 9) { _ in "" }
    #expect(keys(page) == ["2"])
    let completed = try service.completion(of: "tag = ", at: 6, in: "set")
    #expect(
      completed["items"]?.elements?.map { $0["text"] } == ["hard", "\"night shot\""])
    #expect(
      try service.sample(world.ids[2], runs: []) { $0 }["tags"] == ["hard", "night shot"])
    #expect(try service.sample(world.ids[1], runs: []) { $0 }["tags"] == [])
  }

  @Test("A sample has the findings of checks with the other images")
  func findings() throws {
    let world = try ReviewWorld.labels()
    let catalog = try Catalog.open(world.folder.path + "/x.db", .readWrite)
    let service = try service(world)
    #expect(try service.sample(world.ids[0], runs: []) { $0 }["checked"] == false)
    try catalog.replaceFindings(
      of: catalog.dataset(named: "set").id, view: "set", kinds: FindingKind.allCases,
      settings: "{}",
      with: [FindingRecord(.nearDuplicate, samples: [world.ids[0], world.ids[2]], "2 images")])
    let sample = try service.sample(world.ids[0], runs: []) { "signed:" + $0 }
    #expect(sample["checked"] == true && sample["issues"] == [])
    let finding = try #require(sample["findings"]?.elements?.first)
    #expect(finding["title"] == "Near duplicates" && finding["count"] == 1)
    #expect(
      finding["others"]?.elements?.map { $0["thumbnail"] } == [
        .string("signed:/api/browse/samples/\(world.ids[2])/thumbnail")
      ])
    #expect(finding["others"]?.elements?.map { $0["key"] } == ["2"])
  }

  @Test("Classes of regions count once for each sample")
  func classFacets() throws {
    let world = try ReviewWorld.masks()
    let facets = try #require(
      try service(world).facets(search(), runs: ["r1"])["facets"]?.elements)
    let classes = try #require(facets.first { $0["field"] == "class" })
    #expect(
      classes["values"] == [["value": "person", "count": 1, "term": "count(person) > 0"]])
    #expect(classes["count"] == 1 && classes["missing"] == 3)
  }

  @Test(
    "Expressions are completed by what can follow",
    arguments: [
      ("", ["split", "label"]), ("lab", ["label", "labels"]), ("label = ", ["happy", "sad"]),
      ("label != s", ["sad"]), ("label in (happy, ", ["happy", "sad"]),
      ("run(", ["r1"]), ("run(r1).con", ["confidence"]), ("run(r1).correct = ", ["true", "false"]),
      ("label = sad ", ["and ", "or "]), ("label = sad and spl", ["split"]),
      ("split = ", ["train"]), ("count(h", ["happy"]), ("count(happy) ", ["= ", "!= "]),
      ("reviewed = ", ["true", "false"]), ("label = \"ha", ["happy"]),
      ("key li", ["like "]), ("label = sad and run(r1).confidence ", ["= ", "!= "]),
      ("(label ", ["= "]), ("not split = ", ["train"]), ("label = label ", ["and ", "or "]),
      ("count(happy) > 0 or part", ["part"]),
    ])
  func completion(_ text: String, _ wanted: [String]) throws {
    let service = service(try ReviewWorld.labels())
    let json = try service.completion(of: text, at: text.utf8.count, in: "set")
    let items = (json["items"]?.elements ?? []).compactMap { $0["text"]?.text }
    #expect(items.starts(with: wanted), "\(items)")
  }

  @Test(
    "Inside a field's parentheses and after them, only what belongs there is offered",
    arguments: [
      ("similarity(", ["r1"]), ("similarity(r1, ", []),
      ("similarity(r1, \"0\") ", ["= ", "!= ", "< "]), ("count(sad, ", ["crowd"]),
      ("run(r1, ", ["class: ", "iou: ", "score: "]), ("run(r1, class: ", ["happy", "sad"]),
      ("run(r1, iou: ", []), ("run(r1, iou: 0.5, cl", ["class: "]),
      ("width > 3 and run(r1, class: s", ["sad"]),
    ])
  func arguments(_ text: String, _ wanted: [String]) throws {
    let world = try ReviewWorld.labels()
    let run = try world.catalog.run(named: "r1")
    let writer = try Catalog.open(world.folder.path + "/x.db", .readWrite)
    try writer.record([SampleEmbedding(sample: world.ids[0], vector: [3, 4])], in: run.id)
    let json = try service(world).completion(of: text, at: text.utf8.count, in: "set")
    let items = (json["items"]?.elements ?? []).compactMap { $0["text"]?.text }
    #expect(wanted.isEmpty ? items.isEmpty : items.starts(with: wanted), "\(items)")
  }

  @Test("Runs list the numbers that samples can be sorted by, and pages count those without one")
  func sorts() throws {
    let world = try ReviewWorld.labels()
    let service = service(world)
    let runs = try service.overview(of: world.session("anna"))["runs"]
    let sorts = try #require(runs?.elements?.first?["sorts"]?.elements)
    #expect(sorts.map { $0["field"] } == ["run(r1).confidence", "run(r1).margin"])
    #expect(sorts.map { $0["title"] } == ["confidence", "margin"])
    for sort in sorts {
      let order = SampleBrowser.Order.field(sort["field"]?.text ?? "", isDescending: true)
      let page = try service.samples(search("", order), from: 0, limit: 9) { _ in "" }
      let values = page["items"]?.elements?.map { $0["value"] } ?? []
      #expect(page["withoutValue"] == JSONValue(values.count { $0 == .null }))
    }
  }

  @Test("A completion replaces the word at the cursor, counted in bytes")
  func range() throws {
    let service = service(try ReviewWorld.labels())
    let text = "key = \"é\" and la = sad"
    let json = try service.completion(of: text, at: 17, in: "set")
    let item = try #require(json["items"]?.elements?.first)
    #expect(item["text"] == "label" && item["from"] == 15 && item["to"] == 17)
    #expect(json["error"]?["offset"] == 15)
  }

  @Test("One sample has its marks, probabilities, issues and history")
  func sample() throws {
    let world = try ReviewWorld.labels()
    _ = try world.backend.save(
      world.save(["kind": "label", "category": "sad"], match: "none"), to: world.ids[0],
      wantsState: false)
    let json = try service(world).sample(world.ids[0], runs: ["r1"]) { $0 }
    #expect(json["key"] == "0" && json["split"] == "train" && json["truth"]?["label"] == "happy")
    #expect(json["image"] == .string("/api/browse/samples/\(world.ids[0])/image"))
    let run = try #require(json["runs"]?.elements?.first)
    #expect(
      run["probabilities"] == [
        ["class": "sad", "score": 0.75], ["class": "happy", "score": 0.25],
      ])
    let history = try #require(json["corrections"]?.elements)
    #expect(history.map { $0["kind"] } == ["label"] && history[0]["detail"] == "sad")
    #expect(throws: RequestRefusal.self) {
      _ = try service(world).sample(99, runs: []) { $0 }
    }
  }

  @Test("Pictures come from files and from the catalog; a damaged file is named")
  func pictures() throws {
    let world = try ReviewWorld.labels()
    let service = service(world)
    guard
      case .picture(let picture) = try service.picture(
        of: world.ids[0], as: .whole, unless: [])
    else {
      Issue.record("no picture")
      return
    }
    #expect(picture.type == "image/png" && !picture.bytes.isEmpty)
    #expect(
      try service.picture(of: world.ids[0], as: .whole, unless: [picture.tag])
        == .unchanged(tag: picture.tag))
    let files = try ReviewWorld.masks()
    let error = #expect(throws: RequestRefusal.self) {
      _ = try self.service(files).picture(of: files.ids[2], as: .thumbnail, unless: [])
    }
    #expect(error?.code == "imageUnreadable" && error?.message.contains("2.png") == true)
  }

  @Test("A file that was exchanged is read again")
  func exchanged() throws {
    let world = try ReviewWorld.masks()
    let service = service(world)
    guard case .picture(let first) = try service.picture(of: world.ids[0], as: .whole, unless: [])
    else { return }
    let path = "\(world.folder.path)/0.png"
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.copyItem(atPath: "\(world.folder.path)/1.png", toPath: path)
    guard
      case .picture(let second) = try service.picture(
        of: world.ids[0], as: .whole, unless: [first.tag])
    else {
      Issue.record("the old picture")
      return
    }
    #expect(second.bytes != first.bytes)
  }

  @Test("A search is saved as a view once, and without an expression not at all")
  func views() throws {
    let world = try ReviewWorld.labels()
    let service = service(world)
    let body: JSONValue = ["name": "sads", "view": "set", "where": "label = sad"]
    #expect(try service.saveView(body) == ["name": "sads"])
    #expect(try service.saveView(body) == ["name": "sads"])
    let taken = #expect(throws: RequestRefusal.self) {
      _ = try service.saveView(["name": "sads", "view": "set", "where": "label = happy"])
    }
    #expect(taken?.status == 409)
    #expect(throws: RequestRefusal.self) {
      _ = try service.saveView(["name": "all", "view": "set", "where": " "])
    }
    #expect(try world.catalog.views().map(\.expression) == ["label = sad"])
  }

  @Test("A table has the samples of a search, with cells in quotation marks where they need them")
  func table() throws {
    let world = try ReviewWorld.labels()
    let text = String(decoding: try service(world).table(search("label = sad")), as: UTF8.self)
    #expect(text == "key,width,height,split,label\n1,6,4,train,sad\n3,6,4,train,sad\n")
  }

  @Test("The command and the statement of a search find the same samples")
  func command() throws {
    let world = try ReviewWorld.labels()
    let json = try service(world).command(
      search("label = 'sad'", .field("width", isDescending: true)))
    #expect(
      json["command"]
        == "assay query 'label = '\\''sad'\\''' --in set --sort width --descending")
    let sql = try #require(json["sql"]?.text)
    #expect(!sql.contains("?"))
    let rows = try world.catalog.sql(sql).rows
    #expect(rows.map { $0[1] } == [.text("1"), .text("3")])
  }

  @Test("Names on the command line are a view and runs over its dataset")
  func start() throws {
    let world = try ReviewWorld.labels()
    func start(_ subjects: String...) throws -> BrowseStart {
      try BrowseStart(subjects, in: world.catalog)
    }
    #expect(try start() == BrowseStart())
    #expect(try start("set/train", "r1", "run:r1") == BrowseStart(view: "set/train", runs: ["r1"]))
    #expect(try start("r1") == BrowseStart(view: "set", runs: ["r1"]))
    #expect(throws: BrowseError.twoViews("set", "set/train")) { try start("set", "set/train") }
    #expect(throws: BrowseError.review("rev")) { try start("rev") }
    // A name with two meanings is not guessed.
    let selection = try world.catalog.resolve("set")
    _ = try world.catalog.addView(named: "r1", in: selection, where: "label = sad")
    #expect(throws: ReviewError.ambiguous("r1", ["view", "run"])) { try start("r1") }
    #expect(try start("view:r1", "run:r1") == BrowseStart(view: "r1", runs: ["r1"]))
    #expect(throws: ReviewError.self) { try start("r2") }
  }

  @Test(
    "An expression on the command line needs a view or a run, and is checked before the server starts"
  )
  func startExpression() throws {
    let world = try ReviewWorld.labels()
    func start(_ subjects: [String], _ expression: String) throws -> BrowseStart {
      try BrowseStart(subjects, where: expression, in: world.catalog)
    }
    let sad = BrowseStart(view: "set", runs: ["r1"], expression: "label = sad")
    #expect(try start(["r1"], "label = sad") == sad)
    #expect(try start([], "label = sad") == BrowseStart(view: "set", expression: "label = sad"))
    #expect(throws: StoreError.self) { try start(["r1"], "label = ") }
    let json = try service(world, sad).overview(of: world.session("anna"))
    #expect(
      json["start"] == [
        "view": "set", "runs": ["r1"], "where": "label = sad", "corrected": false,
      ])
  }

  @Test("Cells that a spreadsheet would run as a formula are defused")
  func formulas() throws {
    let folder = try TemporaryFolder()
    let catalog = try Catalog.open(folder.path + "/x.db", .create)
    var batch = ImportedBatch()
    batch.newCategories = [Category(name: "cat, dog")]
    for (key, split) in [("=1+1", "a"), ("b\u{1B}[2J", "@x"), ("-c", "")] {
      batch.samples.append(
        ImportedSample(
          key: key, location: key, split: split.isEmpty ? nil : split, size: ReviewWorld.size,
          category: 0))
    }
    try ReviewWorld.importing(
      batch, format: .imageFolder, root: folder.path, single: false, into: catalog)
    let text = String(
      decoding: try SampleBrowser(catalog: catalog).table(search()), as: UTF8.self)
    #expect(
      text == """
        key,width,height,split,label
        "'=1+1",6,4,a,"cat, dog"
        b\u{FFFD}[2J,6,4,"'@x","cat, dog"
        "'-c",6,4,,"cat, dog"

        """)
  }

  @Test("A plus sign in an address is a blank")
  func blanks() {
    let target = RequestTarget("/api/browse/samples?where=label+%3D+a%2Bb&from=3")
    #expect(target?.query == ["where": "label = a+b", "from": "3"])
  }
}

extension [Double] {
  fileprivate var json: JSONValue { .array(map { .number($0) }) }
}
