import AssayCore
import AssayMetrics
import AssayStore
import AssayTestSupport
import Foundation
import Testing

import AssayWorkflows

@Suite("Evaluating a detector")
struct ObjectDetectionTests {
  /// The reference's numbers, in a file of `Tests/Fixtures/detect`.
  private static func golden(_ name: String, in file: String = "goldens.json") throws -> JSONValue {
    let text = try String(
      contentsOfFile: DetectCatalog.fixtures + "/" + file, encoding: .utf8)
    return try #require(try JSONValue(parsing: text)[name])
  }

  /// The numbers that differ from the reference's in any bit.
  private func differences(_ json: JSONValue, _ golden: JSONValue) throws -> [String] {
    var differences: [String] = []
    for key in ["stats", "per_category_ap"] {
      guard case .object(let expected)? = golden[key] else { return [key] }
      for member in expected {
        let value = json[key]?[member.name]?.double
        let reference = member.value.double
        if value?.bitPattern != reference?.bitPattern {
          differences.append(
            "\(key) \(member.name): \(value.map { "\($0)" } ?? "nil"), reference \(reference.map { "\($0)" } ?? "nil")"
          )
        }
      }
    }
    return differences
  }

  @Test(
    "All of COCO's numbers and every class's AP equal the reference's to the bit, fresh and stored",
    .outsideData("coco/mini", "coco/val2014_100", twin: "ObjectDetectionTests.small"),
    arguments: [
      ("mini bbox", "mini/instances_val2017.json", "mini_bbox.json", OverlapKind?.none),
      ("mini segm", "mini/instances_val2017.json", "mini_segm.json", nil),
      ("mini boxes of regions", "mini/instances_val2017.json", "mini_segm.json", .box),
      (
        "val2014_100 bbox", "val2014_100/instances_val2014_100.json",
        "val2014_100/instances_val2014_fakebbox100_results.json", nil
      ),
      (
        "val2014_100 segm", "val2014_100/instances_val2014_100.json",
        "val2014_100/instances_val2014_fakesegm100_results.json", nil
      ),
    ])
  func reference(name: String, truth: String, results: String, overlap: OverlapKind?) throws {
    let real = OutsideFiles.path("coco")
    let root = results.contains("/") ? real : DetectCatalog.fixtures
    try expectReference(
      Self.golden(name), truth: real + "/" + truth, results: root + "/" + results, overlap)
  }

  @Test(
    "A small example's numbers and every class's AP equal the reference's to the bit, fresh and stored",
    arguments: [
      ("bbox", "bbox.json", OverlapKind?.none), ("segm", "segm.json", nil),
      ("boxes of regions", "segm.json", .box),
    ])
  func small(name: String, results: String, overlap: OverlapKind?) throws {
    let folder = DetectCatalog.fixtures + "/example/"
    try expectReference(
      Self.golden(name, in: "example/goldens.json"), truth: folder + "instances.json",
      results: folder + results, overlap)
  }

  private func expectReference(
    _ golden: JSONValue, truth: String, results: String, _ overlap: OverlapKind?
  ) throws {
    let world = try DetectCatalog()
    try world.truth(truth)
    try world.results(results)
    let fresh = try world.save { $0.objects.overlap = overlap }
    #expect(try differences(fresh.json(), golden) == [])
    let stored = try world.evaluate("r@\(try #require(fresh.name))").evaluation
    #expect(try differences(stored.json(), golden) == [])
  }

  @Test("Exported and imported again, a run gives the same numbers")
  func roundTrip() throws {
    let world = try DetectCatalog.small()
    let path = world.path("again.json")
    let summary = try COCOResultsExport(catalog: world.catalog).export("r", to: path)
    #expect(summary.results == 4 && summary.empty == 0 && summary.classes == ["dog", "cat"])
    try world.results(path, as: "s")
    let runs = try ["r", "s"].map { try world.catalog.run(named: $0) }
    let detections = try runs.map { run in
      try world.catalog.detections(of: run.id).map(\.detections)
    }
    #expect(detections[0] == detections[1])
  }

