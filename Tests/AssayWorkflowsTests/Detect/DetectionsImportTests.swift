import AssayCore
import AssayFormats
import AssayStore
import Foundation
import Testing

import AssayWorkflows

@Suite("Importing COCO results")
struct DetectionsImportTests {
  private func imported(
    _ results: String, _ world: DetectCatalog
  ) throws -> DetectionsImportSummary {
    try world.results(world.write("\(UUID().uuidString).json", results), as: "x")
  }

  private func world() throws -> DetectCatalog {
    let world = try DetectCatalog()
    try world.truth(world.write("truth.json", DetectCatalog.smallTruth))
    return world
  }

  @Test("Every image of the view is in the run, the unnamed ones without a detection")
  func plain() throws {
    let world = try world()
    let summary = try imported(
      #"[{"image_id":7,"category_id":9,"bbox":[1,2.5,3,4],"score":0.125}]"#, world)
    #expect(summary.isNew && summary.run.total == 2 && summary.run.done == 2)
    #expect(summary.run.task == .detection && summary.run.classes == ["dog", "cat"])
    #expect(summary.health.imagesWithout == 1 && summary.health.imagesWithoutButTruth == 0)
    #expect(summary.health.median == 0.5 && summary.health.most == 1)
    #expect(summary.health.seemsCut && summary.findings.isEmpty && !summary.hasRegions)
    let records = try world.catalog.detections(of: summary.run.id)
    #expect(records.map(\.sample.key) == ["a.png", "b.png"])
    #expect(
      records[0].detections == [
        Detection(class: 0, confidence: 0.125, box: Box(x: 1, y: 2.5, width: 3, height: 4))
      ])
    #expect(records[1].detections.isEmpty)
  }

  @Test("The same file again is there already; another under the name is refused")
  func again() throws {
    let world = try DetectCatalog.small()
    let again = try world.results(world.path("results.json"))
    #expect(!again.isNew && again.health.usable == 4)
    let other = try world.write("other.json", "[]")
    #expect(throws: PredictionsError.otherRun("r")) { try world.results(other) }
    let empty = try world.results(other, as: "empty")
    #expect(empty.run.done == 2 && empty.findings.map(\.oddity) == [.noResults])
    #expect(try world.evaluate("empty").evaluation.scores[.ap].value == 0)
  }

  @Test("Regions are kept with their size; a box without one is made of it")
  func regions() throws {
    let world = try world()
    let size = ImageSize(width: 100, height: 100)
    let mask = Mask(box: Box(x: 10, y: 60, width: 20, height: 10), size: size)
    let counts = String(decoding: mask.compressed, as: UTF8.self)
      .replacing(#"\"#, with: #"\\"#)
    let summary = try imported(
      """
      [{"image_id":7,"category_id":9,"score":0.5,"segmentation":{"size":[100,100],"counts":"\(counts)"}}]
      """, world)
    #expect(summary.hasRegions)
    let detection = try world.catalog.detections(of: summary.run.id)[0].detections[0]
    #expect(detection.counts == mask.compressed && detection.area == 200)
    #expect(detection.box == Box(x: 10, y: 60, width: 20, height: 10))
    // Evaluated as regions by default; the dog is 20 × 20, so that half of it is covered.
    let (evaluation, _) = try world.evaluate("x")
    #expect(evaluation.detection?.matching.overlap == .mask)
    #expect(abs((evaluation.scores[.ap50].value ?? 0) - 0.5) < 1e-12)
    // Exported without boxes: with them the reference would use the areas of the boxes.
    let path = world.path("out.json")
    _ = try COCOResultsExport(catalog: world.catalog).export("x", to: path)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.contains("segmentation") && !text.contains("bbox"))
    let back = try world.results(path, as: "y")
    #expect(try world.catalog.detections(of: back.run.id)[0].detections == [detection])
  }

  /// The contents of a file, and the stored and reported data.
  struct Case: Sendable, CustomTestStringConvertible {
    var results: String
    var kept: Int
    var findings: [String]
    var testDescription: String { results }
  }

