import AssayCore
package import AssayMetrics

/// The settings for matching and scoring detections; `nil` means the default.
package struct ObjectSettings: Sendable, Hashable {
  /// The kind of overlap; `nil` for keypoints if both sides have them, for regions if the results
  /// have regions and no boxes, otherwise boxes.
  package var overlap: OverlapKind?
  /// The σ of keypoints; `nil` for those of the classes.
  package var sigmas: StatedSigmas?
  package var iouThresholds: [Double]?
  package var maxDetections: [Int]?
  /// The IoU and the minimum score for queries, the confusion matrix and the error types.
  package var workingIoU: Double?
  package var workingScore: Double?
  /// True if the known bugs of pycocotools are reproduced: `--compat pycocotools`.
  package var isCompatible = false

  package init() {}

  /// The settings in the form that the metrics use.
  package func settings(_ overlap: OverlapKind) -> DetectionSettings {
    var settings = DetectionSettings.coco(self.overlap ?? overlap)
    if let iouThresholds { settings.iouThresholds = iouThresholds }
    if let maxDetections { settings.maxDetections = maxDetections }
    if let workingIoU { settings.workingIoU = workingIoU }
    if let workingScore { settings.workingScore = workingScore }
    return settings
  }

  /// The first non-default option, without its dashes; `nil` if there is none.
  package var firstOption: String? { differences.first.map { String($0.option) } }

  /// The non-default settings, as options with their values.
  package var differences: [(option: String, value: String)] {
    var given: [(option: String, value: String)] = []
    if let overlap { given.append(("iou-type", overlap.rawValue)) }
    if let sigmas { given.append(("sigmas", sigmas.text)) }
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

  /// All settings that affect a metric, for the stored settings of an evaluation.
  var members: [JSONValue.Member] {
    [
      .init("iou_type", JSONValue(overlap?.rawValue)),
      .init("iou_thresholds", iouThresholds.map { .array($0.map { JSONValue($0) }) } ?? .null),
      .init("max_dets", maxDetections.map { .array($0.map { JSONValue($0) }) } ?? .null),
      .init("iou", JSONValue(workingIoU)), .init("score", JSONValue(workingScore)),
      .init("compat", isCompatible ? "pycocotools" : .null),
      .init("sigmas", JSONValue(sigmas?.text)),
    ]
  }

  /// Reads ``members`` back; a missing member keeps its default.
  init(json: JSONValue) {
    overlap = json["iou_type"]?.text.flatMap(OverlapKind.init(rawValue:))
    iouThresholds = json["iou_thresholds"]?.elements?.compactMap(\.double)
    maxDetections = json["max_dets"]?.elements?.compactMap {
      $0.double.flatMap { Int(exactly: $0) }
    }
    sigmas = json["sigmas"]?.text.flatMap { StatedSigmas($0) }
    workingIoU = json["iou"]?.double
    workingScore = json["score"]?.double
    isCompatible = json["compat"]?.text == "pycocotools"
  }
}
