package import ArgumentParser
import AssayCore
import AssayStore
import AssayWorkflows

/// `assay corrections verify`: checks that the ledger is intact.
package struct CorrectionsVerifyCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Verify the ledger's hash chain and report the first bad entry.",
    discussion: """
      Each entry contains the hash of the one before it, so a changed, reordered or missing entry is detected. \
      Missing last entries are detected only with a catalog that has seen them. Exit status 1 if \
      an entry is bad.
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
      "intact": .bool(verification.firstBad == nil),
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
      var lines = [terminal.right("OK") + ": ledger intact, \(path), \(entries)"]
      if verification.count > 0 {
        lines.append("last entry \(verification.head.sequence), hash \(hash)")
      }
      if let seen = outcome.seen {
        lines.append("entry \(seen), the last one known to the catalog, is unchanged")
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
          + (good == 0
            ? "no good entries before it" : "entries 1 to \(good) are good, hash \(hash)"),
        "keep a copy of the file, and restore a backup; exported files bring back the entries "
          + "after it: assay corrections import FILE.jsonl",
      ] + remarksOnLedger).joined(separator: "\n")
  }

  private var remarksOnLedger: [String] {
    outcome.otherLedger.map {
      ["the catalog used another ledger before, \($0); this one is \(outcome.ledger)"]
    } ?? []
  }
}
