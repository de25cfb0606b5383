package import AssayCore

/// The result of a command that has several kinds of result.
package struct AnyResult: CommandResult {
  private let result: any CommandResult

  init(_ result: any CommandResult) { self.result = result }

  package var json: JSONValue { result.json }

  package func text(in terminal: Terminal) -> String { result.text(in: terminal) }

  package var remarks: [String] { result.remarks }
}
