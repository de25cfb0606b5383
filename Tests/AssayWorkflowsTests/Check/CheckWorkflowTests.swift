import AssayCore
import AssayImaging
import AssayStore
import AssayTestSupport
import Foundation
import Testing

@testable import AssayWorkflows

@Suite("Checks of a view")
struct CheckWorkflowTests {
  private func names(_ outcome: CheckOutcome, _ kind: FindingKind) -> [[String]] {
    outcome.findings(of: kind).map { finding in
      outcome.keys(of: finding).map { String($0.split(separator: "/").last ?? "") }
    }
  }

  @Test("Planted faults are found, each by its kind")
  func planted() throws {
    let set = try CheckCatalog.planted()
    let outcome = try CheckWorkflow(catalog: set.catalog).find(CheckRequest("set"))
    #expect(names(outcome, .unreadable) == [["cut.jpg"]])
    #expect(
      Set(names(outcome, .exactDuplicate).map(Set.init)) == [
        ["1.jpg", "1-copy.jpg"], ["7.png", "7-again.png"],
      ])
    #expect(
      Set(names(outcome, .nearDuplicate).map(Set.init)) == [
        ["2.jpg", "2-mirror.jpg"], ["3.jpg", "3-crop.jpg"],
      ])
    #expect(names(outcome, .leakage).map(Set.init) == [["3.jpg", "3-crop.jpg"]])
    #expect(names(outcome, .labelConflict).map(Set.init) == [["1.jpg", "1-copy.jpg"]])
    #expect(names(outcome, .blank) == [["blank.png"]])
    #expect(names(outcome, .dark) == [["dark.jpg"]])
    #expect(
      outcome.findings(of: .absentClass).map(\.message) == [
        "val has no sample of the class owl"
      ])
    let matrix = try #require(outcome.leakage)
    #expect(matrix.splits == ["train", "val"])
    #expect(matrix.counts[0][1] == 1 && matrix.counts[1][0] == 1 && matrix.leaks)
    #expect(matrix.counts[1][1] == 0)
  }

  @Test("The result does not depend on the number of workers")
  func workers() throws {
    let set = try CheckCatalog.planted()
    let one = try CheckWorkflow(catalog: set.catalog, workers: 1).find(CheckRequest("set"))
    let four = try CheckWorkflow(catalog: set.catalog, workers: 4).find(CheckRequest("set"))
    #expect(one.findings == four.findings && one.leakage == four.leakage)
    let page = try CheckWorkflow(catalog: set.catalog, workers: 1).page(one)
    let other = try CheckWorkflow(catalog: set.catalog, workers: 4).page(four)
    #expect(page == other)
  }

  @Test("Stored findings are queried by kind, and a new check replaces those of its kinds")
  func stored() throws {
    let set = try CheckCatalog.planted()
    let workflow = CheckWorkflow(catalog: set.catalog)
    try workflow.store(try workflow.find(CheckRequest("set")))
    let selection = try set.catalog.resolve("set")
    #expect(try set.catalog.count(in: selection, where: "issue = nearDuplicate") == 4)
    try workflow.store(try workflow.find(CheckRequest("set", kinds: [.blank])))
    #expect(try set.catalog.count(in: selection, where: "issue = nearDuplicate") == 4)
    #expect(try set.catalog.count(in: selection, where: "issue = blank") == 1)
    try workflow.store(try workflow.find(CheckRequest("set/val", kinds: [.nearDuplicate])))
    #expect(try set.catalog.count(in: selection, where: "issue = nearDuplicate") == 4)
  }

  @Test("The page has the images and the matrix, and loads nothing")
  func page() throws {
    let set = try CheckCatalog.planted()
    let workflow = CheckWorkflow(catalog: set.catalog)
    let html = String(
      decoding: try workflow.page(try workflow.find(CheckRequest("set"))), as: UTF8.self)
    #expect(html.contains("Near duplicates") && html.contains("also in val"))
    #expect(html.contains("data:image/png;base64,"))
    #expect(!html.contains("http://") && !html.contains("https://"))
  }

  @Test("If most images are dark, that is a note and no finding")
  func property() throws {
    let files = try (1...3).map { seed in
      (name: "a/\(seed).jpg", bytes: try CheckCatalog.jpeg(UInt64(seed), gain: 0.15))
    }
    let set = try CheckCatalog(files)
    let outcome = try CheckWorkflow(catalog: set.catalog).find(CheckRequest("set"))
    #expect(outcome.findings(of: .dark).isEmpty)
    #expect(outcome.notes.contains { $0.hasPrefix("dark: 3 of 3 images") })
  }

  @Test("A view without samples, and a run that does not exist, are errors")
  func errors() throws {
    let set = try CheckCatalog.planted()
    let workflow = CheckWorkflow(catalog: set.catalog)
    #expect(throws: StoreError.self) { try workflow.find(CheckRequest("set", run: "r1")) }
    #expect(throws: StoreError.self) { try workflow.find(CheckRequest("set", partition: "p")) }
    #expect("\(CheckError.noSamples(view: "x"))" == "“x” has no samples to check")
  }

  @Test("A folder that is gone is an error, not a set of unreadable images")
  func missingFolder() throws {
    let set = try CheckCatalog([("a/1.jpg", try CheckCatalog.jpeg(1))])
    try FileManager.default.removeItem(atPath: set.folder.path("set"))
    let workflow = CheckWorkflow(catalog: set.catalog)
    #expect(throws: CheckError.self) { try workflow.find(CheckRequest("set", kinds: [.leakage])) }
    #expect(throws: CheckError.self) { try workflow.find(CheckRequest("set")) }
    #expect(try workflow.find(CheckRequest("set", kinds: [.tinyAnnotation])).findings.isEmpty)
  }

  @Test("A check that does not report unreadable images says how many it could not compare")
  func unread() throws {
    let set = try CheckCatalog.planted()
    let workflow = CheckWorkflow(catalog: set.catalog)
    let some = try workflow.find(CheckRequest("set", kinds: [.leakage]))
    #expect(some.notes == ["1 image could not be read and was left out (--only unreadable)"])
    #expect(try workflow.find(CheckRequest("set")).notes.isEmpty)
  }

  @Test("A view of one image has no duplicates")
  func one() throws {
    let set = try CheckCatalog([("a/1.jpg", try CheckCatalog.jpeg(1))])
    let outcome = try CheckWorkflow(catalog: set.catalog).find(CheckRequest("set"))
    #expect(outcome.count == 1 && outcome.findings.isEmpty)
  }

  @Test("All frames of a scene are one finding")
  func frames() throws {
    let small = Resize.area(SeededPhoto.raster(seed: 1), to: ImageSize(width: 120, height: 96))
    let other = Resize.area(SeededPhoto.raster(seed: 2), to: ImageSize(width: 120, height: 96))
    var files: [(name: String, bytes: [UInt8])] = [
      ("a/other.jpg", try ImageCodec.encodeJPEG(other))
    ]
    for copy in 0..<90 {
      // A square of 12 × 12 pixels elsewhere, further to the right in each frame.
      var frame = small
      for y in 0..<12 {
        for x in 0..<12 {
          for channel in 0..<3 {
            frame.elements[((40 + y) * 120 + copy + x) * 3 + channel] = 90
          }
        }
      }
      files.append(("a/\(copy).jpg", try ImageCodec.encodeJPEG(frame, quality: 90)))
    }
    let set = try CheckCatalog(files)
    let outcome = try CheckWorkflow(catalog: set.catalog).find(
      CheckRequest("set", kinds: [.nearDuplicate]))
    #expect(outcome.findings.map(\.samples.count) == [90])
  }

  @Test("Images of 16 bits that differ in the lower bits do not have the same pixels")
  func deepImages() throws {
    let encoded = [
      """
      iVBORw0KGgoAAAANSUhEUgAAAAgAAAAIEAAAAACx9D0UAAAAkUlEQVR42gXBRw6CQAAF0A9MQTIBQyDBhIwF3LBzb/cW\
      dm9h9xZ2b2H3FnZv43sAJPKoo4859rgDCpJKQW1oA7KgB/bgUJFSi6TJhvrSOIqnCQ1prcRasZFYWSf75YIgQ8p6W4zj\
      a+fsvX1QBLRidKyJs0lc5CcAQ8iqomtPva28ht8IHFleM3vuzN8Ft+iX+wNVYR4xY37NRAAAAABJRU5ErkJggg==
      """,
      """
      iVBORw0KGgoAAAANSUhEUgAAAAgAAAAIEAAAAACx9D0UAAAAk0lEQVR42gGIAHf/AAAAHgA8AFoAeACWALQA0gAAAQAf\
      Az0GWwl5DJcPtRLTFQACACAGPgxcEnoYmB62JNQqAAMAIQk/El0beySZLbc21T8ABAAiDEAYXiR8MJo8uEjWVAAFACMP\
      QR5fLX08m0u5WtdpAAYAJBJCJGA2fkicWrps2H4ABwAlFUMqYT9/VJ1pu37Zk0RQJFHsBXLYAAAAAElFTkSuQmCC
      """,
    ]
    let files = try encoded.enumerated().map { number, text in
      (name: "a/\(number).png", bytes: Array(try #require(Data(base64Encoded: text))))
    }
    let set = try CheckCatalog(files)
    let outcome = try CheckWorkflow(catalog: set.catalog).find(CheckRequest("set"))
    #expect(outcome.findings(of: .exactDuplicate).isEmpty)
    #expect(outcome.findings(of: .nearDuplicate).map(\.samples.count) == [2])
  }

  @Test("A red and a green light are no near duplicates, a re-encoded one and a gray one are")
  func colors() throws {
    func light(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Raster<UInt8> {
      var raster = SeededPhoto.raster(seed: 21)
      for y in 40..<90 {
        for x in 90..<140 {
          (raster[x, y, 0], raster[x, y, 1], raster[x, y, 2]) = (red, green, blue)
        }
      }
      return raster
    }
    // Both colors have the luma 93.
    let (red, green) = (light(220, 40, 35), light(30, 135, 45))
    let set = try CheckCatalog([
      ("a/red.jpg", try ImageCodec.encodeJPEG(red, quality: 95)),
      ("a/green.jpg", try ImageCodec.encodeJPEG(green, quality: 95)),
      ("a/red-60.jpg", try ImageCodec.encodeJPEG(red, quality: 60)),
    ])
    let workflow = CheckWorkflow(catalog: set.catalog)
    let found = try workflow.find(CheckRequest("set", kinds: [.nearDuplicate]))
    #expect(names(found, .nearDuplicate).map(Set.init) == [["red.jpg", "red-60.jpg"]])
    let gray = try CheckCatalog([
      ("a/red.jpg", try ImageCodec.encodeJPEG(red, quality: 95)),
      ("a/gray.jpg", try ImageCodec.encodeJPEG(GrayConversion.gray(red), quality: 95)),
    ])
    let other = try CheckWorkflow(catalog: gray.catalog).find(
      CheckRequest("set", kinds: [.nearDuplicate]))
    #expect(names(other, .nearDuplicate).map(Set.init) == [["red.jpg", "gray.jpg"]])
  }

  @Test("A JPEG that lacks only its end marker is named so and compared; a cut one is unreadable")
  func missingEnd() throws {
    let whole = try CheckCatalog.jpeg(3)
    let set = try CheckCatalog([
      ("a/whole.jpg", whole), ("a/end.jpg", whole.dropLast(2)), ("a/cut.jpg", whole.dropLast(400)),
    ])
    let found = try CheckWorkflow(catalog: set.catalog).find(CheckRequest("set"))
    #expect(names(found, .missingEnd) == [["end.jpg"]])
    #expect(names(found, .unreadable) == [["cut.jpg"]])
    #expect(names(found, .nearDuplicate).map(Set.init) == [["whole.jpg", "end.jpg"]])
  }

  @Test("Names with characters that reorder text are shown with these characters visible")
  func reordering() throws {
    let name = "gpj.\u{202E}exe.jpg"
    let set = try CheckCatalog([
      ("a/1.jpg", try CheckCatalog.jpeg(1)), ("a/" + name, try CheckCatalog.jpeg(1)),
    ])
    let workflow = CheckWorkflow(catalog: set.catalog)
    let page = String(
      decoding: try workflow.page(try workflow.find(CheckRequest("set"))), as: UTF8.self)
    #expect(!page.unicodeScalars.contains("\u{202E}") && page.contains("gpj.\\u{202e}exe.jpg"))
  }

  @Test("Names with characters of HTML are escaped on the page")
  func names() throws {
    let name = "<b>&\"quoted\"'.jpg"
    let set = try CheckCatalog([
      ("a/1.jpg", try CheckCatalog.jpeg(1)), ("a/" + name, try CheckCatalog.jpeg(1)),
    ])
    let workflow = CheckWorkflow(catalog: set.catalog)
    let page = String(
      decoding: try workflow.page(try workflow.find(CheckRequest("set"))), as: UTF8.self)
    #expect(!page.contains("<b>&") && page.contains("&lt;b&gt;&amp;&quot;quoted&quot;"))
  }

  @Test("Sets are joined whatever the order")
  func sets() {
    var sets = DisjointSets(count: 7)
    sets.join(5, 2)
    sets.join(6, 5)
    sets.join(0, 3)
    #expect(sets.groups() == [[0, 3], [2, 5, 6]])
    #expect(sets.root(of: 1) == 1)
  }
}

@Suite("Checks of annotations")
struct AnnotationRuleTests {
  private func region(
    _ ordinal: Int, _ category: Int, _ x: Double, _ y: Double, _ width: Double, _ height: Double,
    isCrowd: Bool = false
  ) -> AnnotationRecord {
    AnnotationRecord(
      ordinal: ordinal, category: category, shape: .box, isCrowd: isCrowd,
      box: Box(x: x, y: y, width: width, height: height))
  }

  private func problems(_ regions: [AnnotationRecord]) -> [FindingKind: Double] {
    let found = AnnotationRule.problems(
      regions, size: ImageSize(width: 100, height: 80), classes: ["cat", "dog"])
    return Dictionary(uniqueKeysWithValues: found.map { ($0.kind, $0.score) })
  }

  /// A region with a polygon in a box at (10, 10) of 40 × 40 pixels.
  private func polygon(_ ordinal: Int, _ points: [Double]) -> AnnotationRecord {
    AnnotationRecord(
      ordinal: ordinal, category: 0, shape: .polygon, box: Box(x: 10, y: 10, width: 40, height: 40),
      geometry: Geometry.polygons([points]).packed)
  }

  @Test("Regions with shapes are duplicates by their pixels, not by their boxes")
  func shapes() {
    let upper = polygon(0, [10, 10, 50, 10, 10, 50])
    let lower = polygon(1, [50, 50, 50, 10, 10, 50])
    #expect(problems([upper, lower]).isEmpty)
    var copy = polygon(1, [10, 10, 50, 10, 10, 50])
    #expect(problems([upper, copy]) == [.duplicateAnnotation: 1])
    // A shape and a box are compared by their boxes.
    #expect(problems([upper, region(1, 0, 10, 10, 40, 40)]) == [.duplicateAnnotation: 1])
    // Without the image's size or with a damaged shape too.
    #expect(
      AnnotationRule.problems([upper, lower], size: nil, classes: ["cat"]).map(\.kind)
        == [.duplicateAnnotation])
    copy.geometry = [1, 2, 3]
    #expect(problems([upper, copy]) == [.duplicateAnnotation: 1])
  }

  @Test("Masks whose boxes differ by a pixel at the border are duplicates by their pixels")
  func spur() {
    let square = polygon(0, [10, 10, 50, 10, 50, 50, 10, 50])
    var other = polygon(1, [10, 10, 50, 10, 50, 49, 56, 49, 56, 50, 10, 50])
    other.box = Box(x: 10, y: 10, width: 46, height: 40)
    #expect(problems([square, other]) == [.duplicateAnnotation: 1])
  }

  @Test("A problem names the regions to show: of duplicates, both")
  func shown() {
    let found = AnnotationRule.problems(
      [region(0, 0, 10, 10, 40, 40), region(1, 1, 5, 5, 3, 3), region(2, 0, 10, 10, 40, 40)],
      size: ImageSize(width: 100, height: 80), classes: ["cat", "dog"])
    #expect(found.map(\.kind) == [.tinyAnnotation, .duplicateAnnotation])
    #expect(found.map(\.ordinals) == [[1], [0, 2]])
  }

  @Test("Boxes beyond the image by more than a pixel are outside")
  func outside() {
    #expect(problems([region(0, 0, -1, 0, 20, 80), region(1, 0, 10, 10, 91, 10)]).isEmpty)
    #expect(
      problems([region(0, 0, -1.5, 0, 20, 20), region(1, 1, 90, 10, 20, 10)])
        == [.outsideBox: 2])
  }

  @Test("A box without width or height is degenerate, one below 16 pixels is tiny")
  func small() {
    #expect(
      problems([
        region(0, 0, 5, 5, 0, 9), region(1, 0, 5, 5, 3.9, 4), region(2, 0, 5, 20, 4, 4),
      ]) == [.degenerateAnnotation: 1, .tinyAnnotation: 1])
  }

  @Test("Two regions of one class at one place are duplicates; crowds and other classes are not")
  func duplicates() {
    let box = region(0, 0, 10, 10, 40, 40)
    #expect(problems([box, region(1, 0, 10.5, 10, 40, 40)]) == [.duplicateAnnotation: 1])
    #expect(problems([box, region(1, 1, 10.5, 10, 40, 40)]).isEmpty)
    #expect(problems([box, region(1, 0, 13, 10, 40, 40)]).isEmpty)
    #expect(problems([box, region(1, 0, 10, 10, 40, 40, isCrowd: true)]).isEmpty)
    #expect(
      problems([box, region(1, 0, 10, 10, 40, 40), region(2, 0, 10, 10, 40, 40)])
        == [.duplicateAnnotation: 2])
  }

  @Test("Annotations without an image size are checked for everything but their place")
  func unknownSize() {
    let found = AnnotationRule.problems(
      [region(0, 0, -50, 0, 20, 0)], size: nil, classes: ["cat"])
    #expect(found.map(\.kind) == [.degenerateAnnotation])
    #expect(found.first?.message == "cat without width or height")
  }
}
