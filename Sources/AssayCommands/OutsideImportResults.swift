import AssayCore
import AssayWorkflows

/// The result of importing detections of Ultralytics, supervision or FiftyOne.
struct OutsideDetectionsImportResult: CommandResult {
  let summary: OutsideDetectionsImport.Summary

  var json: JSONValue {
    [
      "run": .string(summary.run.name), "task": .string(summary.run.task.rawValue),
      "imported": .bool(summary.isNew), "view": .string(summary.run.view),
      "n": JSONValue(summary.run.total), "detections": JSONValue(summary.detections),
      "without_detections": JSONValue(summary.withoutDetections),
      "unknown_classes": .array(summary.unknownClasses.map { .string($0) }),
      "classes": .array(summary.run.classes.map { .string($0) }),
      "notes": .array(summary.notes.map { .string($0) }),
      "health": .object(
        summary.health.members.filter { DetectionsImportResult.healthKeys.contains($0.name) }),
    ]
  }

  func text(in terminal: Terminal) -> String {
    let run = summary.run
    let detections = Counted.text(summary.detections, "detection", "detections")
    let images = Counted.text(run.total, "image", "images")
    var lines = [
      summary.isNew
        ? "\(detections) of \(images) imported into the run \(run.name)"
        : "already imported: the run \(run.name), \(detections) of \(images)"
    ]
    lines += summary.notes.map(Terminal.safe)
    if summary.withoutDetections > 0 {
      lines.append(
        Counted.text(summary.withoutDetections, "image has", "images have") + " no detections")
    }
    if !summary.unknownClasses.isEmpty {
      lines.append(
        "classes that the dataset does not have: "
          + summary.unknownClasses.prefix(20).map(Terminal.safe).joined(separator: ", "))
    }
    lines += FileDetectionWarnings(summary.health).paragraphs(in: terminal)
    lines.append(NextStep.line(forRun: run.name, hasGroundTruth: summary.hasGroundTruth))
    return lines.joined(separator: "\n")
  }
}

/// The result of importing a folder of masks.
struct MaskFolderImportResult: CommandResult {
  let summary: MaskFolderImport.Summary

  var json: JSONValue {
    [
      "run": .string(summary.run.name), "task": .string(summary.run.task.rawValue),
      "imported": .bool(summary.isNew), "view": .string(summary.run.view),
      "n": JSONValue(summary.run.total), "absent": JSONValue(summary.absent),
      "void_pixels": JSONValue(summary.void),
      "classes": .array(summary.run.classes.map { .string($0) }),
      "notes": .array(summary.notes.map { .string($0) }),
    ]
  }

  func text(in terminal: Terminal) -> String {
    let run = summary.run
    let masks = Counted.text(run.done, "mask", "masks")
    var lines = [
      summary.isNew
        ? "\(masks) imported into the run \(run.name)"
        : "already imported: the run \(run.name), \(masks)"
    ]
    lines += summary.notes.map(Terminal.safe)
    if summary.void > 0 {
      lines.append(
        "\(Counted.text(summary.void, "pixel is", "pixels are")) void in the masks and have no predicted class"
      )
    }
    if summary.absent > 0 {
      lines.append(
        Counted.text(summary.absent, "sample", "samples") + " of \(run.view) "
          + (summary.absent == 1 ? "has" : "have")
          + " no mask and \(summary.absent == 1 ? "is" : "are") not in the run")
    }
    lines.append(NextStep.line(forRun: run.name, hasGroundTruth: summary.hasGroundTruth))
    return lines.joined(separator: "\n")
  }
}