  @Test("Each detection and each object not found has its row, fresh and stored")
  func rows() throws {
    let world = try DetectCatalog.small()
    let (evaluation, evaluated) = try world.evaluate()
    // Image 3 comes before image 7, class cat (2) before dog (9).
    #expect(evaluated.samples.map(\.sourceID) == [.integer(3), .integer(7)])
    #expect(evaluation.classes == ["cat", "dog"])
    let workflow = Evaluator<ObjectDetection>(catalog: world.catalog)
    let rows = try evaluated.matches(at: [0, 1], in: world.catalog)
    #expect(rows[0].map(\.error) == [.background])
    // Sorted by confidence: cat 0.9 correct, dog 0.8 on the second cat, cat 0.2 on the first one
    // again; then the second cat, which the dog explains, and the dog, which is missed.
    #expect(rows[1].map(\.error) == [nil, .class, .duplicate, nil, .missed])
    #expect(rows[1].map(\.prediction) == [0, 1, 2, nil, nil])
    #expect(rows[1].map(\.annotation) == [0, 1, 0, 1, 2])
    #expect(rows[1].map(\.class) == [0, 1, 0, 0, 1])
    // Ten thresholds, all matched by the box that equals the ground truth.
    #expect(rows[1].map(\.matched) == [1023, 0, 0, 0, 0])
    #expect(rows[1].map(\.ignored) == [0, 0, 0, 0, 0])
    let ofSamples = try #require(evaluation.detection).counts
    let counts = ofSamples[1]
    #expect(counts.truths == 3 && counts.detections == 2)
    #expect(counts.truePositives == 1 && counts.falsePositives == 1 && counts.falseNegatives == 2)
    #expect(counts.precision == 0.5 && counts.recall == 1.0 / 3)
    #expect(ofSamples[0].detections == 0 && ofSamples[0].precision == nil)
    let saved = try workflow.save(evaluation, of: evaluated, as: nil)
    #expect(saved.name == "default")
    let (again, stored) = try world.evaluate("r@default")
    #expect(try stored.matches(at: [0, 1], in: world.catalog) == rows)
    #expect(again.detection?.counts == ofSamples && stored.tally == evaluated.tally)
    #expect(stored.errors == evaluated.errors)
  }

  @Test("What queries count is what the samples' table says")
  func queries() throws {
    let world = try DetectCatalog.small()
    let saved = try world.save()
    let details = try #require(saved.detection)
    let selection = try world.catalog.resolve("set")
    let samples = try world.catalog.samples(in: selection)
    let fields = [
      "true_positives", "false_positives", "false_negatives", "detections", "classification_errors",
      "localization_errors", "both_errors", "duplicates", "background_errors", "missed",
    ]
    let numbers = try world.catalog.numbers(
      fields.map { "run(r).\($0)" }, of: samples.map(\.id), in: selection)
    for (sample, row) in zip(samples, numbers) {
      let index = try #require(details.keys.firstIndex(of: sample.key))
      let counts = details.counts[index]
      let expected =
        [
          counts.truePositives, counts.falsePositives, counts.falseNegatives, counts.detections,
        ] + DetectionErrorKind.allCases.map { counts.errors[$0] ?? 0 }
      #expect(row.map { $0.map { Int($0) } } == expected)
    }
    let lines = try #require(saved.samplesCSV).split(separator: "\n")
    #expect(lines[1] == "b.png,0,0,0,0,0,,,0,0,0,0,0,0")
    #expect(lines[2] == "a.png,3,2,1,1,2,0.5,0.3333333333333333,1,0,0,0,0,1")
  }

