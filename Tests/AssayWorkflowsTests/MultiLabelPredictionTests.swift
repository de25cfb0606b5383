import AssayCore
import AssayFormats
import AssayInference
import AssayStore
import AssayTestSupport
import Foundation
import Testing

@testable import AssayWorkflows

/// A catalog of 2 × 2 images, number *n* with the pixels (n, 2n, 3n, 4n), which have sets of labels.
final class LabelSetCatalog {
  let squares: PredictCatalog
  var catalog: Catalog { squares.catalog }

  /// The classes of the models of `make_labels.py`, and their outputs for each image.
  static let expected: (classes: [String], scores: [[Float]]) = {
    struct File: Decodable {
      var classes: [String]
      var scores: [[Float]]
    }
    guard let file = try? GoldenJSON.decode("models/labels.json", as: File.self)
    else { return ([], []) }
    return (file.classes, file.scores)
  }()

  /// Adds the dataset `photos` to a catalog: image *n* has the class with ordinal n modulo 3, every
  /// other image also has the next class, and every fourth has no label.
  init(count: Int = 5, classes: [String] = ["boat", "sky", "tree", "unused"]) throws {
    squares = try PredictCatalog(count: 2)
    var batch = ImportedBatch()
    batch.newCategories = classes.map { Category(name: $0) }
    for number in 0..<count {
      let start = batch.pixels.count
      batch.pixels += (1...4).map { UInt8(number * $0 & 255) }
      batch.samples.append(
        ImportedSample(
          key: "\(number)", size: ImageSize(width: 2, height: 2), pixels: start..<start + 4,
          categories: number % 4 == 3
            ? [] : number % 2 == 0 ? [number % 3, (number + 1) % 3] : [number % 3]))
    }
    var outcome = ImportOutcome()
    (outcome.read, outcome.accepted) = (count, count)
    outcome.ordinals = Array(classes.indices)
    let (done, part) = (outcome, batch)
    _ = try catalog.importDataset(
      ImportDraft(
        name: "photos", format: .pixelCSV, root: "/photos.csv", isSingleFile: true,
        isMultiLabel: true)
    ) { writer in
      try writer.write(part)
      return (done, inputHash: nil)
    }
  }

  /// Adds a model of `make_labels.py`, named after its file.
  func add(_ name: String, activation: String, classes: [String]? = nil) throws {
    let manifest = try squares.write(
      "\(name).yaml",
      """
      task: multilabel
      input: {width: 2, height: 2, layout: NCHW, color: gray, scale: 1/255, offset: 0, resize: stretch}
      activation: \(activation)
      classes: [\((classes ?? Self.expected.classes).joined(separator: ", "))]
      """)
    _ = try ModelAddition(
      modelPath: PredictCatalog.models.appending(path: "\(name).onnx").path,
      manifestPath: manifest, name: name
    ).run(catalogPath: catalog.path)
  }
}

@Suite("Predicting sets of labels", .openVINO)
struct MultiLabelPredictionTests {
  private func predict(
    _ photos: LabelSetCatalog, _ model: String, view: String = "photos",
    _ change: (inout PredictRequest) -> Void = { _ in }
  ) throws -> PredictSummary {
    try photos.squares.predict(model, view: view) {
      $0.ignoreMissing = true
      change(&$0)
    }
  }

  @Test(
    "A run keeps every score, equal to numpy's, and its task",
    arguments: [("labels_logits", "sigmoid"), ("labels_sigmoid", "none")])
  func scores(model: String, activation: String) throws {
    let photos = try LabelSetCatalog(count: 64)
    try photos.add(model, activation: activation)
    let summary = try predict(photos, model)
    let run = summary.run
    #expect(run.task == .multiLabel && run.done == 64)
    #expect(run.classes == LabelSetCatalog.expected.classes)
    #expect(try JSONValue(parsing: run.settings)["task"]?.text == "multilabel")
    #expect(summary.shared == ["sky", "tree", "boat"] && summary.hasGroundTruth)
    let rows = try photos.catalog.predictions(of: run.id).map(\.scores)
    #expect(rows.count == 64)
    for (row, expected) in zip(rows, LabelSetCatalog.expected.scores) {
      #expect(zip(row, expected).allSatisfy { abs($0 - $1) < 1e-6 }, "\(row) \(expected)")
    }
  }

  @Test("Neither batch nor workers change a bit; the same again is done; a limit is another run")
  func again() throws {
    let photos = try LabelSetCatalog(count: 60)
    try photos.add("labels_logits", activation: "sigmoid")
    _ = try predict(photos, "labels_logits") { ($0.batch, $0.workers, $0.name) = (1, 1, "a") }
    _ = try predict(photos, "labels_logits") { ($0.batch, $0.workers, $0.name) = (16, 2, "b") }
    #expect(try photos.squares.bits("a") == photos.squares.bits("b"))
    #expect(try predict(photos, "labels_logits") { $0.name = "a" }.start == .alreadyDone)
    let part = try predict(photos, "labels_logits") { $0.limit = 7 }
    #expect(part.start == .new && part.run.total == 7)
  }

