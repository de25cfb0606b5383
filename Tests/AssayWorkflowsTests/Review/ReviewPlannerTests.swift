import AssayCore
import AssayStore
import Testing

@testable import AssayWorkflows

@Suite struct ReviewPlannerTests {
  private static func plan(
    _ subjects: [String], in catalog: Catalog, order: ReviewOrder? = nil,
    task: ModelTask? = nil
  ) throws -> ReviewPlan {
    let planning = ReviewPlanner(catalog: catalog)
    return try planning.plan(
      ReviewRequest(subjects, order: order, task: task), subjects.map { try planning.subject($0) })
  }

  @Test("A run goes by uncertainty, several by disagreement, a view by the runs over it")
  func defaults() throws {
    let world = try EvaluateCatalog.small()
    #expect(try Self.plan(["r1"], in: world.catalog).order == .uncertainty)
    #expect(try Self.plan(["r1", "r2"], in: world.catalog).order == .disagreement)
    let view = try Self.plan(["faces"], in: world.catalog)
    #expect(view.order == .disagreement)
    #expect(view.runs.map(\.name) == ["r1", "r2"])
    #expect(view.remarks == ["the runs over faces are r1, r2"])
    _ = try world.catalog.remove(.run, named: "r2")
    let one = try Self.plan(["faces/train"], in: world.catalog)
    #expect(one.order == .uncertainty)
    #expect(one.runs.map(\.name) == ["r1"])
    #expect(one.remarks == ["the run over faces/train is r1"])
    _ = try world.catalog.remove(.run, named: "r1")
    let none = try Self.plan(["faces"], in: world.catalog)
    #expect(none.order == .random)
    #expect(none.runs.isEmpty)
    #expect(none.remarks == ["no run covers faces: the order is random"])
  }

  @Test("A requested task is that of the runs, or fits the dataset; other runs do not count")
  func task() throws {
    let world = try EvaluateCatalog.small()
    let plan = try Self.plan(["faces"], in: world.catalog, task: .classification)
    #expect(plan.runs.map(\.name) == ["r1", "r2"])
    #expect(
      throws: ReviewError.taskOfRun(.detection, "r1", .classification)
    ) { try Self.plan(["r1"], in: world.catalog, task: .detection) }
    #expect(
      throws: ReviewError.unfitTask(
        .detection, dataset: "faces", "has labels of whole images", command: nil)
    ) { try Self.plan(["faces"], in: world.catalog, order: .random, task: .detection) }
    #expect(
      throws: ReviewError.unfitTask(
        .multiLabel, dataset: "faces", "has no sets of labels", command: nil)
    ) { try Self.plan(["faces"], in: world.catalog, task: .multiLabel) }
  }

  @Test("The order of the dataset is that of its samples")
  func datasetOrder() throws {
    let world = try EvaluateCatalog.small()
    let built = try ReviewBuilder(catalog: world.catalog)
      .review(ReviewRequest(["faces"], order: .dataset))
    let items = try world.catalog.reviewItems(of: built.review.id)
    #expect(items.map(\.sample.id) == items.map(\.sample.id).sorted() && items.count == 4)
    #expect(built.review.orderDescription == "in the order of the dataset")
  }

  @Test("Of the runs over a view those count that have done the most of it")
  func mostDone() throws {
    let world = try EvaluateCatalog.small()
    try world.run("part", classes: ["happy", "sad"], [[0.5, 0.5], nil, nil, nil])
    _ = try world.catalog.remove(.run, named: "r2")
    #expect(try Self.plan(["faces"], in: world.catalog).runs.map(\.name) == ["r1"])
    _ = try world.catalog.remove(.run, named: "r1")
    let part = try Self.plan(["faces"], in: world.catalog)
    #expect(part.remarks == ["the run over faces is part, 1 of its 4 samples"])
  }

  @Test("A view can be named with runs over it, and an order that needs no run takes none")
  func viewAndRun() throws {
    let world = try EvaluateCatalog.small()
    let plan = try Self.plan(["faces/test", "r2"], in: world.catalog)
    #expect(plan.order == .uncertainty)
    #expect(plan.selection.name == "faces/test")
    #expect(plan.runs.map(\.name) == ["r2"])
    #expect(try Self.plan(["faces"], in: world.catalog, order: .random).runs.isEmpty)
  }

  @Test("Names that are two things are refused, unless the kind is said")
  func ambiguous() throws {
    let world = try EvaluateCatalog.small()
    try world.run("faces", classes: ["happy", "sad"], [[0.5, 0.5], nil, nil, nil])
    let error = #expect(throws: ReviewError.self) { try Self.plan(["faces"], in: world.catalog) }
    #expect(
      error?.description
        == "“faces” is the name of a view and of a run; write view:faces or run:faces")
    #expect(try Self.plan(["run:faces"], in: world.catalog).hasView == false)
    #expect(try Self.plan(["view:faces/test"], in: world.catalog).hasView)
  }

  @Test("What cannot be reviewed is said with what could be")
  func errors() throws {
    let world = try EvaluateCatalog.small()
    func message(_ subjects: [String], _ order: ReviewOrder? = nil) -> String {
      let error = #expect(throws: (any Error).self) {
        try Self.plan(subjects, in: world.catalog, order: order)
      }
      return error.map { "\($0)" } ?? ""
    }
    #expect(
      message(["faecs"]).contains("unknown view, run or review “faecs”; did you mean “faces”?"))
    #expect(message(["nothing"]).contains("views: faces; runs: r1, r2"))
    #expect(message(["statsu"]).contains("did you mean “status”?"))
    #expect(message(["faces/tset"]).contains("“faces” has no part “tset”; did you mean “test”?"))
    #expect(message(["r1@strict"]).contains("run “r1” has no evaluation “strict”"))
    #expect(message(["faces", "faces/test"]).contains("cannot be reviewed together"))
    #expect(
      message(["r1", "r2"], .uncertainty).contains("uses one run, found 2: r1, r2"))
    #expect(message(["faces"], .uncertainty).contains("name them: r1, r2"))
    try world.importFaces(["happy"], classes: ["happy"], as: "other")
    try world.run("r3", over: "other", classes: ["happy"], [[1]])
    #expect(message(["r1", "r3"]).contains("r1 is about faces and r3 about other"))
    #expect(message(["other", "r1"]).contains("other is about other and r1 about faces"))
    _ = try world.catalog.remove(.run, named: "r3")
    #expect(message(["other"], .disagreement).contains("needs a run over other"))
  }

  @Test("Runs of two tasks are not mixed")
  func tasks() throws {
    let world = try EvaluateCatalog.small()
    let faces = try world.catalog.resolve("faces")
    _ = try world.catalog.createRun(
      RunDraft(
        name: "det", task: .detection, dataset: faces.dataset.id, view: "faces",
        classes: ["happy"], samples: world.catalog.samples(in: faces).map(\.id)))
    let error = #expect(throws: ReviewError.self) {
      try Self.plan(["r1", "det"], in: world.catalog)
    }
    #expect(
      error == .otherTask("r1", .classification, "det", .detection))
  }
}
