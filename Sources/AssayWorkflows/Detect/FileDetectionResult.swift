package import AssayCore
package import AssayFormats
package import AssayMetrics
import Foundation

/// The result of evaluating detections in files.
package struct FileDetectionResult: Sendable {
  package var truthPath: String
  package var resultPath: String
  package var overlap: OverlapKind
  /// True if the kind of overlap was derived from the shapes of the results.
  package var isOverlapChosen: Bool
  /// The class names, in the order of their ids.
  package var classes: [String]
  package var images: Int
  /// The numbers of evaluated annotations and results.
  package var truths: Int
  package var results: Int
  package var tally: DetectionTally
  package var scores: DetectionScores
  package var health: FileDetectionHealth
  /// All oddities of the files.
  package var findings: [OddityCount]
  /// The behavior of pycocotools on the same files.
  package var reference: FileDetectionReference
  package var settings: EvaluationSettings
  /// Notes on the metrics for the reader, one sentence each.
  package var notes: [String]
  /// The arrays of the metrics and all matches, if requested.
  package var arrays: DetectionArrays?
  /// The file that the arrays were written to; `nil` for none.
  package var arraysPath: String?

  /// The matching settings.
  package var matching: DetectionSettings { tally.settings }
}

extension FileDetectionResult {
  /// The result in the format of `assay evaluate --json`: COCO's metrics under `stats`, `null` if
  /// undefined.
  package var json: JSONValue {
    let members: [JSONValue.Member] =
      [
        .init("gt", .string(truthPath)), .init("dt", .string(resultPath)),
        .init("task", .string(ModelTask.detection.rawValue)),
        .init("iou_type", .string(overlap.rawValue)), .init("n", JSONValue(images)),
        .init("objects", JSONValue(truths)), .init("detections", JSONValue(results)),
      ] + scores.members(classes: classes) + [
        .init("health", .object(health.members)), .init("findings", .array(findings.map(json))),
        .init("reference", reference.json),
        .init("settings", settings.json(of: .detection)),
        .init("notes", .array(notes.map { .string($0) })),
      ] + (arraysPath.map { [.init("arrays", .string($0))] } ?? [])
    return .object(members)
  }

  private func json(_ finding: OddityCount) -> JSONValue {
    [
      "kind": .string(finding.oddity.key), "file": .string(finding.oddity.side.rawValue),
      "count": JSONValue(finding.count), "first": JSONValue(finding.pointer),
      "text": .string(finding.text),
    ]
  }
}

extension FileDetectionReference {
  fileprivate var json: JSONValue {
    let reasons = differing.map(\.oddity.key)
    var members: [JSONValue.Member] = [
      .init("name", "pycocotools 2.0.11"), .init("because_of", .array(reasons.map { .string($0) })),
      .init("stops", JSONValue(stop?.error)), .init("stops_at", JSONValue(stop?.place)),
      .init("not_reproduced", JSONValue(unknown)),
    ]
    // The metrics that pycocotools would print.
    if let scores {
      members += scores.members(classes: classes).filter {
        ["stats", MetricKind.perCategoryAP.rawValue].contains($0.name)
      }
    }
    return .object(members)
  }
}

extension FileDetectionResult {
  /// Notes on the metrics themselves.
  var ownNotes: [String] {
    var notes: [String] = []
    if isOverlapChosen {
      notes.append(
        overlap == .mask
          ? "regions are compared because the results have regions and no boxes (--iou-type segm)"
          : overlap == .keypoints
            ? "keypoints are compared because both files have them (--iou-type keypoints); --iou-type bbox compares "
              + "boxes"
            : "boxes are compared (--iou-type bbox); --iou-type segm compares regions")
    }
    notes += reference.notes(scores, isCompatible: settings.objects.isCompatible)
    return notes
  }
}

extension FileDetectionReference {
  /// Returns notes on pycocotools, one sentence each.
  func notes(_ own: DetectionScores, isCompatible: Bool) -> [String] {
    var notes: [String] = []
    if let stop {
      notes.append(
        "pycocotools 2.0.11 fails on these files: \(stop.error)"
          + (stop.place.map { " (\($0))" } ?? ""))
    }
    if isCompatible {
      if !differing.isEmpty, stop == nil {
        notes.append(
          "handled as in pycocotools (--compat pycocotools): \(Self.list(differing)); "
            + "without --compat they are handled as the findings say")
      }
    } else if let scores, !differing.isEmpty {
      let changed = own.stats.compactMap { kind -> String? in
        let (theirs, ours) = (scores[kind].value, own[kind].value)
        guard theirs != ours else { return nil }
        let digits = Self.digits(theirs, ours)
        return "\(kind.rawValue) \(Self.text(theirs, digits)) (here \(Self.text(ours, digits)))"
      }
      notes.append(
        changed.isEmpty
          ? "pycocotools 2.0.11 handles \(Self.list(differing)) differently, but gives the same 12 metrics"
          : "pycocotools 2.0.11 would print \(changed.joined(separator: ", ")) for "
            + Self.list(differing))
    }
    if let unknown {
      notes.append("pycocotools may handle \(unknown) differently, which is not reproduced")
    }
    return notes
  }

  private static func list(_ findings: [OddityCount]) -> String {
    findings.map(name).joined(separator: ", ")
  }

  private static func name(_ finding: OddityCount) -> String { finding.name }

  /// The number of digits needed to distinguish two numbers: three, as printed by pycocotools, if
  /// that is enough.
  private static func digits(_ first: Double?, _ second: Double?) -> Int {
    for digits in [3, 6, 9] where text(first, digits) != text(second, digits) { return digits }
    return 17
  }

  private static func text(_ value: Double?, _ digits: Int) -> String {
    value.map { String(format: "%.\(digits)f", $0) } ?? "undefined"
  }
}
