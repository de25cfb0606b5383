import AssayCore
import AssayStore
import AssayWorkflows

/// The result of a command that made one part of a check, of statistics or of a scan.
struct RecordPartResult: CommandResult {
  let made: MadeRecordPart

  var json: JSONValue {
    [
      "work": .string(made.work.rawValue), "shard": JSONValue(made.part.shard.number),
      "shards": JSONValue(made.part.shard.count), "part": .string(made.part.path),
      "total": JSONValue(made.part.total), "samples": JSONValue(made.samples),
      "failed": JSONValue(made.failed), "start": .string(made.isNew ? "new" : "alreadyDone"),
    ]
  }

  func text(in terminal: Terminal) -> String {
    let (shard, path) = (made.part.shard, Terminal.safe(made.part.path))
    let samples =
      made.work == .scan
      ? Counted.text(made.samples, "image", "images")
      : Counted.text(made.samples, "sample", "samples")
    var lines = [
      made.isNew
        ? "the shard \(shard.text): \(samples) of \(made.part.total), written to \(path)"
        : "already done: \(path), \(samples) of \(made.part.total)"
    ]
    if made.failed > 0 {
      lines.append(
        terminal.wrong("\(Counted.text(made.failed, "image", "images")) could not be read"))
    }
    if let next = made.joining {
      let isLast = shard.count == 1
      lines.append(
        (isLast ? "next: " : "next, when all \(shard.count) are there: ") + Terminal.safe(next))
    }
    return lines.joined(separator: "\n")
  }
}
