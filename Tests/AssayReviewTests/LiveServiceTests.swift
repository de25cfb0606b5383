import AssayCore
import AssayImaging
import AssayStore
import AssayTestSupport
import AssayWorkflows
import Foundation
import Testing

@testable import AssayReview

@Suite("Live recognition", .openVINO)
struct LiveServiceTests {
  /// A catalog with a model of 2 × 2 gray pixels, which says how bright and how dark an image is.
  private struct Place {
    let folder: TemporaryFolder
    let catalog: Catalog

    init() throws {
      folder = try TemporaryFolder()
      catalog = try Catalog.open(folder.path + "/x.db", .create)
      let manifest = """
        task: classification
        input: {width: 2, height: 2, layout: NCHW, color: gray, scale: 1/255, offset: 0, resize: stretch}
        classes: [bright, dark]
        activation: softmax
        """
      try add("logits", as: "tiny", .classification, manifest)
    }

    /// Adds a model of the fixtures.
    func add(_ file: String, as name: String, _ task: ModelTask, _ manifest: String) throws {
      let path = PackageFolder.fixture("models/\(file).onnx").path
      let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
      _ = try catalog.addModel(
        ModelDraft(
          name: name, hash: ContentHash.of(bytes), task: task, path: path, manifest: manifest))
    }

    /// Adds the detector `boxes`, which finds 294 objects in an image of 512 × 512 pixels.
    func addBoxes() throws {
      let manifest = try String(
        contentsOf: PackageFolder.fixture("detect/shapes.yaml"), encoding: .utf8
      ).replacing("width: 128, height: 32", with: "width: 512, height: 512")
      try add("detect_yolox", as: "boxes", .detection, manifest)
    }

    func service(_ change: (inout LiveSettings) -> Void = { _ in }) throws -> LiveService {
      var settings = LiveSettings()
      settings.model = "tiny"
      change(&settings)
      return try LiveService(settings, catalog: catalog)
    }

    /// The keys and the fields of the dataset's samples.
    func samples(_ name: String = "live") throws -> [(key: String, fields: JSONValue)] {
      let rows = try catalog.sql(
        "SELECT s.key, s.attributes FROM sample s JOIN dataset d ON d.id = s.dataset "
          + "WHERE d.name = '\(name)' AND s.retired = 0 ORDER BY s.key", limit: 100
      ).rows
      return try rows.map { row in
        guard case .text(let key) = row[0], case .text(let fields) = row[1] else {
          return ("", .null)
        }
        return (key, try JSONValue(parsing: fields))
      }
    }
  }

  private static func jpeg(_ value: UInt8, width: Int = 8, height: Int = 6) throws -> [UInt8] {
    try ImageCodec.encodeJPEG(
      Raster<UInt8>(repeating: value, width: width, height: height, channels: 3), quality: 90)
  }

  @Test("A frame's answer has its size, its number and the scores of the model")
  func answer() throws {
    let place = try Place()
    let service = try place.service()
    let white = try service.answer(Self.jpeg(255))
    #expect(white["frame"] == 1 && white["width"] == 8 && white["height"] == 6)
    let scores = (white["scores"]?.elements ?? []).compactMap(\.double)
    try #require(scores.count == 2)
    #expect(abs(scores[0] - 0.7310586) < 1e-6 && abs(scores[0] + scores[1] - 1) < 1e-6)
    #expect(try service.answer(Self.jpeg(0))["frame"] == 2)
    #expect(service.overview["name"] == "tiny" && service.overview["captured"] == 0)
  }

  @Test("What is no JPEG image, or too large, is refused, and the next frame is answered")
  func refusals() throws {
    let place = try Place()
    let service = try place.service()
    let png = try ImageCodec.encodePNG(Raster<UInt8>(repeating: 1, width: 2, height: 2))
    let cut = Array(try Self.jpeg(9).dropLast(20))
    let large = try Self.jpeg(9, width: 5_000, height: 5_000)
    for bytes in [[], [1, 2, 3], png, Array(cut.prefix(60)), large] {
      let error = #expect(throws: RequestRefusal.self) { try service.answer(bytes) }
      #expect(error?.code == "badFrame")
    }
    #expect(try service.answer(Self.jpeg(255))["frame"] == 1)
  }

