import AssayCore
import AssayImaging
import AssayInference
import AssayStore
import AssayTestSupport
import Foundation
import Testing

import AssayWorkflows

@Suite("Predicting objects", .openVINO)
struct DetectionPredictionTests {
  private static let categories = ["a", "b", "c"].map { Category(name: $0) }

  private func shapes(
    _ count: Int = 5, stated: ImageSize? = nil, broken: Set<Int> = [],
    categories: [AssayCore.Category] = categories
  ) throws -> MaskCatalog {
    try MaskCatalog(
      count: count, size: ImageSize(width: 50, height: 70), stated: stated,
      categories: categories, broken: broken)
  }

  /// Adds a model of `make_detectors.py`, named after its file.
  private func add(
    _ shapes: MaskCatalog, _ name: String = "detect_yolox", resize: String = "letterbox",
    more: String = "head: yolox\nscore: 0.3"
  ) throws {
    let manifest = """
      task: detection
      input: {width: 64, height: 64, layout: NCHW, color: rgb, scale: 1, offset: 0, resize: \(resize)}
      classes: [a, b, c]
      \(more)
      """
    let path = shapes.path("\(name).yaml")
    try Data(manifest.utf8).write(to: URL(fileURLWithPath: path))
    _ = try ModelAddition(
      modelPath: PredictCatalog.models.appending(path: "\(name).onnx").path, manifestPath: path,
      name: name
    ).run(catalogPath: shapes.catalog.path)
  }

  private func detections(_ shapes: MaskCatalog, _ run: String) throws -> [[Detection]] {
    try shapes.catalog.detections(of: shapes.catalog.run(named: run).id).map(\.detections)
  }

