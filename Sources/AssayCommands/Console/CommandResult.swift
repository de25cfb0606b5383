package import AssayCore

/// The result of a command: one value, printed as text or as JSON.
package protocol CommandResult: Sendable {
  /// The result under `--json`.
  var json: JSONValue { get }

  /// The result for a person: a headline, a small table, then the location of the details.
  func text(in terminal: Terminal) -> String

  /// Remarks for standard error next to a text that programs read; empty if the text is complete.
  var remarks: [String] { get }
}

extension CommandResult {
  package var remarks: [String] { [] }
}
