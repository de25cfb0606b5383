import AssayCore
import AssayFormats
import AssayMetrics
import AssayTestSupport
import Foundation
import Testing

import AssayWorkflows

/// Random sets of keypoints, and the results of pycocotools 2.0.11 for them
/// (`Tests/Fixtures/coco-keypoints/fuzz.py`).
struct KeypointSet: Sendable, CustomTestStringConvertible {
  var json: JSONValue
  var testDescription: String { "\(json["seed"]?.double ?? -1)" }

  var truth: String { json["truth"]?.text() ?? "" }
  var results: String { json["results"]?.text() ?? "" }
  var sigmas: StatedSigmas? {
    json["sigmas"]?.elements.map { .values($0.compactMap(\.double)) }
  }

  static let all: [KeypointSet] = {
    let path = PackageFolder.fixture("coco-keypoints/fuzz.json")
    let text = (try? String(contentsOf: path, encoding: .utf8)) ?? ""
    return ((try? JSONValue(parsing: text))?["cases"]?.elements ?? []).map { KeypointSet(json: $0) }
  }()
}

/// Returns whether an average precision is 1: precision is divided by a little more than the count.
func isOne(_ value: Double?) -> Bool { value.map { abs($0 - 1) < 1e-12 } ?? false }

@Suite("Evaluating keypoints of files")
struct KeypointFilesTests {
  private func evaluate(
    _ truth: String, _ results: String, _ change: (inout EvaluationSettings) -> Void = { _ in }
  ) throws -> FileDetectionResult {
    let folder = try TemporaryFolder()
    try folder.write("gt.json", truth)
    try folder.write("dt.json", results)
    var settings = EvaluationSettings()
    change(&settings)
    return try FileDetection(truth: folder.path("gt.json"), dt: folder.path("dt.json"))
      .evaluate(settings)
  }

