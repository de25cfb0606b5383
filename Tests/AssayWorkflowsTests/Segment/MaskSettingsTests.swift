import AssayCore
import Testing

@testable import AssayWorkflows

@Suite struct MaskSettingsTests {
  @Test("Settings come back from their JSON")
  func roundTrip() {
    var settings = EvaluationSettings()
    settings.filter = "split = val"
    settings.slicedBy = "split"
    settings.seed = 7
    settings.masks.threshold = 0.3
    settings.masks.cleanup.opening = 2
    settings.masks.cleanup.closing = 1
    settings.masks.cleanup.fillsHoles = true
    settings.masks.cleanup.keepsLargest = true
    settings.masks.cleanup.minimumArea = 50
    settings.masks.empty = .one
    settings.masks.ignored = ["car", "traffic light"]
    settings.masks.hasBoundary = false
    #expect(EvaluationSettings(json: settings.json(of: .segmentation)) == settings)
    #expect(EvaluationSettings(json: .object([])) == EvaluationSettings())
  }

  @Test("What differs from the usual is spelled as options and makes the name")
  func names() {
    var masks = MaskSettings()
    #expect(masks.differences(own: 0.5).isEmpty)
    masks.threshold = 0.5
    #expect(masks.differences(own: 0.5).isEmpty)
    #expect(masks.differences(own: 0.4) == ["--threshold 0.5"])
    masks.threshold = 0.45
    masks.cleanup.opening = 2
    masks.cleanup.keepsLargest = true
    masks.ignored = ["car", "traffic light"]
    #expect(
      masks.differences(own: 0.5) == [
        "--threshold 0.45", "--open 2", "--largest-component", "--ignore car",
        "--ignore traffic light",
      ])
    let parts = masks.nameParts(own: 0.5)
    #expect(parts.dropLast(2) == ["threshold-0.45", "open-2", "largest-component"])
    #expect(parts[3] == "ignore-car")
    // A name with a blank: the first digits of its hash.
    #expect(parts[4].wholeMatch(of: #/ignore-traffic-light|ignore-[0-9a-f]{8}/#) != nil)
  }

  @Test("Options of the other task are refused, by name")
  func otherTask() {
    var settings = EvaluationSettings()
    settings.masks.threshold = 0.4
    #expect(
      throws: EvaluationError.otherTask(
        option: "threshold 0.4", run: "r", task: .classification)
    ) { try settings.check(for: .classification, run: "r") }
    #expect(throws: Never.self) { try settings.check(for: .segmentation, run: "r") }
    settings = EvaluationSettings()
    settings.accept = 0.5
    #expect(
      throws: EvaluationError.otherTask(option: "accept", run: "r", task: .segmentation)
    ) { try settings.check(for: .segmentation, run: "r") }
    #expect(throws: Never.self) { try settings.check(for: .classification, run: "r") }
  }
}
