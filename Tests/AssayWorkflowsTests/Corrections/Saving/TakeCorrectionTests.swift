import AssayCore
import AssayStore
import Foundation
import Testing

import AssayWorkflows

/// Tests that use a run's predictions as ground truth.
struct TakeCorrectionTests {
  @Test("A run's mask is taken as an evaluation makes it, from the stored map")
  func masks() throws {
    let world = try CorrectionFixture()
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
    #expect(try world.refusal(.take(run: "r", category: "car"))?.contains("has no class") == true)
  }

  @Test("All classes of a run are taken at once, in one entry")
  func severalClasses() throws {
    let world = try CorrectionFixture()
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

  /// An image of 60 × 50 with one person of 40 × 30 pixels, and a run that predicts it slightly
  /// larger, fifteen specks of 1 pixel, and two separate parts of 3 × 3.
  private func speckled() throws -> (
    world: CorrectionFixture, specks: Mask, parts: Mask, body: Mask
  ) {
    let size = ImageSize(width: 60, height: 50)
    var map = [UInt8](repeating: 0, count: size.area)
    func box(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> Mask {
      for row in y..<(y + height) {
        for column in x..<(x + width) { map[row * size.width + column] = 255 }
      }
      return Mask(
        box: Box(x: Double(x), y: Double(y), width: Double(width), height: Double(height)),
        size: size)
    }
    let body = box(0, 0, 41, 30)
    let parts = box(50, 2, 3, 3).union(box(50, 20, 3, 3))
    let specks = Mask.union(of: (0..<15).map { box(4 * $0, 48, 1, 1) }, size: size)
    let person = (0..<50).map { y in
      String(repeating: y < 30 ? "#" : ".", count: 40) + String(repeating: ".", count: 20)
    }
    let world = try CorrectionFixture([[.init(category: 0, rows: person)]], size: size)
    try world.world.run("r", classes: ["person"], input: size, [[map]])
    return (world, specks, parts, body)
  }

  @Test("Taking a mask makes no instance of every speck, and one instance stays one")
  func specks() throws {
    let (world, specks, parts, body) = try speckled()
    let before = try world.service.truth(of: world.sample()).objects
    let taken = try world.add(.take(run: "r"))
    // 0.1 % of 1,263 pixels is 1.263: parts of 1 pixel are dropped, those of 9 are one object together.
    #expect(taken.truth.region(of: "person") == body.union(parts))
    #expect(taken.truth.objects.map(\.area) == [1230, 18])
    #expect(taken.truth.objects[0].target == before[0].target)
    let payload = try JSONValue(parsing: taken.entry.payload)
    #expect(payload["droppedParts"] == 15 && payload["droppedArea"] == 15)
    #expect(payload["area"] == 1248)
    try world.add(.undo())
    let all = try world.add(.take(run: "r", smallestShare: 0))
    #expect(all.truth.region(of: "person") == body.union(parts).union(specks))
    #expect(all.truth.objects.map(\.area) == [1230, 33])
    try world.add(.undo())
    #expect(
      try world.add(.take(run: "r", smallestShare: 0.01)).truth.objects.map(\.area) == [1230])
  }

  @Test(
    "A mask from a file keeps its pixels and makes few instances; what a person draws makes one of each part"
  )
  func drawnParts() throws {
    let (world, specks, parts, body) = try speckled()
    let all = body.union(parts).union(specks)
    let file = try world.add(.region(category: "person", after: all, parts: .few(smallestShare: 0)))
    #expect(file.truth.region(of: "person") == all)
    #expect(file.truth.objects.count == 2)
    try world.add(.undo())
    let drawn = try world.add(.region(category: "person", after: all))
    #expect(drawn.truth.objects.count == 18)
    #expect(try JSONValue(parsing: drawn.entry.payload)["instanceArea"] == nil)
  }

  /// Adds the detection run `d`, with detections in the first sample.
  private func addDetections(
    to world: CorrectionFixture, _ detections: [Detection], classes: [String] = ["person", "car"]
  ) throws {
    let catalog = world.world.catalog
    let selection = try catalog.resolve("set")
    let samples = try catalog.samples(in: selection)
    let run = try catalog.createRun(
      RunDraft(
        name: "d", task: .detection, dataset: selection.dataset.id, view: "set", settings: "{}",
        classes: classes, samples: samples.map(\.id)))
    try catalog.record(
      [SampleDetections(sample: samples[0].id, detections: detections)], in: run.id)
  }

  @Test("What a pipeline found about an object becomes its attributes")
  func attributes() throws {
    let world = try CorrectionFixture([[]])
    try addDetections(
      to: world,
      [
        Detection(
          class: 0, confidence: 0.9, box: Box(x: 0, y: 0, width: 2, height: 1),
          attributes:
            #"{"qualifies":true,"label":"happy","score":0.5,"scores":{"happy":0.5},"points":[1]}"#
        ),
        Detection(class: 0, confidence: 0.8, box: Box(x: 3, y: 0, width: 1, height: 1)),
      ])
    let taken = try world.add(.take(run: "d"))
    #expect(
      taken.truth.objects.map(\.attributes)
        == [#"{"label":"happy","qualifies":true,"score":0.5}"#, nil])
  }

  @Test(
    "Taking boxes in the place of masks, or nothing in the place of objects, is refused unless it is meant"
  )
  func losses() throws {
    let world = try CorrectionFixture([
      [
        .init(category: 0, rows: ["##..", "...."]), .init(category: 0, rows: ["...#", "...."]),
        .init(category: 1, rows: ["....", "##.."]),
      ], [.init(category: 1, rows: ["...#", "...#"])], [],
    ])
    try addDetections(
      to: world,
      [
        Detection(class: 0, confidence: 0.9, box: Box(x: 0, y: 0, width: 2, height: 1)),
        Detection(class: 0, confidence: 0.8, box: Box(x: 3, y: 0, width: 1, height: 1)),
      ])
    let refused = try #require(try world.refusal(.take(run: "d")))
    #expect(
      refused.contains(
        "would replace 2 masks of “person” with 2 boxes, which have no pixels; remove 1 mask of “car”"
      ))
    #expect(refused.contains("--drop-masks"))
    #expect(try world.refusal(.take(run: "d", category: "car"))?.contains("remove 1 mask") == true)
    #expect(try world.refusal(.take(run: "d"), to: 1)?.contains("remove 1 mask of “car”") == true)
    let taken = try world.add(.take(run: "d", dropsMasks: true))
    #expect(taken.truth.objects.map(\.shape) == [.box, .box])
    // Boxes for boxes need no confirmation; removing boxes does.
    #expect(try world.refusal(.take(run: "d")) == nil)
    #expect(
      try world.refusal(.take(run: "d", score: 0.95))?.contains("remove 2 boxes of “person”")
        == true)
    try world.world.run(
      "e", classes: ["car"], input: world.size, [nil, [SegmentCatalog.map("....", "....")], nil])
    #expect(try world.refusal(.take(run: "e"), to: 1)?.contains("remove 1 mask of “car”") == true)
    #expect(
      try world.add(.take(run: "e", dropsMasks: true), to: 1).truth.objects.isEmpty)
  }

  @Test("A detector's objects replace those of its classes, from the working score on")
  func objects() throws {
    let world = try CorrectionFixture()
    let corner = try world.mask("...#", "....")
    try addDetections(
      to: world,
      [
        Detection(class: 0, confidence: 0.9, box: Box(x: 1, y: 0, width: 2, height: 1)),
        Detection(
          class: 0, confidence: 0.8, box: Box(x: 3, y: 0, width: 1, height: 1),
          counts: corner.compressed, area: 1),
        Detection(class: 0, confidence: 0.2, box: Box(x: 0, y: 0, width: 4, height: 2)),
      ], classes: ["person"])
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
    let service = CorrectionService(catalog: world.catalog, ledger: ledger)
    func save(_ change: CorrectionSave.Change, to place: Int = 0) throws -> SaveOutcome {
      try service.save(
        CorrectionSave(
          uuid: UUID().uuidString.lowercased(), visit: UUID().uuidString.lowercased(),
          sample: samples[place], author: "anna", tool: "test", change: change))
    }
    let taken = try save(.take(run: "c"))
    #expect(taken.truth.label == "dark")
    #expect(taken.entry.target == "label")
    #expect(try JSONValue(parsing: taken.entry.payload)["before"] == "bright")
    // Two visits that each made a change, although the final state equals the initial one.
    #expect(try save(.label("bright")).truth.corrections == 2)
    #expect(throws: CorrectionError.self) { try save(.take(run: "c"), to: 1) }
    #expect(throws: CorrectionError.self) {
      try save(.region(category: "dark", after: Mask(fullOf: ImageSize(width: 2, height: 2))))
    }
    #expect(throws: CorrectionError.self) { try save(.label("brigt")) }
    // Embedded pixels have the hash of “gray8 2 2”, a line feed and the bytes.
    #expect(
      try service.identity(of: samples[0]).contentHash
        == ContentHash.of(Array("gray8 2 2\n".utf8) + [0, 0, 0, 0]))
  }
}
