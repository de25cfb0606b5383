package import ArgumentParser
import AssayCore
import AssayStore
import AssayWorkflows

/// `assay corrections import`: another ledger's entries into this one.
package struct CorrectionsImportCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Import corrections exported by another person.",
    discussion: """
      Each entry is imported once, however often a file is imported. If both worked on the same sample, the \
      second version is kept as a conflict for a person to resolve. The whole file is imported, \
      or nothing.
      """)

  @Argument(help: "The file that `assay corrections export` wrote.", completion: .file())
  package var file: String

  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func run() throws {
    try options.perform { progress in
      let path = Ledger.path(forCatalog: options.catalogPath)
      let work = CorrectionsImport(ledger: path, progress: progress)
      return CorrectionsImportResult(summary: try work.run(file), path: path)
    }
  }
}

/// The result of `assay corrections import`.
struct CorrectionsImportResult: CommandResult {
  /// The maximum number of conflicts that are listed.
  private static let listed = 20

  let summary: CorrectionsImport.Summary
  let path: String

  var json: JSONValue {
    [
      "file": .string(summary.path), "source": .string(summary.source),
      "ledger": .string(summary.ledger), "new_ledger": .bool(summary.isNewLedger),
      "new": JSONValue(summary.new), "already_there": JSONValue(summary.known),
      "conflicts": JSONValue(summary.conflictingEntries),
      "conflicting_samples": .array(
        summary.conflicts.map { conflict in
          [
            "dataset": .string(conflict.sample.dataset), "key": .string(conflict.sample.key),
            "entries": JSONValue(conflict.entries),
          ]
        }),
      "head": .integer(summary.head),
    ]
  }

  func text(in terminal: Terminal) -> String {
    var lines = [
      "\(summary.new) new, \(summary.known) already present, "
        + Counted.text(summary.conflictingEntries, "conflict", "conflicts")
    ]
    if summary.isNewLedger { lines.append("a new ledger was created: \(Terminal.safe(path))") }
    guard !summary.conflicts.isEmpty else { return lines.joined(separator: "\n") }
    lines.append("conflicts to resolve:")
    for conflict in summary.conflicts.prefix(Self.listed) {
      lines.append(
        "  \(conflict.sample.dataset):\(Terminal.safe(conflict.sample.key)), "
          + Counted.text(conflict.entries, "entry", "entries"))
    }
    if summary.conflicts.count > Self.listed {
      lines.append("  and \(summary.conflicts.count - Self.listed) more; --json lists all")
    }
    if let first = summary.conflicts.first?.sample {
      lines.append("next: assay corrections show \(Self.word("\(first.dataset):\(first.key)"))")
    }
    return lines.joined(separator: "\n")
  }

  /// A word quoted for a shell.
  private static func word(_ text: String) -> String {
    let safe = Terminal.safe(text)
    return safe.allSatisfy { $0.isLetter || $0.isNumber || "._-/:".contains($0) }
      ? safe : "'" + safe.replacing("'", with: "'\\''") + "'"
  }
}
