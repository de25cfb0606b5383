import AssayCore
import AssayFormats
import AssayMetrics
import Foundation

extension FileDetectionResult {
  /// What is to be said of the numbers themselves.
  var ownNotes: [String] {
    var notes: [String] = []
    if isOverlapChosen {
      notes.append(
        overlap == .mask
          ? "regions are compared, as the results have them and no boxes (--iou-type segm)"
          : "boxes are compared (--iou-type bbox); --iou-type segm compares regions")
    }
    notes += reference.notes(scores, isCompatible: settings.objects.isCompatible)
    return notes
  }
}

extension FileDetectionReference {
  /// What is to be said of the reference, one sentence each.
  func notes(_ own: DetectionScores, isCompatible: Bool) -> [String] {
    var notes: [String] = []
    if let stop {
      notes.append(
        "pycocotools 2.0.11 stops at these files: \(stop.error)"
          + (stop.place.map { " (\($0))" } ?? ""))
    }
    if isCompatible {
      if !differing.isEmpty, stop == nil {
        notes.append(
          "as pycocotools takes them (--compat pycocotools): \(Self.list(differing)); "
            + "without --compat they are taken as the findings say")
      }
    } else if let scores, !differing.isEmpty {
      let changed = DetectionScores.stats.compactMap { kind -> String? in
        let (theirs, ours) = (scores[kind].value, own[kind].value)
        guard theirs != ours else { return nil }
        let digits = Self.digits(theirs, ours)
        return "\(kind.rawValue) \(Self.text(theirs, digits)) (here \(Self.text(ours, digits)))"
      }
      notes.append(
        changed.isEmpty
          ? "pycocotools 2.0.11 takes \(Self.list(differing)) in another way, and gives the same 12 numbers"
          : "pycocotools 2.0.11 would print \(changed.joined(separator: ", ")) for "
            + Self.list(differing))
    }
    if let unknown {
      notes.append("pycocotools may take \(unknown) in another way, which is not reproduced")
    }
    return notes
  }

  private static func list(_ findings: [OddityCount]) -> String {
    findings.map(name).joined(separator: ", ")
  }

  private static func name(_ finding: OddityCount) -> String { finding.name }

  /// As many digits as tell two numbers apart: three, as pycocotools prints them, where those do.
  private static func digits(_ first: Double?, _ second: Double?) -> Int {
    for digits in [3, 6, 9] where text(first, digits) != text(second, digits) { return digits }
    return 17
  }

  private static func text(_ value: Double?, _ digits: Int) -> String {
    value.map { String(format: "%.\(digits)f", $0) } ?? "undefined"
  }
}
