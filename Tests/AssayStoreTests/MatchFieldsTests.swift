import AssayCore
import Testing

@testable import AssayStore

@Suite("Matches in expressions")
struct MatchFieldsTests {
  private let sample: MatchSample
  private var catalog: Catalog { sample.house.catalog }

  init() throws {
    sample = try MatchSample()
    try sample.evaluate()
  }

  /// The values of a field for the samples 1 to 4; the evaluation does not have the last one.
  private func numbers(_ field: String) throws -> [Double?] {
    let selection = try catalog.resolve("coco")
    return try catalog.numbers([field], of: [1, 2, 3, 4], in: selection).map { $0[0] }
  }

  @Test(
    "A class of objects is no label: the condition to write is named",
    arguments: [("=", "> 0"), ("!=", "= 0")])
  func labels(sign: String, wanted: String) throws {
    let name = try #require(catalog.taxonomy(of: catalog.dataset(named: "coco").id).names.first)
    let error = #expect(throws: StoreError.self) {
      try catalog.ids(
        in: catalog.resolve("coco"), where: "label \(sign) \(name)", orderedBy: nil)
    }
    #expect("\(try #require(error))".contains("write count(\(name)) \(wanted)"))
  }

  @Test(
    "At the evaluation's own IoU and score",
    arguments: [
      ("true_positives", [2, 0, 0]), ("false_positives", [2, 1, 0]),
      // Of 3 objects 2 are found; of 1 none; of none none.
      ("false_negatives", [1, 1, 0]), ("detections", [4, 2, 0]),
      ("classification_errors", [1, 0, 0]),
      ("localization_errors", [0, 1, 0]), ("both_errors", [0, 0, 0]), ("duplicates", [1, 0, 0]),
      ("background_errors", [0, 0, 0]), ("missed", [0, 1, 0]),
      ("precision", [0.5, 0, nil]), ("recall", [2.0 / 3, 0, nil]),
    ] as [(String, [Double?])])
  func working(field: String, expected: [Double?]) throws {
    #expect(try numbers("run(det).\(field)") == expected + [nil])
    // The same with an explicit IoU, for which it is counted from the matches.
    if field != "detections", !field.hasSuffix("errors"), !["duplicates", "missed"].contains(field)
    {
      #expect(try numbers("run(det, iou: 0.5).\(field)") == expected + [nil])
    }
    if field != "missed" {
      #expect(try numbers("run(det, score: 0.3).\(field)") == expected + [nil])
      // There is no score in between.
      #expect(try numbers("run(det, score: 0.25).\(field)") == expected + [nil])
    }
  }

  @Test(
    "At another IoU or score",
    arguments: [
      // In sample 1 the detection 0.9 is correct at 0.75, 0.5 is not; in sample 2 none is.
      ("iou: 0.75", "true_positives", [1, 0, 0]), ("iou: 0.75", "false_positives", [3, 1, 0]),
      ("iou: 0.75", "false_negatives", [2, 1, 0]), ("iou: 0.75", "precision", [0.25, 0, nil]),
      // This means 0.8999999999999999.
      ("iou: 0.9", "true_positives", [0, 0, 0]), ("iou: 0.9", "recall", [0, 0, nil]),
      ("score: 0", "detections", [5, 3, 1]), ("score: 0", "false_positives", [3, 2, 1]),
      ("score: 0", "both_errors", [0, 1, 0]), ("score: 0", "background_errors", [1, 0, 1]),
      ("score: 0", "precision", [0.4, 0, 0]), ("score: 0.6", "precision", [0.5, 0, nil]),
      ("score: 0.6", "false_negatives", [2, 1, 0]), ("score: 0.6", "duplicates", [1, 0, 0]),
      ("iou: 0.75, score: 0.85", "precision", [1, nil, nil]),
      ("score: 0.85, iou: 0.75", "recall", [1.0 / 3, 0, nil]),
      ("score: 2", "detections", [0, 0, 0]), ("iou: 0.5, score: 0.85", "class_errors", [0, 0, 0]),
    ] as [(String, String, [Double?])])
  func cut(cut: String, field: String, expected: [Double?]) throws {
    #expect(try numbers("run(det, \(cut)).\(field)") == expected + [nil])
  }

  @Test("Samples are found, sorted and left out by them")
  func expressions() throws {
    #expect(try catalog.keys("coco", "run(det).false_positives > 0") == ["0", "1"])
    #expect(
      try catalog.keys("coco", "run(det).false_positives > 0 and count(person) > 1") == ["1"])
    #expect(try catalog.keys("coco", "run(det).false_positives = 0") == ["2"])
    #expect(
      try catalog.keys("coco", "not run(det).false_positives = 0") == ["0", "1", "3", "4", "5"])
    #expect(try catalog.keys("coco", "run(det, score: 0).detections in 3..5") == ["0", "1"])
    #expect(
      try catalog.samples(
        in: catalog.resolve("coco"),
        orderedBy: SampleOrder(field: "run(det, iou: 0.75).false_positives", isDescending: true),
        limit: 2
      ).map(\.key) == ["0", "1"])
    _ = try catalog.addView(named: "bad", in: catalog.resolve("coco"), where: "run(det).missed > 0")
    #expect(try catalog.keys("bad") == ["1"])
  }

  @Test("Another evaluation has its own IoU and score")
  func otherEvaluation() throws {
    try sample.evaluate(
      "strict", matching: MatchSettings(thresholds: [0.5, 0.75, 0.95], iou: 0.75, score: 0.6))
    #expect(try numbers("run(det@strict).true_positives") == [1, 0, 0, nil])
    #expect(try numbers("run(det@strict).detections") == [2, 2, 0, nil])
    #expect(try numbers("run(det@strict, iou: 0.5, score: 0.3).true_positives") == [2, 0, 0, nil])
    #expect(
      try bases("run(det@strict).missed > 0 or run(det@strict).false_positives > 0")
        == ["run(det@strict): IoU 0.75, score ≥ 0.6"])
  }

  private func bases(
    _ expression: String?, fields: [String] = [], in view: String = "coco"
  ) throws -> [String] {
    try catalog.matchBases(in: catalog.resolve(view), where: expression, fields: fields)
      .map(\.description)
  }

  @Test("What numbers go by is told, each once")
  func bases() throws {
    #expect(try bases("count(person) > 1") == [])
    #expect(try bases(nil) == [])
    #expect(try bases("run(det).recall < 1") == ["run(det): IoU 0.5, score ≥ 0.3"])
    #expect(try bases("run(det).detections < 1") == ["run(det): score ≥ 0.3"])
    #expect(try bases("run(det).missed > 1") == ["run(det): IoU 0.5"])
    #expect(
      try bases("run(det).detections < 9 and run(det).recall < 1 or run(det).missed > 0")
        == ["run(det): IoU 0.5, score ≥ 0.3"])
    #expect(
      try bases(
        "run(det).missed > 0", fields: ["run(det, iou: 0.9, score: 1).recall", "width"])
        == ["run(det): IoU 0.5", "run(det): IoU 0.9, score ≥ 1"])
    _ = try catalog.addView(
      named: "bad", in: catalog.resolve("coco"), where: "run(det, iou: 0.75).recall < 1")
    #expect(
      try bases("run(det).detections > 2", in: "bad") == ["run(det): IoU 0.75, score ≥ 0.3"])
  }

  @Test(
    "What a detector cannot be asked says what can be done instead",
    arguments: [
      (
        "run(det, iou: 0.8).recall > 0",
        "14 run “det” was not evaluated at IoU 0.8 0.5, 0.75, 0.9"
      ),
      (
        "run(det, iou: 0.75).localization_errors > 0",
        "14 error types are stored for IoU 0.5 only; omit “iou: 0.75”, or evaluate with "
          + "--iou 0.75 under another name "
      ),
      (
        "run(det, score: 0.5).missed > 0",
        "16 .missed does not depend on “score”; omit “score: 0.5” "
      ),
      (
        "run(det, iou: 0.5).detections > 0",
        "14 .detections does not depend on “iou”; omit “iou: 0.5” "
      ),
      (
        "run(det).iou > 0",
        "4 run “det” (detection) has no field .iou; its fields are .precision, .recall, .true_positives, "
          + ".false_positives, .false_negatives, .detections, .classification_errors, .localization_errors, "
          + ".both_errors, .duplicates, .background_errors, .missed "
      ),
      ("run(det@other).missed > 0", "8 run “det” has no evaluation “other” default"),
      (
        "run(cls, score: 0.5).correct = true",
        "16 .correct does not depend on “score”; omit “score: 0.5” "
      ),
      (
        "run(seg, iou: 0.5).precision > 0",
        "14 .precision does not depend on “iou”; omit “iou: 0.5” "
      ),
      (
        "run(bare).missed > 0",
        "4 run “bare” has not been evaluated; run `assay evaluate bare` first "
      ),
    ])
  func refused(source: String, message: String) throws {
    for (name, task) in [
      ("cls", ModelTask.classification), ("seg", .segmentation), ("bare", .detection),
    ] {
      _ = try catalog.createRun(
        RunDraft(
          name: name, task: task, dataset: sample.run.dataset.id, view: "coco", classes: ["a"],
          samples: [1]))
    }
    let selection = try catalog.resolve("coco")
    let error = #expect(throws: StoreError.self) {
      try catalog.count(in: selection, where: source)
    }
    guard case .expression(let place) = error else { return }
    #expect(
      "\(place.offset) \(place.message) \(place.candidates.joined(separator: ", "))" == message)
  }

  @Test("An evaluation that another program left without matches is told")
  func withoutMatches() throws {
    try catalog.connection.inDatabase {
      try $0.execute(sql: "UPDATE evaluation SET iouThresholds = NULL")
    }
    let error = #expect(throws: StoreError.self) {
      try catalog.keys("coco", "run(det).missed > 0")
    }
    #expect("\(String(describing: error))".contains("no matches"))
  }
}