  @Test("One frame is computed at a time; others are refused meanwhile")
  func oneAtATime() async throws {
    let place = try Place()
    let service = try place.service()
    let frame = try Self.jpeg(200, width: 1_200, height: 900)
    let outcomes = await withTaskGroup(of: String.self) { group in
      for _ in 0..<12 {
        group.addTask {
          do {
            _ = try service.answer(frame)
            return "answered"
          } catch {
            return (error as? RequestRefusal)?.code ?? "\(error)"
          }
        }
      }
      return await group.reduce(into: [String]()) { $0.append($1) }
    }
    let answered = outcomes.count { $0 == "answered" }
    #expect(answered >= 1 && outcomes.allSatisfy { ["answered", "busy"].contains($0) })
    #expect(try service.answer(frame)["frame"]?.double == Double(answered + 1))
  }

  @Test(
    "A captured frame is a file at once and a sample after the update, once; the next session goes on"
  )
  func capture() throws {
    let place = try Place()
    let service = try place.service()
    let frame = try Self.jpeg(255)
    _ = try service.answer(frame)
    let stored = try service.capture(frame: 1, reason: "by hand")
    #expect(stored["key"] == "00000000.jpg" && stored["count"] == 1)
    let folder = place.folder.path + "/x.frames/live-captured"
    #expect(FileManager.default.contents(atPath: folder + "/00000000.jpg") == Data(frame))
    #expect(try service.capture(frame: 1, reason: "by hand")["again"] == true)
    #expect(throws: RequestRefusal.self) { try service.capture(frame: 2, reason: "x") }
    for _ in 0..<9 { _ = try service.answer(frame) }
    // Only the last frames are kept.
    #expect(throws: RequestRefusal.self) { try service.capture(frame: 1, reason: "x") }
    _ = try service.capture(frame: 10, reason: "recorded")
    #expect(service.bringUpToDate(waiting: true) == nil)
    let samples = try place.samples()
    #expect(samples.map(\.key) == ["00000000.jpg", "00000001.jpg"])
    #expect(samples.map { $0.fields["reason"]?.text } == ["by hand", "recorded"])
    #expect(samples[0].fields["predicted"]?["label"] == "bright")
    #expect(samples[0].fields["model"] == "tiny" && samples[0].fields["frame"] == 0)
    // Another session cannot write there meanwhile.
    #expect(throws: CaptureError.inUse(folder)) { try place.service() }
  }

  @Test(
    "The captured frames are a view, and runs of the models with the answers that the page showed")
  func runs() throws {
    let place = try Place()
    let service = try place.service { $0.second = "tiny" }
    let values: [UInt8] = [255, 0, 90]
    let answers = try values.enumerated().map { index, value in
      let answer = try service.answer(Self.jpeg(value))
      _ = try service.capture(frame: index + 1, reason: "by hand")
      return answer["scores"]?.elements?.compactMap(\.double) ?? []
    }
    #expect(service.bringUpToDate(waiting: true) == nil && service.capture.added == 3)
    var request = SessionRuns.Request(
      dataset: "live", track: service.capture.track, programVersion: "0")
    request.model = "tiny"
    let made = try SessionRuns(request, catalog: place.catalog).run()
    #expect(made.view == SessionRuns.view(of: "live", track: service.capture.track))
    #expect(made.runs == ["tiny-\(made.view)"])
    let run = try place.catalog.run(named: made.runs[0])
    let stored = try place.catalog.predictions(of: run.id)
    #expect(stored.map(\.sample.key) == ["00000000.jpg", "00000001.jpg", "00000002.jpg"])
    #expect(stored.map { $0.scores.map(Double.init) } == answers)
    // Doing it again computes nothing.
    #expect(try SessionRuns(request, catalog: place.catalog).run() == made)
  }

