package import ArgumentParser
import AssayCore
import AssayStore

/// `assay corrections forget`: accepts that entries are lost.
package struct CorrectionsForgetCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "forget",
    abstract: "Accept that entries of the ledger are lost, and go on with what is there.",
    discussion: """
      If the ledger is missing, ends early or was rewritten, commands refuse to add to it and to use \
      corrections. Restore a backup first; this is for the case that there is none. Nothing is done if no \
      entry is lost. The ledger itself is not changed.
      """)

  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func run() throws {
    try options.perform { progress in
      let catalog = try Catalog.open(options.catalogPath, .readWrite, reportingTo: progress)
      let path = Ledger.path(forCatalog: options.catalogPath)
      let ledger = Ledger.exists(at: path) ? try Ledger.open(path, .readOnly) : nil
      guard let loss = try catalog.loss(of: ledger), let seen = try catalog.forgetLedger() else {
        return CorrectionsForgetResult(path: path, entries: try ledger?.head().sequence)
      }
      return CorrectionsForgetResult(
        path: path, entries: try ledger?.head().sequence, lost: (loss, seen))
    }
  }
}

/// The result of `assay corrections forget`.
struct CorrectionsForgetResult: CommandResult {
  /// The ledger's path.
  var path: String
  /// The ledger's entries; `nil` if there is no ledger.
  var entries: Int64?
  /// The loss, and the last entry that the catalog had seen; `nil` if nothing was lost.
  var lost: (loss: LedgerLoss, seen: SeenLedger)?

  var json: JSONValue {
    [
      "file": .string(path), "entries": entries.map { .integer($0) } ?? .null,
      "forgotten": lost.map { lost in
        [
          "ledger": .string(lost.seen.ledger), "entries": .integer(lost.seen.head.sequence),
          "reason": .string("\(lost.loss)"),
        ]
      } ?? .null,
    ]
  }

  func text(in terminal: Terminal) -> String {
    guard let lost else { return "nothing is lost; nothing was forgotten" }
    let rest =
      entries.map { "it goes on with \(Counted.text(Int($0), "entry", "entries"))" }
      ?? "the next correction begins a new one"
    return "the ledger \(Terminal.safe(path)) \(lost.loss); \(rest)"
  }
}
