import AssayCore
import Testing

@testable import AssayStore
@testable import AssayWorkflows

@Suite("Stored settings that are damaged")
struct StoredSettingsTests {
  /// An evaluation of `r1` with this text as its settings, named `kept`.
  private func evaluation(
    _ settings: String, of task: ModelTask = .classification
  ) throws -> EvaluationRecord {
    let world = try EvaluateCatalog.small()
    var run = try world.catalog.run(named: "r1")
    run.task = task
    return EvaluationRecord(
      id: 1, name: "kept", run: run, settings: settings, classes: [], createdAt: "")
  }

  @Test("What is written for a task is read back", arguments: ModelTask.allCases)
  func roundTrip(_ task: ModelTask) throws {
    var settings = EvaluationSettings()
    settings.filter = "split = test"
    settings.intervals = true
    settings.seed = .max
    switch task {
    case .classification:
      settings.accept = 0.3
      settings.normalizes = true
    case .multiLabel:
      settings.masks.threshold = 0.25
      settings.ignoresMissing = true
    case .segmentation:
      settings.masks.threshold = 1
      settings.masks.cleanup.opening = 2
      settings.masks.empty = .one
      settings.masks.ignored = ["car"]
    case .detection:
      settings.objects.overlap = .mask
      settings.objects.iouThresholds = [0.5, 1]
      settings.objects.maxDetections = [1, 10]
      settings.objects.workingIoU = 0.75
      settings.objects.isCompatible = true
    }
    let text = settings.json(of: task).text()
    #expect(try EvaluationSettings(storedIn: evaluation(text, of: task)) == settings)
    #expect(throws: EvaluationError.self) {
      try EvaluationSettings(storedIn: evaluation("{}", of: task))
    }
  }

  @Test("Thresholds of classes are read back; those outside of 0…1 are damage")
  func classThresholds() throws {
    var settings = EvaluationSettings()
    settings.masks.threshold = 0.5
    settings.classThresholds = ClassThresholds(values: ["cat": 0.1, "dog": 1], source: "m1@val")
    let text = settings.json(of: .multiLabel).text()
    #expect(try EvaluationSettings(storedIn: evaluation(text, of: .multiLabel)) == settings)
    for wrong in ["1.5", "\"0.1\"", "null"] {
      let stored = try evaluation(
        text.replacing(/"cat": ?0.1/, with: "\"cat\":\(wrong)"), of: .multiLabel)
      #expect(throws: EvaluationError.self) { try EvaluationSettings(storedIn: stored) }
    }
  }

  @Test("Members of a later version, and other numbers of draws, are let be")
  func others() throws {
    let stored = try evaluation(
      "{\"where\": null, \"draws\": 20, \"later\": [1], \"seed\": 0, \"accept\": 1}")
    #expect(try EvaluationSettings(storedIn: stored).accept == 1)
  }

  @Test(
    "A text that is not what was written is an error that names the evaluation",
    arguments: [
      (ModelTask.classification, ""), (.classification, "[]"), (.classification, "{\"where\": "),
      (.classification, "{\"where\": 5}"), (.classification, "{\"accept\": \"high\"}"),
      (.classification, "{\"accept\": 1.5}"), (.classification, "{\"normalize\": 1}"),
      (.classification, "{\"seed\": 0.5}"), (.multiLabel, "{\"threshold\": 2}"),
      (.multiLabel, "{\"ignore_missing\": 0}"), (.segmentation, "{\"threshold\": true}"),
      (.segmentation, "{\"threshold\": -1}"), (.segmentation, "{\"open\": -3}"),
      (.segmentation, "{\"empty\": \"two\"}"), (.segmentation, "{\"ignore\": [1, \"car\"]}"),
      (.segmentation, "{\"fill_holes\": null}"), (.detection, "{\"iou_type\": \"panoptic\"}"),
      (.detection, "{\"iou_thresholds\": 0.5}"), (.detection, "{\"max_dets\": [1.5]}"),
      (.detection, "{\"score\": 7}"), (.detection, "{\"compat\": true}"),
    ])
  func damaged(_ task: ModelTask, _ text: String) throws {
    let stored = try evaluation(text, of: task)
    let error = #expect(throws: EvaluationError.self) {
      try EvaluationSettings(storedIn: stored)
    }
    let words = error?.description ?? ""
    #expect(words.hasPrefix("the stored settings of r1@kept are damaged: "), "\(words)")
    #expect(words.hasSuffix("(assay evaluate r1 --as kept)"), "\(words)")
  }

  @Test(
    "Damaged settings of a run of detections are an error that names the run",
    arguments: ["", "[]", "{\"regions\": \"yes\"}", "{\"box_area\": null}"])
  func run(_ text: String) throws {
    var run = try evaluation("{}").run
    run.settings = text
    let error = #expect(throws: EvaluationError.runSettings(run: "r1")) {
      try DetectionRecipe(run)
    }
    #expect(error?.description.contains("“r1” are damaged; remove it (assay rm run r1)") == true)
    run.settings = "{\"regions\": true, \"other\": 1}"
    #expect(try DetectionRecipe(run) == DetectionRecipe(hasRegions: true))
  }
}
