package import ArgumentParser
import AssayCore
import AssayStore
import AssayWorkflows

/// `assay corrections verify`: whether the ledger is whole.
package struct CorrectionsVerifyCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Walk the ledger's chain of hashes and name the first bad entry.",
    discussion: """
      Each entry carries the hash of the one before it, so that a changed, exchanged or missing entry shows. \
      That the last ones were cut off shows only against what the catalog saw of the ledger. Status 1 where \
      something is wrong.
      """)

  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func run() throws {
    try options.perform { progress in
      let outcome = try LedgerVerifying(progress: progress).run(catalog: options.catalogPath)
      let result = CorrectionsVerifyResult(outcome: outcome)
      guard outcome.verification.firstBad == nil else { throw CheckFailed(result) }
      return result
    }
  }
}

/// The result of `assay corrections verify`.
struct CorrectionsVerifyResult: CommandResult {
  let outcome: LedgerVerifying.Outcome

  private var verification: LedgerVerification { outcome.verification }

  var json: JSONValue {
    [
      "ledger": .string(outcome.ledger), "file": .string(outcome.path),
      "created": .string(outcome.createdAt), "entries": JSONValue(verification.count),
      "whole": .bool(verification.firstBad == nil),
      "head": [
        "sequence": .integer(verification.head.sequence),
        "hash": .string(verification.head.hash.hexadecimal),
      ],
      "first_bad": verification.firstBad.map { fault in
        [
          "sequence": fault.sequence.map { .integer($0) } ?? .null, "kind": .string(fault.code),
          "message": .string(fault.description),
        ]
      } ?? .null,
      "seen_by_catalog": outcome.seen.map { .integer($0) } ?? .null,
      "other_ledger": JSONValue(outcome.otherLedger),
    ]
  }

  func text(in terminal: Terminal) -> String {
    let entries = Counted.text(verification.count, "entry", "entries")
    let path = Terminal.safe(outcome.path)
    let hash = verification.head.hash.hexadecimal
    guard let fault = verification.firstBad else {
      var lines = [terminal.right("whole") + ": \(path), \(entries)"]
      if verification.count > 0 {
        lines.append("last entry \(verification.head.sequence), hash \(hash)")
      }
      if let seen = outcome.seen {
        lines.append("entry \(seen), the last one that the catalog saw, is the same")
      }
      return (lines + remarksOnLedger).joined(separator: "\n")
    }
    let place = fault.sequence.map { " at entry \($0)" } ?? ""
    let message = Terminal.safe(fault.description)
    let good = verification.head.sequence
    return
      ([
        terminal.wrong("broken\(place)") + ": \(message)",
        "\(path): \(entries); "
          + (good == 0 ? "none before it is good" : "entries 1 to \(good) are good, hash \(hash)"),
        "keep a copy of the file as it is, and go back to a backup; people's exported files bring in what "
          + "came after it: assay corrections import FILE.jsonl",
      ] + remarksOnLedger).joined(separator: "\n")
  }

  private var remarksOnLedger: [String] {
    outcome.otherLedger.map {
      ["the catalog went by another ledger before, \($0); this one is \(outcome.ledger)"]
    } ?? []
  }
}
