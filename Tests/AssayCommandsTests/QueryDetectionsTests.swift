import AssayCore
import AssayStore
import AssayTestSupport
import AssayWorkflows
import Testing

@testable import AssayCommands

@Suite("assay query over detections")
struct QueryDetectionsTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/assay.db" }

  /// Two images with an object each: in the first it is found, next to a wrong detection; in the
  /// second only at a low IoU and score.
  init() throws {
    folder = try TemporaryFolder()
    let catalog = try Catalog.open(folder.path + "/assay.db", .create)
    var batch = ImportedBatch()
    batch.newCategories = [Category(name: "person")]
    for (index, key) in ["a.jpg", "b.jpg"].enumerated() {
      batch.samples.append(
        ImportedSample(key: key, location: key, size: ImageSize(width: 10, height: 10)))
      batch.annotations.append(
        ImportedAnnotation(
          sample: index, category: 0, ordinal: 1, shape: .box,
          box: Box(x: 0, y: 0, width: 5, height: 5)))
    }
    let dataset = try catalog.importDataset(
      ImportDraft(name: "coco", format: .coco, root: folder.path, isSingleFile: false)
    ) { writer in
      try writer.write(batch)
      var outcome = ImportOutcome()
      (outcome.read, outcome.accepted, outcome.ordinals) = (2, 2, [0])
      return (outcome, nil)
    }.dataset
    let run = try catalog.createRun(
      RunDraft(
        name: "det", task: .detection, dataset: dataset.id, view: "coco", classes: ["person"],
        samples: [1, 2]))
    _ = try catalog.saveEvaluation(
      EvaluationDraft(
        run: run.id, name: "default", classes: ["person"],
        detections: [
          DetectionTallyRecord(
            sample: 1, matches: [], errors: [],
            rows: [
              MatchRecord(
                prediction: 0, annotation: 1, class: 0, confidence: 0.9, iou: 0.7, matched: 1),
              MatchRecord(
                prediction: 1, annotation: nil, class: 0, confidence: 0.8, error: .background),
            ], truths: 1),
          DetectionTallyRecord(
            sample: 2, matches: [], errors: [],
            rows: [
              MatchRecord(
                prediction: 0, annotation: 1, class: 0, confidence: 0.2, iou: 0.6, matched: 1)
            ], truths: 1),
        ],
        matching: MatchSettings(thresholds: [0.5, 0.75], iou: 0.5, score: 0.3), scores: []),
      replace: false)
  }

  private func result(
    _ expression: String?, sort: SampleOrder? = nil, count: Bool = false
  ) throws -> QueryResult {
    let catalog = try Catalog.open(path, .readOnly)
    let found = try SampleSearch(catalog: catalog).search(
      expression, in: nil, orderedBy: sort, limit: nil)
    return QueryResult(found: found, isCount: count, listed: nil)
  }

  @Test("The text says at which IoU and from which score on detections were counted")
  func text() throws {
    #expect(
      try result("run(det).false_positives > 0 and count(person) > 0").text(in: Terminal()) == """
        1 sample in coco
        run(det): IoU 0.5, score ≥ 0.3

        key    split   size  run(det).false_positives  regions
        a.jpg  –      10×10                         1  person
        """)
    #expect(
      try result(
        nil,
        sort: SampleOrder(
          field: "run(det, iou: 0.75, score: 0.1).false_positives", isDescending: true)
      ).text(in: Terminal()) == """
        2 samples in coco
        run(det): IoU 0.75, score ≥ 0.1

        key    split   size  run(det).false_positives  regions
        a.jpg  –      10×10                         2  person
        b.jpg  –      10×10                         1  person
        """)
    // b.jpg has no detection with that score, so no precision.
    let precision = try result(nil, sort: SampleOrder(field: "run(det).precision"))
    #expect(
      precision.text(in: Terminal()).hasPrefix(
        """
        2 samples in coco
        1 without a value of run(det).precision, listed last
        run(det): IoU 0.5, score ≥ 0.3

        """))
    #expect(precision.json["without_value"] == 1)
    #expect(try result(nil).json["without_value"] == nil)
    // Two columns of a run: the name shows the IoU of each.
    #expect(
      try result("run(det).recall < 2 and run(det, iou: 0.75).recall < 1").text(in: Terminal())
        .contains("  run(det, iou: 0.75).recall  "))
    let count = try result("run(det).recall < 1", count: true)
    #expect(count.text(in: Terminal()) == "1")
    #expect(count.remarks == ["run(det): IoU 0.5, score ≥ 0.3"])
  }

  @Test("JSON has them beside the samples, and no key where nothing was counted")
  func json() throws {
    let json = try result("run(det).recall = 0 and run(det, score: 0.8).recall < 0.5").json
    #expect(
      json["matching"]?.text() == """
        [{"run":"det","iou":0.5,"score":0.3},{"run":"det","iou":0.5,"score":0.8}]
        """)
    #expect(json["samples"]?.elements?.first?["values"]?["run(det).recall"]?.double == 0)
    #expect(
      try result("run(det).missed = 0").json["matching"]?.text().contains("\"score\":null") == true)
    #expect(try result("count(person) = 1").json["matching"] == nil)
  }

  @Test("The command reads an IoU and a score, and refuses one that was not evaluated")
  func command() throws {
    let answer = try Program().run(
      "query", "run(det, iou: 0.75).false_negatives = 1", "--count", "--db", path)
    #expect(answer.status == 0)
    // Only the number for scripts, the conditions for people.
    #expect(answer.stdout == "2\n")
    #expect(answer.stderr == "run(det): IoU 0.75, score ≥ 0.3\n")
    let refused = try Program().run(
      "query", "run(det, iou: 0.6).false_negatives = 1", "--db", path)
    #expect(refused.status == 2)
    #expect(refused.stderr.contains("was not evaluated at IoU 0.6; known: 0.5, 0.75"))
  }
}
