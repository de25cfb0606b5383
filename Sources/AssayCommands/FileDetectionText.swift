import AssayCore
import AssayMetrics
import AssayWorkflows
import Foundation

/// The output of `assay evaluate --gt --dt` for detections: a health check of the files, then the
/// standard 12 COCO metrics as pycocotools prints them.
struct FileDetectionText: CommandResult {
  let result: FileDetectionResult

  init(_ result: FileDetectionResult) { self.result = result }

  var json: JSONValue { result.json }

  func text(in terminal: Terminal) -> String {
    let findings = result.findings.map {
      "\($0.oddity.side == .truth ? "ground truth" : "results"): \($0.text)"
    }
    let warnings = FileDetectionWarnings(result.health)
    return [
      headline, healthTable.text(in: terminal),
      (findings.map { Paragraph.text($0, in: terminal) } + warnings.paragraphs(in: terminal))
        .joined(separator: "\n"),
      lines.joined(separator: "\n"),
      (result.notes.map { Paragraph.text("note: " + $0, in: terminal) }
        + (result.arraysPath.map { ["arrays: \(Terminal.safe($0))"] } ?? [])
        + ["all metrics, AP of each class: --json"]).joined(separator: "\n"),
    ].filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  private var headline: String {
    let name = { (path: String) in
      Terminal.safe(path.split(separator: "/").last.map(String.init) ?? path)
    }
    return """
      \(name(result.resultPath)) against \(name(result.truthPath)), \
      \(shapes)
      \(Counted.text(result.images, "image", "images")), \
      \(Counted.text(result.classes.count, "class", "classes")), \
      \(Counted.text(result.truths, "object", "objects")), \
      \(Counted.text(result.results, "result", "results"))
      """
  }

  private var shapes: String {
    switch result.overlap {
    case .box: "boxes (bbox)"
    case .mask: "regions (segm)"
    case .keypoints: result.overlap.noun
    }
  }

  private var healthTable: TextTable {
    let health = result.health
    var table = TextTable([("check of the results", .left), ("", .left)])
    let ofThem = health.imagesWithoutButTruth
    table.add([
      "images without results",
      "\(health.imagesWithout) of \(health.images)"
        + (health.imagesWithout > 0 ? " (\(ofThem) with objects)" : ""),
    ])
    table.add([
      "per image",
      "median \(Self.short(health.median)), max \(health.most); "
        + "\(health.beyondLimit) beyond \(health.limit) per class",
    ])
    if let low = health.lowestScore, let high = health.highestScore {
      table.add(["scores", "\(Self.short(low)) to \(Self.short(high))"])
    }
    if health.tiedResults > 0 {
      table.add([
        "tied scores",
        "\(health.tiedResults) within their class; ranked by file order, which may change AP",
      ])
    }
    if health.sized > 0 {
      table.add([
        "boxes beyond the image",
        "\(health.beyondImage) of \(health.sized)"
          + (health.outside > 0 ? " (\(health.outside) completely outside)" : ""),
      ])
    }
    return table
  }

  private static func short(_ value: Double) -> String { String(format: "%.4g", value) }

  /// The lines of COCO's 10 metrics of keypoints.
  private var keypointLines: [String] {
    let settings = result.matching
    let range = Self.range(settings.iouThresholds)
    let most = settings.maxDetections.last ?? 0
    let rows: [(MetricKind, Bool, String, String)] = [
      (.ap, true, range, "all"), (.ap50, true, "0.50", "all"), (.ap75, true, "0.75", "all"),
      (.apMedium, true, range, "medium"), (.apLarge, true, range, "large"),
      (.ar, false, range, "all"), (.ar50, false, "0.50", "all"), (.ar75, false, "0.75", "all"),
      (.arMedium, false, range, "medium"), (.arLarge, false, range, "large"),
    ]
    return rows.map { line($0, $1, $2, $3, most) }
  }

  /// The lines of COCO's metrics as pycocotools prints them.
  private var lines: [String] {
    if result.overlap == .keypoints { return keypointLines }
    let settings = result.matching
    let most = settings.maxDetections
    let range = Self.range(settings.iouThresholds)
    let last = most.last ?? 0
    let names = ["all", "small", "medium", "large"]
    var lines = [
      line(.ap, true, range, "all", last), line(.ap50, true, "0.50", "all", last),
      line(.ap75, true, "0.75", "all", last),
    ]
    for (kind, name) in zip([MetricKind.apSmall, .apMedium, .apLarge], names.dropFirst()) {
      lines.append(line(kind, true, range, name, last))
    }
    for (place, kind) in [MetricKind.ar1, .ar10, .ar100].enumerated() {
      guard place < most.count else { continue }
      lines.append(line(kind, false, range, "all", most[place]))
    }
    for (kind, name) in zip([MetricKind.arSmall, .arMedium, .arLarge], names.dropFirst()) {
      lines.append(line(kind, false, range, name, last))
    }
    return lines
  }

  private static func range(_ thresholds: [Double]) -> String {
    guard let first = thresholds.first, let last = thresholds.last else { return "" }
    return thresholds.count == 1
      ? String(format: "%.2f", first) : String(format: "%.2f:%.2f", first, last)
  }

  /// ` {:<18} {} @[ IoU={:<9} | area={:>6s} | maxDets={:>3d} ] = {:0.3f}`, the format of pycocotools.
  private func line(
    _ kind: MetricKind, _ isPrecision: Bool, _ iou: String, _ area: String, _ most: Int
  ) -> String {
    let title = isPrecision ? "Average Precision  (AP)" : "Average Recall     (AR)"
    let score = result.scores[kind]
    // pycocotools prints −1 for an undefined number.
    let undefined = result.settings.objects.isCompatible ? "-1.000" : "–"
    let value = score.value.map { String(format: "%.3f", $0) } ?? undefined
    let interval = Fixed.text(score.interval)
    return " \(title) @[ IoU=\(Self.padded(iou, 9)) | area=\(Self.padded(area, -6)) "
      + "| maxDets=\(Self.padded("\(most)", -3)) ] = \(value)"
      + (interval.isEmpty ? "" : " " + interval)
  }

  /// A text padded with trailing blanks, or with leading blanks if the width is negative.
  private static func padded(_ text: String, _ width: Int) -> String {
    let blanks = String(repeating: " ", count: max(0, abs(width) - text.count))
    return width < 0 ? blanks + text : text + blanks
  }
}
