import AssayCore
import AssayImaging
import AssayTestSupport
import Foundation
import Testing

/// Boxes, polygons, masks, lines, points, tracks, captions and votes in queries, statistics and exports.
@Suite("Kinds of annotations")
struct AnnotationKindsTests {
  private let program: Program

  init() throws {
    program = try Program()
    let image = try ImageCodec.encodePNG(
      Raster<UInt8>(repeating: 90, width: 20, height: 10, channels: 3))
    for name in ["kinds/1.png", "kinds/2.png", "captions/1.png", "captions/2.png"] {
      try program.folder.write(name, image)
    }
    try program.folder.write(
      "kinds/kinds.json",
      """
      {"dm_format_version":"1.0","info":{},"categories":{"label":{"labels":[{"name":"cat","parent":""},
      {"name":"road","parent":""}],"attributes":[]}},"items":[
      {"id":"1","image":{"path":"1.png","size":[10,20]},"annotations":[
      {"id":0,"type":"bbox","label_id":0,"bbox":[1,1,5,5],"attributes":{}},
      {"id":1,"type":"polygon","label_id":0,"points":[1,1,5,1,5,5],"attributes":{"track_id":4,"track":4}},
      {"id":2,"type":"polyline","label_id":1,"points":[0,0,9,9],"attributes":{}},
      {"id":3,"type":"points","label_id":0,"points":[3,3],"attributes":{}},
      {"id":4,"type":"caption","caption":"a cat on a mat","attributes":{}}]},
      {"id":"2","image":{"path":"2.png","size":[10,20]},"annotations":[
      {"id":0,"type":"polygon","label_id":0,"points":[2,1,6,1,6,5],"attributes":{"track":4}}]}]}
      """)
    try program.folder.write(
      "captions/metadata.jsonl",
      """
      {"file_name":"1.png","text":"a cat","votes":{"cat":7,"dog":3}}
      {"file_name":"2.png","text":"two dogs","votes":{"cat":1,"dog":9}}

      """)
  }

