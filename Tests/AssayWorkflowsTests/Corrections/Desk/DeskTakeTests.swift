import AssayCore
import AssayStore
import Foundation
import Testing

@testable import AssayWorkflows

/// What a run says becomes the truth.
struct DeskTakeTests {
  @Test("A run's mask is taken as an evaluation makes it, from the stored map")
  func masks() throws {
    let world = try DeskWorld()
    try world.world.run(
      "r", classes: ["person"], input: world.size,
      [[SegmentCatalog.map(".##.", "..#.")], [SegmentCatalog.map("....", "....")], nil])
    let taken = try world.add(.take(run: "r"))
    #expect(taken.truth.region(of: "person") == (try world.mask(".##.", "..#.")))
    #expect(taken.entry.kind == "take")
    #expect(taken.entry.target == #"{"category":"person","set":"labels"}"#)
    #expect(try JSONValue(parsing: taken.entry.payload)["run"] == "r")
    #expect(try world.add(.take(run: "r", category: "person"), to: 1).truth.objects.count == 1)
    #expect(try world.refusal(.take(run: "r"), to: 2)?.contains("no mask") == true)
    #expect(try world.refusal(.take(run: "r", category: "car"))?.contains("knows no class") == true)
  }

  @Test("All classes of a run are taken at once, in one entry")
  func severalClasses() throws {
    let world = try DeskWorld()
    try world.world.run(
      "r", classes: ["none", "person", "car"], threshold: nil, background: 0, input: world.size,
      [
        [
          SegmentCatalog.map("....", "...."), SegmentCatalog.map("##..", "...."),
          SegmentCatalog.map("..##", "####"),
        ], nil, nil,
      ])
    let taken = try world.add(.take(run: "r"))
    #expect(taken.truth.region(of: "person") == (try world.mask("##..", "....")))
    #expect(taken.truth.region(of: "car") == (try world.mask("..##", "####")))
    #expect(taken.entry.target == "sample")
    #expect(try world.add(.undo()).truth.region(of: "car")?.isEmpty == true)
    let one = try world.add(.take(run: "r", category: "car"))
    #expect(one.truth.region(of: "person") == (try world.mask("##..", "##..")))
  }

  @Test("A detector's objects replace those of its classes, from the working score on")
  func objects() throws {
    let world = try DeskWorld()
    let selection = try world.world.catalog.resolve("set")
    let samples = try world.world.catalog.samples(in: selection)
    let run = try world.world.catalog.createRun(
      RunDraft(
        name: "d", task: .detection, dataset: selection.dataset.id, view: "set", settings: "{}",
        classes: ["person"], samples: samples.map(\.id)))
    let corner = try world.mask("...#", "....")
    try world.world.catalog.record(
      [
        SampleDetections(
          sample: samples[0].id,
          detections: [
            Detection(class: 0, confidence: 0.9, box: Box(x: 1, y: 0, width: 2, height: 1)),
            Detection(
              class: 0, confidence: 0.8, box: Box(x: 3, y: 0, width: 1, height: 1),
              counts: corner.compressed, area: 1),
            Detection(class: 0, confidence: 0.2, box: Box(x: 0, y: 0, width: 4, height: 2)),
          ])
      ], in: run.id)
    let taken = try world.add(.take(run: "d"))
    #expect(
      taken.truth.objects.map(\.box) == [
        Box(x: 1, y: 0, width: 2, height: 1), Box(x: 3, y: 0, width: 1, height: 1),
      ])
    #expect(taken.truth.objects.map(\.shape) == [.box, .mask])
    #expect(try world.add(.take(run: "d", score: 0.1)).truth.objects.count == 3)
  }

  @Test("A classifier's label is taken; a dataset of labels takes no masks")
  func labels() throws {
    let world = try PredictCatalog(count: 2)
    let selection = try world.catalog.resolve("squares")
    let samples = try world.catalog.samples(in: selection)
    let run = try world.catalog.createRun(
      RunDraft(
        name: "c", dataset: selection.dataset.id, view: "squares", classes: ["bright", "dark"],
        samples: samples.map(\.id)))
    try world.catalog.record([SampleScores(sample: samples[0].id, scores: [0.1, 0.9])], in: run.id)
    let ledger = try Ledger.open(world.path("assay.ledger.db"), .create, synchronous: .off)
    let desk = CorrectionDesk(catalog: world.catalog, ledger: ledger)
    func save(_ change: CorrectionSave.Change, to place: Int = 0) throws -> SaveOutcome {
      try desk.save(
        CorrectionSave(
          uuid: UUID().uuidString.lowercased(), visit: UUID().uuidString.lowercased(),
          sample: samples[place], author: "anna", tool: "test", change: change))
    }
    let taken = try save(.take(run: "c"))
    #expect(taken.truth.label == "dark")
    #expect(taken.entry.target == "label")
    #expect(try JSONValue(parsing: taken.entry.payload)["before"] == "bright")
    // Two visits that each changed something, though in the end it is what it was.
    #expect(try save(.label("bright")).truth.corrections == 2)
    #expect(throws: CorrectionError.self) { try save(.take(run: "c"), to: 1) }
    #expect(throws: CorrectionError.self) {
      try save(.region(category: "dark", after: Mask(fullOf: ImageSize(width: 2, height: 2))))
    }
    #expect(throws: CorrectionError.self) { try save(.label("brigt")) }
    // Embedded pixels have the hash of “gray8 2 2”, a line feed and the bytes.
    #expect(
      try desk.identity(of: samples[0]).contentHash
        == ContentHash.of(Array("gray8 2 2\n".utf8) + [0, 0, 0, 0]))
  }
}
