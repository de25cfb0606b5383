import AssayMetrics

/// Why two detectors were not compared.
package enum DetectionCompareError: Error, Hashable {
  /// Evaluations that were matched otherwise; what differs, as options with both values.
  case judgedOtherwise(String, String, [String])

  /// How the matching of two judged runs differs.
  static func differences(_ first: DetectedRun, _ second: DetectedRun) -> [String] {
    func difference<Value: Equatable>(
      _ option: String, _ value: (DetectedRun) -> Value, _ text: (Value) -> String
    ) -> String? {
      let (one, other) = (value(first), value(second))
      return one == other ? nil : "--\(option) \(text(one)) and \(text(other))"
    }
    return [
      difference("iou-type", \.matching.overlap, \.rawValue),
      difference("iou-thresholds", \.matching.iouThresholds) { list($0) },
      difference("max-dets", \.matching.maxDetections) { list($0) },
      difference("iou", \.matching.workingIoU) { "\($0)" },
      difference("score", \.matching.workingScore) { "\($0)" },
      difference("compat", \.settings.objects.isCompatible) { $0 ? "pycocotools" : "none" },
    ].compactMap(\.self)
  }

  private static func list(_ values: [some Any]) -> String {
    values.map { "\($0)" }.joined(separator: ",")
  }
}

extension DetectionCompareError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .judgedOtherwise(let first, let second, let differences):
      """
      \(first) and \(second) were not judged alike (\(differences.joined(separator: "; "))); compare \
      the runs themselves, or evaluate both alike
      """
    }
  }
}
