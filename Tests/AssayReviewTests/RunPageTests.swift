import AssayCore
import AssayStore
import AssayWorkflows
import Testing

@testable import AssayReview

@Suite("The numbers of runs on the page")
struct RunPageTests {
  /// Evaluates a run and stores the evaluation; returns what `assay evaluate RUN@default --json` prints.
  private func evaluate<Task: EvaluatedTask>(
    _ task: Task.Type, _ name: String, in world: ReviewWorld, as own: String? = nil,
    _ settings: EvaluationSettings = EvaluationSettings()
  ) throws -> JSONValue {
    let evaluator = Evaluator<Task>(catalog: world.catalog)
    let (evaluation, run) = try evaluator.evaluate(
      RunReference(name, in: world.catalog), settings)
    _ = try evaluator.save(evaluation, of: run, as: own)
    return try evaluator.evaluate(
      RunReference("\(name)@\(own ?? "default")", in: world.catalog), EvaluationSettings()
    ).evaluation.json()
  }

  private func found(_ json: JSONValue, _ service: BrowseService) throws -> JSONValue? {
    let search = SampleBrowser.Search(
      view: json["view"]?.text ?? "", expression: json["where"]?.text ?? "?")
    return try service.samples(search, from: 0, limit: 9) { _ in "" }["total"]
  }

  @Test("A run that was not evaluated has the reason and the next command in place of numbers")
  func unevaluated() throws {
    let service = try ReviewWorld.labels().browseService
    let page = try service.run("r1")
    #expect(page["evaluated"] == false && page["next"] == "assay evaluate r1")
    #expect(page["reason"] == "The run r1 has not been evaluated yet.")
    #expect(throws: RequestRefusal.self) { try service.samples(of: "r1", RunFilter()) }
    #expect(throws: RequestRefusal.self) { try service.run("no-run") }
  }