  @Test("294 objects in a frame are all in the answer, also with further steps for each")
  func manyObjects() throws {
    let place = try Place()
    try place.addBoxes()
    try place.folder.write(
      "p.yaml", "name: p\nsteps:\n  - detect: boxes\n  - classify: tiny\n")
    let frame = try Self.jpeg(255, width: 512, height: 512)
    let plain = try place.service { $0.model = "boxes" }.answer(frame)
    #expect(plain["total"] == 294 && plain["objects"]?.elements?.count == 294)
    let steps = try place.service {
      ($0.model, $0.pipeline, $0.capture) = (nil, place.folder.path + "/p.yaml", "other")
    }.answer(frame)
    let objects = try #require(steps["objects"]?.elements)
    #expect(steps["total"] == 294 && objects.count == 294)
    #expect(objects.allSatisfy { $0["attributes"]?["label"] == "bright" })
  }

  @Test("The masks of a pipeline's objects are in the answer, as run lengths at the frame's size")
  func pipelineMasks() throws {
    let place = try Place()
    try place.addBoxes()
    let masks = """
      task: segmentation
      input: {width: 4, height: 4, layout: NCHW, color: gray, scale: 1/255, offset: 0, resize: stretch}
      classes: [block]
      """
    try place.add("mask_nchw", as: "mask", .segmentation, masks)
    try place.folder.write(
      "p.yaml", "name: p\nsteps:\n  - detect: boxes\n  - segment: mask\n")
    let answer = try place.service {
      ($0.model, $0.pipeline, $0.capture) = (nil, place.folder.path + "/p.yaml", "masks")
    }.answer(try Self.jpeg(255, width: 512, height: 512))
    let runs = try #require(answer["objects"]?.elements?.compactMap { $0["runs"]?.elements })
    #expect(!runs.isEmpty)
    #expect(runs.allSatisfy { $0.compactMap(\.whole).reduce(0, +) == 512 * 512 })
  }

