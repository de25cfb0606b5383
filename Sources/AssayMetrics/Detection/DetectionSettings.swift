/// The settings by which detections are matched to the ground truth and scored.
package struct DetectionSettings: Hashable, Sendable {
  package var overlap: OverlapKind
  /// The IoU thresholds, ascending, in 0...1.
  package var iouThresholds: [Double]
  /// The area ranges; AP and AR use the first.
  package var areaRanges: [AreaRange]
  /// The maximum numbers of detections per class and image that count, ascending.
  package var maxDetections: [Int]
  /// The IoU at which a detection counts as correct in queries, the confusion matrix and the error
  /// types.
  package var workingIoU: Double
  /// The minimum score of detections in queries and the confusion matrix.
  package var workingScore: Double

  package init(
    overlap: OverlapKind = .box, iouThresholds: [Double] = Self.cocoThresholds,
    areaRanges: [AreaRange] = AreaRange.coco, maxDetections: [Int] = [1, 10, 100],
    workingIoU: Double = 0.5, workingScore: Double = 0.3
  ) {
    self.overlap = overlap
    self.iouThresholds = iouThresholds
    self.areaRanges = areaRanges
    self.maxDetections = maxDetections
    self.workingIoU = workingIoU
    self.workingScore = workingScore
  }

  /// COCO's settings for a kind of overlap.
  package static func coco(_ overlap: OverlapKind) -> DetectionSettings {
    var settings = DetectionSettings(overlap: overlap)
    guard overlap == .keypoints else { return settings }
    settings.areaRanges = AreaRange.cocoKeypoints
    settings.maxDetections = [20]
    return settings
  }

  /// 0.5 to 0.95 in steps of 0.05 as computed by numpy's `linspace(.5, .95, 10)`, which differ from
  /// the decimal literals in the last bit.
  package static let cocoThresholds: [Double] = (0..<10).map { step -> Double in
    let width = (0.95 - 0.5) / 9
    return step == 9 ? 0.95 : Double(step) * width + 0.5
  }
}

extension DetectionSettings {
  /// An invalid setting, which prevents detections from being matched.
  package enum Problem: Sendable, Hashable, CustomStringConvertible {
    case thresholds, working, areas, detections

    package var description: String {
      switch self {
      case .thresholds:
        "IoU thresholds must be 1 to \(DetectionMatcher.thresholdLimit) numbers in 0...1, each once"
      case .working: "the working IoU must be in 0...1 and the working score a number"
      case .areas:
        "area ranges must be 1 to \(DetectionMatcher.areaLimit), each from a lower to a higher area"
      case .detections: "the maximum number of detections per class and image must be 1 or more"
      }
    }
  }
}
