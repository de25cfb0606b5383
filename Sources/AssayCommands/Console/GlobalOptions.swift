package import ArgumentParser
import AssayCore
import AssayStore
package import AssayWorkflows
import Foundation

/// The options that every command has, and the one place where results and errors become text and
/// an exit status.
package struct GlobalOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The catalog. Default: $ASSAY_DB, else assay.db in this folder.", valueName: "file"))
  package var db: String?

  @Flag(help: "Print the result as JSON.")
  package var json = false

  @Flag(help: "Print no progress.")
  package var quiet = false

  package init() {}

  /// The catalog's path: `--db`, `$ASSAY_DB`, or `assay.db` in the current folder.
  package var catalogPath: String {
    db ?? ProcessInfo.processInfo.environment["ASSAY_DB"].flatMap { $0.isEmpty ? nil : $0 }
      ?? "assay.db"
  }

  /// Does a command's work and prints its result. An error goes to standard error (with `--json` as
  /// an object with `error`) and ends the program with status 2; an interrupt ends it with 130, and
  /// a standard stream that cannot be written with 74.
  ///
  /// - Parameters:
  ///   - status: another status for some errors; `nil` for the usual one.
  ///   - work: gets the progress bar to report to. It can throw `ExitCode` to end with its own status
  ///     after it has printed.
  package func perform(
    status: (any Error) -> Int32? = { _ in nil },
    _ work: (any ProgressSink) throws -> some CommandResult
  ) throws {
    Interruption.install()
    let bar = ProgressBar(enabled: !quiet && !json)
    do {
      try ProcessResources.claim()
      let result = try work(bar)
      bar.finish()
      try show(result)
      try noteRenamedFields()
    } catch let code as ExitCode {
      bar.finish()
      throw code
    } catch let failure as CheckFailed {
      bar.finish()
      try show(failure.result)
      throw ExitCode(1)
    } catch let failure as OutputUnwritable {
      bar.finish()
      Output.report(failure)
      throw ExitCode(Output.unwritableStatus)
    } catch {
      bar.finish()
      do throws(OutputUnwritable) {
        try printError(error)
      } catch {
        Output.report(error)
        throw ExitCode(Output.unwritableStatus)
      }
      throw ExitCode(status(error) ?? (error is Interrupted ? 130 : 2))
    }
  }

  /// Prints a result and its remarks.
  ///
  /// - Throws: ``OutputUnwritable``.
  func printResult(_ result: any CommandResult) throws(OutputUnwritable) {
    let terminal = Terminal.attached(to: 1)
    var text = json ? result.json.text(indented: true) : result.text(in: terminal)
    if !json, terminal.folds { text = Paragraph.folded(text, to: terminal.width) }
    if !text.isEmpty, !text.hasSuffix("\n") { text += "\n" }
    try Output.write(text)
    guard !json, !quiet else { return }
    for remark in result.remarks {
      try Output.write(Terminal.safe(remark) + "\n", to: .standardError)
    }
  }

  /// Reports the fields of the expressions on the command line that were renamed.
  private func noteRenamedFields() throws {
    guard !json, !quiet else { return }
    let words = CommandLine.arguments.dropFirst().joined(separator: " ")
    for note in ViewExpression.RunField.renamingNotes(for: words) {
      try Output.write("note: \(note)\n", to: .standardError)
    }
  }

  /// Prints the result of finished work.
  private func show(_ result: any CommandResult) throws {
    do throws(OutputUnwritable) {
      try printResult(result)
    } catch {
      Output.report(error, kept: "the command succeeded, but its result is not shown completely")
      throw ExitCode(Output.unwritableStatus)
    }
  }

  /// The message goes to standard error even if standard output cannot be written.
  private func printError(_ error: any Error) throws(OutputUnwritable) {
    let message = Self.message(of: error)
    var failure: OutputUnwritable?
    if json {
      let value: JSONValue = ["error": .string(message)]
      do throws(OutputUnwritable) { try Output.write(value.text(indented: true) + "\n") } catch {
        failure = error
      }
    }
    let terminal = Terminal.attached(to: 2)
    let text = "error: \(message)"
    let lines = terminal.folds ? Paragraph.folded(text, to: terminal.width) : text
    try Output.write(lines + "\n", to: .standardError)
    if let failure { throw failure }
  }

  /// An error's text with control characters made visible and line breaks kept.
  private static func message(of error: any Error) -> String {
    "\(error)".split(separator: "\n", omittingEmptySubsequences: false)
      .map { Terminal.safe(String($0)) }.joined(separator: "\n")
  }
}

/// A failed check: the result is printed, and the program ends with status 1.
package struct CheckFailed: Error {
  package var result: any CommandResult

  package init(_ result: any CommandResult) { self.result = result }
}
