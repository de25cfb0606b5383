import AssayCore
import AssayWorkflows

/// What masks were exported.
struct COCOResultsExportResult: CommandResult {
  let summary: COCOResultsExport.Summary

  var json: JSONValue {
    [
      "run": .string(summary.run), "file": .string(summary.path),
      "results": JSONValue(summary.results), "samples": JSONValue(summary.samples),
      "empty": JSONValue(summary.empty),
      "classes": .array(summary.classes.map { .string($0) }),
      "left_out": .array(summary.leftOut.map { .string($0) }),
      "without_id": JSONValue(summary.withoutID),
      "not_predicted": JSONValue(summary.notPredicted),
    ]
  }

  func text(in terminal: Terminal) -> String {
    let classes = Terminal.safe(summary.classes.joined(separator: ", "))
    var lines = [
      Counted.text(summary.results, "mask", "masks") + " (\(classes)) of "
        + Counted.text(summary.samples, "image", "images") + " written to"
        + " \(Terminal.safe(summary.path))"
    ]
    if summary.empty > 0 { lines.append("images without a mask: \(summary.empty)") }
    if !summary.leftOut.isEmpty {
      lines.append(
        "left out, for the dataset has no such class: "
          + Terminal.safe(summary.leftOut.joined(separator: ", ")))
    }
    if summary.withoutID > 0 {
      lines.append(
        "images without an id in their source, named by their keys: \(summary.withoutID)")
    }
    if summary.notPredicted > 0 {
      lines.append("samples of the run that are not predicted: \(summary.notPredicted)")
    }
    return lines.joined(separator: "\n")
  }
}
