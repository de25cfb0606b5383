import AssayCore
import AssayWorkflows

extension ExportResult {
  static func json(_ summary: ParquetExportSummary) -> JSONValue {
    let value: JSONValue = [
      "view": .string(summary.scope.view), "dataset": .string(summary.scope.dataset.name),
      "format": "parquet", "out": .string(summary.folder),
      "files": .array(summary.files.map { .string($0) }),
      "samples": JSONValue(summary.samples), "annotations": JSONValue(summary.annotations),
      "classes": JSONValue(summary.classes), "run": JSONValue(summary.run),
      "task": JSONValue(summary.task?.rawValue),
      "predictions": JSONValue(summary.run == nil ? nil : summary.predictions),
      "not_predicted": JSONValue(summary.run == nil ? nil : summary.notPredicted),
      "notes": .array(summary.notes.map { .string($0) }),
    ]
    return value.adding(summary.scope)
  }

  static func text(_ summary: ParquetExportSummary, _ terminal: Terminal) -> String {
    var lines = [
      Counted.text(summary.samples, "sample", "samples") + ", "
        + Counted.text(summary.annotations, "annotation", "annotations") + " and "
        + Counted.text(summary.classes, "class", "classes")
        + " in \(Terminal.safe(summary.folder)): "
        + summary.files.map(Terminal.safe).joined(separator: ", ")
    ]
    if let run = summary.run {
      lines.append(
        Counted.text(summary.predictions, "prediction", "predictions")
          + " of the run \(Terminal.safe(run))")
      if summary.notPredicted > 0 {
        lines.append(
          Counted.text(summary.notPredicted, "sample is", "samples are") + " not predicted")
      }
    }
    lines += text(summary.scope, terminal, details: ParquetExport.samples)
    lines += summary.notes.map { Paragraph.text("note: " + $0, in: terminal) }
    lines.append(
      "next: python3 -c 'import pandas; "
        + "print(pandas.read_parquet(\"\(Terminal.safe(summary.folder))/annotations.parquet\"))'")
    return lines.joined(separator: "\n")
  }
}