  @Test(
    "What is odd is left out or kept by a rule that is told",
    arguments: [
      Case(
        results: #"{"image_id":99,"category_id":2,"bbox":[1,1,5,5],"score":1}"#, kept: 1,
        findings: ["1 result of an unknown image: left out (/1/image_id, image_id 99)"]),
      Case(
        results: #"{"image_id":7,"category_id":77,"bbox":[1,1,5,5],"score":1}"#, kept: 1,
        findings: [
          "1 result of an unknown category: left out (/1/category_id, category_id 77)"
        ]),
      Case(
        results: #"{"image_id":"7","category_id":2,"bbox":[1,1,5,5],"score":1}"#, kept: 2,
        findings: ["1 result whose image_id has the wrong type"]),
      Case(
        results: #"{"image_id":7,"category_id":2,"bbox":[1,1,5,5],"score":NaN}"#, kept: 1,
        findings: [
          "1 result whose score is NaN or infinite: left out, because it has no rank (/1/score"
        ]),
      Case(
        results: #"{"image_id":7,"category_id":2,"bbox":[1,1,5,5]}"#, kept: 1,
        findings: ["1 result without a score: left out"]),
      Case(
        results:
          #"{"image_id":7,"category_id":2,"score":1,"segmentation":{"size":[9,9],"counts":[81]}}"#,
        kept: 1, findings: ["1 result whose run lengths are for another size than its image"]),
    ])
  func odd(_ item: Case) throws {
    let world = try world()
    let good = #"{"image_id":7,"category_id":2,"bbox":[10,10,20,20],"score":0.01}"#
    let summary = try imported("[\(good),\(item.results)]", world)
    #expect(summary.health.usable == item.kept)
    let texts = summary.findings.map(\.text)
    for finding in item.findings {
      #expect(texts.contains { $0.hasPrefix(finding) }, "\(texts)")
    }
  }

