package import ArgumentParser
import AssayCore
import AssayStore
import AssayWorkflows

/// `assay corrections export`: the ledger's entries as a file.
package struct CorrectionsExportCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write corrections to a file, one entry per line, for another ledger.",
    discussion: """
      The file is JSON Lines: a header, then the entries in order with every column. \
      `assay corrections import` adds them to another ledger, each once.
      """)

  @Argument(help: "The file to write (.jsonl).", completion: .file())
  package var file: String

  @Option(help: ArgumentHelp("Only entries after this one.", valueName: "seq"))
  package var since: Int64 = 0

  @Option(
    name: .customLong("in"),
    help: ArgumentHelp("Only corrections of this dataset.", valueName: "dataset"))
  package var dataset: String?

  @Flag(help: "Overwrite the file.")
  package var force = false

  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func validate() throws {
    guard since >= 0 else { throw ValidationError("--since must be 0 or more") }
  }

  package func run() throws {
    try options.perform { progress in
      let ledger = try Ledger.open(besideCatalog: options.catalogPath)
      let export = CorrectionsExport(ledger: ledger, progress: progress)
      return CorrectionsExportResult(
        summary: try export.run(to: file, since: since, dataset: dataset, overwrite: force))
    }
  }
}

/// The result of `assay corrections export`.
struct CorrectionsExportResult: CommandResult {
  let summary: CorrectionsExport.Summary

  var json: JSONValue {
    [
      "file": .string(summary.path), "ledger": .string(summary.ledger),
      "entries": JSONValue(summary.entries), "samples": JSONValue(summary.samples),
      "since": .integer(summary.since), "dataset": JSONValue(summary.dataset),
      "head": [
        "sequence": .integer(summary.head.sequence),
        "hash": .string(summary.head.hash.hexadecimal),
      ],
      "first_bad": summary.firstBad.map { .integer($0) } ?? .null,
    ]
  }

  func text(in terminal: Terminal) -> String {
    let samples = Counted.text(summary.samples, "sample", "samples")
    var lines = [
      Counted.text(summary.entries, "entry", "entries")
        + " of \(samples) written to \(Terminal.safe(summary.path))"
    ]
    if summary.since > 0 {
      lines.append(
        "from entry \(summary.since + 1) on; the importing ledger needs the entries before it")
    }
    if let bad = summary.firstBad {
      lines.append(
        "entry \(bad) was changed after it was written, and an import will refuse the file; see `assay corrections "
          + "verify`")
    }
    return lines.joined(separator: "\n")
  }
}