  @discardableResult
  private func run(_ arguments: String..., status: Int32 = 0) throws -> Program.Outcome {
    let outcome = try program.run(arguments)
    try #require(
      outcome.status == status, "\(arguments): \(outcome.stdout)\(outcome.stderr)")
    return outcome
  }

  private func count(_ expression: String, in dataset: String) throws -> Int? {
    let found = try run("query", expression, "--in", dataset, "--count", "--json").json()
    return found["count"]?.double.map { Int($0) }
  }

  @Test("Queries tell the kinds of annotations apart")
  func query() throws {
    try run("import", "kinds")
    for (shape, samples) in [("box", 1), ("polygon", 2), ("polyline", 1), ("points", 1)] {
      #expect(try count("objects(shape = \(shape)) > 0", in: "kinds") == samples, "\(shape)")
    }
    #expect(try count("objects(shape = mask) > 0", in: "kinds") == 0)
    #expect(try count("objects(shape like \"poly*\") = 2", in: "kinds") == 1)
    #expect(try count("objects(shape in (polyline, points)) = 2", in: "kinds") == 1)
    #expect(try count("objects(shape != box and class = cat) = 2", in: "kinds") == 1)
    let wrong = try run("query", "objects(shape = poligon) > 0", "--in", "kinds", status: 2)
    #expect(wrong.stderr.contains("did you mean “polygon”"), "\(wrong.stderr)")
  }

  @Test("Labels of images are searched by their attributes, such as captions")
  func captions() throws {
    try run("import", "kinds")
    #expect(try count("labels(caption like \"*mat*\") > 0", in: "kinds") == 1)
    #expect(try count("labels(caption like \"*dog*\") > 0", in: "kinds") == 0)
    #expect(try count("labels(class = caption) = 1", in: "kinds") == 1)
    #expect(try count("labels = 0", in: "kinds") == 1)
    let text = try run("query", "objects(caption like \"*mat*\") > 0", "--in", "kinds", status: 2)
    #expect(text.stderr.contains("labels of the image have it"), "\(text.stderr)")
    let width = try run("query", "labels(width > 3) > 0", "--in", "kinds", status: 2)
    #expect(width.stderr.contains("labels of the image have no width"), "\(width.stderr)")
  }

  @Test("The label of a corrected image counts as one of its labels")
  func corrected() throws {
    let image = try ImageCodec.encodePNG(
      Raster<UInt8>(repeating: 90, width: 20, height: 10, channels: 3))
    for name in ["cat/1.png", "cat/2.png", "dog/3.png"] {
      try program.folder.write("pets/\(name)", image)
    }
    try run("import", "pets")
    let label = ["corrections", "add", "--sample", "pets:cat/1.png", "--label", "dog"]
    let outcome = try program.run(label, environment: ["ASSAY_AUTHOR": "anna"])
    try #require(outcome.status == 0, "\(outcome.stderr)")
    for (expression, imported, corrected) in [
      ("labels(class = dog) = 1", 1, 2), ("labels(class = cat) = 1", 2, 1),
      ("labels(class != cat) > 0", 1, 2), ("labels(class in (cat, dog)) = 1", 3, 3),
    ] {
      #expect(try count(expression, in: "pets") == imported, "\(expression)")
      let found = try run(
        "query", expression, "--in", "pets", "--count", "--json", "--corrected"
      ).json()
      #expect(found["count"]?.double == Double(corrected), "\(expression): \(found)")
    }
  }

  @Test("A results file of which nothing can be used is no run without detections")
  func results() throws {
    try run("import", "kinds")
    try program.folder.write("scores.json", Data(#"[{"sample":"1.png","cat":0.3}]"#.utf8))
    let refused = try run(
      "predictions", "import", "scores.json", "--name", "r", "--in", "kinds", status: 2)
    #expect(
      refused.stderr.contains("its only result cannot be used")
        && refused.stderr.contains("image_id"), "\(refused.stderr)")
    #expect(try run("query", "run(r).detections > 0", "--in", "kinds", status: 2).status == 2)
  }

  @Test("Members of a field are compared by their names")
  func votes() throws {
    try run("import", "captions")
    #expect(try count("field(votes.cat) > 5", in: "captions") == 1)
    #expect(try count("field(votes.dog) > field(votes.cat)", in: "captions") == 1)
    let wrong = try run("query", "field(votes.cow) > 5", "--in", "captions", status: 2)
    #expect(wrong.stderr.contains("“votes.cow”"), "\(wrong.stderr)")
  }

  @Test("Statistics count the kinds, keypoints, tracks and captions")
  func stats() throws {
    try run("import", "kinds")
    let json = try run("stats", "kinds", "--json").json()
    let kinds = try #require(json["annotations"]?["kinds"]?.elements)
    #expect(
      kinds.map {
        "\($0["kind"]?.text ?? "") \($0["annotations"]?.double ?? 0) \($0["images"]?.double ?? 0)"
      }
        == ["box 1.0 1.0", "polygon 2.0 2.0", "polyline 1.0 1.0", "points 1.0 1.0", "tag 1.0 1.0"])
    #expect(json["annotations"]?["captions"]?.double == 1)
    #expect(json["annotations"]?["in_tracks"]?.double == 2)
    #expect(json["annotations"]?["tracks"]?.double == 1)
    let text = try run("stats", "kinds").stdout
    #expect(
      text.contains(
        "annotations: 1 box, 2 polygons, 1 line, 1 annotation of points, 1 caption, 2 in 1 track"),
      "\(text)")
    #expect(text.contains("2 instances have no area, such as lines and points"), "\(text)")
  }

  @Test(
    "Captions are written and read back, and are never classes",
    arguments: [("hf-imagefolder", "metadata.jsonl"), ("coco", "annotations/captions.json")])
  func convert(format: String, file: String) throws {
    let found = try run("convert", "captions", "--to", format, "out", "--verify", "--json").json()
    #expect(found["lost"]?.double == 0 && found["written"]?.double == 2, "\(found)")
    #expect(found["read_back"]?.double == 2, "\(found)")
    let text = try program.folder.read("out/\(file)")
    #expect(text.contains("two dogs") && !text.contains("\"label\""), "\(text)")
    let folder = try run("convert", "captions", "--to", "image-folder", "folders", "--json").json()
    #expect(folder["announced"]?["captions"]?.double == 2, "\(folder)")
  }

  @Test("Several captions of an image are a list; captions beside objects are announced")
  func several() throws {
    try program.folder.write(
      "captions/metadata.jsonl",
      """
      {"file_name":"1.png","captions":["a cat","one cat"]}
      {"file_name":"2.png","captions":["two dogs"]}

      """)
    try run("convert", "captions", "--to", "hf-imagefolder", "out", "--verify")
    let text = try program.folder.read("out/metadata.jsonl")
    #expect(text.contains(#""captions":["a cat","one cat"]"#), "\(text)")
    try run("convert", "kinds", "--to", "hf-imagefolder", "boxes", "--verify")
    let boxes = try program.folder.read("boxes/kinds/metadata.jsonl")
    #expect(boxes.contains("a cat on a mat") && boxes.contains("bbox"), "\(boxes)")
    let coco = try run("convert", "kinds", "--to", "coco", "coco", "--verify", "--json").json()
    #expect(coco["announced"]?["captions"]?.double == 1, "\(coco)")
  }
}
