package import ArgumentParser
import AssayCore
import AssayStore

/// `assay backup`: a complete copy of the catalog and its ledger.
package struct BackupCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Copy the catalog and its ledger of corrections, even while they are in use.",
    discussion: """
      The ledger is copied beside it, for example backup.db and backup.ledger.db. \
      A ledger is overwritten only by a longer one of the same history.
      """)

  @Argument(help: "The file to write.", completion: .file())
  package var file: String

  @Flag(help: "Overwrite the file.")
  package var force = false

  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func run() throws {
    try options.perform { _ in
      let catalog = try Catalog.open(options.catalogPath, .readOnly)
      let path = Ledger.path(forCatalog: options.catalogPath)
      let loss = try catalog.loss(
        of: Ledger.exists(at: path) ? Ledger.open(path, .readOnly) : nil)
      let copied = try BackupWithLedger(catalog: catalog).copy(to: file, overwrite: force)
      return BackupResult(
        catalog: options.catalogPath, file: file, copied: copied,
        problem: loss.map { "\(LedgerError.lost(path: path, $0))" })
    }
  }
}

/// The result of `assay backup`.
struct BackupResult: CommandResult {
  var catalog: String
  var file: String
  /// The ledger's copy; `nil` if there is no ledger.
  var copied: BackupWithLedger.CopiedLedger?
  /// Entries that are missing from the ledger, and so from the copy, in words.
  var problem: String?

  var remarks: [String] { problem.map { [$0] } ?? [] }

  var json: JSONValue {
    [
      "catalog": .string(catalog), "file": .string(file),
      "ledger": copied.map {
        ["file": .string($0.path), "entries": .integer($0.entries)]
      } ?? .null,
      "problem": JSONValue(problem),
    ]
  }

  func text(in terminal: Terminal) -> String {
    let first = "copied \(Terminal.safe(catalog)) to \(Terminal.safe(file))"
    guard let copied else { return first }
    let entries = "\(copied.entries) \(copied.entries == 1 ? "entry" : "entries")"
    return first + "\nand its ledger (\(entries)) to \(Terminal.safe(copied.path))"
  }
}
