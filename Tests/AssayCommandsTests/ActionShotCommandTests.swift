import AssayCore
import AssayImaging
import AssayTestSupport
import Foundation
import Testing

@Suite("assay actionshot", .openVINO)
struct ActionShotCommandTests {
  /// A program with the model `mask`, which returns its input of 4 × 4 pixels as the probability, and a folder
  /// `film` of frames of 40 × 40 pixels, in which a white block of 10 × 20 pixels moves to the right by 5 pixels
  /// a frame; the first frame is empty.
  private func film(frames count: Int = 8) throws -> Program {
    let program = try Program()
    for number in 0..<count {
      var frame = Raster<UInt8>(repeating: 0, width: 40, height: 40)
      if number > 0 {
        for y in 10..<30 { for x in 5 * number..<min(5 * number + 10, 40) { frame[x, y] = 255 } }
      }
      try program.folder.write("film/frame\(number + 5).png", try ImageCodec.encodePNG(frame))
    }
    let manifest = """
      task: segmentation
      input: {width: 4, height: 4, layout: NCHW, color: gray, scale: 1/255, offset: 0, resize: stretch}
      classes: [block]
      """
    try program.folder.write("mask.yaml", Array(manifest.utf8))
    let added = try program.run(
      "model", "add", PackageFolder.fixture("models/mask_nchw.onnx").path, "--manifest",
      "mask.yaml", "--name", "mask")
    try #require(added.status == 0, "\(added.stderr)")
    return program
  }

  @Test("Frames are chosen and drawn; JSON has their names, oldest first, and opacities")
  func json() throws {
    let program = try film()
    let outcome = try program.run(
      "actionshot", "film", "--model", "mask", "--out", "shot.png", "--report", "shot.html",
      "--json")
    try #require(outcome.status == 0, "\(outcome.stderr)")
    let json = try outcome.json()
    let frames = json["frames"]?.elements?.compactMap(\.text) ?? []
    #expect(frames.count == 2 && frames.allSatisfy { $0.hasPrefix("frame") })
    #expect(json["opacity"]?.elements?.compactMap(\.double) == [0.35, 1])
    #expect(json["total"]?.double == 8 && json["axis"]?.text == "horizontal")
    #expect((json["overlap"]?.double ?? 1) <= 0.02)
    // frame9 comes before frame10: the order is that of the numbers.
    let rejected = json["rejected"]?.elements ?? []
    #expect(rejected.first?["frame"]?.text == "frame5.png")
    #expect(rejected.first?["reason"]?.text == "nobody found")
    #expect(rejected.last?["frame"]?.text == "frame12.png")
    let picture = try ImageCodec.decode(
      [UInt8](try Data(contentsOf: program.folder.url.appending(path: "shot.png"))), as: .rgb8)
    #expect(picture.width == 40 && picture.height == 40)
    let page = try String(
      contentsOf: program.folder.url.appending(path: "shot.html"), encoding: .utf8)
    #expect(page.contains("2 of 8 frames") && page.contains("--model mask"))
  }

