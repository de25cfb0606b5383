package import ArgumentParser
package import AssayMetrics
import AssayWorkflows

/// The options that decide how detections are matched and scored; shared by `evaluate`, `compare`
/// and `gate`.
package struct ObjectOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Compare boxes, regions or keypoints (by OKS). Default: keypoints if both sides have them, regions if the "
        + "results have regions and no boxes.",
      valueName: "bbox|segm|keypoints"))
  package var iouType: OverlapKind?

  @Option(
    help: ArgumentHelp(
      "The standard deviations σ of keypoints for OKS: one per keypoint, such as 0.026,0.025,0.035, one for all, or "
        + "coco. Default: the class's list 'sigmas', or COCO's for its 17 keypoints.",
      valueName: "list"))
  package var sigmas: String?

  @Option(
    help: ArgumentHelp(
      "The IoU thresholds of AP, such as 0.5,0.75 or 0.5..0.95:0.05. Default: COCO's ten.",
      valueName: "list"))
  package var iouThresholds: String?

  @Option(
    help: ArgumentHelp(
      "The maximum number of detections per class and image; the last of a list. AR1, AR10 and AR100 keep "
        + "their own. Default: 1,10,100; 20 for keypoints.",
      valueName: "list"))
  package var maxDets: String?

  @Option(
    help: ArgumentHelp(
      "The minimum IoU of a correct detection for the confusion matrix, the error types and "
        + "queries. Default: 0.5.", valueName: "t"))
  package var iou: Double?

  @Option(
    help: ArgumentHelp(
      "The minimum score for the confusion matrix and queries. Default: 0.3.", valueName: "t"))
  package var score: Double?

  @Option(
    help: ArgumentHelp(
      "Reproduce known pycocotools bugs, such as: an annotation with id 0 never matches.",
      valueName: "pycocotools"))
  package var compat: Reference?

  /// A program with published reference numbers.
  package enum Reference: String, CaseIterable, ExpressibleByArgument {
    case pycocotools
  }

  package init() {}

  package func validate() throws {
    _ = try thresholds()
    _ = try detections()
    _ = try statedSigmas()
    for (name, value) in [("iou", iou), ("score", score)] {
      if let value, !(0...1).contains(value) {
        throw ValidationError("--\(name) is \(value); it must be from 0 to 1")
      }
    }
  }

  func apply(to settings: inout EvaluationSettings) throws {
    settings.objects.overlap = iouType
    settings.objects.sigmas = try statedSigmas()
    settings.objects.iouThresholds = try thresholds()
    settings.objects.maxDetections = try detections()
    settings.objects.workingIoU = iou
    settings.objects.workingScore = score
    settings.objects.isCompatible = compat != nil
  }

  private func statedSigmas() throws -> StatedSigmas? {
    guard let sigmas else { return nil }
    guard let stated = StatedSigmas(sigmas) else {
      throw ValidationError(
        "--sigmas is \(sigmas); expected coco, or up to \(KeypointSigmas.limit) numbers from "
          + "\(KeypointSigmas.range.lowerBound) to \(KeypointSigmas.range.upperBound), such as 0.05 or "
          + "0.026,0.025,0.035")
    }
    if let iouType, iouType != .keypoints {
      throw ValidationError("--sigmas is for --iou-type keypoints, not \(iouType.rawValue)")
    }
    return stated
  }

  /// The thresholds in ascending order, without duplicates.
  private func thresholds() throws -> [Double]? {
    guard let iouThresholds else { return nil }
    let values: [Double]
    if iouThresholds.contains("..") {
      do {
        values = try ThresholdRange("threshold=\(iouThresholds)").values
      } catch {
        throw ValidationError("--iou-thresholds: \(error)")
      }
    } else {
      values = iouThresholds.split(separator: ",").map { Double($0) ?? -1 }
    }
    guard !values.isEmpty, values.count <= 100, values.allSatisfy({ $0 > 0 && $0 <= 1 }) else {
      throw ValidationError(
        "--iou-thresholds is \(iouThresholds); expected up to 100 numbers above 0, up to 1, such as 0.5,0.75"
      )
    }
    return Set(values).sorted()
  }

  /// The limits in ascending order, without duplicates.
  private func detections() throws -> [Int]? {
    guard let maxDets else { return nil }
    let values = maxDets.split(separator: ",").map { Int($0) ?? 0 }
    guard !values.isEmpty, values.count <= 10, values.allSatisfy({ (1...100_000).contains($0) })
    else {
      throw ValidationError(
        "--max-dets is \(maxDets); expected up to 10 integers from 1, such as 1,10,100")
    }
    return Set(values).sorted()
  }
}

extension OverlapKind: ExpressibleByArgument {}
