import AssayCore
import GRDB
import Testing

@testable import AssayStore

@Suite("Runs of segmentation")
struct SegmentationRunTests {
  private let house: TemporaryCatalog
  private let run: RunRecord

  init() throws {
    house = try TemporaryCatalog()
    let dataset = try house.catalog.importRegions(sixImages).dataset
    run = try house.catalog.createRun(
      RunDraft(
        name: "seg", task: .segmentation, dataset: dataset.id, view: "coco",
        classes: ["person", "dog"], samples: [3, 1, 2]))
  }

  private func map(_ number: Int, seed: UInt64) -> ProbabilityMapRecord {
    var random = SplitMix64(seed: seed)
    return ProbabilityMapRecord(
      class: number, width: 5, height: 3,
      bytes: (0..<15).map { _ in UInt8.random(in: 0...255, using: &random) })
  }

  private let first = MaskPrediction(
    class: 0, area: 7, meanInside: 0.1 + 0.2, meanDistance: 0.25, counts: [0x30, 0x31])
  private let second = MaskPrediction(class: 1, area: 0, meanInside: nil, meanDistance: 0.5)

  @Test("Its task, masks and maps come back as they were given, in the order of the run")
  func masks() throws {
    let catalog = house.catalog
    #expect(run.task == .segmentation)
    #expect(try catalog.hasMaps(run: run.id) == false)
    try catalog.record(
      [
        SampleMasks(
          sample: 1, masks: [second, first],
          maps: [map(1, seed: 1), map(0, seed: 2).compressed(level: 9)]),
        SampleMasks(sample: 3, masks: [second]),
      ], in: run.id)
    let found = try catalog.maskPredictions(of: run.id)
    #expect(found.map(\.sample.id) == [3, 1])
    // The masks themselves are read sample by sample.
    var bare = first
    bare.counts = nil
    #expect(found.map(\.masks) == [[second], [bare, second]])
    var stored: [[MaskPrediction]] = []
    try catalog.masks(of: run, samples: [2, 1, 3]) { _, masks in stored.append(masks) }
    #expect(stored == [[], [first, second], [second]])
    #expect(try catalog.pending(of: run.id).map(\.sample) == [2])
    #expect(try catalog.run(named: "seg").done == 2)
    #expect(try catalog.hasMaps(run: run.id))
    var maps: [[[UInt8]]] = []
    try catalog.maps(of: run.id, samples: [2, 1, 3]) { index, found in
      #expect(index == maps.count)
      maps.append(found.map(\.bytes))
    }
    #expect(maps == [[], [map(0, seed: 2).bytes, map(1, seed: 1).bytes], []])
  }

  @Test("What a sample had before is replaced")
  func again() throws {
    let catalog = house.catalog
    try catalog.record(
      [SampleMasks(sample: 1, masks: [first, second], maps: [map(0, seed: 1)])], in: run.id)
    try catalog.record([SampleMasks(sample: 1, masks: [second])], in: run.id)
    #expect(try catalog.maskPredictions(of: run.id).map(\.masks) == [[second]])
    #expect(try catalog.hasMaps(run: run.id) == false)
  }

