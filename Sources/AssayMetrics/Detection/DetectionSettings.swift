/// The settings by which detections are matched to the ground truth and scored.
package struct DetectionSettings: Hashable, Sendable {
  package var overlap: OverlapKind
  /// Ascending, in 0...1.
  package var iouThresholds: [Double]
  /// The first is what AP and AR are over.
  package var areaRanges: [AreaRange]
  /// The most detections of a class that count in an image, ascending.
  package var maxDetections: [Int]
  /// The IoU at which queries, the confusion matrix and the types of error call a detection right.
  package var workingIoU: Double
  /// The least score that queries and the confusion matrix look at.
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

  /// 0.5 to 0.95 by 0.05 as numpy's `linspace(.5, .95, 10)` makes them, which differ from the decimal
  /// literals in the last bit.
  package static let cocoThresholds: [Double] = (0..<10).map { step -> Double in
    let width = (0.95 - 0.5) / 9
    return step == 9 ? 0.95 : Double(step) * width + 0.5
  }
}

extension DetectionSettings {
  /// The invalid setting that prevents detections from being matched.
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
