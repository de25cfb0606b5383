import AssayCore
import AssayStore
import AssayTestSupport
import AssayWorkflows
import Foundation
import Testing

@testable import AssayReview

/// The browse page with the corrected ground truth shows what `--corrected` gives.
@Suite("The browse page's data with the corrected ground truth")
struct CorrectedGridTests {
  private func service(_ world: ReviewWorld) -> BrowseService {
    BrowseService(
      catalog: world.catalog, ledger: world.ledger, start: BrowseStart(), review: nil,
      version: "1")
  }

  private func search(_ expression: String = "", corrected: Bool = true) -> SampleBrowser.Search {
    SampleBrowser.Search(view: "set", expression: expression, isCorrected: corrected)
  }

  private func save(
    _ world: ReviewWorld, _ changes: [String: JSONValue], to place: Int, match: String = "none"
  ) throws {
    _ = try world.backend.save(
      world.save(changes, match: match), to: world.ids[place], wantsState: false)
  }

  private func keys(_ service: BrowseService, _ search: SampleBrowser.Search) throws -> [String] {
    try (service.samples(search, from: 0, limit: 9) { _ in "" }["items"]?.elements ?? [])
      .compactMap { $0["key"]?.text }
  }

  /// The keys that `assay query --corrected` lists.
  private func queried(_ world: ReviewWorld, _ expression: String) throws -> [String] {
    let catalog = try CorrectedCatalog.open(
      world.catalog.path, .readWrite, truth: .corrected, reportingTo: NoProgress()
    ).catalog
    return try SampleSearch(catalog: catalog)
      .search(expression.isEmpty ? nil : expression, in: "set", limit: nil).samples.map(\.key)
  }

  private func truth(
    _ service: BrowseService, _ id: Int64, corrected: Bool = true, run: String = "r1"
  ) throws -> (truth: JSONValue?, run: JSONValue?) {
    let json = try service.marks(of: [id], runs: [run], side: 64, isCorrected: corrected)
    let item = json["items"]?.elements?.first
    return (item?["truth"], item?["runs"]?[run])
  }

  private func problem(
    _ service: BrowseService, _ world: ReviewWorld, corrected: Bool = true
  ) throws -> JSONValue? {
    try service.marks(of: [world.ids[0]], runs: ["det"], side: 64, isCorrected: corrected)[
      "problems"]?.elements?.first
  }

