import AssayCore
package import AssayMetrics

/// How detections are asked to be matched and scored; what is `nil` is left to the usual.
package struct ObjectSettings: Sendable, Hashable {
  /// Whether boxes or regions overlap; `nil` for regions where the results have those and no boxes.
  package var overlap: OverlapKind?
  package var iouThresholds: [Double]?
  package var maxDetections: [Int]?
  /// The IoU and the least score of queries, the confusion matrix and the types of error.
  package var workingIoU: Double?
  package var workingScore: Double?
  /// Whether the reference's known slips are reproduced: `--compat pycocotools`.
  package var isCompatible = false

  package init() {}

  /// As the metrics want it.
  package func settings(_ overlap: OverlapKind) -> DetectionSettings {
    var settings = DetectionSettings(overlap: self.overlap ?? overlap)
    if let iouThresholds { settings.iouThresholds = iouThresholds }
    if let maxDetections { settings.maxDetections = maxDetections }
    if let workingIoU { settings.workingIoU = workingIoU }
    if let workingScore { settings.workingScore = workingScore }
    return settings
  }

  /// The first option that was given, without its dashes; `nil` where none was.
  package var firstOption: String? { differences.first.map { String($0.option) } }

  /// What differs from how detections are judged where nothing is asked for.
  package var differences: [(option: String, value: String)] {
    var given: [(option: String, value: String)] = []
    if let overlap { given.append(("iou-type", overlap.rawValue)) }
    if let iouThresholds {
      given.append(("iou-thresholds", iouThresholds.map { "\($0)" }.joined(separator: ",")))
    }
    if let maxDetections {
      given.append(("max-dets", maxDetections.map { "\($0)" }.joined(separator: ",")))
    }
    if let workingIoU { given.append(("iou", "\(workingIoU)")) }
    if let workingScore { given.append(("score", "\(workingScore)")) }
    if isCompatible { given.append(("compat", "pycocotools")) }
    return given
  }

  /// Everything that changes a number, for the stored settings of an evaluation.
  var members: [JSONValue.Member] {
    [
      .init("iou_type", JSONValue(overlap?.rawValue)),
      .init("iou_thresholds", iouThresholds.map { .array($0.map { JSONValue($0) }) } ?? .null),
      .init("max_dets", maxDetections.map { .array($0.map { JSONValue($0) }) } ?? .null),
      .init("iou", JSONValue(workingIoU)), .init("score", JSONValue(workingScore)),
      .init("compat", isCompatible ? "pycocotools" : .null),
    ]
  }

  /// Reads back ``members``; what is not there keeps its default.
  init(json: JSONValue) {
    overlap = json["iou_type"]?.text.flatMap(OverlapKind.init(rawValue:))
    iouThresholds = json["iou_thresholds"]?.elements?.compactMap(\.double)
    maxDetections = json["max_dets"]?.elements?.compactMap {
      $0.double.flatMap { Int(exactly: $0) }
    }
    workingIoU = json["iou"]?.double
    workingScore = json["score"]?.double
    isCompatible = json["compat"]?.text == "pycocotools"
  }
}
