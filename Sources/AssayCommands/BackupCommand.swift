package import ArgumentParser
import AssayCore
import AssayStore

/// `assay backup`: a whole copy of the catalog.
package struct BackupCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Copy the catalog whole into a file, also while it is in use.")

  @Argument(help: "The file to write.", completion: .file())
  package var file: String

  @Flag(help: "Overwrite the file.")
  package var force = false

  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func run() throws {
    try options.perform { _ in
      let catalog = try Catalog.open(options.catalogPath, .readOnly)
      try catalog.backup(to: file, overwrite: force)
      return BackupResult(catalog: options.catalogPath, file: file)
    }
  }
}

/// What was copied where.
struct BackupResult: CommandResult {
  var catalog: String
  var file: String

  var json: JSONValue { ["catalog": .string(catalog), "file": .string(file)] }

  func text(in terminal: Terminal) -> String {
    "copied \(Terminal.safe(catalog)) to \(Terminal.safe(file))"
  }
}
