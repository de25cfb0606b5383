package import ArgumentParser
import AssayCore
import AssayStore
import AssayWorkflows

/// `assay status`: the parts of a run in a folder.
package struct StatusCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show which shards of a run are done.",
    discussion: """
      Lists the parts that a command with --shard wrote into a folder, the missing shards with the commands that \
      make them, failed samples, and files that running or killed tasks have not finished. Only the commands that \
      join parts compare every byte with its hash. For shards of assay submit slurm, and of \
      the recipes for Ray and Spark, that are missing, the last lines of their logs are shown.
      """)

  @Argument(help: ArgumentHelp("The folder with the parts.", valueName: "dir"))
  package var folder: String

  @Option(
    help: ArgumentHelp(
      "The plan of the run: the commands for missing shards use it.", valueName: "file"),
    completion: .file(extensions: ["assayplan"]))
  package var plan: String?

  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func run() throws {
    try options.perform { _ in
      var folder = try PartFolder(folder)
      folder.planCommand = plan.map { "assay predict --plan \(ShellWord.quoted($0))" }
      return StatusResult(
        folder: folder, own: folder.own, problems: folder.problems, logs: folder.logs)
    }
  }
}

/// The result of `assay status`.
struct StatusResult: CommandResult {
  let folder: PartFolder
  /// The parts that count.
  let own: [(shard: Shard, file: PartFile)]
  let problems: [String]
  let logs: [ShardLog]

  var isComplete: Bool { !folder.parts.isEmpty && problems.isEmpty }

  private var failed: Int { own.reduce(0) { $0 + $1.file.failed } }
  private var samples: Int { own.reduce(0) { $0 + $1.file.samples } }

  var json: JSONValue {
    let identity = own.first?.file.identity
    return [
      "folder": .string(folder.path), "work": JSONValue(identity?.work?.rawValue),
      "complete": .bool(isComplete),
      "shards": JSONValue(folder.count), "done": JSONValue(own.count),
      "missing": .array(folder.missing.map { JSONValue($0.number) }),
      "commands": .array(
        folder.missing.compactMap { folder.command(for: $0).map { .string($0) } }),
      "unusable": .array(
        folder.unusable.map {
          ["part": .string($0.shard.fileName), "reason": .string($0.reason)]
        }),
      "model": identity?.fact("model") ?? .null, "view": identity?.fact("view") ?? .null,
      "catalog": JSONValue(identity?.catalog), "total": identity?.fact("samples") ?? .null,
      "samples": JSONValue(samples), "failed": JSONValue(failed),
      "parts": .array(
        folder.parts.map { shard, file in
          [
            "shard": JSONValue(shard.number), "shards": JSONValue(shard.count),
            "samples": JSONValue(file.samples), "failed": JSONValue(file.failed),
            "bytes": JSONValue(file.size), "begun": .string(file.createdAt),
          ]
        }),
      "temporaries": JSONValue(folder.drafts),
      "problems": .array(problems.map { .string($0) }),
      "logs": .array(
        logs.map {
          [
            "shard": JSONValue($0.shard), "file": .string($0.path),
            "status": JSONValue($0.status.map(Int.init)),
            "lines": .array($0.lines.map { .string($0) }),
          ]
        }),
    ]
  }

  func text(in terminal: Terminal) -> String {
    var lines: [String] = []
    if let count = folder.count {
      lines.append("\(own.count) of \(Counted.text(count, "shard", "shards")) done")
    } else {
      lines.append(
        "no parts in \(Terminal.safe(folder.path)); assay predict VIEW --model M --shard I/N --out"
          + " \(Terminal.safe(folder.path)) makes them")
    }
    if let identity = own.first?.file.identity {
      let model = identity.fact("model")?.text ?? identity.work?.rawValue ?? ""
      let subject = identity.fact("view")?.text ?? identity.fact("source")?.text ?? ""
      lines[0] += ": \(Terminal.safe(model)) on \(Terminal.safe(subject))"
      lines.append(
        "\(samples) of \(Counted.text(identity.fact("samples")?.whole ?? 0, "sample", "samples")),"
          + " \(failed) failed")
    }
    if folder.drafts > 0 {
      lines.append(
        "\(Counted.text(folder.drafts, "file", "files")) of running or killed tasks, which assay merge"
          + " removes when no task holds them")
    }
    lines += problems.map { terminal.wrong(Terminal.safe($0)) }
    for log in logs {
      lines.append("\(Terminal.safe(log.path)), \(log.state):")
      lines += log.lines.map { "  " + Terminal.safe($0) }
    }
    if isComplete {
      let identity = folder.parts.first?.file.identity
      if let next = identity?.joining(folder.path) { lines.append("next: " + Terminal.safe(next)) }
    }
    return lines.joined(separator: "\n")
  }
}
