import AssayCore
import AssayFormats
import AssayMetrics
import AssayTestSupport
import Foundation
import Testing

@testable import AssayWorkflows

@Suite("Judging detections in files")
struct FileDetectionTests {
  private static func truth(
    ids: [Int] = [1, 2], size: String = "\"width\":100,\"height\":80,"
  ) -> String {
    let categories = ids.map { "{\"id\":\($0),\"name\":\"c\($0)\"}" }.joined(separator: ",")
    let images = (1...20).map { "{\(size)\"id\":\($0)}" }.joined(separator: ",")
    let annotations = (1...20).map {
      "{\"id\":\($0),\"image_id\":\($0),\"category_id\":\(ids[0]),\"bbox\":[40,30,20,10],"
        + "\"area\":200,\"iscrowd\":0}"
    }.joined(separator: ",")
    return
      "{\"images\":[\(images)],\"categories\":[\(categories)],\"annotations\":[\(annotations)]}"
  }

  private static func results(
    _ images: ClosedRange<Int>, category: Int = 1, box: String = "[40,30,20,10]",
    score: Double = 0.5
  ) -> String {
    "["
      + images.map {
        "{\"image_id\":\($0),\"category_id\":\(category),\"bbox\":\(box),\"score\":\(score)}"
      }.joined(separator: ",") + "]"
  }

  private func evaluate(
    _ gt: String, _ dt: String, _ change: (inout EvaluationSettings) -> Void = { _ in }
  ) throws -> FileDetectionResult {
    let folder = try TemporaryFolder()
    try folder.write("gt.json", gt)
    try folder.write("dt.json", dt)
    var settings = EvaluationSettings()
    change(&settings)
    return try FileDetection(
      truth: folder.path("gt.json"), dt: folder.path("dt.json")
    ).evaluate(settings)
  }

  private func expectReference(
    _ golden: JSONValue?, truth: String, results: String, _ type: String, classes count: Int
  ) throws {
    var settings = EvaluationSettings()
    settings.objects.overlap = OverlapKind(rawValue: type)
    let result = try FileDetection(truth: truth, dt: results).evaluate(settings)
    let stats = try #require(golden?["stats"])
    #expect(result.numbers == DetectionScores.stats(.box).map { stats[$0.rawValue]?.double })
    let classes = try #require(golden?["per_category_ap"])
    #expect(result.classes.count == count)
    for (name, score) in zip(result.classes, result.scores.perClass(.perCategoryAP)) {
      #expect(score.value == classes[name]?.double, "\(name)")
    }
    #expect(result.findings.isEmpty)
    #expect(result.json["stats"]?["AP"]?.double == result.scores[.ap].value)
    #expect(result.json["per_category_ap"]?["person"]?.double == classes["person"]?.double)
  }

  @Test(
    "The COCO API's own example has pycocotools' twelve numbers and classes to the bit",
    .outsideData("coco/val2014_100", twin: "FileDetectionTests.small"),
    arguments: ["bbox", "segm"])
  func example(_ type: String) throws {
    let golden = try JSONValue(
      parsing: String(
        contentsOf: PackageFolder.fixture("coco-odd/val2014_100.json"), encoding: .utf8))
    let folder = OutsideFiles.path("coco/val2014_100")
    try expectReference(
      golden[type], truth: folder + "/instances_val2014_100.json",
      results: folder + "/instances_val2014_fake\(type)100_results.json", type, classes: 80)
  }

  @Test(
    "A small example has pycocotools' twelve numbers and classes to the bit",
    arguments: ["bbox", "segm"])
  func small(_ type: String) throws {
    let folder = DetectCatalog.fixtures + "/example"
    let golden = try JSONValue(
      parsing: String(contentsOfFile: folder + "/goldens.json", encoding: .utf8))
    try expectReference(
      golden[type], truth: folder + "/instances.json", results: folder + "/\(type).json", type,
      classes: 5)
  }