  @Test("An interrupted run goes on where it stopped; other stored scores are not gone on with")
  func resume() throws {
    let photos = try LabelSetCatalog(count: 40)
    try photos.add("labels_logits", activation: "sigmoid")
    let whole = try predict(photos, "labels_logits") { $0.name = "whole" }.run
    let stored = try photos.catalog.predictions(of: whole.id)
    func cut(_ name: String, _ rows: [SampleScores]) throws {
      let run = try photos.catalog.createRun(
        RunDraft(
          name: name, model: whole.model?.id, task: .multiLabel, dataset: whole.dataset.id,
          view: "photos", settings: whole.settings, classes: whole.classes,
          samples: stored.map(\.sample.id)))
      try photos.catalog.record(rows, in: run.id)
    }
    try cut("cut", stored.prefix(17).map { SampleScores(sample: $0.sample.id, scores: $0.scores) })
    let summary = try predict(photos, "labels_logits") { $0.name = "cut" }
    #expect(summary.start == .resumed && summary.computed == 23 && summary.run.done == 40)
    #expect(try photos.squares.bits("cut") == photos.squares.bits("whole"))
    try cut("other", [SampleScores(sample: stored[0].sample.id, scores: [0, 0, 0, 0, 0.5])])
    #expect(throws: PredictError.self) {
      try predict(photos, "labels_logits") { $0.name = "other" }
    }
  }

  @Test("Logits without an activation leave no run behind, and the message names class and value")
  func refused() throws {
    let photos = try LabelSetCatalog()
    try photos.add("labels_logits", activation: "none")
    try photos.add("labels_none", activation: "none")
    #expect(
      throws: InferenceError.scoreOutOfRange(sample: "0", className: "tree", value: -1)
    ) { try predict(photos, "labels_logits") }
    #expect(
      throws: InferenceError.scoreOutOfRange(sample: "0", className: "car", value: 1.5)
    ) { try predict(photos, "labels_none") }
    #expect(try photos.catalog.runs().isEmpty)
  }

  @Test("Classes join by name: every label of a sample that the model lacks is counted")
  func classes() throws {
    let photos = try LabelSetCatalog(count: 6)
    // Images 0 to 5 have {boat, sky}, {sky}, {boat, tree}, {}, {sky, tree} and {tree}.
    try photos.add(
      "labels_sigmoid", activation: "none", classes: ["boat", "x", "y", "z", "unused"])
    let missing = [
      MissingCategory(name: "sky", samples: 3), MissingCategory(name: "tree", samples: 3),
    ]
    #expect(
      throws: PredictError.missingClasses(
        missing, model: "labels_sigmoid", classes: ["boat", "x", "y", "z", "unused"],
        view: "photos")
    ) { try predict(photos, "labels_sigmoid") { $0.ignoreMissing = false } }
    #expect(try predict(photos, "labels_sigmoid").missing == missing)
    try photos.add("labels_logits", activation: "sigmoid", classes: ["a", "b", "c", "d", "e"])
    #expect(throws: PredictError.self) {
      try predict(photos, "labels_logits") { $0.ignoreMissing = false }
    }
    // Without a common class the run is only looked at.
    let foreign = try predict(photos, "labels_logits")
    #expect(foreign.shared.isEmpty && foreign.run.done == 6)
  }

  @Test("Over a dataset of single labels there is nothing to evaluate against")
  func singleLabels() throws {
    let photos = try LabelSetCatalog()
    try photos.add("labels_sigmoid", activation: "none")
    let summary = try predict(photos, "labels_sigmoid", view: "squares")
    #expect(!summary.hasGroundTruth && summary.missing.isEmpty && summary.run.done == 2)
    #expect(throws: PredictError.noMaps(model: "labels_sigmoid")) {
      try predict(photos, "labels_sigmoid") { $0.keepsMaps = false }
    }
  }
}

@Suite("Scores of several labels as files")
struct MultiLabelFilesTests {
  private func importFile(
    _ photos: LabelSetCatalog, _ text: String, name: String = "a", view: String = "photos",
    task: ModelTask? = nil, ignoreMissing: Bool = true, normalize: Bool = false
  ) throws -> PredictionsImport.Summary {
    let file = try photos.squares.write("scores.csv", text)
    return try PredictionsImport(catalog: photos.catalog, programVersion: "0").run(
      file, name: name, view: view, task: task, ignoreMissing: ignoreMissing, normalize: normalize)
  }

