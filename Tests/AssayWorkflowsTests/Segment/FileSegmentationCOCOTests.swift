import AssayCore
import AssayFormats
import Foundation
import Testing

import AssayWorkflows

/// COCO files are read for masks as for `--iou-type segm`: invalid entries are repaired or left
/// out, and reported.
@Suite("Masks of odd COCO files")
struct FileSegmentationCOCOTests {
  /// Two images of 4 × 4 pixels.
  private static let images = """
    {"id": 1, "file_name": "a.png", "width": 4, "height": 4},
    {"id": 2, "file_name": "b.png", "width": 4, "height": 4}
    """
  private static let categories = #"{"id": 1, "name": "cup"}, {"id": 2, "name": "dog"}"#
  /// The left half, 8 pixels.
  private static let left = "[[0, 0, 2, 0, 2, 4, 0, 4]]"
  /// All 16 pixels, as run lengths.
  private static let full = #"{"size": [4, 4], "counts": [0, 16]}"#

  private static func entry(_ image: String, _ category: String, _ region: String) -> String {
    """
    {"id": 7, "image_id": \(image), "category_id": \(category), "segmentation": \(region), \
    "bbox": [0, 0, 2, 4], "area": 8, "iscrowd": 0, "score": 0.5}
    """
  }

  private static func truth(
    _ annotations: String..., images: String = Self.images, categories: String? = Self.categories
  ) -> String {
    let categories = categories.map { #", "categories": [\#($0)]"# } ?? ""
    return """
      {"images": [\(images)], "annotations": [\(annotations.joined(separator: ","))]\(categories)}
      """
  }

  /// A valid annotation or result of image 1.
  private static let sound = entry("1", "1", left)

  private func evaluate(
    _ truth: String, _ results: String, category: String? = nil
  ) throws -> FileSegmentationResult {
    let root = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: root) }
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    for (name, text) in [("gt.json", truth), ("dt.json", results)] {
      try Data(text.utf8).write(to: root.appending(path: name))
    }
    return try FileSegmentation(
      truth: root.appending(path: "gt.json").path, dt: root.appending(path: "dt.json").path,
      classes: category
    ).evaluate(EvaluationSettings())
  }

  private static let united =
    "the regions of all categories are merged on both sides; --classes NAME evaluates one"

  @Test("Sound files have no notes but the one on categories")
  func sound() throws {
    let result = try evaluate(
      Self.truth(Self.sound, Self.entry("2", "2", Self.full)),
      "[\(Self.sound), \(Self.entry("2", "1", Self.left))]")
    #expect(result.notes == [Self.united] && result.files == ["a.png", "b.png"])
    #expect(result.scores[.meanIoU].value == 0.75)
    let cups = try evaluate(
      Self.truth(Self.sound, Self.entry("2", "2", Self.full)),
      "[\(Self.sound), \(Self.entry("2", "1", Self.left))]", category: "cup")
    #expect(cups.notes == [] && cups.scores[.meanIoU].value == 0.5)
  }

  @Test(
    "An odd region is corrected or left out, on either side",
    arguments: [
      (
        "[0, 0, 2, 0, 2, 4, 0, 4]", 1.0, "whose segmentation is not a list of polygons: corrected",
        "the polygon is not in a list of polygons"
      ),
      (
        "[[0, 0, 2, 0, 2, 4, 0, 4, 9]]", 1.0, "with an odd polygon: corrected",
        "a polygon has an odd count of numbers, 9; the last one is left out"
      ),
      (
        #"{"size": [4, 5], "counts": [0, 20]}"#, 0.0,
        "whose run lengths are for another size than its image: left out", "5×4 for an image of 4×4"
      ),
      (
        #"{"size": [4, 4], "counts": [0, 15]}"#, 0.0,
        "whose segmentation cannot be used: left out", "/segmentation"
      ),
      (
        #""left""#, 0.0, "whose segmentation cannot be used: left out",
        "'segmentation' has an unsupported type"
      ),
      ("null", 1.0, "without a segmentation: its bbox is used as its region", "/1/segmentation"),
      ("[]", 1.0, "without a segmentation: its bbox is used as its region", "/1/segmentation"),
    ])
  func regions(_ region: String, _ iou: Double, _ rule: String, _ detail: String) throws {
    let sound = Self.entry("2", "1", Self.left)
    let odd = Self.entry("1", "1", region)
    let inTruth = try evaluate(Self.truth(sound, odd), "[\(sound), \(Self.sound)]")
    let inResults = try evaluate(Self.truth(sound, Self.sound), "[\(sound), \(odd)]")
    for (result, noun) in [(inTruth, "1 annotation "), (inResults, "1 result ")] {
      #expect(result.scores[.meanIoU].value == (1 + iou) / 2)
      #expect(result.notes.count == 2 && result.notes.last == Self.united)
      #expect(result.notes[0].hasPrefix(noun + rule), "\(result.notes)")
      #expect(result.notes[0].contains(detail), "\(result.notes)")
    }
  }

  @Test("Masks need neither a score nor, where all are united, a category")
  func fields() throws {
    let bare = #"{"image_id": 1, "segmentation": \#(Self.left)}"#
    let result = try evaluate(Self.truth(bare, categories: nil), "[\(bare)]")
    #expect(result.scores[.meanIoU].value == 1 && result.notes == [Self.united])
    let other = Self.entry("1", "77", Self.left)
    #expect(try evaluate(Self.truth(other), "[\(other)]").notes == [Self.united])
    let scoreless = #"{"image_id": 1, "category_id": 1, "segmentation": \#(Self.left)}"#
    let cups = try evaluate(Self.truth(scoreless), "[\(scoreless)]", category: "cup")
    #expect(cups.scores[.meanIoU].value == 1 && cups.notes == [])
    let partly = try evaluate(
      Self.truth(scoreless, bare, other), "[\(scoreless), \(bare), \(other)]", category: "cup")
    #expect(
      partly.notes == [
        "1 annotation without an image_id or category_id: left out "
          + "(/annotations/1/category_id, 'category_id' is missing)",
        "1 annotation of an unknown category: left out (/annotations/2/category_id, category_id 77)",
        "1 result without an image_id or category_id: left out "
          + "(/1/category_id, 'category_id' is missing)",
        "1 result of an unknown category: left out (/2/category_id, 77)",
      ])
    #expect(throws: COCOFileError.self) {
      try evaluate(Self.truth(scoreless, categories: nil), "[\(scoreless)]", category: "cup")
    }
  }

  @Test("Another file of instances can stand for the results, with and without scores")
  func instances() throws {
    let scoreless = #"{"image_id": 1, "category_id": 1, "segmentation": \#(Self.left)}"#
    let truth = Self.truth(scoreless)
    #expect(try evaluate(truth, truth).scores[.meanIoU].value == 1)
    #expect(try evaluate(truth, truth, category: "cup").scores[.meanIoU].value == 1)
  }

  @Test("Results of images that the truth has not are left out; if all are, the file is refused")
  func unknownImages() throws {
    let strangers = [Self.entry("8", "1", Self.left), Self.entry("9", "1", Self.left)]
    let note = "2 images of the results are not in the ground truth and were left out"
    let result = try evaluate(
      Self.truth(Self.sound), "[\(([Self.sound] + strangers).joined(separator: ","))]")
    #expect(result.notes == [note, Self.united] && result.scores[.meanIoU].value == 1)
    let error = #expect(throws: FileSegmentationError.self) {
      try evaluate(Self.truth(Self.sound), "[\(strangers.joined(separator: ","))]")
    }
    let text = error.map { "\($0)" } ?? ""
    #expect(text.contains("dt.json: none of 2 results can be used"))
    #expect(text.contains("2 results of unknown images: left out (first: /0/image_id, 8)"))
  }

  @Test("A category that no result has is a category that was not found, and no error")
  func nothingOfCategory() throws {
    let result = try evaluate(
      Self.truth(Self.entry("1", "2", Self.left)), "[\(Self.sound)]", category: "dog")
    #expect(result.scores[.meanIoU].value == 0 && result.notes == [])
    #expect(try evaluate(Self.truth(Self.sound), "[]").scores[.meanIoU].value == 0)
  }

  @Test("Ids of another type are matched and reported")
  func mistyped() throws {
    let result = try evaluate(
      Self.truth(Self.entry("\"1\"", "1", Self.left)), "[\(Self.entry("\"1\"", "1", Self.left))]")
    #expect(result.scores[.meanIoU].value == 1 && result.notes.count == 3)
    #expect(result.notes[0].contains("matched to the image or category with that id"))
    #expect(result.notes[1].contains("matched to the image with that id"))
  }

  @Test("Categories of one name are classes of their own, as everywhere")
  func repeatedNames() throws {
    let categories = #"{"id": 1, "name": "cup"}, {"id": 2, "name": "cup"}"#
    let truth = Self.truth(
      Self.sound, Self.entry("1", "2", Self.full), categories: categories)
    let results = "[\(Self.sound)]"
    let first = try evaluate(truth, results, category: "cup")
    #expect(first.scores[.meanIoU].value == 1, "united, the truth would have all pixels")
    #expect(first.notes.count == 1 && first.notes[0].contains("distinguished by id"))
    let second = try evaluate(truth, results, category: "cup (id 2)")
    #expect(second.scores[.meanIoU].value == 0)
  }

  @Test("An image that is listed twice is one sample; one without an id is none")
  func images() throws {
    let images =
      Self.images + #", {"id": 1, "file_name": "c.png", "width": 4, "height": 4}"#
      + #", {"file_name": "d.png", "width": 4, "height": 4}"#
    let result = try evaluate(Self.truth(Self.sound, images: images), "[\(Self.sound)]")
    #expect(result.files == ["a.png", "b.png"] && result.notes.count == 3)
    let unnamed =
      #"{"id": 1, "width": 4, "height": 4}, {"id": 2, "file_name": 3, "width": 4, "height": 4}"#
    #expect(
      try evaluate(Self.truth(Self.sound, images: unnamed), "[\(Self.sound)]").files
        == ["/images/0", "/images/1"])
  }

  @Test("Every image needs a size")
  func sizes() {
    let error = #expect(throws: FileSegmentationError.self) {
      try evaluate(
        Self.truth(Self.sound, images: #"{"id": 1, "width": 4, "height": 4}, {"id": 5}"#),
        "[\(Self.sound)]")
    }
    #expect(error.map { "\($0)".contains("gt.json: image 5 needs a width and height") } ?? false)
  }

  @Test("Files of boxes alone are refused on either side")
  func boxes() {
    let box = #"{"image_id": 1, "category_id": 1, "bbox": [0, 0, 2, 4], "score": 0.5}"#
    for (truth, results, name) in [
      (Self.truth(box), "[\(Self.sound)]", "gt.json: no annotation"),
      (Self.truth(Self.sound), "[\(box)]", "dt.json: no result"),
    ] {
      let error = #expect(throws: FileSegmentationError.self) { try evaluate(truth, results) }
      #expect(error.map { "\($0)".contains("\(name) has a 'segmentation'") } ?? false)
    }
  }

  @Test("Files with rules of their own are refused, as they are for objects")
  func foreign() {
    let lvis = #"{"id": 1, "width": 4, "height": 4, "neg_category_ids": []}"#
    let panoptic = #"{"image_id": 1, "segments_info": []}"#
    for (truth, kind) in [
      (Self.truth(Self.sound, images: lvis), COCOForeignFile.Kind.lvis),
      (Self.truth(panoptic), .panoptic),
    ] {
      let error = #expect(throws: COCOForeignFile.self) { try evaluate(truth, "[\(Self.sound)]") }
      #expect(error?.kind == kind)
    }
  }

  @Test(
    "What is no file of COCO's is refused with its place",
    arguments: [
      "", "[]", "{}", #"{"images": []}"#, #"{"images": [], "annotations": []}"#, "no JSON",
      #"{"images": [{"id": 1, "width": 4, "height": 4}], "annotations": 7}"#,
      #"{"images": [{"id": 1, "width": 4, "height": 4}], "annotations": [{]}"#,
    ])
  func noTruth(_ text: String) {
    let error = #expect(throws: (any Error).self) { try evaluate(text, "[\(Self.sound)]") }
    #expect(error.map { $0 is COCOFileError || $0 is FormatError } ?? false)
  }

  @Test("Results that are no list are refused", arguments: ["", "{}", "7", "[1", #"[{"a":}]"#])
  func noResults(_ text: String) {
    let error = #expect(throws: (any Error).self) { try evaluate(Self.truth(Self.sound), text) }
    #expect(error.map { $0 is COCOFileError || $0 is FormatError } ?? false)
  }
}