  @Test("Without a type, boxes are compared where there are boxes, regions where there are none")
  func overlap() throws {
    let boxes = try evaluate(Self.truth(), Self.results(1...20))
    #expect(boxes.overlap == .box && boxes.isOverlapChosen)
    #expect(boxes.notes.contains { $0.hasPrefix("boxes are compared") })
    #expect(boxes.scores[.ap].value == 1)
    let runs = Mask(
      box: Box(x: 40, y: 30, width: 20, height: 10), size: ImageSize(width: 100, height: 80))
    let region = JSONValue.string(String(decoding: runs.compressed, as: UTF8.self)).text()
    let masks = try evaluate(
      Self.truth(),
      "[{\"image_id\":1,\"category_id\":1,\"score\":1,\"segmentation\":{\"size\":[80,100],"
        + "\"counts\":\(region)}}]")
    #expect(masks.overlap == .mask)
    #expect(masks.notes.contains { $0.hasPrefix("regions are compared") })
    // One of twenty objects is found: precision is nonzero only at recall 0, 0.01 … 0.05.
    #expect(abs((masks.scores[.ap50].value ?? 0) - 6.0 / 101) < 1e-15)
  }

  @Test("No result for some images, many for others, and a cut are the files' health")
  func health() throws {
    let many = (0..<150).map {
      "{\"image_id\":1,\"category_id\":1,\"bbox\":[1,1,5,5],\"score\":\(0.05 + Double($0) / 1000)}"
    }.joined(separator: ",")
    let few = "{\"image_id\":2,\"category_id\":1,\"bbox\":[95,1,9,5],\"score\":0.9}"
    let health = try evaluate(Self.truth(), "[\(many),\(few)]").health
    #expect(health.images == 20 && health.imagesWithout == 18)
    #expect(health.imagesWithoutButTruth == 18)
    #expect(health.median == 0 && health.most == 150)
    #expect(health.beyondLimit == 50)
    #expect(health.lowestScore == 0.05 && health.highestScore == 0.9)
    #expect(health.seemsCut)
    #expect(health.beyondImage == 1 && health.outside == 0)
    #expect(!health.looksLikeCorners && !health.areFractions && health.shift == nil)
  }

  @Test("Corners in place of sizes are seen")
  func corners() throws {
    // A box of 20 × 10 at (40, 30), written as its corners.
    let corners = try evaluate(Self.truth(), Self.results(1...20, box: "[40,30,60,40]")).health
    #expect(corners.likeCorners == 20 && corners.beyondImage == 0 && !corners.looksLikeCorners)
    let near = try evaluate(Self.truth(), Self.results(1...20, box: "[70,50,90,70]")).health
    #expect(near.likeCorners == 20 && near.beyondImage == 20 && near.looksLikeCorners)
    let sizes = try evaluate(Self.truth(), Self.results(1...20)).health
    #expect(sizes.likeCorners == 0)
  }

  @Test("Centers in place of upper left corners are seen")
  func centers() throws {
    // Boxes of 20 × 10, the image is 100 × 80: without conversion they extend to 110 of 100.
    let centers = try evaluate(Self.truth(), Self.results(1...20, box: "[90,60,20,10]")).health
    #expect(centers.likeCenters == 20 && centers.beyondImage == 20 && centers.looksLikeCenters)
    #expect(!centers.looksLikeCorners)
    // A center cannot be this close to the edge at the upper left.
    let sizes = try evaluate(Self.truth(), Self.results(1...20, box: "[5,2,20,10]")).health
    #expect(sizes.likeCenters == 0 && !sizes.looksLikeCenters)
  }

  @Test("One box in twenty wholly outside its image asks for its frame")
  func elsewhere() throws {
    // Images are 100 × 80.
    let outside = "{\"image_id\":20,\"category_id\":1,\"bbox\":[10,90,20,10],\"score\":0.5}]"
    let health = try evaluate(
      Self.truth(), Self.results(1...19).dropLast() + "," + outside
    ).health
    #expect(health.outside == 1 && health.sized == 20 && health.isElsewhere)
    #expect(try !evaluate(Self.truth(), Self.results(1...20)).health.isElsewhere)
  }

