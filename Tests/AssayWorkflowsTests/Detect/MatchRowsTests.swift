import AssayCore
import AssayMetrics
import Testing

@testable import AssayWorkflows

@Suite("Matches as rows")
struct MatchRowsTests {
  private func truths(_ boxes: [(Box, Bool)]) -> ObjectReading.Truths {
    ObjectReading.Truths(
      objects: boxes.map { TruthObject(class: 0, box: $0.0, area: $0.0.area, isCrowd: $0.1) },
      ordinals: boxes.indices.map { 10 + $0 })
  }

  private func found(_ boxes: [(Box, Double)]) -> ObjectReading.Found {
    ObjectReading.Found(
      objects: boxes.map {
        FoundObject(class: 0, score: $0.1, box: $0.0, area: $0.0.area)
      }, ordinals: boxes.indices.map { 20 + $0 })
  }

  private let box = Box(x: 0, y: 0, width: 100, height: 100)

  @Test("Bits say at which thresholds a detection is matched, and where it is ignored")
  func bits() throws {
    // Three quarters of the object: IoU 0.75, matched up to there; then one on the crowd.
    let crowd = Box(x: 200, y: 0, width: 100, height: 100)
    let truths = truths([(box, false), (crowd, true)])
    let found = found([
      (Box(x: 0, y: 0, width: 75, height: 100), 0.9), (crowd, 0.8),
      (Box(x: 400, y: 0, width: 9, height: 9), 0.7),
    ])
    let settings = DetectionSettings(maxDetections: [1, 2])
    let rows = try MatchRows(settings).rows(
      truths: truths, found: found,
      ImageMatches(truth: truths.objects, found: found.objects, settings),
      ImageErrors(truth: truths.objects, found: found.objects, settings))
    #expect(rows.map(\.prediction) == [20, 21, 22, nil])
    #expect(rows.map(\.matched) == [0b11_1111, 0b11_1111_1111, 0, 0])
    // The third exceeds the maximum per class, and the crowd does not have to be found.
    #expect(rows.map(\.ignored) == [0, 0b11_1111_1111, 0b11_1111_1111, 0b11_1111_1111])
    #expect(rows.map(\.annotation) == [10, 11, nil, 11] && rows.allSatisfy { $0.error == nil })
    #expect(rows[0].iou == 0.75)
  }

  @Test("The working IoU takes its place among the thresholds")
  func places() throws {
    var settings = DetectionSettings(iouThresholds: [0.5, 0.75], workingIoU: 0.6)
    #expect(try MatchRows(settings).thresholds == [0.5, 0.6, 0.75])
    settings.workingIoU = 0.9
    #expect(try MatchRows(settings).thresholds == [0.5, 0.75, 0.9])
    settings.workingIoU = 0.75 + 1e-12
    #expect(try MatchRows(settings).thresholds == [0.5, 0.75])
    // IoU 0.7: matched at 0.5 and at the working 0.6.
    settings.workingIoU = 0.6
    let (truths, found) = (
      truths([(box, false)]), found([(Box(x: 0, y: 0, width: 70, height: 100), 1)])
    )
    let rows = try MatchRows(settings).rows(
      truths: truths, found: found,
      ImageMatches(truth: truths.objects, found: found.objects, settings),
      ImageErrors(truth: truths.objects, found: found.objects, settings))
    #expect(rows.map(\.matched) == [0b011])
    settings.iouThresholds = (1...63).map { Double($0) / 64 }
    settings.workingIoU = 0.999
    #expect(throws: EvaluationError.tooManyThresholds(63, limit: 62)) { try MatchRows(settings) }
  }
}
