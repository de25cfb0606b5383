import AssayCore
import AssayWorkflows

/// The result of exporting masks or detections.
struct COCOResultsExportResult: CommandResult {
  let summary: COCOResultsExport.Summary

  var json: JSONValue {
    [
      "run": .string(summary.run), "task": .string(summary.task.rawValue),
      "file": .string(summary.path),
      "results": JSONValue(summary.results), "samples": JSONValue(summary.samples),
      "empty": JSONValue(summary.empty),
      "classes": .array(summary.classes.map { .string($0) }),
      "left_out": .array(summary.leftOut.map { .string($0) }),
      "without_id": JSONValue(summary.withoutID),
      "numbers_classes": .bool(summary.numbersClasses),
      "not_predicted": JSONValue(summary.notPredicted),
    ]
  }

  func text(in terminal: Terminal) -> String {
    let names = summary.classes.prefix(8).joined(separator: ", ")
    let more = summary.classes.count > 8 ? " and \(summary.classes.count - 8) more" : ""
    let isDetection = summary.task.output == .objects
    let what = isDetection ? ("detection", "detections") : ("mask", "masks")
    var lines = [
      Counted.text(summary.results, what.0, what.1) + " (\(Terminal.safe(names + more))) of "
        + Counted.text(summary.samples, "image", "images") + " written to"
        + " \(Terminal.safe(summary.path))"
    ]
    if summary.empty > 0 { lines.append("images without a \(what.0): \(summary.empty)") }
    if !summary.leftOut.isEmpty {
      lines.append(
        "left out because the dataset has no such class: "
          + Terminal.safe(summary.leftOut.joined(separator: ", ")))
    }
    if summary.numbersClasses {
      let first = summary.firstNumber
      lines.append(
        first == 1
          ? "the dataset has no classes: their ids are 1, 2, … in the run's order, and each result has its "
            + "category_name, which predictions import reads"
          : "the dataset has none of these classes: their ids are \(first), \(first + 1), … in the run's order, and "
            + "each result has its category_name")
    }
    if summary.withoutID > 0 {
      lines.append(
        "images without an id in their source, named by their keys: \(summary.withoutID)")
    }
    if summary.notPredicted > 0 {
      lines.append("samples of the run without prediction: \(summary.notPredicted)")
    }
    return lines.joined(separator: "\n")
  }
}
