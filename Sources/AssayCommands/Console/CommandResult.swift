package import AssayCore

/// What a command found out: one value, printed as text or as JSON.
package protocol CommandResult: Sendable {
  /// The result under `--json`.
  var json: JSONValue { get }

  /// The result for a person: a headline, a small table, then where the details are.
  func text(in terminal: Terminal) -> String

  /// What a person should know beside a text that programs read, for standard error; empty where the text
  /// says it all.
  var remarks: [String] { get }
}

extension CommandResult {
  package var remarks: [String] { [] }
}
