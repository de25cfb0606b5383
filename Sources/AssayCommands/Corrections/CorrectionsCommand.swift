package import ArgumentParser
import AssayCore
import AssayReview
import Foundation

/// `assay corrections`: the corrections of the ground truth.
package struct CorrectionsCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "corrections",
    abstract: "List, show, add and undo corrections, and exchange them.",
    discussion: """
      Corrections are stored in an append-only ledger beside the catalog (for x.db, x.ledger.db): an undo \
      is an entry, too. Commands use the imported ground truth unless --corrected is given. To correct in the \
      browser, use `assay review`.
      """,
    subcommands: [
      CorrectionsListCommand.self, CorrectionsShowCommand.self, CorrectionsAddCommand.self,
      CorrectionsUndoCommand.self, CorrectionsRedoCommand.self, CorrectionsVerifyCommand.self,
      CorrectionsExportCommand.self, CorrectionsImportCommand.self, CorrectionsAdoptCommand.self,
      CorrectionsForgetCommand.self,
    ])

  package init() {}
}

/// The author of corrections.
package struct AuthorOptions: ParsableArguments {
  @Option(help: "The author. Default: $ASSAY_AUTHOR, else the user name.")
  package var author: String?

  package init() {}

  package func validate() throws {
    try Self.check(found.name)
  }

  /// - Throws: `ValidationError` for a name that the server would not accept either.
  static func check(_ name: String) throws {
    do { _ = try ReviewAuthor.checked(name) } catch { throw ValidationError("\(error)") }
  }

  /// The name, and its source if it was not given as an option.
  var found: (name: String, source: String?) {
    if let author { return (author, nil) }
    let environment = ProcessInfo.processInfo.environment
    for name in ["ASSAY_AUTHOR", "USER"] {
      if let value = environment[name], !value.allSatisfy(\.isWhitespace) {
        return (value, "$\(name)")
      }
    }
    return (NSUserName(), "the user's name")
  }

  /// `anna`, or `anna ($USER)` if it was not given as an option.
  var told: String {
    let (name, source) = found
    return Terminal.safe(name) + (source.map { " (\($0))" } ?? "")
  }
}