  @Test("Results for fewer than three quarters of the images are told, an empty list is not")
  func part() throws {
    #expect(try evaluate(Self.truth(), Self.results(1...15)).health.lacksImages)
    #expect(try !evaluate(Self.truth(), Self.results(1...16)).health.lacksImages)
    #expect(try !evaluate(Self.truth(), "[]").health.lacksImages)
  }

  @Test("Scores beyond 1 are no sign of a cut")
  func percentages() throws {
    #expect(try evaluate(Self.truth(), Self.results(1...20, score: 0.5)).health.seemsCut)
    #expect(try !evaluate(Self.truth(), Self.results(1...20, score: 50)).health.seemsCut)
  }

  @Test("Boxes in fractions of the image are seen")
  func fractions() throws {
    #expect(
      try evaluate(Self.truth(), Self.results(1...20, box: "[0.4,0.3,0.2,0.1]")).health.areFractions
    )
  }

  @Test("Ids of classes that are off by a known map are named")
  func shifts() {
    let coco = (1...90).filter { ![12, 26, 29, 30, 45, 66, 68, 69, 71, 83].contains($0) }
    func shift(_ results: [Int], _ truth: [Int]) -> ClassIDShift? {
      ClassIDShift(
        results: results.map { .integer(Int64($0)) }, truth: truth.map { .integer(Int64($0)) })
    }
    #expect(coco.count == 80)
    #expect(shift(Array(0...79), coco) == .zeroTo79)
    #expect(shift([0, 5, 61], coco) == .zeroTo79)
    #expect(shift(Array(1...80), coco) == .oneTo80)
    #expect(shift(coco.map { $0 - 1 }, coco) == .zeroTo89)
    #expect(shift([0, 5, 89], coco) == .zeroTo89)
    #expect(shift(coco.map { $0 + 1 }, coco) == nil)
    #expect(shift([0, 2, 4], [1, 3, 5, 9]) == .fromZero)
    #expect(shift([1, 4, 9], [0, 3, 8, 9]) == .fromOne)
    #expect(shift(coco, coco) == nil)
    // There is no evidence: all of these ids exist.
    #expect(shift([1, 2, 3], coco) == nil)
    #expect(shift([0, 1, 2], [1, 2, 3]) == .fromZero)
    #expect(shift([1, 2, 3], [0, 1, 2]) == .fromOne)
    #expect(shift([500], coco) == nil)
  }

  @Test("Intervals are made where they are asked for alone")
  func intervals() throws {
    let plain = try evaluate(Self.truth(), Self.results(1...20))
    #expect(plain.scores[.ap].interval == nil)
  }

  @Test("Other thresholds and limits of detections are taken")
  func thresholds() throws {
    let result = try evaluate(Self.truth(), Self.results(1...20, box: "[40,30,20,9]")) {
      $0.objects.iouThresholds = [0.5, 0.95]
      $0.objects.maxDetections = [1, 5]
    }
    // Nine tenths of the object: correct only at 0.5.
    #expect(result.scores[.ap].value == 0.5)
    #expect(result.scores[.ap50].value == 1)
    #expect(result.health.limit == 5)
  }

  @Test("Packed files read as they are")
  func packed() throws {
    let folder = try TemporaryFolder()
    let names = ["gt.json", "dt.json"]
    for (name, text) in zip(names, [Self.truth(), Self.results(1...20)]) {
      try folder.write(name, text)
      let gzip = Process()
      gzip.executableURL = URL(filePath: "/bin/gzip")
      gzip.arguments = [folder.path(name)]
      try gzip.run()
      gzip.waitUntilExit()
    }
    let paths = names.map { folder.path($0 + ".gz") }
    let result = try FileDetection(truth: paths[0], dt: paths[1]).evaluate(EvaluationSettings())
    #expect(result.scores[.ap].value == 1)
  }
}