  @Test("Masks of the samples for which an expression holds, about coverage too")
  func filtered() throws {
    let catalog = house.catalog
    try catalog.record(
      (1...3).map { SampleMasks(sample: $0, masks: [first]) }, in: run.id)
    let found = try catalog.maskPredictions(of: run.id, where: "coverage(person) > 0.6")
    #expect(found.map(\.sample.key) == ["2", "1"] || found.map(\.sample.key) == ["1"])
    #expect(
      try catalog.maskPredictions(of: run.id, where: "count(person) = 2").map(\.sample.key)
        == ["1"])
  }

  @Test("What does not fit the run is refused and changes nothing")
  func refused() throws {
    let catalog = house.catalog
    let bad = [
      SampleMasks(sample: 1, masks: [first, first]),
      SampleMasks(
        sample: 1, masks: [MaskPrediction(class: 2, area: 0, meanInside: nil, meanDistance: 0)]),
      SampleMasks(
        sample: 1, masks: [MaskPrediction(class: 0, area: 0, meanInside: .nan, meanDistance: 0)]),
      SampleMasks(
        sample: 1, masks: [],
        maps: [ProbabilityMapRecord(class: 0, width: 2, height: 2, bytes: [1, 2, 3])]),
      SampleMasks(sample: 5, masks: [first]),
    ]
    for masks in bad {
      #expect(throws: StoreError.self) { try catalog.record([masks], in: run.id) }
    }
    #expect(try catalog.pending(of: run.id).count == 3)
  }

  @Test("A damaged map is an error, not other pixels")
  func damaged() throws {
    let catalog = house.catalog
    try catalog.record(
      [SampleMasks(sample: 1, masks: [], maps: [map(0, seed: 1)])], in: run.id)
    for change in ["bytes = x'00'", "width = 4", "width = -1", "height = 1000000000"] {
      try catalog.write("") { try $0.execute(sql: "UPDATE probabilityMap SET \(change)") }
      #expect(throws: StoreError.self) {
        try catalog.maps(of: run.id, samples: [1]) { _, _ in }
      }
    }
  }

  private func evaluate(_ name: String, iou: [Int64: Double?]) throws -> EvaluationRecord {
    try house.catalog.saveEvaluation(
      EvaluationDraft(
        run: run.id, name: name, classes: ["background", "person"],
        pixelTallies: iou.sorted { $0.key < $1.key }.map { sample, iou in
          PixelTallyRecord(
            sample: sample, confusion: [90, 1, 2, Int(sample)], boundary: [0, 0, 3, 4], void: 5,
            iou: iou, uncertainty: 0.1, centerOffset: Double(sample) * 1.5)
        }, scores: []), replace: true)
  }

  @Test("Pixel tallies come back as they were given")
  func tallies() throws {
    let evaluation = try evaluate("default", iou: [1: 0.5, 3: nil])
    #expect(
      try house.catalog.pixelTallies(of: evaluation.id) == [
        PixelTallyRecord(
          sample: 1, confusion: [90, 1, 2, 1], boundary: [0, 0, 3, 4], void: 5, iou: 0.5,
          uncertainty: 0.1, centerOffset: 1.5),
        PixelTallyRecord(
          sample: 3, confusion: [90, 1, 2, 3], boundary: [0, 0, 3, 4], void: 5, uncertainty: 0.1,
          centerOffset: 4.5),
      ])
    #expect(throws: StoreError.badTally(sample: 1, classes: 1)) {
      try house.catalog.saveEvaluation(
        EvaluationDraft(
          run: run.id, name: "x", classes: ["a"],
          pixelTallies: [PixelTallyRecord(sample: 1, confusion: [1], boundary: [1], void: 0)],
          scores: []), replace: false)
    }
    for change in [
      "confusion = x'00'", "boundary = zeroblob(8)",
      "confusion = x'\(String(repeating: "FF", count: 32))'",
    ] {
      try house.catalog.write("") { try $0.execute(sql: "UPDATE pixelTally SET \(change)") }
      #expect(throws: StoreError.self) { try house.catalog.pixelTallies(of: evaluation.id) }
    }
  }

  @Test("Measures are kept to the bit; values that they cannot have are refused")
  func measures() throws {
    let tallies = [Int64(1), 3].map { sample in
      PixelTallyRecord(
        sample: sample, confusion: [90, 1, 2, 3], boundary: [0, 0, 3, 4], void: 0,
        measures: sample == 1 ? [.hausdorff95: 2.0.squareRoot()] : [:])
    }
    func save(_ name: String, _ tallies: [PixelTallyRecord]) throws -> EvaluationRecord {
      try house.catalog.saveEvaluation(
        EvaluationDraft(
          run: run.id, name: name, classes: ["background", "person"], pixelTallies: tallies,
          scores: []), replace: false)
    }
    let evaluation = try save("d", tallies)
    #expect(try house.catalog.pixelTallies(of: evaluation.id) == tallies)
    #expect(try house.catalog.keys("coco", "run(seg@d).hausdorff95 < 1.5") == ["0"])
    for value in [Double.nan, -1, -.infinity, .infinity] {
      var damaged = tallies
      damaged[0].measures[.hausdorff95] = value
      #expect(throws: StoreError.badTally(sample: 1, classes: 2), "\(value)") {
        try save("x", damaged)
      }
    }
    for value in ["-1", "-9e999", "9e999"] {
      try house.catalog.write("") {
        try $0.execute(sql: "UPDATE pixelTally SET hausdorff95 = \(value) WHERE sample = 1")
      }
      let error = #expect(throws: StoreError.self, "\(value)") {
        try house.catalog.pixelTallies(of: evaluation.id)
      }
      #expect("\(String(describing: error))".contains("hausdorff95 of sample 1 is"))
    }
    // SQLite has no NaN: it reads one as NULL, which means that the measure is missing.
    try house.catalog.write("") {
      try $0.execute(sql: "UPDATE pixelTally SET hausdorff95 = 9e999 - 9e999")
    }
    #expect(try house.catalog.pixelTallies(of: evaluation.id).allSatisfy { $0.measures.isEmpty })
  }

  @Test("Every measure is a field of queries")
  func fields() {
    for measure in MaskMeasure.allCases {
      #expect(ViewExpression.RunField(rawValue: measure.rawValue)?.tasks == [.segmentation])
    }
  }

  @Test("A run's scores can be asked about and sorted by")
  func expressions() throws {
    let catalog = house.catalog
    _ = try evaluate("default", iou: [1: 0.5, 2: 0.9, 3: nil])
    _ = try evaluate("strict", iou: [1: 0.25])
    #expect(try catalog.keys("coco", "run(seg).iou < 0.6") == ["0"])
    #expect(try catalog.keys("coco", "run(seg).iou >= 0.5") == ["0", "1"])
    #expect(try catalog.keys("coco", "run(seg@strict).iou > 0") == ["0"])
    #expect(try catalog.keys("coco", "run(seg).centre_offset in 2..5") == ["1", "2"])
    #expect(try catalog.keys("coco", "run(seg).dice >= 0") == [])
    let selection = try catalog.resolve("coco")
    func sorted(_ field: String, _ isDescending: Bool, limit: Int? = nil) throws -> [String] {
      try catalog.samples(
        in: selection, orderedBy: SampleOrder(field: field, isDescending: isDescending),
        limit: limit
      ).map(\.key)
    }
    #expect(try sorted("run(seg).center_offset", true) == ["2", "1", "0", "3", "4", "5"])
    #expect(try sorted("run(seg).iou", false) == ["0", "1", "2", "3", "4", "5"])
    #expect(try sorted("coverage(person)", true, limit: 2) == ["3", "1"])
    #expect(try sorted("count(person)", true, limit: 2) == ["1", "0"])
    #expect(
      try catalog.numbers(["run(seg).iou", "run(seg@strict).iou"], of: [1, 3], in: selection)
        == [[0.5, 0.25], [nil, nil]])
  }

  @Test("What a run cannot be asked says what can be done instead")
  func refusedFields() throws {
    let catalog = house.catalog
    let selection = try catalog.resolve("coco")
    func message(_ source: String) throws -> String {
      let error = #expect(throws: StoreError.self) {
        try catalog.count(in: selection, where: source)
      }
      guard case .expression(let place) = error else { return "" }
      return "\(place.offset) \(place.message)"
    }
    #expect(
      try message("run(seg).iou > 0")
        == "4 run “seg” has not been evaluated; run `assay evaluate seg` first")
    _ = try evaluate("strict", iou: [:])
    #expect(
      try message("run(seg).iou > 0")
        == "4 run “seg” has not been evaluated; run `assay evaluate seg` first, or name an evaluation: "
        + "run(seg@strict)")
    #expect(
      try message("run(seg@stric).iou > 0") == "8 run “seg” has no evaluation “stric”")
    #expect(
      try message("run(seg).confidence > 0")
        == "4 run “seg” (segmentation) has no field .confidence; its fields are .iou, .dice, .precision, "
        + ".recall, .pixel_accuracy, .boundary_iou, .hausdorff95, .uncertainty, .center_offset")
    let other = try catalog.createRun(
      RunDraft(
        name: "cls", dataset: selection.dataset.id, view: "coco", classes: ["a"], samples: [1]))
    #expect(other.task == .classification)
    #expect(
      try message("run(cls).iou > 0")
        == "4 run “cls” (classification) has no field .iou; its fields are .correct, .label, .confidence, "
        + ".margin, .accepted")
    #expect(
      try message("run(cls@x).correct = true")
        == "7 .correct belongs to the run itself; omit “@x”")
  }

  @Test("A run that goes takes its masks, maps and tallies with it")
  func removal() throws {
    let catalog = house.catalog
    try catalog.record(
      [SampleMasks(sample: 1, masks: [first], maps: [map(0, seed: 1)])], in: run.id)
    _ = try evaluate("default", iou: [1: 0.5])
    _ = try catalog.remove(.run, named: "seg")
    for table in ["maskPrediction", "probabilityMap", "pixelTally"] {
      #expect(
        try catalog.sql("SELECT count(*) FROM \(table)").rows == [[.integer(0)]], "\(table)")
    }
  }
}
