package import AssayCore
import AssayFormats
import AssayMetrics

extension FileDetectionResult {
  /// The result as `assay evaluate --json` prints it: COCO's numbers under `stats`, `null` where undefined.
  package var json: JSONValue {
    let members: [JSONValue.Member] =
      [
        .init("gt", .string(truthPath)), .init("dt", .string(resultPath)),
        .init("task", .string(ModelTask.detection.rawValue)),
        .init("iou_type", .string(overlap.rawValue)), .init("n", JSONValue(images)),
        .init("truths", JSONValue(truths)), .init("detections", JSONValue(results)),
      ] + scores.members(classes: classes) + [
        .init("health", health.json), .init("findings", .array(findings.map(json))),
        .init("reference", reference.json),
        .init("settings", settings.json(of: .detection)),
        .init("notes", .array(notes.map { .string($0) })),
      ]
    return .object(members)
  }

  private func json(_ finding: OddityCount) -> JSONValue {
    [
      "kind": .string(finding.oddity.rawValue), "file": .string(finding.oddity.side.rawValue),
      "count": JSONValue(finding.count), "first": JSONValue(finding.pointer),
      "text": .string(finding.text),
    ]
  }
}

extension FileDetectionReference {
  fileprivate var json: JSONValue {
    let reasons = differing.map(\.oddity.rawValue)
    var members: [JSONValue.Member] = [
      .init("name", "pycocotools 2.0.11"), .init("because_of", .array(reasons.map { .string($0) })),
      .init("stops", JSONValue(stop?.error)), .init("stops_at", JSONValue(stop?.place)),
      .init("not_reproduced", JSONValue(unknown)),
    ]
    // What it prints instead.
    if let scores {
      members += scores.members(classes: classes).filter {
        ["stats", MetricKind.perCategoryAP.rawValue].contains($0.name)
      }
    }
    return .object(members)
  }
}

extension FileDetectionHealth {
  fileprivate var json: JSONValue {
    [
      "images": JSONValue(images), "images_without_result": JSONValue(imagesWithout),
      "images_with_truth_without_result": JSONValue(imagesWithoutButTruth),
      "results": JSONValue(results), "usable_results": JSONValue(usable),
      "results_per_image": ["median": .number(median), "most": JSONValue(most)],
      "max_dets": JSONValue(limit), "beyond_max_dets": JSONValue(beyondLimit),
      "lowest_score": JSONValue(lowestScore), "highest_score": JSONValue(highestScore),
      "tied_results": JSONValue(tiedResults), "seems_cut": .bool(seemsCut),
      "boxes_looked_at": JSONValue(sized),
      "boxes_beyond_image": JSONValue(beyondImage), "boxes_outside_image": JSONValue(outside),
      "boxes_like_corners": JSONValue(likeCorners), "looks_like_corners": .bool(looksLikeCorners),
      "looks_like_centres": .bool(looksLikeCenters),
      "looks_like_fractions": .bool(areFractions), "empty_boxes": JSONValue(emptyBoxes),
      "negative_boxes": JSONValue(negativeBoxes),
      "class_id_shift": JSONValue(shift?.rawValue),
    ]
  }
}
