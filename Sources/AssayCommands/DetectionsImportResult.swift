import AssayCore
import AssayWorkflows
import Foundation

/// The result of importing a file of COCO results.
struct DetectionsImportResult: CommandResult {
  let summary: DetectionsImportSummary

  var json: JSONValue {
    let health = summary.health
    return [
      "run": .string(summary.run.name), "task": .string(ModelTask.detection.rawValue),
      "imported": .bool(summary.isNew), "view": .string(summary.run.view),
      "n": JSONValue(summary.run.total), "results": JSONValue(health.results),
      "detections": JSONValue(health.usable), "regions": .bool(summary.hasRegions),
      "keypoints": .bool(summary.hasKeypoints),
      "left_out_with_bbox": JSONValue(summary.boxesLeftOut),
      "health": .object(
        health.members.filter { Self.healthKeys.contains($0.name) } + [
          .init("unknown_images", Self.list(summary.unknownImages)),
          .init("unknown_categories", Self.list(summary.unknownCategories)),
        ]),
      "findings": .array(
        summary.findings.map { finding in
          [
            "kind": .string(finding.oddity.key), "count": JSONValue(finding.count),
            "first": JSONValue(finding.pointer), "text": .string(finding.text),
          ]
        }),
    ]
  }

  /// The members of the files' health that an import knows without the ground truth's objects.
  static let healthKeys: Set = [
    "images", "images_without_result", "labeled_images_without_result", "results_per_image",
    "beyond_max_dets", "lowest_score", "highest_score", "boxes_beyond_image",
    "boxes_outside_image", "looks_like_corners", "looks_like_centers", "looks_like_fractions",
    "class_id_shift",
  ]

  private static func list(_ ids: [SourceID]) -> JSONValue {
    .array(
      ids.map { id in
        switch id {
        case .integer(let value): .integer(value)
        case .text(let value): .string(value)
        }
      })
  }

  func text(in terminal: Terminal) -> String {
    let (run, health) = (summary.run, summary.health)
    let detections = Counted.text(health.usable, "detection", "detections")
    let images = Counted.text(run.total, "image", "images")
    var lines = [
      summary.isNew
        ? "\(detections) of \(images) imported into the run \(run.name)"
        : "already imported: the run \(run.name), \(detections) of \(images)"
    ]
    if let low = health.lowestScore, let high = health.highestScore {
      lines.append(
        "per image: median \(Self.short(health.median)), max \(health.most); "
          + "scores \(Self.short(low)) to \(Self.short(high))")
    }
    lines += findings.map { Paragraph.text($0, in: terminal) }
    lines += FileDetectionWarnings(health).paragraphs(in: terminal)
    if !summary.hasGroundTruth {
      lines.append(
        "\(run.dataset.name) has no ground truth for \(run.task.rawValue): it cannot be evaluated"
          + " against")
    }
    lines.append(NextStep.line(forRun: run.name, hasGroundTruth: summary.hasGroundTruth))
    return lines.joined(separator: "\n")
  }

  private var findings: [String] {
    var findings = summary.findings.map(\.text)
    let health = summary.health
    if summary.boxesLeftOut > 0 {
      findings.append(
        Counted.text(
          summary.boxesLeftOut, "result left out for its segmentation has a bbox",
          "results left out for their segmentation have a bbox")
          + ": evaluate --gt --dt --iou-type bbox uses it, this run does not")
    }
    if health.imagesWithout > 0, !health.lacksImages {
      findings.append(
        "\(health.imagesWithout) of \(health.images) images \(health.imagesWithout == 1 ? "has" : "have") no result"
          + (health.imagesWithoutButTruth > 0
            ? "; \(health.imagesWithoutButTruth) of them have objects, which count as missed"
            : ""))
    }
    if health.beyondLimit > 0 {
      findings.append(
        Counted.text(health.beyondLimit, "result", "results")
          + " beyond \(health.limit) per class and image: stored, but not used by the COCO metrics")
    }
    if health.beyondImage > 0 {
      findings.append(
        Counted.text(health.beyondImage, "box reaches", "boxes reach") + " beyond the image")
    }
    return findings
  }

  private static func short(_ value: Double) -> String { String(format: "%.4g", value) }
}