  @Test("A run keeps each picture's boxes in its own pixels, with all their scores")
  func run() throws {
    let shapes = try shapes(20)
    try add(shapes)
    let summary = try shapes.predict("detect_yolox")
    #expect(summary.start == .new && summary.computed == 20 && summary.verified > 0)
    #expect(summary.run.task == .detection && summary.run.classes == ["a", "b", "c"])
    #expect(summary.shared == ["a", "b", "c"] && summary.missing.isEmpty)
    let stored = try detections(shapes, summary.run.name)
    #expect(stored.count == 20 && Set(stored).count > 1)
    let found = summary.found
    #expect(found.samples == 20 && found.objects == stored.reduce(0) { $0 + $1.count })
    #expect(found.most == stored.map(\.count).max() && found.empty == 0)
    for detection in stored.joined() {
      let box = detection.box
      #expect(box.x >= 0 && box.y >= 0 && box.width > 0 && box.height > 0)
      #expect(box.x + box.width <= 50.001 && box.y + box.height <= 70.001)
      #expect((0.3...1).contains(detection.confidence) && detection.scores.count != 1)
      #expect(
        zip(detection.scores, detection.scores.dropFirst()).allSatisfy { $0.score >= $1.score })
    }
    #expect(stored.joined().contains { $0.scores.count == 3 })
    #expect(
      stored.allSatisfy { zip($0, $0.dropFirst()).allSatisfy { $0.confidence >= $1.confidence } })
    let settings = try #require(summary.detection)
    #expect(settings.leastScore == 0.3 && settings.overlap == 0.65 && settings.limit == nil)
    #expect(DetectorSettings(settings.text) == settings && !settings.bestClassOnly)
    #expect(DetectorSettings("{}") == nil && summary.recipe == nil)
  }

  @Test("What is stored is the reader's answer, through the way back to the original")
  func answer() throws {
    let shapes = try shapes(3)
    try add(shapes, resize: "stretch", more: "head: yolox\nscore: 0.5\nmax: 4\nbox-classes: best")
    let run = try shapes.predict("detect_yolox").run
    let model = try #require(run.model).load()
    let pool = try DetectorPool(model, workers: 1, probe: [])
    let plan = ResizePlan(
      .stretch, from: shapes.size, to: ImageSize(width: 64, height: 64))
    for (number, stored) in try detections(shapes, run.name).enumerated() {
      let picture = NamedRaster("p", MaskCatalog.picture(number, shapes.size))
      let answer = try pool.answersAlone(of: [picture])[0]
      #expect(stored == answer.compactMap { $0.detection(through: plan) })
      #expect((1...4).contains(stored.count))
    }
  }

  @Test("Neither the batch size nor the number of workers changes a bit")
  func determinism() throws {
    let shapes = try shapes(30)
    try add(shapes)
    try shapes.predict("detect_yolox") { ($0.batch, $0.workers, $0.name) = (1, 1, "a") }
    try shapes.predict("detect_yolox") { ($0.batch, $0.workers, $0.name) = (7, 2, "b") }
    try shapes.predict("detect_yolox") { $0.name = "c" }
    let first = try detections(shapes, "a")
    #expect(first.count == 30)
    for name in ["b", "c"] { #expect(try detections(shapes, name) == first) }
  }

  @Test("The same again is already done; another least score is another run")
  func again() throws {
    let shapes = try shapes()
    try add(shapes)
    let first = try shapes.predict("detect_yolox")
    let again = try shapes.predict("detect_yolox") { $0.name = first.run.name }
    #expect(again.start == .alreadyDone && again.run == first.run)
    #expect(again.found.samples == 0 && again.detection == first.detection)
  }

  /// A run on the same samples, the first few of which are stored with another run's results.
  private func cut(
    _ shapes: MaskCatalog, _ whole: RunRecord, change: (inout Detection) -> Void = { _ in }
  ) throws {
    let samples = try shapes.samples
    let cut = try shapes.catalog.createRun(
      RunDraft(
        name: "cut", model: whole.model?.id, task: .detection, dataset: whole.dataset.id,
        view: "shapes", settings: whole.settings, classes: whole.classes,
        samples: samples.map(\.id)))
    var stored = try detections(shapes, whole.name)
    change(&stored[1][0])
    try shapes.catalog.record(
      (0..<3).map { SampleDetections(sample: samples[$0].id, detections: stored[$0]) }, in: cut.id)
  }

  @Test("An interrupted run goes on where it stopped, and ends with the same bits")
  func resumed() throws {
    let shapes = try shapes(12)
    try add(shapes)
    let whole = try shapes.predict("detect_yolox").run
    try cut(shapes, whole)
    let summary = try shapes.predict("detect_yolox") { $0.name = "cut" }
    #expect(summary.start == .resumed && summary.computed == 9 && summary.run.done == 12)
    #expect(summary.found.samples == 9)
    #expect(try detections(shapes, "cut") == detections(shapes, whole.name))
  }

  @Test("A run whose stored box is not what is computed now is not gone on with")
  func storedDiffers() throws {
    let shapes = try shapes(12)
    try add(shapes)
    try cut(shapes, try shapes.predict("detect_yolox").run) { $0.box.x = $0.box.x.nextUp }
    let error = #expect(throws: PredictError.self) {
      try shapes.predict("detect_yolox") { $0.name = "cut" }
    }
    guard case .storedDiffers("cut", let reason) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.contains("1.png"))
  }

  @Test("A missing file, and a picture of another size than the dataset says, are failures")
  func failures() throws {
    let shapes = try shapes(6, broken: [2])
    try add(shapes)
    let summary = try shapes.predict("detect_yolox")
    #expect(summary.run.done == 5 && summary.failures.map(\.position) == [2])
    let wrong = try self.shapes(2, stated: ImageSize(width: 70, height: 50))
    try add(wrong)
    let error = #expect(throws: PredictError.self) { try wrong.predict("detect_yolox") }
    #expect(error.map { "\($0)" }?.contains("50×70 pixels, the dataset states 70×50") == true)
  }

  @Test("Outputs that are none leave no run behind", arguments: ["detect_huge", "detect_logits"])
  func refused(_ name: String) throws {
    let shapes = try shapes(12)
    try add(shapes, name)
    #expect(throws: InferenceError.self) { try shapes.predict(name) }
    #expect(try shapes.catalog.runs().isEmpty)
  }

  @Test("One shared class is enough, and a detector has no maps to leave out")
  func classes() throws {
    let shapes = try shapes(2, categories: [Category(name: "b"), Category(name: "z")])
    try add(shapes)
    #expect(try shapes.predict("detect_yolox").shared == ["b"])
    #expect(throws: PredictError.noMaps(model: "detect_yolox")) {
      try shapes.predict("detect_yolox") { $0.keepsMaps = false }
    }
    let strangers = try self.shapes(2, categories: [Category(name: "z")])
    try add(strangers)
    #expect(throws: PredictError.self) { try strangers.predict("detect_yolox") }
  }

  @Test("A detector of two outputs is run as well")
  func pair() throws {
    let shapes = try shapes(4)
    try add(
      shapes, "detect_pair",
      more: """
        head: boxes
        box-order: xyxy
        box-units: relative
        boxes-output: boxes
        scores-output: scores
        activation: sigmoid
        """)
    let run = try shapes.predict("detect_pair").run
    let stored = try detections(shapes, run.name)
    #expect(run.done == 4 && stored.count == 4 && stored.allSatisfy { !$0.isEmpty })
  }
}
