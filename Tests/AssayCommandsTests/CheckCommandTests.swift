import ArgumentParser
import AssayCore
import AssayImaging
import AssayTestSupport
import Foundation
import Testing

@testable import AssayCommands

@Suite("assay check")
struct CheckCommandTests {
  /// A program whose folder holds `pets` with one image in both splits, and a cut image.
  private func pets() throws -> Program {
    let program = try Program()
    let one = try ImageCodec.encodeJPEG(SeededPhoto.raster(seed: 1), quality: 90)
    let half = Resize.area(SeededPhoto.raster(seed: 1), to: ImageSize(width: 120, height: 90))
    let files: [(String, [UInt8])] = [
      ("train/cat/1.jpg", one), ("val/cat/1.jpg", try ImageCodec.encodeJPEG(half)),
      ("train/dog/2.jpg", try ImageCodec.encodeJPEG(SeededPhoto.raster(seed: 2))),
      ("val/dog/3.jpg", Array(one.dropLast(700))),
    ]
    for (name, bytes) in files { try program.folder.write("pets/" + name, bytes) }
    let outcome = try program.run("import", "pets:image-folder", "--name", "pets")
    try #require(outcome.status == 0, "\(outcome.stderr)")
    return program
  }

  @Test("JSON has the findings with their kinds and samples")
  func json() throws {
    let program = try pets()
    let outcome = try program.run("check", "pets", "--json")
    #expect(outcome.status == 0, "\(outcome.stderr)")
    let json = try JSONValue(parsing: outcome.stdout)
    let findings = json["findings"]?.elements ?? []
    let leak = findings.first { $0["kind"]?.text == "leakage" }
    #expect(
      leak?["samples"]?.elements?.compactMap(\.text) == ["train/cat/1.jpg", "val/cat/1.jpg"])
    #expect(findings.contains { $0["kind"]?.text == "unreadable" })
    #expect(json["leakage"]?["splits"]?.elements?.compactMap(\.text) == ["train", "val"])
    let query = try program.run("query", "issue = nearDuplicate", "--count", "--in", "pets")
    #expect(query.stdout == "2\n", "\(query.stderr)")
  }

  @Test("The exit status is 1 if a kind of --fail-on is found")
  func failing() throws {
    let program = try pets()
    #expect(try program.run("check", "pets", "--fail-on", "leakage,unreadable").status == 1)
    #expect(try program.run("check", "pets", "--fail-on", "blank").status == 0)
    // A gate for leakage that cannot find any must not pass.
    let one = try program.run("check", "pets/train", "--fail-on", "leakage")
    #expect(one.status == 2 && one.stderr.contains("fewer than two splits"), "\(one.stderr)")
    let only = try program.run("check", "pets", "--only", "blank,dark")
    #expect(only.stdout.hasPrefix("pets: 4 images, nothing found by 2 checks"), "\(only.stdout)")
  }

  @Test("A report is written, and a file of another program is not overwritten")
  func report() throws {
    let program = try pets()
    let outcome = try program.run("check", "pets", "--out", "r.html")
    #expect(outcome.status == 0, "\(outcome.stderr)")
    #expect(outcome.stdout.contains("report: r.html"))
    #expect(try program.folder.read("r.html").contains("Leakage between splits"))
    #expect(try program.run("check", "pets", "--out", "r.html").status == 0)
    try program.folder.write("mine.html", "mine")
    #expect(try program.run("check", "pets", "--out", "mine.html").status == 2)
    #expect(try program.folder.read("mine.html") == "mine")
  }

  @Test("A label that a run confidently contradicts is a likely error; no other one is")
  func labelErrors() throws {
    let program = try Program()
    // The third sample is labeled cat, but predicted dog.
    try program.folder.write(
      "set.csv", "label,pixels\n0,1 2 3 4\n0,2 3 4 5\n0,9 8 7 6\n1,9 8 7 5\n1,8 8 7 5\n1,8 7 7 5\n")
    try program.folder.write(
      "scores.csv", "cat,dog\n0.9,0.1\n0.9,0.1\n0.05,0.95\n0.1,0.9\n0.1,0.9\n0.45,0.55\n")
    let imported = try program.run(
      "import", "set.csv", "--name", "set", "--size", "2x2", "--classes", "cat,dog")
    #expect(imported.status == 0, "\(imported.stderr)")
    let run = try program.run("predictions", "import", "scores.csv", "--name", "r", "--in", "set")
    #expect(run.status == 0, "\(run.stderr)")
    let outcome = try program.run("check", "set", "--only", "labelError", "--run", "r", "--json")
    let findings = try JSONValue(parsing: outcome.stdout)["findings"]?.elements ?? []
    #expect(findings.count == 1, "\(outcome.stdout)\(outcome.stderr)")
    #expect(findings.first?["message"]?.text == "label cat (p = 0.05), predicted dog (0.95)")
  }

  /// A program with the COCO dataset `street` of two images and the run `r`: a box outside, a tiny box, a
  /// box drawn twice, and a dog that the run is sure is a cat.
  private func street() throws -> Program {
    let program = try Program()
    for number in 1...2 {
      try program.folder.write(
        "street/\(number).jpg",
        try ImageCodec.encodeJPEG(SeededPhoto.raster(seed: UInt64(number)), quality: 90))
    }
    let boxes: [(image: Int, category: Int, box: [Int])] = [
      (1, 1, [-30, 20, 80, 60]), (1, 1, [100, 100, 3, 4]), (1, 2, [150, 40, 60, 60]),
      (1, 2, [150, 40, 60, 61]), (2, 2, [20, 20, 90, 70]),
    ]
    let annotations = boxes.enumerated().map { place, one in
      """
      {"id": \(place + 1), "image_id": \(one.image), "category_id": \(one.category), "iscrowd": 0, \
      "bbox": \(one.box), "area": \(one.box[2] * one.box[3])}
      """
    }
    let images = (1...2).map {
      "{\"id\": \($0), \"file_name\": \"\($0).jpg\", \"width\": 240, \"height\": 180}"
    }
    try program.folder.write(
      "street.json",
      """
      {"images": [\(images.joined(separator: ","))], "annotations": [\(annotations.joined(separator: ","))],
      "categories": [{"id": 1, "name": "cat"}, {"id": 2, "name": "dog"}]}
      """)
    try program.folder.write(
      "results.json",
      """
      [{"image_id": 2, "category_id": 1, "bbox": [20, 20, 90, 70], "score": 0.97},
       {"image_id": 1, "category_id": 2, "bbox": [150, 40, 60, 60], "score": 0.9}]
      """)
    let imported = try program.run(
      "import", "street.json:coco", "--images", "street", "--name", "street")
    try #require(imported.status == 0, "\(imported.stderr)")
    let run = try program.run(
      "predictions", "import", "results.json", "--name", "r", "--in", "street")
    try #require(run.status == 0, "\(run.stderr)")
    return program
  }

  @Test("The page draws the annotations of a finding and the prediction that contradicts them")
  func drawings() throws {
    let program = try street()
    let outcome = try program.run("check", "street", "--run", "r", "--out", "r.html", "--json")
    #expect(outcome.status == 0, "\(outcome.stderr)")
    let findings = try JSONValue(parsing: outcome.stdout)["findings"]?.elements ?? []
    for kind in ["outsideBox", "tinyAnnotation", "duplicateAnnotation", "labelError"] {
      #expect(findings.count { $0["kind"]?.text == kind } == 1, "\(kind): \(outcome.stdout)")
    }
    let page = try program.folder.read("r.html")
    func section(_ id: String) -> Substring {
      page.split(separator: "<section ").first { $0.hasPrefix("id=\"\(id)\"") } ?? ""
    }
    #expect(section("outsideBox").components(separatedBy: "<svg class=\"photo").count == 2)
    // The whole image, and the box enlarged.
    #expect(section("tinyAnnotation").components(separatedBy: "<svg class=\"photo").count == 3)
    #expect(section("duplicateAnnotation").components(separatedBy: ">dog</text>").count == 3)
    #expect(section("outsideBox").contains(">cat</text>"))
    #expect(!section("outsideBox").contains(">dog</text>"))
    let error = section("labelError")
    #expect(error.contains(">dog</text>") && error.contains(">cat 0.97</text>"), "\(error)")
    #expect(error.contains("orange: prediction of r"))
    #expect(section("outsideBox").contains("annotations of the finding"))
  }

  @Test("An image whose features are far from all others is an outlier", .openVINO)
  func outliers() throws {
    let program = try Program()
    let rows = (0..<12).map { "0,\(250 - $0) 250 \(240 + $0) 245" } + ["1,0 0 2 1"]
    try program.folder.write("squares.csv", (["label,pixels"] + rows).joined(separator: "\n"))
    try program.folder.write("m.yaml", ModelCommandTests.manifest)
    for arguments in [
      ["import", "squares.csv:pixel-csv", "--name", "squares", "--classes", "bright,dark"],
      [
        "model", "add", ModelCommandTests.models + "/tiny.onnx", "--manifest", "m.yaml", "--name",
        "t",
      ],
    ] {
      let outcome = try program.run(arguments)
      try #require(outcome.status == 0, "\(outcome.stderr)")
    }
    let outcome = try program.run(
      "check", "squares", "--only", "outlier", "--features", "t", "--json", "--out", "r.html")
    #expect(outcome.status == 0, "\(outcome.stderr)")
    let json = try JSONValue(parsing: outcome.stdout)
    let findings = json["findings"]?.elements ?? []
    #expect(findings.count == 1, "\(outcome.stdout)")
    #expect(findings.first?["neighbors"]?.elements?.count == 10)
    let sample = findings.first?["samples"]?.elements?.first?.text ?? ""
    let query = try program.run("query", "issue = outlier", "--count", "--in", "squares")
    #expect(query.stdout == "1\n", "\(query.stderr)")
    #expect(json["notes"]?.elements?.first?.text?.contains("2 features from the output") == true)
    let page = try program.folder.read("r.html")
    #expect(page.contains("neighbor, bright") && page.contains(sample))
    let other = try program.run("check", "squares", "--features", "t:nothing")
    #expect(other.status == 2)
    #expect(other.stderr.contains("the model has no output “nothing”; it has"), "\(other.stderr)")
    #expect(try program.run("check", "squares", "--features", "u").status == 2)
    let few = try program.run(
      "check", "squares/-", "--only", "outlier", "--features", "t", "--fail-on", "dark")
    #expect(few.status == 64)
  }

  @Test("Unknown kinds, and label errors without a run, are usage errors")
  func usage() throws {
    for arguments in [
      ["set", "--only", "duplicates"], ["set", "--only", ""], ["set", "--only", "labelError"],
      ["set", "--only", "blank", "--fail-on", "dark"], ["set", "--fail-on", "labelError"],
      ["set", "--only", "blank", "--run", "r1"], ["set", "--only", "outlier"],
      ["set", "--fail-on", "outlier"], ["set", "--only", "blank", "--features", "m"],
      ["set", "--workers", "0"],
    ] {
      #expect(throws: (any Error).self, "\(arguments)") { try CheckCommand.parse(arguments) }
    }
    #expect(try CheckCommand.parse(["set", "--only", "blank, dark"]).only == "blank, dark")
    let outcome = try Program().run("check", "set", "--only", "nearDuplicates")
    #expect(outcome.status == 64)
    #expect(outcome.stderr.contains("did you mean “nearDuplicate”?"), "\(outcome.stderr)")
  }
}