  @Test("A view gives the same picture as its folder, and frames can be named without suffix")
  func view() throws {
    let program = try film()
    let imported = try program.run("import", "film:image-folder", "--name", "clip")
    try #require(imported.status == 0, "\(imported.stderr)")
    for (source, out) in [("clip", "a.png"), ("./film", "b.png")] {
      let outcome = try program.run(
        "actionshot", source, "--model", "mask", "--out", out, "--frames", "frame8,frame9",
        "--frames",
        "frame7.png", "--json")
      try #require(outcome.status == 0, "\(outcome.stderr)")
      #expect(
        try outcome.json()["frames"]?.elements?.compactMap(\.text)
          == ["frame7.png", "frame8.png", "frame9.png"])
    }
    let bytes = try ["a.png", "b.png"].map {
      try Data(contentsOf: program.folder.url.appending(path: $0))
    }
    #expect(bytes[0] == bytes[1])
  }

  @Test("A segmentation run gives the picture of its model; objects of it give the same frames")
  func runs() throws {
    let program = try film()
    try #require(try program.run("import", "film:image-folder", "--name", "clip").status == 0)
    let predicted = try program.run("predict", "clip", "--model", "mask", "--name", "r")
    try #require(predicted.status == 0, "\(predicted.stderr)")
    let objects = try program.run("predictions", "objects", "r", "--name", "o")
    try #require(objects.status == 0, "\(objects.stderr)")
    // A run that was refined twice still has scores, and so its masks in an export.
    for (source, name) in [("r", "r2"), ("r2", "r3")] {
      let refined = try program.run(
        "predictions", "refine", source, "--name", name, "--steps", "holes")
      try #require(refined.status == 0, "\(refined.stderr)")
      let exported = try program.run(
        "predictions", "export", name, "--format", "coco", "--out", "\(name).json")
      try #require(exported.status == 0, "\(exported.stderr)")
      let results = try JSONValue(parsing: program.folder.read("\(name).json")).elements
      #expect(results?.count == 7)
    }
    var frames: [[String]] = []
    for (option, out) in [
      (["--model", "mask"], "a.png"), (["--run", "r"], "b.png"), (["--run", "o"], "c.png"),
    ] {
      let outcome = try program.run(["actionshot", "clip"] + option + ["--out", out, "--json"])
      try #require(outcome.status == 0, "\(outcome.stderr)")
      frames.append(try outcome.json()["frames"]?.elements?.compactMap(\.text) ?? [])
    }
    #expect(frames[0].count == 2 && frames[1] == frames[0] && frames[2] == frames[0])
    let bytes = try ["a.png", "b.png"].map {
      try Data(contentsOf: program.folder.url.appending(path: $0))
    }
    #expect(bytes[0] == bytes[1])
    for (arguments, text, status) in [
      (["clip"], "either --model NAME or --run NAME", 64),
      (["clip", "--run", "r", "--model", "mask"], "either --model NAME or --run NAME", 64),
      (["clip", "--run", "r", "--rule", "book"], "--rule book needs --model", 64),
      (["./film", "--run", "r"], "not samples of “clip”", 2),
      (["clip", "--run", "o", "--class", "dog"], "the run “o” has no class “dog”", 2),
      (["clip", "--run", "none"], "none", 2),
    ] as [([String], String, Int32)] {
      let outcome = try program.run(["actionshot"] + arguments + ["--out", "x.png"])
      #expect(
        outcome.status == status && outcome.stderr.contains(text), "\(arguments): \(outcome.stderr)"
      )
    }
  }

  @Test("What cannot work is refused with the reason, and nothing is written")
  func refusals() throws {
    let program = try film(frames: 3)
    try program.folder.write("empty/readme.txt", Array("none".utf8))
    var black = Raster<UInt8>(repeating: 0, width: 40, height: 40)
    black[0, 0] = 1
    try program.folder.write("dark/1.png", try ImageCodec.encodePNG(black))
    let cases: [([String], String, Int32)] = [
      (["empty"], "empty has no frames", 2), (["none"], "none", 2),
      (["film/frame5.png"], "is a file", 2), (["dark"], "nobody found: 1", 2),
      (["film", "--frames", "frame77"], "there is no frame “frame77”", 2),
      (["film", "--class", "person"], "has no class “person”; its classes: block", 2),
      (["film", "--refine", "open"], "unknown step “open”", 64),
      (["film", "--max-overlap", "2"], "from 0 to 1", 64),
      (["film", "--rule", "book", "--frames", "frame6"], "not part of --rule book", 64),
      (["film", "--frames", "frame5"], "frame5.png cannot be used: nobody found", 2),
      (["film", "--frames", ",,"], "names no frame", 64),
    ]
    for (arguments, text, status) in cases {
      let outcome = try program.run(
        ["actionshot"] + arguments + ["--model", "mask", "--out", "shot.png"])
      #expect(
        outcome.status == status && outcome.stderr.contains(text), "\(arguments): \(outcome.stderr)"
      )
    }
    let model = try program.run("actionshot", "film", "--model", "none", "--out", "shot.png")
    #expect(model.status == 2 && model.stderr.contains("none"))
    #expect(!FileManager.default.fileExists(atPath: program.folder.path + "/shot.png"))
  }

  @Test("A frame whose name has commas, quotes and a leading minus can be named")
  func oddNames() throws {
    let program = try film(frames: 4)
    let name = "-a b,c'd\"e.png"
    let bytes = [UInt8](
      try Data(contentsOf: program.folder.url.appending(path: "film/frame7.png")))
    try program.folder.write("film/" + name, bytes)
    let outcome = try program.run(
      "actionshot", "film", "--model", "mask", "--out", "shot.png", "--frames=" + name,
      "--frames=frame6,frame8", "--json")
    try #require(outcome.status == 0, "\(outcome.stderr)")
    #expect(
      try outcome.json()["frames"]?.elements?.compactMap(\.text)
        == [name, "frame6.png", "frame8.png"])
  }

  @Test("A damaged frame and one of another size are left out and named")
  func damaged() throws {
    let program = try film()
    let whole = [UInt8](
      try Data(contentsOf: program.folder.url.appending(path: "film/frame8.png")))
    try program.folder.write("film/frame8b.png", Array(whole.dropLast(20)))
    let small = Raster<UInt8>(repeating: 255, width: 20, height: 20)
    try program.folder.write("film/frame99.png", try ImageCodec.encodePNG(small))
    let outcome = try program.run(
      "actionshot", "film", "--model", "mask", "--out", "shot.png", "--json")
    try #require(outcome.status == 0, "\(outcome.stderr)")
    let reasons = Dictionary(
      uniqueKeysWithValues: (try outcome.json()["rejected"]?.elements ?? []).map {
        ($0["frame"]?.text ?? "", $0["reason"]?.text ?? "")
      })
    #expect(reasons["frame99.png"] == "its size is 20 × 20, that of most frames 40 × 40")
    #expect(reasons["frame8b.png"]?.isEmpty == false)
  }

  @Test(
    "The runner of the film is shown four times",
    .outsideData(
      "frames/001.jpg", "models/selfie_segmentation.xml", twin: "ActionShotCommandTests.json"))
  func runner() throws {
    let program = try Program()
    let added = try program.run(
      "model", "add", OutsideFiles.path("models/selfie_segmentation.xml"), "--manifest",
      PackageFolder.url("Datasets/models/selfie.yaml").path, "--name", "selfie")
    try #require(added.status == 0, "\(added.stderr)")
    let outcome = try program.run(
      "actionshot", OutsideFiles.path("frames"), "--model", "selfie", "--out", "shot.png", "--json")
    try #require(outcome.status == 0, "\(outcome.stderr)")
    let json = try outcome.json()
    #expect(
      json["frames"]?.elements?.compactMap(\.text) == ["012.jpg", "014.jpg", "016.jpg", "020.jpg"])
    #expect((json["overlap"]?.double ?? 1) <= 0.02)
  }
}
