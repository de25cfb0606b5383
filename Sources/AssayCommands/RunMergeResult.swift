import AssayCore
import AssayStore
import AssayWorkflows

/// The result of `assay merge` of parts.
struct RunMergeResult: CommandResult {
  let run: RunRecord
  let folder: String
  let parts: Int
  /// The catalog's path, if it is not the one that commands use without --db.
  let catalog: String?
  let hasGroundTruth: Bool

  var json: JSONValue {
    [
      "run": .string(run.name), "model": JSONValue(run.model?.name), "view": .string(run.view),
      "task": .string(run.task.rawValue), "folder": .string(folder), "parts": JSONValue(parts),
      "n": JSONValue(run.total), "done": JSONValue(run.done), "failed": JSONValue(run.failed),
    ]
  }

  func text(in terminal: Terminal) -> String {
    var lines = [
      "merged \(Counted.text(parts, "part", "parts")) into the run \(run.name): "
        + Counted.text(run.total, "sample", "samples")
    ]
    if let catalog { lines.append("the run is in \(Terminal.safe(catalog)): --db names it") }
    if run.failed > 0 {
      lines.append(
        terminal.wrong("\(Counted.text(run.failed, "sample", "samples")) could not be predicted"))
      lines.append(
        "once they are fixed, try them again: assay predict \(Terminal.safe(run.view)) --model"
          + " \(run.model?.name ?? "") --name \(run.name)")
    }
    lines.append(NextStep.line(forRun: run.name, hasGroundTruth: hasGroundTruth))
    return lines.joined(separator: "\n")
  }
}