  @Test("A file of other images, or of other classes, is refused and leaves nothing")
  func others() throws {
    let world = try world()
    let images = #"[{"image_id":1,"category_id":2,"bbox":[1,1,5,5],"score":1}]"#
    #expect(
      throws: PredictionsError.noSharedImage(
        [.integer(1)], view: "set", known: [.integer(7), .integer(3)])
    ) { try imported(images, world) }
    let classes = #"[{"image_id":7,"category_id":1,"bbox":[1,1,5,5],"score":1}]"#
    #expect(
      throws: PredictionsError.noSharedCategory(
        [.integer(1)], known: [.integer(9), .integer(2)])
    ) { try imported(classes, world) }
    #expect(throws: (any Error).self) { try imported(#"[{"image_id":7,"#, world) }
    #expect(try world.catalog.runs().isEmpty)
  }

  @Test("Without ids in the source images go by their keys and classes by their names")
  func byName() throws {
    let world = try DetectCatalog()
    let draft = ImportDraft(
      name: "set", format: .imageFolder, root: world.folder.path, isSingleFile: false)
    _ = try world.catalog.importDataset(draft) { writer in
      var batch = ImportedBatch()
      batch.newCategories = [Category(name: "cat")]
      batch.samples = [ImportedSample(key: "a.png", location: "a.png")]
      try writer.write(batch)
      var outcome = ImportOutcome()
      (outcome.read, outcome.accepted, outcome.ordinals) = (1, 1, [0])
      return (outcome, nil)
    }
    let summary = try imported(
      #"[{"image_id":"a.png","category_id":"cat","bbox":[1,1,5,5],"score":1}]"#, world)
    #expect(summary.health.usable == 1)
  }

  /// Two images without labels in a dataset without classes.
  private func unlabeled() throws -> DetectCatalog {
    let world = try DetectCatalog()
    let draft = ImportDraft(
      name: "set", format: .imageFolder, root: world.folder.path, isSingleFile: false)
    _ = try world.catalog.importDataset(draft) { writer in
      var batch = ImportedBatch()
      batch.samples = ["a.png", "b.png"].map {
        ImportedSample(key: $0, location: $0, size: ImageSize(width: 100, height: 100))
      }
      try writer.write(batch)
      var outcome = ImportOutcome()
      (outcome.read, outcome.accepted) = (2, 2)
      return (outcome, nil)
    }
    return world
  }

  @Test("Results exported from a dataset without classes are imported again, with their classes")
  func unlabeledRoundTrip() throws {
    let world = try unlabeled()
    let text = """
      [{"image_id":"b.png","category_id":7,"category_name":"dog","bbox":[1,2,3,4],"score":0.5},
      {"image_id":"a.png","category_id":3,"category_name":"cat","bbox":[1,2,3,4],"score":0.25}]
      """
    let first = try imported(text, world)
    #expect(first.run.classes == ["cat", "dog"] && first.findings.isEmpty)
    let out = world.path("out.json")
    let summary = try COCOResultsExport(catalog: world.catalog).export("x", to: out)
    #expect(summary.numbersClasses && summary.results == 2)
    let again = try world.results(out, as: "again")
    #expect(again.run.classes == ["cat", "dog"])
    let stored = try world.catalog.detections(of: again.run.id)
    #expect(stored.map(\.sample.key) == ["a.png", "b.png"])
    #expect(
      stored.map(\.detections) == (try world.catalog.detections(of: first.run.id).map(\.detections))
    )
    let bytes = try Data(contentsOf: URL(filePath: out))
    _ = try COCOResultsExport(catalog: world.catalog).export("again", to: world.path("two.json"))
    #expect(try Data(contentsOf: URL(filePath: world.path("two.json"))) == bytes)
  }

  @Test("Results without class names are refused for a dataset without classes, and leave nothing")
  func unlabeledWithoutNames() throws {
    let world = try unlabeled()
    let error = #expect(throws: PredictionsError.self) {
      try imported(#"[{"image_id":"a.png","category_id":1,"bbox":[1,1,5,5],"score":1}]"#, world)
    }
    #expect(error == .noClassNames([.integer(1)], dataset: "set"))
    #expect(error?.description.contains("category_name") == true)
    let names = ["cat", "dog"].map {
      #"{"image_id":"a.png","category_id":1,"category_name":"\#($0)","bbox":[1,1,5,5],"score":1}"#
    }
    #expect(throws: PredictionsError.twoClassNames(.integer(1), "cat", "dog")) {
      try imported("[\(names.joined(separator: ","))]", world)
    }
    #expect(try world.catalog.runs().isEmpty)
  }

  @Test("A result that is left out for its region is told apart where it has a box")
  func boxesLeftOut() throws {
    let world = try world()
    let region = #""segmentation":{"size":[50,70],"counts":"\\]3"},"score":1"#
    let summary = try imported(
      #"[{"image_id":7,"category_id":2,"bbox":[1,1,5,5],\#(region)},"#
        + #"{"image_id":7,"category_id":2,\#(region)}]"#, world)
    #expect(summary.health.usable == 0 && summary.boxesLeftOut == 1)
    #expect(summary.findings.map(\.oddity) == [.maskSize] && summary.findings[0].count == 2)
  }

  @Test("File names as image_id are named as the cause, in the catalog as from files")
  func fileNames() throws {
    let world = try world()
    let text = #"[{"image_id":"a.png","category_id":2,"bbox":[1,1,5,5],"score":1}]"#
    let inCatalog = #expect(throws: PredictionsError.self) { try imported(text, world) }
    #expect(inCatalog?.description.contains("not its file name") == true)
    let files = FileDetection(truth: world.path("truth.json"), dt: try world.write("d.json", text))
    let error = #expect(throws: FileDetectionError.self) {
      try files.evaluate(EvaluationSettings())
    }
    let message = try #require(error).description
    #expect(
      message.contains(
        "the image_id of the results is a text (\"a.png\"), but the ids of the images in "))
    #expect(message.contains("not its file name") && !message.contains("split"))
  }

  @Test("An evaluation tells that the import left out annotations that one of the files keeps")
  func annotationsLeftOut() throws {
    let world = try DetectCatalog()
    let path = try world.write(
      "truth.json",
      DetectCatalog.smallTruth.replacing(
        #""iscrowd":0"#, with: #""iscrowd":0,"segmentation":{"size":[5,7],"counts":[35]}"#,
        maxReplacements: 1))
    try world.truth(path)
    let issues = try world.catalog.issues(of: world.catalog.dataset(named: "set").id).map(\.issue)
    let issue = try #require(issues.first { $0.kind == .maskSize })
    #expect(issue.message.hasSuffix("(evaluate --gt --dt --iou-type bbox keeps it by its box)"))
    try world.results(world.write("r.json", "[]"))
    let notes = try world.evaluate().evaluation.notes
    #expect(
      notes.contains {
        $0.hasPrefix("annotations of set whose shape cannot be used were left out at import")
      }, "\(notes)")
  }

  @Test("What looks like JSON is results, a table is none")
  func kind() throws {
    let world = try DetectCatalog()
    for (name, text, isResults) in [
      ("a.json", "x", true), ("b", "\n [", true), ("c.txt", "{}", true),
      ("d.csv", "sample,cat\n", false), ("e", "", false),
    ] {
      #expect(try DetectionsImport.isResults(world.write(name, text)) == isResults)
    }
  }
}