  /// Each value of each facet has the number of samples that its term selects, in the grid and in `query --corrected`.
  private func checkFacets(_ world: ReviewWorld, _ service: BrowseService) throws {
    let facets = try #require(
      try service.facets(search(), runs: ["r1"])["facets"]?.elements)
    var terms = 0
    for value in facets.flatMap({ $0["values"]?.elements ?? [] }) {
      let term = try #require(value["term"]?.text)
      let listed = try keys(service, search(term))
      #expect(try listed == queried(world, term), "\(term)")
      #expect(value["count"] == JSONValue(listed.count), "\(term)")
      terms += 1
    }
    #expect(terms > 0)
  }

  @Test("Labels, right and wrong, facets, searches and the sample are of the corrected ones")
  func labels() throws {
    let world = try ReviewWorld.labels()
    let service = service(world)
    // Both tables are there before the correction.
    _ = try service.facets(search(), runs: ["r1"])
    _ = try service.facets(search(corrected: false), runs: ["r1"])
    try save(world, ["kind": "label", "category": "sad"], to: 0)
    #expect(try keys(service, search("label = sad")) == ["0", "1", "3"])
    #expect(try keys(service, search("label = sad", corrected: false)) == ["1", "3"])
    #expect(try keys(service, search("run(r1).correct = false")) == ["2"])
    try checkFacets(world, service)
    let (label, answer) = try truth(service, world.ids[0])
    #expect(label?["label"] == "sad" && answer?["correct"] == true)
    let before = try truth(service, world.ids[0], corrected: false)
    #expect(before.truth?["label"] == "happy" && before.run?["correct"] == false)

    let page = try service.samples(search(), from: 0, limit: 9) { _ in "" }
    let corrected = page["items"]?.elements?.map { $0["corrected"] }
    #expect(corrected == [true, nil, nil, nil])
    #expect(page["corrections"] == ["samples": 1, "entries": true, "problem": .null])
    let plain = try service.samples(search(corrected: false), from: 0, limit: 9) { _ in "" }
    #expect(plain["items"]?.elements?.allSatisfy { $0["corrected"] == nil } == true)
    #expect(plain["corrections"]?["samples"] == 1)

    let sample = try service.sample(world.ids[0], runs: ["r1"], isCorrected: true) { $0 }
    #expect(sample["truth"]?["label"] == "sad" && sample["corrected"] == true)
    #expect(sample["left_out"] == .null)
    let imported = try service.sample(world.ids[0], runs: ["r1"]) { $0 }
    #expect(imported["truth"]?["label"] == "happy" && imported["corrected"] == nil)
  }

  @Test("What another process saves is in the next answer; excluded samples say why")
  func news() throws {
    let world = try ReviewWorld.labels()
    let service = service(world)
    #expect(try keys(service, search("label = happy")) == ["0", "2"])
    try save(world, ["kind": "label", "category": "happy"], to: 1)
    #expect(try truth(service, world.ids[1]).truth?["label"] == "happy")
    #expect(try keys(service, search("label = happy")) == ["0", "1", "2"])
    try save(world, ["kind": "reject", "reason": "blurred"], to: 2)
    let items = try service.samples(search(), from: 0, limit: 9) { _ in "" }["items"]?.elements
    #expect(items?.map { $0["left_out"] } == [nil, .null, "blurred", nil])
    #expect(try keys(service, search()) == queried(world, ""))
    #expect(
      try service.sample(world.ids[2], runs: [], isCorrected: true) { $0 }["left_out"]
        == "blurred")
    try save(world, ["kind": "undo"], to: 1, match: "\"1\"")
    #expect(try truth(service, world.ids[1]).truth?["label"] == "sad")
  }

  @Test("Sets of labels, and whether a run has them right")
  func sets() throws {
    let world = try ReviewWorld.sets()
    let service = service(world)
    #expect(try truth(service, world.ids[2]).run?["correct"] == false)
    try save(world, ["kind": "add", "target": "label", "category": "cat"], to: 2)
    let (labels, answer) = try truth(service, world.ids[2])
    #expect(labels?["labels"] == ["cat"] && answer?["correct"] == true)
    let before = try truth(service, world.ids[2], corrected: false)
    #expect(before.truth?["labels"] == [] && before.run?["correct"] == false)
    try checkFacets(world, service)
    #expect(try keys(service, search("label = cat")) == ["0.png", "1.png", "2.png"])
  }

  @Test("Boxes in a dataset that has no annotations and states no task")
  func boxes() throws {
    let world = try ReviewWorld.unlabeled()
    let service = service(world)
    _ = try service.facets(search(), runs: [])
    try save(world, ["kind": "add", "category": "person", "box": [3, 1, 2, 2]], to: 1)
    let objects = try truth(service, world.ids[1]).truth?["objects"]?.elements
    #expect(objects?.map { $0["class"] } == ["person"])
    #expect(objects?.first?["box"] == Box(x: 3, y: 1, width: 2, height: 2).json)
    #expect(try truth(service, world.ids[1], corrected: false).truth?["objects"] == [])
    try checkFacets(world, service)
    #expect(try keys(service, search("count(person) > 0")) == ["1.png"])
    let sorted = SampleBrowser.Search(
      view: "set", expression: "", order: .field("count(person)", isDescending: true),
      isCorrected: true)
    #expect(try keys(service, sorted).first == "1.png")
    // The command lists the objects, too.
    let catalog = try CorrectedCatalog.open(
      world.catalog.path, .readWrite, truth: .corrected, reportingTo: NoProgress()
    ).catalog
    let found = try SampleSearch(catalog: catalog).search("count(person) > 0", in: "set", limit: 9)
    #expect(found.regions.map { $0.map(\.instances) } == [[1]])
    // A class of drawn objects is not a label: both say so.
    let refused = #expect(throws: RequestRefusal.self) {
      _ = try keys(service, search("label = person"))
    }
    #expect(refused?.message.contains("count(person) > 0") == true)
    let completed = try service.completion(
      of: "label = person", at: 14, in: "set", isCorrected: true)
    #expect(completed["error"]?["message"]?.text?.contains("count(person) > 0") == true)
    #expect(try keys(service, search("label = person", corrected: false)) == [])
  }

  @Test("Masks; results of objects are those of an evaluation of the same ground truth, or none")
  func results() throws {
    let world = try ReviewWorld.masks()
    _ = try world.detector()
    let service = service(world)
    func evaluate(_ corrected: Bool, as name: String? = nil) throws {
      let catalog = try CorrectedCatalog.open(
        world.catalog.path, .readWrite, truth: corrected ? .corrected : .imported,
        reportingTo: NoProgress()
      ).catalog
      let evaluator = Evaluator<ObjectDetection>(catalog: catalog)
      let (evaluation, run) = try evaluator.evaluate(
        RunReference("det", in: catalog), EvaluationSettings())
      let truth = KeptTruth(sequence: try catalog.truthSequence() ?? 0, isFixed: false)
      _ = try evaluator.save(evaluation, of: run, as: name, by: corrected ? truth : nil)
    }
    func results(_ corrected: Bool) throws -> [JSONValue?] {
      let (own, run) = try truth(service, world.ids[0], corrected: corrected, run: "det")
      return [own, run].flatMap { ($0?["objects"]?.elements ?? []).map { $0["result"] } }
    }
    let none: [JSONValue?] = Array(repeating: .null, count: 4)
    #expect(try results(false) == none && results(true) == none)
    // The page knows which runs are not evaluated at all.
    #expect(try problem(service, world, corrected: false) == nil)
    try evaluate(false)
    #expect(try results(false) != none && results(true) == none)
    #expect(
      try problem(service, world) == [
        "run": "det", "reason": "it was not evaluated with the corrected ground truth",
        "command": "assay evaluate det --corrected",
      ])

    let after = ReviewWorld.mask(["###...", "##....", "......", "......"])
    try save(world, ReviewWorld.members(of: after), to: 0)
    let mask = try truth(service, world.ids[0]).truth?["objects"]?.elements?.first?["mask"]
    #expect(mask?["counts"] == [0, 2, 2, 2, 2, 1, 15])
    try evaluate(true)
    #expect(try results(true) != none && results(true).count == 3)
    #expect(try problem(service, world) == nil)
    let sample = try service.sample(world.ids[0], runs: ["det"], isCorrected: true) { $0 }
    #expect(sample["runs"]?.elements?.first?["problem"] == .null)
    // A correction later, its matches are of other annotations.
    try save(world, ["kind": "add", "category": "person", "box": [4, 2, 2, 2]], to: 1)
    #expect(try results(true) == none.prefix(3).map(\.self))
    #expect(
      try problem(service, world)?["reason"]
        == "its evaluation with corrections is of entry 1 of the ledger, which is at entry 2")
    let late = try service.sample(world.ids[0], runs: ["det"], isCorrected: true) { $0 }
    #expect(
      late["runs"]?.elements?.first?["problem"]?["command"] == "assay evaluate det --corrected")
    // Fields of the run are those of its evaluation, as in the command.
    for field in ["false_positives", "true_positives", "false_negatives"] {
      let term = "run(det).\(field) > 0"
      #expect(try keys(service, search(term)) == queried(world, term))
    }
    // Of the imported ground truth, an evaluation of the corrected one says nothing, whatever its name.
    try evaluate(true, as: "default")
    #expect(try results(false) == none)
    #expect(
      try problem(service, world, corrected: false) == [
        "run": "det", "reason": "its evaluation default is of the corrected ground truth",
        "command": "assay evaluate det",
      ])
  }

  @Test("Commands, SQL and CSV are of the corrected ground truth")
  func export() throws {
    let world = try ReviewWorld.labels()
    let service = service(world)
    try save(world, ["kind": "label", "category": "sad"], to: 0)
    let asked = search("label = sad")
    let reply = try service.command(asked)
    #expect(reply["command"] == "assay query 'label = sad' --in set --corrected")
    #expect(
      try service.command(search("label = sad", corrected: false))["command"]
        == "assay query 'label = sad' --in set")
    let statement = try #require(reply["sql"]?.text)
    let rows = try world.catalog.sql(statement, limit: nil, isCancelled: { false })
    #expect(rows.rows.count == 3)
    // The statement stays right after the next correction.
    try save(world, ["kind": "label", "category": "sad"], to: 2)
    #expect(try keys(service, asked).count == 4)
    #expect(
      try world.catalog.sql(statement, limit: nil, isCancelled: { false }).rows.count == 4)
    let table = String(decoding: try service.table(asked), as: UTF8.self)
    #expect(table.contains("0,6,4,train,sad"))
  }

  @Test("A tag for all samples of a query goes to those of its ground truth")
  func tags() async throws {
    let world = try ReviewWorld.labels()
    let service = service(world)
    try save(world, ["kind": "label", "category": "sad"], to: 0)
    let bench = try Bench(browse: service)
    let response = await bench.send(
      .post, "/api/browse/tags", session: bench.session(),
      body: Bench.tag(
        ledger: world.ledger.uuid,
        ["where": "label = sad", "count": 3, "corrected": true, "tag": "gloomy"]))
    #expect(response.code == 201)
    #expect(try keys(service, search("tag = gloomy")) == ["0", "1", "3"])
  }

  @Test("Routes take the choice from the address")
  func routes() async throws {
    let world = try ReviewWorld.labels()
    let bench = try Bench(browse: service(world))
    try save(world, ["kind": "label", "category": "sad"], to: 0)
    func get(_ path: String) async throws -> JSONValue {
      try await bench.send(.get, "/api/browse/\(path)", session: bench.session()).json()
    }
    #expect(try await get("samples?view=set&where=label%20%3D%20sad&corrected=1")["total"] == 3)
    #expect(try await get("samples?view=set&where=label%20%3D%20sad")["total"] == 2)
    let id = world.ids[0]
    #expect(try await get("samples/\(id)?corrected=1")["truth"]?["label"] == "sad")
    let marks = try await get("marks?ids=\(id)&corrected=1")
    #expect(marks["items"]?.elements?.first?["truth"]?["label"] == "sad")
    let facets = try await get("facets?view=set&corrected=1")["facets"]?.elements
    #expect(facets?.first?["values"]?.elements?.first?["count"] == 3)
  }

  @Test("Without a ledger there is no corrected ground truth, and the answer says why")
  func without() throws {
    let world = try ReviewWorld.labels()
    let service = BrowseService(
      catalog: world.catalog, ledger: nil, start: BrowseStart(), review: nil, version: "1")
    let refused = #expect(throws: RequestRefusal.self) {
      _ = try keys(service, search())
    }
    #expect(refused?.code == "noCorrections" && refused?.message.contains("no ledger") == true)
    let page = try service.samples(search(corrected: false), from: 0, limit: 1) { _ in "" }
    #expect(page["corrections"]?["entries"] == false)
    #expect(page["corrections"]?["problem"]?.text?.contains("no ledger") == true)
    #expect(throws: BrowseError.noCorrections) {
      _ = try SampleBrowser(catalog: world.catalog).find(search())
    }
  }

  @Test("A count of an evaluation of the corrected ground truth opens its samples with it")
  func runs() throws {
    let world = try ReviewWorld.labels()
    let service = service(world)
    try save(world, ["kind": "label", "category": "sad"], to: 0)
    let catalog = try CorrectedCatalog.open(
      world.catalog.path, .readWrite, truth: .corrected, reportingTo: NoProgress()
    ).catalog
    let evaluator = Evaluator<ImageClassification>(catalog: catalog)
    let (evaluation, run) = try evaluator.evaluate(
      RunReference("r1", in: catalog), EvaluationSettings())
    _ = try evaluator.save(
      evaluation, of: run, as: nil, by: KeptTruth(sequence: 1, isFixed: false))
    var wrong = RunFilter()
    wrong.outcome = .wrong
    #expect(
      try service.samples(of: "r1@corrected", wrong)
        == [
          "view": "set", "where": "run(r1).correct = false", "corrected": true, "count": 1,
        ])
  }
}