  @Test("There are 40 sets")
  func count() { #expect(KeypointSet.all.count == 40) }

  @Test(
    "Random odd sets have pycocotools' 10 numbers and classes to the bit",
    arguments: KeypointSet.all)
  func reference(_ set: KeypointSet) throws {
    let result = try evaluate(set.truth, set.results) { $0.objects.sigmas = set.sigmas }
    #expect(result.overlap == .keypoints && result.isOverlapChosen)
    let stats = try #require(set.json["stats"])
    for kind in DetectionScores.stats(.keypoints) {
      #expect(result.scores[kind].value == stats[kind.rawValue]?.double, "\(kind)")
      #expect(result.json["stats"]?[kind.rawValue]?.double == stats[kind.rawValue]?.double)
    }
    for (name, score) in zip(result.classes, result.scores.perClass(.perCategoryAP)) {
      #expect(score.value == set.json["classes"]?[name]?.double, "\(name)")
    }
    guard case .object(let members)? = result.json["stats"] else { return }
    #expect(members.map(\.name) == DetectionScores.stats(.keypoints).map(\.rawValue))
  }

  private static func truth(
    _ category: String, _ annotations: String = defaultAnnotation
  ) -> String {
    #"{"images":[{"id":1,"width":100,"height":100}],"categories":[{"id":1,"name":"a"\#(category)}],"annotations":[\#(annotations)]}"#
  }

  private static let defaultAnnotation = annotation("[10,10,2,20,20,1]")
  private static func annotation(
    _ keypoints: String, id: Int = 1, _ more: String = #","num_keypoints":2"#
  ) -> String {
    #"{"id":\#(id),"image_id":1,"category_id":1,"iscrowd":0,"bbox":[5,5,40,40],"area":1600,"keypoints":\#(keypoints)\#(more)}"#
  }

  private static func result(_ keypoints: String, score: String = "0.9") -> String {
    #"{"image_id":1,"category_id":1,"score":\#(score),"keypoints":\#(keypoints)}"#
  }

  private static let perfect = "[" + result("[10,10,1,20,20,1]") + "]"

  @Test("σ are never guessed: stated, of the class, or COCO's by COCO's names")
  func sigmas() throws {
    let names = #","keypoints":["x","y"]"#
    for (category, words) in [
      (names, "2 keypoints that are not COCO's 17"), ("", "keypoints without names"),
      (names + #","sigmas":[0.1]"#, "'sigmas' of class “a” must be 2 numbers"),
      (names + #","sigmas":[0.1,0]"#, "must be 2 numbers"),
      (names + #","sigmas":[0.1,"b"]"#, "must be 2 numbers"),
      (#","sigmas":5"#, "must be numbers"),
    ] {
      let error = #expect(throws: FileDetectionError.self, "\(category)") {
        try evaluate(Self.truth(category), Self.perfect)
      }
      #expect(error?.description.contains(words) ?? false, "\(error?.description ?? "")")
      #expect(error?.description.contains("--sigmas") ?? false)
    }
    #expect(
      try isOne(
        evaluate(Self.truth(names + #","sigmas":[0.1,0.2]"#), Self.perfect).scores[.ap].value)
    )
    for stated in [StatedSigmas.values([0.1, 0.2]), .values([0.1])] {
      for category in [names, ""] {
        let result = try evaluate(Self.truth(category), Self.perfect) { $0.objects.sigmas = stated }
        #expect(isOne(result.scores[.ap].value) && result.findings.isEmpty)
      }
    }
    // Another number of values than the class has keypoints is not replaced by the class's own.
    let unfit = #expect(throws: FileDetectionError.self) {
      try evaluate(Self.truth(names + #","sigmas":[0.1,0.2]"#), Self.perfect) {
        $0.objects.sigmas = .values([0.1, 0.2, 0.3])
      }
    }
    #expect(unfit?.description.contains("fits no class: “a” has 2 keypoints") == true)
    let error = #expect(throws: FileDetectionError.self) {
      try evaluate(Self.truth(names), Self.perfect) { $0.objects.sigmas = .coco }
    }
    #expect(
      error?.description.contains("--sigmas coco fits no class: “a” has 2 keypoints") ?? false)
    // 17 points with other names are not COCO's.
    let seventeen = (0..<17).map { "\"p\($0)\"" }.joined(separator: ",")
    let points = "[" + Array(repeating: "1,1,2", count: 17).joined(separator: ",") + "]"
    #expect(throws: FileDetectionError.self) {
      try evaluate(
        Self.truth(#","keypoints":[\#(seventeen)]"#, Self.annotation(points)),
        "[\(Self.result(points))]")
    }
  }

  @Test("Unusable keypoints: a finding, never a trap")
  func odd() throws {
    let category = #","sigmas":[0.1,0.2]"#
    for list in ["[1,1,2]", "[1,1,2,3,3,NaN]", "[1]", "5", #"["a"]"#, "{}", "[1,1,2,3,3,2,4]"] {
      let annotations = Self.defaultAnnotation + "," + Self.annotation(list, id: 2)
      let result = try evaluate(Self.truth(category, annotations), Self.perfect)
      #expect(result.findings.map(\.oddity) == [.badTruthKeypoints], "\(list)")
      #expect(isOne(result.scores[.ap].value), "\(list)")
      let results = "[\(Self.result("[10,10,1,20,20,1]")),\(Self.result(list, score: "1"))]"
      let other = try evaluate(Self.truth(category), results)
      #expect(other.findings.map(\.oddity) == [.badKeypoints], "\(list)")
      #expect(isOne(other.scores[.ap].value), "\(list)")
    }
    let huge = try evaluate(
      Self.truth(category), "[\(Self.result("[1e308,-1e308,1,-1e308,1e308,1]"))]")
    #expect(huge.scores[.ap].value == 0 && huge.findings.isEmpty)
  }

  @Test("Objects without labeled keypoints are ignored, however they say so")
  func ignored() throws {
    let category = #","sigmas":[0.1,0.2]"#
    for (more, oddities) in [
      (Self.annotation("[0,0,0,0,0,0]", id: 2, #","num_keypoints":0"#), []),
      (Self.annotation("[0,0,0,0,0,0]", id: 2, ""), [.noKeypointCount]),
      (Self.annotation("[]", id: 2, ""), [.truthWithoutKeypoints]),
      (Self.annotation("null", id: 2, ""), [.truthWithoutKeypoints]),
      (Self.annotation("[30,30,2,1,1,1]", id: 2, #","num_keypoints":0"#), []),
    ] as [(String, [COCOOddity])] {
      let truth = Self.truth(category, Self.defaultAnnotation + "," + more)
      let result = try evaluate(truth, Self.perfect)
      #expect(isOne(result.scores[.ap].value) && result.tally.truthCount == 1, "\(more)")
      #expect(result.findings.map(\.oddity) == oddities, "\(more)")
    }
  }

  @Test("Keypoints are the default only if both files have them, and other overlaps are on request")
  func defaults() throws {
    let plain = Self.truth("", Self.defaultAnnotation.replacing("keypoints", with: "other"))
    let boxed = Self.perfect.replacing(#""score""#, with: #""bbox":[5,5,40,40],"score""#)
    for (results, words) in [
      (Self.perfect, "ground truth of the keypoints"), (boxed, "--iou-type bbox"),
    ] {
      let error = #expect(throws: FileDetectionError.self) { try evaluate(plain, results) }
      #expect(error?.description.contains(words) ?? false)
    }
    let truth = Self.truth(#","sigmas":[0.1,0.2]"#)
    let boxes = try evaluate(truth, boxed) { $0.objects.overlap = .box }
    #expect(
      boxes.overlap == .box && isOne(boxes.scores[.ap].value) && boxes.scores[.ar].value == nil)
    #expect(boxes.json["AR"] == nil && boxes.json["AR100"] != nil)
    let without = #"[{"image_id":1,"category_id":1,"bbox":[1,1,9,9],"score":1}]"#
    #expect(throws: FileDetectionError.noKeypoints(file: "dt.json")) {
      try evaluate(truth, without) { $0.objects.overlap = .keypoints }
    }
    #expect(throws: FileDetectionError.compatWithKeypoints) {
      try evaluate(truth, boxed) { $0.objects.isCompatible = true }
    }
    #expect(throws: FileDetectionError.sigmasWithoutKeypoints(.box)) {
      try evaluate(truth, boxed) {
        $0.objects.overlap = .box
        $0.objects.sigmas = .coco
      }
    }
  }
}