  @Test("Import and export give the same run and the same file to the bit")
  func roundTrip() throws {
    let photos = try LabelSetCatalog()
    let text = """
      sample,sky,"label",tree
      0,0.9,0.8,0.7
      1,0.0,0.0,0.0
      2,1.0,1.0,1.0
      4,0.33333334,1e-45,0.1

      """
    let summary = try importFile(photos, text)
    let run = summary.run
    #expect(summary.isNew && run.task == .multiLabel && run.classes == ["sky", "label", "tree"])
    #expect(summary.absent == 1 && summary.hasGroundTruth && !summary.isNormalized)
    let path = photos.squares.path("out.csv")
    let export = PredictionsExport(catalog: photos.catalog)
    #expect(try export.export("a", to: path).rows == 4)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    let again = try PredictionsImport(catalog: photos.catalog, programVersion: "0").run(
      path, name: "b", view: "photos", ignoreMissing: true)
    #expect(again.run.task == .multiLabel)
    #expect(try photos.squares.bits("a") == photos.squares.bits("b"))
    #expect(try !importFile(photos, text).isNew)
    #expect(throws: PredictionsError.noSingleTruth(run: "a")) {
      try export.export("a", for: .oracle, to: path, overwrite: true)
    }
    #expect(throws: PredictionsError.noMasks(run: "a", task: .multiLabel)) {
      try COCOResultsExport(catalog: photos.catalog).export("a", to: path, overwrite: true)
    }
  }

  @Test("The dataset or --task decide on the task, and never what the rows look like")
  func task() throws {
    let photos = try LabelSetCatalog()
    let sums = "sample,sky,tree\n0,0.25,0.75\n1,0.5,0.5\n"
    #expect(try importFile(photos, sums).run.task == .multiLabel)
    let squares = "sample,bright,dark\n0,0.9,0.8\n1,0,0.3\n"
    let error = #expect(throws: PredictionsError.self) {
      try importFile(photos, squares, name: "b", view: "squares")
    }
    #expect(error.map { "\($0)" }?.contains("--task multilabel") == true)
    let told = try importFile(
      photos, squares, name: "b", view: "squares", task: .multiLabel)
    #expect(told.run.task == .multiLabel && !told.hasGroundTruth)
    let single = try importFile(photos, sums, name: "c", task: .classification)
    #expect(single.run.task == .classification && !single.hasGroundTruth)
    // The same file is a different run for a different task.
    #expect(throws: PredictionsError.otherRun("c")) {
      try importFile(photos, sums, name: "c", task: .multiLabel)
    }
    for task in [ModelTask.segmentation, .detection] {
      #expect(throws: PredictionsError.noTable(task)) {
        try importFile(photos, sums, name: "d", task: task)
      }
    }
  }

  @Test(
    "Scores outside 0...1 are refused with row, class and value, and leave nothing",
    arguments: [
      ("0,0.5,0.5\n1,0.2,1.5\n", "row 2: 1.5 for “tree”", "sigmoid"),
      ("0,0.5,-2\n1,0.2,0.5\n", "row 1: -2.0 for “tree”", "sigmoid"),
      ("0,90,20\n1,0.2,0.5\n", "row 1: 90.0 for “sky”", "percentages"),
    ])
  func outside(rows: String, says: String, hint: String) throws {
    let photos = try LabelSetCatalog()
    let error = #expect(throws: PredictionsError.self) {
      try importFile(photos, "sample,sky,tree\n" + rows)
    }
    let text = error.map { "\($0)" } ?? ""
    #expect(text.hasPrefix(says) && text.contains(hint), "\(text)")
    #expect(try photos.catalog.runs().isEmpty)
  }

  @Test("A column that is no class of the dataset is what the refusal is about")
  func header() throws {
    let photos = try LabelSetCatalog()
    let error = #expect(throws: (any Error).self) {
      try importFile(photos, "sample,sky,tree,split\n0,0.5,0.5,2\n")
    }
    #expect(
      error.map { "\($0)" }?.contains("“split”, is not a class of the dataset") == true)
    let other = #expect(throws: PredictionsError.self) {
      try importFile(photos, "sample,sky,tree,who\n0,0.5,0.5,2\n")
    }
    #expect(other.map { "\($0)" }?.contains("“who” is not a class of the dataset photos") == true)
  }

  @Test("Rows are not divided by their sums, and a column of single true labels is refused")
  func refused() throws {
    let photos = try LabelSetCatalog()
    #expect(throws: PredictionsError.normalizedLabels) {
      try importFile(photos, "sample,sky\n0,0.5\n", normalize: true)
    }
    #expect(throws: PredictionsError.truthOfLabels) {
      try importFile(photos, "sample,label,sky\n0,sky,0.5\n")
    }
    #expect(throws: PredictError.self) {
      try importFile(photos, "sample,sky\n0,0.5\n", ignoreMissing: false)
    }
    #expect(throws: FormatError.self) { try importFile(photos, "sample,sky\n0,nan\n") }
    #expect(try photos.catalog.runs().isEmpty)
  }

  @Test("Rows without keys join by their order")
  func byOrder() throws {
    let photos = try LabelSetCatalog(count: 2)
    #expect(try importFile(photos, "sky,tree\n0.9,0.8\n0.1,0.2\n").isByOrder)
    #expect(throws: PredictionsError.rowCount(found: 1, view: "photos", samples: 2)) {
      try importFile(photos, "sky,tree\n0.9,0.8\n", name: "b")
    }
  }
}
