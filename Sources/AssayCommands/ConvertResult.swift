import AssayCore
import AssayWorkflows

/// The result of `assay convert`, and of `assay merge --to`.
struct ConvertResult: CommandResult {
  let summary: ConversionSummary
  let format: String

  var json: JSONValue {
    let sources = summary.imports.map { imported -> JSONValue in
      [
        "source": .string(imported.dataset.root),
        "from": .string(imported.detection.format.rawValue),
      ]
    }
    var value: JSONValue = sources.count == 1 ? sources[0] : ["sources": .array(sources)]
    value = .object(value.members + [.init("to", .string(format))])
    if let merge = summary.merge {
      value = .object(value.members + [.init("merge", MergeResult(summary: merge).json)])
    }
    return .object(
      value.members + Self.members(summary.export) + [.init("certificate", "certificate.json")])
  }

  /// The JSON of an export from a catalog.
  static func json(_ export: DatasetExportSummary) -> JSONValue {
    let value: JSONValue = [
      "view": .string(export.scope.view), "dataset": .string(export.scope.dataset.name),
      "format": .string(export.formatName),
    ]
    return JSONValue.object(value.members + members(export) + [.init("manifest", "manifest.json")])
      .adding(export.scope)
  }

  private static func members(_ export: DatasetExportSummary) -> [JSONValue.Member] {
    let survey = export.survey
    let found = export.verification
    let value: JSONValue = [
      "out": .string(export.folder), "images": JSONValue(survey.expected.images),
      "files": JSONValue(export.files), "classes": .array(export.classes.map { .string($0) }),
      "written": JSONValue(survey.expected.annotations),
      "read_back": JSONValue(found?.read.annotations), "lost": JSONValue(found?.lost),
      "shapes": export.shapes, "announced": survey.losses.json,
      "announced_attributes": survey.losses.attributesJSON,
      "notes": .array(survey.notes.map { .string($0) }), "source_counts": survey.source.json,
      "written_counts": survey.expected.json,
      "read_back_counts": found?.read.json ?? .null, "lost_counts": found?.json ?? .null,
      "differences": .array((found?.differences ?? []).map { .string($0) }),
      "left_out": .array(export.leftOut.map(\.json)), "import": JSONValue(export.source),
    ]
    guard let run = export.request.run, let predicted = export.predicted else {
      return value.members
    }
    return value.members + [
      .init(
        "predictions",
        [
          "run": .string(run), "images": JSONValue(predicted.images),
          "not_predicted": JSONValue(predicted.notPredicted),
          "results": JSONValue(predicted.results),
          "left_out_keypoints": JSONValue(predicted.withoutKeypoints),
        ])
    ]
  }

  /// The losses that a format implies, and notes about its files, as lines; empty if it can hold everything.
  static func announcement(_ survey: ExportSurvey, format: String) -> String {
    let lines = survey.announcements.map { "  " + Terminal.safe($0) + "\n" }
    let notes = survey.notes.map { "note: " + Terminal.safe($0) + "\n" }
    return (lines.isEmpty ? "" : "\(format) cannot hold everything:\n" + lines.joined())
      + notes.joined()
  }

  func text(in terminal: Terminal) -> String {
    let rejected = summary.imports.map(\.dataset.rejected).reduce(0, +)
    let issues = summary.imports.flatMap(\.issueCounts).map(\.count).reduce(0, +)
    let formats = summary.imports.map(\.detection.format.rawValue)
    var lines = [formats.joined(separator: " and ") + " to \(format)"]
    if issues > 0 {
      lines.append(
        Counted.text(issues, "issue", "issues")
          + (formats.count == 1 ? " of the source" : " of the sources")
          + (rejected > 0 ? ", with \(Counted.text(rejected, "record", "records")) rejected" : "")
          + " (assay import lists them)")
    }
    if let merge = summary.merge { lines += MergeResult.notes(merge, in: terminal) }
    return (lines + [Self.text(summary.export, terminal)]).joined(separator: "\n")
  }

  /// The text of an export from a catalog.
  static func text(_ export: DatasetExportSummary, _ terminal: Terminal) -> String {
    let expected = export.survey.expected
    var lines = [
      Counted.text(expected.images, "image", "images") + " with "
        + Counted.text(expected.objects, "annotation", "annotations")
        + (expected.labels > 0 ? " and " + Counted.text(expected.labels, "label", "labels") : "")
        + " of " + Counted.text(export.classes.count, "class", "classes") + " in "
        + Terminal.safe(export.folder)
    ]
    if let shapes = export.shapesText { lines.append(shapes) }
    if let run = export.request.run, let predicted = export.predicted {
      lines.append(
        Counted.text(predicted.results, "prediction", "predictions") + " of the run "
          + Terminal.safe(run) + " for " + Counted.text(predicted.images, "image", "images"))
      if predicted.notPredicted > 0 {
        lines.append(
          Counted.text(predicted.notPredicted, "image has", "images have")
            + " no prediction of the run")
      }
      if predicted.withoutKeypoints > 0 {
        lines.append(
          "the keypoints of "
            + Counted.text(predicted.withoutKeypoints, "prediction", "predictions")
            + " are left out")
      }
    }
    lines += ExportResult.text(export.scope, terminal)
    lines += ExportResult.list(export.leftOut, "could not be written", terminal)
    if let found = export.verification { lines += Self.text(found, terminal) }
    if let source = export.source { lines.append("next: assay import \(Terminal.safe(source))") }
    return lines.joined(separator: "\n")
  }

  static func text(_ found: ExportVerification, _ terminal: Terminal) -> [String] {
    guard found.lost > 0 else {
      return [
        terminal.right("verified") + ": read back, "
          + Counted.text(found.read.images, "image", "images") + ", "
          + Counted.text(found.read.annotations, "annotation", "annotations")
          + ": all are as written; nothing was lost that is not announced"
      ]
    }
    var lines = [
      terminal.wrong("lost without an announcement: ")
        + found.list.map { "\($0.count) \($0.kind.rawValue)" }.joined(separator: ", ")
    ]
    lines += found.differences.prefix(ExportResult.listed).map { "  " + Terminal.safe($0) }
    if found.differences.count > ExportResult.listed { lines.append("  … (--json lists more)") }
    return lines
  }
}

extension JSONValue {
  /// The members of an object; empty for other values.
  fileprivate var members: [Member] {
    if case .object(let members) = self { members } else { [] }
  }
}
