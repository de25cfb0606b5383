package import ArgumentParser
import AssayCore
package import AssayWorkflows
import Foundation

/// The options that every command has, and the one place where results and errors become text and exit
/// status.
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

  /// Does a command's work and prints its result; an error goes to standard error (with `--json` as an
  /// object with `error`) and ends the program with status 2, an interrupt with 130.
  ///
  /// - Parameter work: gets the progress bar to report to. It may throw `ExitCode` to end with a status
  ///   of its own after it has printed.
  package func perform(_ work: (any ProgressSink) throws -> some CommandResult) throws {
    Interruption.install()
    let bar = ProgressBar(enabled: !quiet && !json)
    do {
      let result = try work(bar)
      bar.finish()
      printResult(result)
    } catch let code as ExitCode {
      bar.finish()
      throw code
    } catch let failure as CheckFailed {
      bar.finish()
      printResult(failure.result)
      throw ExitCode(1)
    } catch {
      bar.finish()
      printError(error)
      throw ExitCode(error is Interrupted ? 130 : 2)
    }
  }

  private func printResult(_ result: any CommandResult) {
    let terminal = Terminal.attached(to: 1)
    var text = json ? result.json.text(indented: true) : result.text(in: terminal)
    if !json, terminal.folds { text = Paragraph.folded(text, to: terminal.width) }
    if !text.isEmpty, !text.hasSuffix("\n") { text += "\n" }
    FileHandle.standardOutput.write(Data(text.utf8))
    guard !json, !quiet else { return }
    for remark in result.remarks {
      FileHandle.standardError.write(Data((Terminal.safe(remark) + "\n").utf8))
    }
  }

  private func printError(_ error: any Error) {
    let message = Self.message(of: error)
    if json {
      let value: JSONValue = ["error": .string(message)]
      FileHandle.standardOutput.write(Data((value.text(indented: true) + "\n").utf8))
    }
    let terminal = Terminal.attached(to: 2)
    let text = "error: \(message)"
    let lines = terminal.folds ? Paragraph.folded(text, to: terminal.width) : text
    FileHandle.standardError.write(Data((lines + "\n").utf8))
  }

  /// An error's text, control characters made visible, lines kept.
  private static func message(of error: any Error) -> String {
    "\(error)".split(separator: "\n", omittingEmptySubsequences: false)
      .map { Terminal.safe(String($0)) }.joined(separator: "\n")
  }
}

/// A check that was asked for has failed: the result is printed, and the program ends with status 1.
package struct CheckFailed: Error {
  package var result: any CommandResult

  package init(_ result: any CommandResult) { self.result = result }
}