  @Test("A run over a part of its view says how many samples are not in it")
  func part() throws {
    let world = try ReviewWorld.labels()
    let run = try world.catalog.createRun(
      RunDraft(
        name: "r2", dataset: world.catalog.resolve("set").dataset.id, view: "set",
        classes: ["happy", "sad"], samples: Array(world.ids.prefix(2))))
    try world.catalog.record(
      world.ids.prefix(2).map { SampleScores(sample: $0, scores: [0.75, 0.25]) }, in: run.id)
    let expected = try evaluate(ImageClassification.self, "r2", in: world)
    let notes = try world.browseService.run("r2")["evaluation"]?["notes"]
    #expect(notes == expected["notes"])
    let left = world.ids.count - 2
    #expect(
      notes?.elements?.contains(
        .string("left out: \(left) \(left == 1 ? "sample" : "samples") not in the run")) == true,
      "\(String(describing: notes))")
  }

  @Test(
    "The numbers of a classifier are those of its evaluation; a filter finds the samples that it counts"
  )
  func labels() throws {
    let world = try ReviewWorld.labels()
    let service = world.browseService
    let expected = try evaluate(ImageClassification.self, "r1", in: world)
    let page = try service.run("r1")
    #expect(page["evaluated"] == true && page["evaluation"] == expected)
    #expect(expected["confusion"] == [[0, 2], [0, 2]])
    for (row, truth) in ["happy", "sad"].enumerated() {
      for (column, predicted) in ["happy", "sad"].enumerated() {
        var filter = RunFilter()
        (filter.truth, filter.predicted) = (truth, predicted)
        let json = try service.samples(of: "r1", filter)
        let count = try #require(expected["confusion"]?.elements?[row].elements?[column])
        #expect(json["count"] == count)
        if count != 0 { #expect(try found(json, service) == count) }
      }
    }
    var wrong = RunFilter()
    wrong.outcome = .wrong
    #expect(
      try service.samples(of: "r1", wrong)
        == [
          "view": "set", "where": "run(r1).correct = false", "corrected": false, "count": 2,
        ])
    // All confidences are 0.75: steps from 0.755 on answer nothing.
    let accept = try #require(page["accept"]?.elements)
    #expect(accept.count == 201)
    #expect(accept[150] == [0.75, 4, 2] && accept[151] == [.number(151.0 / 200), 0, 0])
    for (bound, count) in [(0.75, 4), (0.76, 0)] {
      var filter = RunFilter()
      filter.from = bound
      #expect(try service.samples(of: "r1", filter)["count"] == JSONValue(count))
    }
  }

  @Test("A named evaluation of a classifier is shown; its counts open its samples alone")
  func namedLabels() throws {
    let world = try ReviewWorld.labels()
    let service = world.browseService
    var settings = EvaluationSettings()
    settings.filter = "label = sad"
    settings.slicedBy = "category"
    let expected = try evaluate(ImageClassification.self, "r1", in: world, as: "sad", settings)
    let other = try service.run("r1")
    #expect(other["evaluated"] == false && other["evaluations"] == ["sad"])
    #expect(other["reason"] == "The run r1 has no evaluation “default”. It has: sad.")
    _ = try evaluate(ImageClassification.self, "r1", in: world)
    let page = try service.run("r1@sad")
    #expect(page["run"] == "r1" && page["evaluation"] == expected && expected["n"] == 2)
    #expect(page["evaluations"] == ["sad", "default"])
    #expect(page["evaluation"]?["slices"]?.elements?.first?["value"] == "sad")
    #expect(try service.run("r1")["evaluation"]?["n"] == 4)
    // The confidence belongs to the run; the evaluation has a part of its samples.
    var filter = RunFilter()
    filter.from = 0.5
    let search = try service.samples(of: "r1@sad", filter)
    #expect(search["count"] == 2 && search["where"]?.text?.hasPrefix("(label = sad) and (") == true)
    #expect(try found(search, service) == 2)
    #expect(throws: RequestRefusal.self) { try service.run("r1@none") }
    #expect(throws: RequestRefusal.self) { try service.comparison(of: "r1@sad", "r1") }
  }

  @Test("A named evaluation of a detector has its own IoU, and queries name it")
  func namedObjects() throws {
    let world = try ReviewWorld.masks()
    _ = try world.detector()
    let service = world.browseService
    var settings = EvaluationSettings()
    settings.objects.workingScore = 0.2
    let expected = try evaluate(ObjectDetection.self, "det", in: world, as: "low-0.2", settings)
    _ = try evaluate(ObjectDetection.self, "det", in: world)
    let page = try service.run("det@low-0.2")
    #expect(page["evaluation"] == expected && page["evaluation"]?["working"]?["score"] == 0.2)
    let point = try service.point(of: "det@low-0.2", iou: nil, score: nil)
    #expect(point["overall"]?["false_positives"] == expected["working"]?["false_positives"])
    #expect(
      try service.point(of: "det", iou: nil, score: nil)["overall"]?["false_positives"]
        != point["overall"]?["false_positives"])
    var filter = RunFilter()
    (filter.category, filter.outcome) = ("person", .falsePositive)
    let search = try service.samples(of: "det@low-0.2", filter)
    #expect(search["where"] == "run(det@low-0.2, class: person).false_positives > 0")
    #expect(search["count"] == 1)
    #expect(try found(search, service) == 1)
  }

  @Test("The counts of a detector follow from its stored matches at every score, also by class")
  func objects() throws {
    let world = try ReviewWorld.masks()
    _ = try world.detector()
    let service = world.browseService
    let expected = try evaluate(ObjectDetection.self, "det", in: world)
    let page = try service.run("det")
    #expect(page["evaluation"] == expected)
    let point = try service.point(of: "det", iou: nil, score: nil)
    for name in [
      "true_positives", "false_positives", "false_negatives", "precision", "recall", "f1",
    ] {
      #expect(point["overall"]?[name] == expected["working"]?[name], "\(name)")
    }
    #expect(point["errors"] == expected["error_counts_from_score"])
    let low = try service.point(of: "det", iou: 0.5, score: 0.2)
    #expect(low["overall"]?["true_positives"] == 1 && low["overall"]?["false_positives"] == 1)
    #expect(low["errors"]?["duplicate"] == 1)
    let high = try service.point(of: "det", iou: 0.75, score: 0.8)
    #expect(high["overall"]?["true_positives"] == 0 && high["errors"] == .null)
    #expect(throws: RequestRefusal.self) { try service.point(of: "det", iou: 0.123, score: nil) }

    var filter = RunFilter()
    (filter.category, filter.outcome, filter.score) = ("person", .falsePositive, 0.2)
    let search = try service.samples(of: "det", filter)
    #expect(
      search
        == [
          "view": "set", "where": "run(det, class: person, score: 0.2).false_positives > 0",
          "corrected": false,
          "count": 1,
        ])
    #expect(try found(search, service) == 1)
    (filter.outcome, filter.score) = (.falseNegative, nil)
    let missed = try service.samples(of: "det", filter)
    #expect(missed["count"] == 1)
    #expect(try found(missed, service) == 1)
    filter.category = "traffic light"
    #expect(try service.samples(of: "det", filter)["count"] == 0)
    filter.category = "dog"
    #expect(throws: RequestRefusal.self) { try service.samples(of: "det", filter) }
  }

  @Test(
    "Differences of two runs are those of the comparison; the searches find regressions and improvements"
  )
  func comparison() throws {
    let world = try ReviewWorld.labels()
    let catalog = world.catalog
    let run = try catalog.createRun(
      RunDraft(
        name: "r2", dataset: catalog.resolve("set").dataset.id, view: "set",
        classes: ["happy", "sad"], samples: world.ids))
    try catalog.record(
      world.ids.map { SampleScores(sample: $0, scores: [0.75, 0.25]) }, in: run.id)
    let service = world.browseService
    #expect(try service.comparison(of: "r1", "r2")["evaluated"] == false)
    _ = try evaluate(ImageClassification.self, "r1", in: world)
    _ = try evaluate(ImageClassification.self, "r2", in: world)
    let json = try service.comparison(of: "r1", "r2")
    let expected = try Comparer<ImageClassification>(catalog: catalog).compare(
      RunReference("r1@default", in: catalog), RunReference("r2@default", in: catalog),
      EvaluationSettings()
    ).comparison.json
    for name in ["a", "b", "n", "classes", "differences", "mcnemar", "mcnemar_by_class"] {
      #expect(json["comparison"]?[name] == expected[name], "\(name)")
    }
    #expect(json["comparison"]?["regressions"] == nil)
    #expect(
      json["regressions"] == 2 && json["worse"]?["count"] == 2 && json["better"]?["count"] == 2)
    #expect(json["table"]?["both"]?["count"] == 0 && json["table"]?["neither"]?["count"] == 0)
    #expect(throws: RequestRefusal.self) { try service.comparison(of: "r1", "no-run") }
  }
}