  @Test("Other settings get a name that says so; a kept evaluation refuses others")
  func names() throws {
    let world = try DetectCatalog.small()
    #expect(try world.save { $0.objects.workingIoU = 0.75 }.name == "iou-0.75")
    #expect(try world.save { $0.objects.maxDetections = [1, 5] }.name == "max-dets-1-5")
    #expect(try world.save { $0.objects.overlap = .box }.name == "default")
    #expect(try world.save { $0.filter = "key = 'a.png'" }.name?.hasPrefix("where-") == true)
    #expect(try world.save(as: "mine") { $0.objects.workingScore = 0.1 }.name == "mine")
    #expect(throws: EvaluationError.kept("r@mine", what: "matches", options: "--iou 0.75")) {
      try world.evaluate("r@mine") { $0.objects.workingIoU = 0.75 }
    }
    // The stored data is unchanged.
    let again = try #require(
      try world.evaluate("r@mine") { $0.objects.workingScore = 0.1 }.evaluation.detection)
    #expect(again.matching.workingScore == 0.1 && again.counts[0].falsePositives == 1)
  }

  @Test("A working IoU that is no threshold of AP has a bit of its own")
  func strangeIoU() throws {
    let world = try DetectCatalog.small()
    // The second detection of the first cat, one pixel down: 19/21 = 0.905.
    for (iou, bit) in [(0.3, 0), (0.52, 1), (0.97, 10)] {
      let saved = try world.save(as: "x") { $0.objects.workingIoU = iou }
      let (_, evaluated) = try world.evaluate("r@x")
      let record = try world.catalog.evaluation(
        named: "x", of: try world.catalog.run(named: "r"))
      let matching = try #require(record.matching)
      #expect(matching.thresholds.count == 11 && matching.thresholds[bit] == iou)
      let rows = try evaluated.matches(at: [1], in: world.catalog)[0]
      #expect(rows[0].matched == 0b111_1111_1111)
      #expect(saved.detection?.errors.counts.count(.duplicate) == (iou == 0.97 ? 0 : 1))
    }
  }

  @Test("Parts by split and by class are evaluated separately")
  func slices() throws {
    let world = try DetectCatalog.small()
    let by = try world.evaluate { $0.slicedBy = "category" }.evaluation
    #expect(by.slices.map(\.value) == ["cat", "dog", "–"])
    #expect(by.slices.map(\.scores.count) == [1, 1, 1])
    #expect(by.slices[0].scores[.ap].value == by.scores[.ap].value)
    #expect(by.slices[2].scores[.ap].value == nil)
    #expect(throws: EvaluationError.self) { try world.evaluate { $0.slicedBy = "colour" } }
  }

  @Test("Classes that one side lacks are left out, and said")
  func classes() throws {
    let world = try DetectCatalog.small()
    let dataset = try world.catalog.dataset(named: "set")
    let samples = try world.catalog.samples(in: world.catalog.resolve("set"))
    let run = try world.catalog.createRun(
      RunDraft(
        name: "cats", task: .detection, dataset: dataset.id, view: "set",
        classes: ["unicorn", "cat"], samples: samples.map(\.id)))
    try world.catalog.record(
      samples.map { sample in
        SampleDetections(
          sample: sample.id,
          detections: sample.key == "a.png"
            ? [
              Detection(
                class: 0, confidence: 0.99, box: Box(x: 10, y: 60, width: 20, height: 20)),
              Detection(
                class: 1, confidence: 0.9, box: Box(x: 10, y: 10, width: 20, height: 20)),
              Detection(
                class: 1, confidence: 0.8, box: Box(x: 60, y: 10, width: 20, height: 20)),
            ] : [])
      }, in: run.id)
    let (evaluation, evaluated) = try world.evaluate("cats")
    #expect(evaluation.classes == ["cat"] && evaluation.scores[.ap].value == 1)
    #expect(evaluated.strangers == 1)
    #expect(evaluation.notes.contains { $0.contains("(1 detections): unicorn") })
    #expect(evaluation.notes.contains { $0.hasSuffix("left out with their objects: dog") })
    let rows = try evaluated.matches(at: [1], in: world.catalog)[0]
    #expect(rows.map(\.prediction) == [1, 2])
  }

  @Test("A run that is not done says what is left out; one without samples is refused")
  func incomplete() throws {
    let world = try DetectCatalog.small()
    let dataset = try world.catalog.dataset(named: "set")
    let samples = try world.catalog.samples(in: world.catalog.resolve("set"))
    let run = try world.catalog.createRun(
      RunDraft(
        name: "half", task: .detection, dataset: dataset.id, view: "set",
        classes: ["cat"], samples: samples.map(\.id)))
    #expect(throws: EvaluationError.self) { try world.evaluate("half") }
    try world.catalog.record(
      [SampleDetections(sample: samples[0].id, detections: [])], in: run.id)
    let (evaluation, evaluated) = try world.evaluate("half")
    #expect(evaluated.leftOut.pending == 1 && evaluation.scores.count == 1)
    #expect(evaluation.scores[.ap].value == 0)
  }

  @Test("A gate goes by these numbers, by class too")
  func gate() throws {
    let world = try DetectCatalog.small()
    let check = GateCheck(catalog: world.catalog)
    // Cat: one of two found at all thresholds, precision 1 up to recall 0.5: 51 of 101. Dog: 0.
    let cat = 51.0 / 101
    let outcome = try check.check(
      "r", "AP > 0.25 and per_category_ap(cat) > 0.5 and best_f1(cat) >= 0.6 and truths = 3",
      base: nil, EvaluationSettings())
    #expect(outcome.isPassed)
    let values = outcome.terms.map { $0.value ?? -1 }
    #expect(zip(values, [cat / 2, cat, 2.0 / 3, 3]).allSatisfy { abs($0 - $1) < 1e-12 })
    let none = try check.check(
      "r", "best_threshold(dog) > 0 and APl > 0", base: nil, EvaluationSettings())
    #expect(none.terms.allSatisfy { $0.value == nil && $0.reason?.contains("undefined") == true })
    let path = try world.write("base.json", try world.evaluate().evaluation.json().text())
    let base = try check.check(
      "r", "per_category_ap(cat) >= base and AP50 >= base", base: path, EvaluationSettings())
    #expect(base.isPassed)
    // Image 7 has the dog, image 3 has nothing.
    let set = try world.catalog.resolve("set")
    _ = try world.catalog.addView(named: "dogs", in: set, where: "count(dog) > 0")
    _ = try world.catalog.addView(named: "others", in: set, where: "count(dog) = 0")
    for (run, view, image) in [("d", "dogs", 7), ("o", "others", 3)] {
      let results = """
        [{"image_id":\(image),"category_id":2,"bbox":[10,10,20,20],"score":0.9}]
        """
      try world.results(world.write("\(run).json", results), as: run, in: view)
    }
    #expect(throws: EvaluationError.nothingShared("d", "o")) {
      try check.check("d", "AP50 >= base", base: "o", EvaluationSettings())
    }
    let part = try world.write("part.json", try world.evaluate("d").evaluation.json().text())
    #expect(throws: EvaluationError.nothingShared("o", part)) {
      try check.check("o", "n >= base", base: part, EvaluationSettings())
    }
  }

  @Test("An annotation of id 0 can be found; what the reference would print is told")
  func idZero() throws {
    let world = try DetectCatalog()
    let truth = DetectCatalog.smallTruth.replacing(#"{"id":1,"#, with: #"{"id":0,"#)
    try world.truth(world.write("truth.json", truth))
    try world.results(world.write("results.json", DetectCatalog.smallResults))
    let (evaluation, _) = try world.evaluate()
    #expect(abs((evaluation.scores[.ap].value ?? 0) - 25.5 / 101) < 1e-12)
    let note = try #require(evaluation.notes.first)
    #expect(note.contains("id 0") && note.contains("AP 0.000000 (here 0.252475)"), "\(note)")
    let compatible = try world.save { $0.objects.isCompatible = true }
    #expect(compatible.scores[.ap].value == 0 && compatible.name == "compat-pycocotools")
  }
}
