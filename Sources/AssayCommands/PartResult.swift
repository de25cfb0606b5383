import AssayCore
import AssayWorkflows
import Foundation

/// The result of `assay predict --shard`.
struct PartResult: CommandResult {
  let summary: PredictSummary
  let part: MadePart

  var json: JSONValue {
    let own: [JSONValue.Member] = [
      .init("shard", JSONValue(part.shard.number)), .init("shards", JSONValue(part.shard.count)),
      .init("part", .string(part.path)), .init("total", JSONValue(part.total)),
    ]
    let members = PredictResult(summary: summary).json.members ?? []
    return .object(own + members.filter { $0.name != "run" })
  }

  func text(in terminal: Terminal) -> String {
    let run = summary.run
    let samples = Counted.text(run.total, "sample", "samples")
    let path = Terminal.safe(part.path)
    var lines: [String] = []
    if summary.start == .alreadyDone {
      lines.append("already done: \(path), \(samples) of \(part.total)")
    } else {
      lines.append("the shard \(part.shard.text): \(samples) of \(part.total), written to \(path)")
    }
    if run.failed > 0 {
      lines.append(
        terminal.wrong(
          "\(Counted.text(run.failed, "sample", "samples")) could not be predicted:"))
      lines += summary.failures.map { "  " + Terminal.safe($0.message) }
    }
    let folder = ShellWord.quoted(part.path.parentFolder)
    lines.append(
      "next, when all \(part.shard.count) are there: assay merge \(Terminal.safe(folder)) --name RUN"
    )
    return lines.joined(separator: "\n")
  }
}
