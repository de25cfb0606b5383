import AssayCore
import AssayFormats
import AssayMetrics
import AssayStore
import Foundation
import Testing

import AssayWorkflows

@Suite("Runs with keypoints")
struct KeypointRunsTests {
  private static func catalog(_ set: KeypointSet) throws -> DetectCatalog {
    let world = try DetectCatalog()
    try world.truth(world.write("truth.json", set.truth))
    try world.results(world.write("results.json", set.results))
    return world
  }

  @Test(
    "A run has the numbers of its files, and again after export and import",
    arguments: KeypointSet.all.prefix(12))
  func numbers(_ set: KeypointSet) throws {
    let world = try Self.catalog(set)
    let change = { (settings: inout EvaluationSettings) in settings.objects.sigmas = set.sigmas }
    let (evaluation, run) = try world.evaluate("r", change)
    #expect(run.content.matching.overlap == .keypoints)
    for kind in DetectionScores.stats(.keypoints) {
      #expect(evaluation.scores[kind].value == set.json["stats"]?[kind.rawValue]?.double, "\(kind)")
    }
    let path = world.path("out.json")
    _ = try COCOResultsExport(catalog: world.catalog).export("r", to: path)
    try world.results(path, as: "again")
    let again = try world.evaluate("again", change).evaluation
    for kind in DetectionScores.stats(.keypoints) {
      #expect(again.scores[kind].value == evaluation.scores[kind].value, "\(kind)")
    }
    let runs = try ["r", "again"].map { try world.catalog.run(named: $0) }
    let kept = try runs.map { run in
      try world.catalog.detections(of: run.id).map { $0.detections.map(\.keypoints) }
    }
    #expect(kept[0] == kept[1] && kept[0].contains { $0.contains { !$0.isEmpty } })
  }

  private static let truth = """
    {"images":[{"id":1,"width":100,"height":100,"file_name":"a.png"}],
    "categories":[{"id":1,"name":"a","keypoints":["x","y"],"sigmas":[0.1,0.2]}],
    "annotations":[
    {"id":1,"image_id":1,"category_id":1,"iscrowd":0,"bbox":[5,5,40,40],"area":1600,"keypoints":[10,10,2,20,20,1],"num_keypoints":2},
    {"id":2,"image_id":1,"category_id":1,"iscrowd":0,"bbox":[50,50,40,40],"area":1600,"keypoints":[0,0,0,0,0,0],"num_keypoints":0}]}
    """

  private static let results = """
    [{"image_id":1,"category_id":1,"score":0.9,"bbox":[5,5,40,40],"keypoints":[10,10,1,20,20,1]},
    {"image_id":1,"category_id":1,"score":0.8,"bbox":[50,50,40,40],"keypoints":[60,60,1,70,70,1]},
    {"image_id":1,"category_id":1,"score":0.7,"bbox":[1,1,4,4]}]
    """

  @Test("Stored, reduced again, compared and noted")
  func whole() throws {
    let world = try DetectCatalog()
    try world.truth(world.write("truth.json", Self.truth))
    let summary = try world.results(world.write("results.json", Self.results))
    #expect(summary.hasKeypoints && summary.findings.isEmpty)
    let (evaluation, _) = try world.evaluate()
    #expect(isOne(evaluation.scores[.ap].value) && evaluation.scores[.ar50].value == 1)
    #expect(evaluation.notes.contains { $0.hasPrefix("1 detection without keypoints") })
    let saved = try world.save()
    #expect(isOne(saved.scores[.ap].value) && isOne(saved.scores[.apMedium].value))
    let stored = try world.evaluate("r").evaluation
    #expect(stored.scores[.ar].value == 1)
    let boxes = try world.evaluate("r") { $0.objects.overlap = .box }
    #expect(boxes.evaluation.notes.contains { $0.contains("the run also has keypoints") })
    // The name states an overlap that is not the default one.
    try world.save { $0.objects.overlap = .keypoints }
    try world.save { $0.objects.overlap = .box }
    let run = try world.catalog.run(named: "r")
    #expect(
      Set(try world.catalog.evaluations(of: run).map(\.name)) == ["default", "iou-type-bbox"])
    #expect(throws: EvaluationError.sigmasWithoutKeypoints(run: "r", .box)) {
      try world.evaluate("r") {
        $0.objects.overlap = .box
        $0.objects.sigmas = .coco
      }
    }
    try world.results(
      world.write("other.json", Self.results.replacing("[10,10,1", with: "[90,10,1")), as: "s")
    let first = try RunReference("r", in: world.catalog)
    let second = try RunReference("s", in: world.catalog)
    let pairing = try Comparer<ObjectDetection>(catalog: world.catalog)
      .compare(first, second, EvaluationSettings()).pairing
    #expect(pairing.matching.overlap == .keypoints)
    #expect(pairing.comparison[.ar]?.first == 1 && (pairing.comparison[.ar]?.second ?? 1) < 1)
    #expect(pairing.comparison[.ar100] == nil)
  }

  @Test("A dataset without keypoints: boxes are compared, which is noted; unknown σ are an error")
  func without() throws {
    let world = try DetectCatalog()
    try world.truth(
      world.write("truth.json", Self.truth.replacing("keypoints\":[", with: "other\":[")))
    try world.results(world.write("results.json", Self.results))
    let (evaluation, run) = try world.evaluate()
    #expect(run.content.matching.overlap == .box)
    #expect(evaluation.notes.contains { $0.contains("the dataset has none: boxes are compared") })
    let other = try DetectCatalog()
    try other.truth(
      other.write("truth.json", Self.truth.replacing(",\"sigmas\":[0.1,0.2]", with: "")))
    try other.results(other.write("results.json", Self.results))
    #expect(throws: EvaluationError.keypoints(.noSigmas(class: "a", count: 2, stated: nil))) {
      try other.evaluate()
    }
  }
}