  @Test("Rules and the fields of a captured frame know the labels of a pipeline's classifier")
  func pipelineLabels() throws {
    let place = try Place()
    try place.addBoxes()
    try place.folder.write("p.yaml", "name: p\nsteps:\n  - detect: boxes\n  - classify: tiny\n")
    func service(_ name: String, _ change: @escaping (inout LiveSettings) -> Void) throws
      -> LiveService
    {
      try place.service {
        ($0.model, $0.pipeline, $0.capture) = (nil, place.folder.path + "/p.yaml", name)
        change(&$0)
      }
    }
    let frame = try Self.jpeg(255, width: 512, height: 512)
    let bright = try service("bright") { $0.classes = ["bright"] }
    #expect(try bright.answer(frame)["captured"]?["reason"] == "class bright")
    #expect(bright.bringUpToDate(waiting: true) == nil)
    let predicted = try #require(try place.samples("bright").first?.fields["predicted"]?.elements)
    #expect(predicted.contains { $0["label"] == "bright" } && predicted.count > 1)
    let dark = try service("dark") { $0.classes = ["dark"] }
    #expect(try dark.answer(frame)["captured"] == nil)
    // The least sure label counts, not the best box.
    let least = try #require(
      dark.answer(frame)["objects"]?.elements?.compactMap { object in
        (object["score"]?.double ?? 0) >= 0.5 ? object["attributes"]?["score"]?.double : nil
      }.min())
    let below = try service("below") { $0.below = (least + 1) / 2 }
    #expect(
      try below.answer(frame)["captured"]?["reason"]?.text?.hasPrefix("score ") == true)
    let error = #expect(throws: LiveError.self) { try service("none") { $0.classes = ["purple"] } }
    #expect("\(error.map { "\($0)" } ?? "")".contains("bright"))
  }

  @Test("Requests at once for one frame store it once; a frame of another server is not stored")
  func captureOnce() async throws {
    let place = try Place()
    let service = try place.service()
    let session = try service.answer(Self.jpeg(255))["session"]?.text
    #expect(session != nil && service.overview["session"]?.text == session)
    let again = try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask { try service.capture(frame: 1, reason: "by hand")["again"] == true }
      }
      return try await group.reduce(into: [Bool]()) { $0.append($1) }
    }
    #expect(again.count { !$0 } == 1)
    #expect(service.bringUpToDate(waiting: true) == nil)
    #expect(try place.samples().count == 1)
    _ = try service.answer(Self.jpeg(0))
    let error = #expect(throws: RequestRefusal.self) {
      try service.capture(frame: 2, reason: "by hand", session: "another")
    }
    #expect(error?.code == "frameGone")
    #expect(try service.capture(frame: 2, reason: "by hand", session: session)["count"] == 2)
  }

  /// A decision of `assay decide` for the model of a place.
  private static func decision(
    _ place: Place, bright: String = "0.7", dark: String = "0.9", hash: String? = nil
  ) throws -> String {
    let model = try place.catalog.model(named: "tiny")
    let rules = zip(["bright", "dark"], [bright, dark]).map { name, threshold in
      "  - {class: \"\(name)\", threshold: \(threshold), samples: 100, accepted: 90, errors: 1, upper: 0.05, confidence: 0.99}"
    }
    let path = place.folder.path + "/decision.yaml"
    try place.folder.write(
      "decision.yaml",
      """
      kind: assay-decision
      version: 1
      task: classification
      method: clopper-pearson
      per: class
      risk: 0.1
      confidence: 0.95
      promise: "at most one in ten is wrong"
      run: "r"
      model: "tiny"
      model-hash: \(hash ?? model.hash)
      settings: "{\\"precision\\":\\"f32\\"}"
      dataset: "d"
      dataset-import: 1
      view: "d"
      where: "split = val"
      ground-truth: imported
      samples: 200
      samples-hash: \(String(repeating: "a", count: 64))
      classes: [bright, dark]
      thresholds:
      \(rules.joined(separator: "\n"))
      """)
    return path
  }

  @Test("A decision accepts by its thresholds, and frames that it does not accept are captured")
  func decision() throws {
    let place = try Place()
    let path = try Self.decision(place)
    let service = try place.service {
      $0.decision = path
      $0.capturesDoubt = true
      $0.interval = 0
    }
    #expect(service.overview["decision"]?["promise"] == "at most one in ten is wrong")
    // Bright with 0.731 of at least 0.7; an image of one gray value is as dark with less than 0.9.
    let bright = try service.answer(Self.jpeg(255))
    #expect(bright["accepted"] == [0] && bright["captured"] == nil)
    let dark = try service.answer(Self.jpeg(0))
    #expect(dark["accepted"] == [])
    #expect(dark["captured"]?["reason"]?.text?.hasPrefix("not accepted: ") == true)
    #expect(service.bringUpToDate(waiting: true) == nil)
    #expect(try place.samples().map { $0.fields["accepted"] } == [.bool(false)])
  }

  @Test("A decision of another model, or one that contradicts itself, is refused")
  func otherDecision() throws {
    let place = try Place()
    let other = try Self.decision(place, hash: String(repeating: "b", count: 64))
    let error = #expect(throws: DecisionError.self) { try place.service { $0.decision = other } }
    #expect("\(error.map { "\($0)" } ?? "")".contains("tiny"))
    let path = try Self.decision(place)
    let text = try place.folder.read("decision.yaml")
    try place.folder.write("decision.yaml", text.replacing("upper: 0.05", with: "upper: 0.5"))
    #expect(throws: (any Error).self) { try place.service { $0.decision = path } }
    // The model's scores differ with other settings.
    try place.folder.write("decision.yaml", text.replacing("f32", with: "bf16"))
    let precision = #expect(throws: DecisionError.self) {
      try place.service { $0.decision = path }
    }
    #expect("\(precision.map { "\($0)" } ?? "")".contains("bf16"))
  }

  @Test("A line that a killed session did not finish is removed, and numbers go on")
  func killed() throws {
    let place = try Place()
    let folder = place.folder.path + "/x.frames/live-captured"
    do {
      let service = try place.service()
      _ = try service.answer(Self.jpeg(255))
      _ = try service.capture(frame: 1, reason: "by hand")
    }
    let path = folder + "/frames.jsonl"
    let list = try #require(FileHandle(forWritingAtPath: path))
    try list.seekToEnd()
    try list.write(contentsOf: Data(#"{"file":"00000001.jpg","fra"#.utf8))
    try list.close()
    let service = try place.service()
    _ = try service.answer(Self.jpeg(0))
    #expect(try service.capture(frame: 1, reason: "by hand")["key"] == "00000001.jpg")
    #expect(service.bringUpToDate(waiting: true) == nil)
    #expect(try place.samples().map(\.key) == ["00000000.jpg", "00000001.jpg"])
  }

  @Test("Rules capture by score and by class, not more often than is said")
  func rules() throws {
    let place = try Place()
    let below = try place.service {
      $0.capture = "below"
      $0.below = 0.9
      $0.interval = 0
    }
    #expect(
      try below.answer(Self.jpeg(255))["captured"]?["reason"]?.text == "score 0.73 < 0.9")
    let seldom = try place.service {
      $0.classes = ["bright"]
      $0.interval = 86_400
    }
    #expect(try seldom.answer(Self.jpeg(255))["captured"]?["reason"]?.text == "class bright")
    #expect(try seldom.answer(Self.jpeg(255))["captured"] == nil)
    #expect(throws: LiveError.self) { try place.service { $0.classes = ["brigth"] } }
  }

  @Test("Two models that agree capture nothing")
  func second() throws {
    let place = try Place()
    let service = try place.service {
      $0.second = "tiny"
      $0.interval = 0
    }
    #expect(try service.answer(Self.jpeg(255))["captured"] == nil)
  }

  @Test("A dataset of other images is not captured into")
  func otherDataset() throws {
    let place = try Place()
    try place.folder.write("images/a.jpg", Self.jpeg(3))
    var request = ImportRequest(place.folder.path + "/images")
    (request.name, request.format) = ("live", .imageFolder)
    _ = try DatasetImport(request).run(catalogPath: place.catalog.path, progress: NoProgress())
    #expect(throws: CaptureError.otherDataset("live")) { try place.service() }
  }

  @Test("Routes need a session, and a frame must be announced as a JPEG image")
  func routes() async throws {
    let place = try Place()
    var bench = try Bench()
    bench.responder.live = try place.service()
    let frame = try Self.jpeg(255)
    let session = bench.session()
    let signedOut = await bench.send(
      .post, "/api/live/frame", fields: ["Content-Type": "image/jpeg"], body: frame)
    #expect(signedOut.code == 401)
    let asJSON = await bench.send(.post, "/api/live/frame", session: session, body: frame)
    #expect(asJSON.code == 415)
    let other = await bench.send(
      .post, "/api/live/frame", origin: "http://other.example", session: session,
      fields: ["Content-Type": "image/jpeg"], body: frame)
    #expect(other.code == 403)
    let answered = await bench.send(
      .post, "/api/live/frame", session: session, fields: ["Content-Type": "image/jpeg"],
      body: frame)
    #expect(answered.code == 200)
    let captured = await bench.send(
      .post, "/api/live/capture", session: session, body: Array(#"{"frame":1}"#.utf8))
    #expect(captured.code == 201)
    for body in [#"{}"#, #"{"frame":"1"}"#, #"{"frame":1,"reason":""}"#] {
      let refused = await bench.send(
        .post, "/api/live/capture", session: session, body: Array(body.utf8))
      #expect(refused.code == 422)
    }
    #expect(await bench.send(.get, "/api/live", session: session).code == 200)
  }
}
